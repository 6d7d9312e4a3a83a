"""The official Python client, in process and over HTTP: it finds the version, lists, remembers, recalls, forgets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import CallToolResult, TextContent

from tests.protocol.official import Connect, in_process, over_http, serving
from tests.protocol.requests import ANA, BOB, memory_handler
from tests.standins.client import VERSION

MODES = ["auto", VERSION]
STRANGERS_TOO = {"REMEMBER_ANONYMOUS": "allow"}


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    """The memory server on a port of this machine."""
    with serving(memory_handler(environ=STRANGERS_TOO)) as port:
        yield port


@pytest.fixture(params=["in process", "over HTTP"])
def connect(request: pytest.FixtureRequest) -> Connect:
    """The same deployment, without and with a network in between; strangers may come in."""
    if request.param == "in process":
        return in_process(memory_handler(environ=STRANGERS_TOO))
    return over_http(request.getfixturevalue("server"))


def data(result: CallToolResult) -> Any:
    """What a tool answered, which must not be an error."""
    assert not result.is_error, result
    return result.structured_content


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def awaited() -> None:
        await work()

    asyncio.run(awaited())


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_remembers_recalls_lists_and_forgets(connect: Connect, mode: str) -> None:
    """Every answer passes the client's own checks, against the output schemas too."""

    async def story() -> None:
        async with connect(ANA, mode) as client:
            assert client.protocol_version == VERSION
            tools = await client.list_tools()
            assert [tool.name for tool in tools.tools][:4] == ["remember_this", "recall", "forget", "list_memories"]
            kept = await client.call_tool("remember_this", {"key": "language", "value": {"code": "de"}, "ttl": 60})
            assert data(kept)["success"] is True
            assert data(await client.call_tool("recall", {"key": "language"}))["value"] == {"code": "de"}
            assert data(await client.call_tool("list_memories", {"pattern": "lang*"}))["keys"] == ["language"]
            assert data(await client.call_tool("forget", {"key": "language"}))["existed"] is True
            assert data(await client.call_tool("recall", {"key": "language"}))["found"] is False

    run(story)


@pytest.mark.promise("notes.schemas")
@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_takes_notes(connect: Connect, mode: str) -> None:
    """All six answers pass its checks against their output schemas."""

    async def story() -> None:
        async with connect(ANA, mode) as client:
            await client.list_tools()
            kept = data(await client.call_tool("engram_remember", {"content": "Ana prefers tea", "tags": ["drinks"]}))
            assert kept["outcome"] == "created"
            found = data(await client.call_tool("engram_recall", {"query": "tea", "why": True}))
            assert [memory["id"] for memory in found["memories"]] == [kept["id"]]
            voted = data(await client.call_tool("engram_feedback", {"memory_id": kept["id"], "helpful": True}))
            assert voted["helpful"] == 1
            assert "Ana prefers tea" in data(await client.call_tool("engram_context", {"query": "tea"}))["context"]
            assert data(await client.call_tool("engram_status", {}))["total"] == 1
            shown = data(await client.call_tool("engram_forget", {"tags": ["drinks"]}))
            sure = {"tags": ["drinks"], "confirmation": shown["confirmation"]}
            assert data(await client.call_tool("engram_forget", sure))["count"] == 1

    run(story)


@pytest.mark.parametrize("mode", MODES)
def test_what_one_connection_kept_another_one_of_the_same_caller_finds(connect: Connect, mode: str) -> None:
    """There is no session that could end, and nobody else finds it."""

    async def story() -> None:
        async with connect(ANA, mode) as first:
            data(await first.call_tool("remember_this", {"key": "k", "value": 1}))
        async with connect(ANA, mode) as second, connect(BOB, mode) as other:
            assert data(await second.call_tool("recall", {"key": "k"}))["value"] == 1
            assert data(await other.call_tool("recall", {"key": "k"}))["found"] is False
            assert data(await other.call_tool("list_memories"))["keys"] == []

    run(story)


SIGNED_IN_OR_NOT = [
    (ANA, "session", None),
    (ANA, "user", None),
    (ANA, "tool", None),
    (ANA, "global", None),
    (None, "session", "REMEMBER_IDENTITY_REQUIRED"),
    (None, "user", "REMEMBER_IDENTITY_REQUIRED"),
    (None, "tool", "REMEMBER_IDENTITY_REQUIRED"),
    (None, "global", None),
]


@pytest.mark.parametrize("mode", MODES)
def test_who_may_use_which_scope(connect: Connect, mode: str) -> None:
    """Signed in: all four. A stranger: global only, with the reason in words that a model can act on."""

    async def story() -> None:
        for key, scope, code in SIGNED_IN_OR_NOT:
            async with connect(key, mode) as client:
                result = await client.call_tool("remember_this", {"key": "k", "value": scope, "scope": scope})
                assert bool(result.is_error) is (code is not None), (key, scope, result)
                if code is not None:
                    (content,) = result.content
                    assert isinstance(content, TextContent)
                    assert "'global' scope" in content.text
                    assert (result.meta or {})["code"] == code

    run(story)


@pytest.mark.parametrize("mode", MODES)
def test_whose_value_each_scope_finds(connect: Connect, mode: str) -> None:
    """Session and user: the same caller. Tool: the same tool of theirs, which recall is not. Global: everybody."""

    async def story() -> None:
        async with connect(ANA, mode) as ana, connect(BOB, mode) as bob, connect(None, mode) as stranger:
            for scope in ("session", "user", "tool", "global"):
                data(await ana.call_tool("remember_this", {"key": "k", "value": scope, "scope": scope}))
            for caller, found in ((ana, {"session", "user", "global"}), (bob, {"global"}), (stranger, {"global"})):
                for scope in ("session", "user", "tool", "global"):
                    result = await caller.call_tool("recall", {"key": "k", "scope": scope})
                    seen = not result.is_error and data(result)["found"]
                    assert seen is (scope in found), (scope, result)

    run(story)


@pytest.mark.parametrize("key", [None, "a-key-that-nobody-gave-out"])
def test_the_official_client_is_refused_without_a_good_key(key: str | None) -> None:
    """Where strangers may not come in, neither may a wrong key."""
    handler = memory_handler()

    async def story() -> None:
        async with in_process(handler)(key, VERSION) as client:
            with pytest.raises(MCPError):
                await client.list_tools()

    run(story)


def test_a_wrong_key_is_no_stranger(connect: Connect) -> None:
    """Where strangers may come in, a key that does not fit is still refused."""

    async def story() -> None:
        async with connect("a-key-that-nobody-gave-out", VERSION) as client:
            with pytest.raises(MCPError):
                await client.call_tool("list_memories", {"scope": "global"})

    run(story)


def test_the_legacy_mode_of_the_official_client_is_told_the_version() -> None:
    """Its error names what is served, so that a person knows which setting to change."""
    handler = memory_handler()

    async def story() -> None:
        with pytest.raises(BaseExceptionGroup) as caught:
            async with in_process(handler)(ANA, "legacy"):
                pass
        assert caught.group_contains(MCPError, match=VERSION, depth=None)

    run(story)


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(connect: Connect) -> None:
    """With the nearest name in it."""

    async def story() -> None:
        async with connect(ANA, VERSION) as client:
            with pytest.raises(MCPError, match="did you mean recall"):
                await client.call_tool("recal", {})

    run(story)
