"""The official TypeScript client against `remember serve`, over HTTP with a bearer key."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.cli.command import Serving
from tests.clients.programs import RefusedError, TypeScript
from tests.clients.story import WITHOUT_A_PERSON, agree, decline
from tests.standins.client import VERSION

pytestmark = pytest.mark.clients

MODES = {"auto": "auto", "pinned": {"pin": VERSION}}
YES = {"action": "accept", "content": {"delete": True}}
NO = {"action": "decline"}


def refusal(url: str, key: str, mode: object = None) -> RefusedError:
    """What the client throws where it cannot connect."""

    async def connect() -> None:
        async with TypeScript(url=url, key=key, mode=mode):
            pass

    with pytest.raises(RefusedError) as caught:
        asyncio.run(connect())
    return caught.value


@pytest.mark.parametrize("mode", MODES.values(), ids=list(MODES))
def test_it_goes_through_all_that_a_client_does(serving: Serving, key: str, mode: object) -> None:
    """It remembers, recalls, lists, forgets, takes notes, and confirms in two steps, on one connection."""

    async def story() -> None:
        async with TypeScript(url=serving.url, key=key, mode=mode) as client:
            assert client.version == VERSION
            assert {"remember_this", "engram_remember", "forget_all"} <= set(client.tools)
            for part in WITHOUT_A_PERSON:
                await part(client)

    asyncio.run(story())


@pytest.mark.parametrize("mode", MODES.values(), ids=list(MODES))
@pytest.mark.parametrize(("answer", "part"), [(YES, agree), (NO, decline)], ids=["yes", "no"])
def test_its_person_is_asked(serving: Serving, key: str, mode: object, answer: dict[str, Any], part: Any) -> None:
    """By the client's own form, in the middle of one call; the answer decides."""

    async def story() -> None:
        async with TypeScript(url=serving.url, key=key, mode=mode, person=answer) as client:
            await part(client)

    asyncio.run(story())


def test_a_tool_that_is_not_there_is_named(serving: Serving, key: str) -> None:
    """With the nearest that is."""

    async def story() -> None:
        async with TypeScript(url=serving.url, key=key, mode="auto") as client:
            with pytest.raises(RefusedError, match=r"There is no tool 'recal'; did you mean recall\?"):
                await client.call("recal", {})

    asyncio.run(story())


def test_left_on_its_default_it_shows_which_version_to_set(serving: Serving, key: str) -> None:
    """Its default is the handshake of older versions."""
    shown = str(refusal(serving.url, key))
    assert f"This server speaks MCP {VERSION} only; MCP 2025-11-25 is not served." in shown
    assert f"set it to protocol version {VERSION}" in shown


def test_a_wrong_key_is_told_apart_from_a_wrong_version(serving: Serving) -> None:
    """Negotiating, it says in its own words that it is not let in, and keeps ours behind them; else it shows ours."""
    told = "The bearer credential is not one that this server knows."
    negotiating = refusal(serving.url, "a-key-that-nobody-gave-out", "auto")
    assert "the server requires authorization (HTTP 401)" in str(negotiating)
    assert told in negotiating.text
    assert told in str(refusal(serving.url, "a-key-that-nobody-gave-out"))
