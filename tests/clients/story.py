"""What every client is put through, whatever it is written in: keep and forget, take notes, delete much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Connected(Protocol):
    """A client of any kind, connected to the memory server."""

    @property
    def asked(self) -> Sequence[str]:
        """What its person was asked, from the beginning."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """What a tool answered, as data. An error of the tool, or a refusal, raises."""


async def keep_and_forget(client: Connected) -> None:
    """A value under a key, from remember_this to forget."""
    kept = await client.call("remember_this", {"key": "language", "value": {"code": "de"}, "scope": "user"})
    assert (kept["success"], kept["replaced"]) == (True, False)
    assert (await client.call("recall", {"key": "language", "scope": "user"}))["value"] == {"code": "de"}
    assert (await client.call("list_memories", {"pattern": "lang*", "scope": "user"}))["keys"] == ["language"]
    assert (await client.call("forget", {"key": "language", "scope": "user"}))["existed"] is True
    assert (await client.call("recall", {"key": "language", "scope": "user"}))["found"] is False


async def take_notes(client: Connected) -> None:
    """A sentence, found again by what it means."""
    kept = await client.call("engram_remember", {"content": "Ana prefers tea", "tags": ["drinks"]})
    assert kept["outcome"] == "created"
    found = await client.call("engram_recall", {"query": "what does Ana drink?"})
    assert [memory["id"] for memory in found["memories"]] == [kept["id"]]
    assert (await client.call("engram_forget", {"memory_id": kept["id"]}))["count"] == 1


async def confirm_in_two_steps(client: Connected) -> None:
    """Where the client cannot ask its person, a first call counts, and gives what the second one needs."""
    await _fill(client)
    shown = await client.call("engram_forget", {"tags": ["drinks"]})
    assert (shown["count"], shown["dry_run"]) == (1, True)
    sure = {"tags": ["drinks"], "confirmation": shown["confirmation"]}
    gone = await client.call("engram_forget", sure)
    assert (gone["count"], gone["dry_run"]) == (1, False)
    shown = await client.call("forget_all", {"scope": "user"})
    assert (shown["deleted"], shown["values"], shown["notes"]) == (False, 2, 1)
    assert await _left(client) == (2, 1)
    gone = await client.call("forget_all", {"scope": "user", "confirmation": shown["confirmation"]})
    assert (gone["deleted"], gone["values"], gone["notes"]) == (True, 2, 1)
    assert await _left(client) == (0, 0)
    assert not client.asked


async def agree(client: Connected) -> None:
    """Where the client can ask, its person does, and what they agree to is done in one call."""
    await _fill(client)
    gone = await client.call("engram_forget", {"tags": ["drinks"]})
    assert (gone["count"], gone["dry_run"]) == (1, False)
    gone = await client.call("forget_all", {"scope": "user"})
    assert (gone["deleted"], gone["values"], gone["notes"]) == (True, 2, 1)
    about_tea, about_all = client.asked
    assert about_tea.startswith("Delete 1 note that you keep, for good?")
    assert "drinks" in about_tea
    assert about_all == "Delete 2 values and 1 note that you keep, for good?"
    assert await _left(client) == (0, 0)


async def decline(client: Connected) -> None:
    """The same with a no: everything is still there."""
    await _fill(client)
    told = await client.call("engram_forget", {"tags": ["drinks"]})
    assert told["dry_run"] is True
    assert "did not agree" in told["message"]
    told = await client.call("forget_all", {"scope": "user"})
    assert (told["deleted"], told["values"], told["notes"]) == (False, 2, 2)
    assert len(client.asked) == 2
    assert await _left(client) == (2, 2)


WITHOUT_A_PERSON = (keep_and_forget, take_notes, confirm_in_two_steps)


async def _fill(client: Connected) -> None:
    for key in ("city", "language"):
        await client.call("remember_this", {"key": key, "value": key, "scope": "user"})
    for content, tag in (("Ana prefers tea", "drinks"), ("The deadline is on Friday", "work")):
        await client.call("engram_remember", {"content": content, "tags": [tag]})


async def _left(client: Connected) -> tuple[int, int]:
    keys = (await client.call("list_memories", {"scope": "user"}))["keys"]
    return len(keys), (await client.call("engram_status", {}))["total"]
