"""The official Python client, in process and over HTTP: it finds the version, lists, remembers, recalls, forgets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent

from tests.clients.story import WITHOUT_A_PERSON, agree, decline
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


@pytest.fixture(params=["in process", "over HTTP"])
def of_her_own(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """The same, with nothing in it yet, and for nobody without a key."""
    if request.param == "in process":
        yield in_process(memory_handler())
    else:
        with serving(memory_handler()) as port:
            yield over_http(port)


class Asking:
    """A client whose person gives the same answer to every question; without one it cannot ask."""

    def __init__(self, answer: ElicitResult | None = None) -> None:
        self.asked: list[str] = []
        self.client: Client
        self.answer = answer

    async def person(
        self,
        context: ClientRequestContext,  # noqa: ARG002  the client's own signature
        params: ElicitRequestParams,
    ) -> ElicitResult:
        assert self.answer is not None
        self.asked.append(params.message)
        return self.answer

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return data(await self.client.call_tool(tool, arguments))


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_goes_through_all_that_a_client_does(of_her_own: Connect, mode: str) -> None:
    """It remembers, recalls, lists, forgets, takes notes, and confirms in two steps; every answer fits its schema."""

    async def story() -> None:
        asking = Asking()
        async with of_her_own(ANA, mode) as asking.client:
            assert asking.client.protocol_version == VERSION
            tools = await asking.client.list_tools()
            assert [tool.name for tool in tools.tools][:4] == ["remember_this", "recall", "forget", "list_memories"]
            for part in WITHOUT_A_PERSON:
                await part(asking)

    run(story)


ANSWERS = {
    "yes": (ElicitResult(action="accept", content={"delete": True}), agree),
    "no": (ElicitResult(action="decline"), decline),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("answer", "part"), ANSWERS.values(), ids=list(ANSWERS))
def test_the_official_client_s_person_is_asked(of_her_own: Connect, mode: str, answer: ElicitResult, part: Any) -> None:
    """By its elicitation callback, in the middle of one call; the answer decides."""

    async def story() -> None:
        asking = Asking(answer)
        async with of_her_own(ANA, mode, asking.person) as asking.client:
            await part(asking)

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


NOT_LET_IN = {
    None: r"This server needs an Authorization header: Bearer <credential>\.",
    "a-key-that-nobody-gave-out": r"The bearer credential is not one that this server knows\.",
}


@pytest.mark.parametrize("mode", [*MODES, "legacy"])
@pytest.mark.parametrize(("key", "why"), NOT_LET_IN.items())
def test_the_official_client_shows_why_it_is_not_let_in(
    of_her_own: Connect, mode: str, key: str | None, why: str
) -> None:
    """In our words, which it only shows where the answer carries its request's id."""

    async def story() -> None:
        with pytest.RaisesGroup(pytest.RaisesExc(MCPError, match=why), allow_unwrapped=True, flatten_subgroups=True):
            async with of_her_own(key, mode) as client:
                await client.list_tools()

    run(story)


def test_a_wrong_key_is_no_stranger(connect: Connect) -> None:
    """Where strangers may come in, a key that does not fit is still refused."""

    async def story() -> None:
        async with connect("a-key-that-nobody-gave-out", VERSION) as client:
            with pytest.raises(MCPError, match="not one that this server knows"):
                await client.call_tool("list_memories", {"scope": "global"})

    run(story)


def test_the_legacy_mode_of_the_official_client_is_told_the_version(of_her_own: Connect) -> None:
    """Its error names what is served and what it asked for, so that a person knows which setting to change."""
    told = f"This server speaks MCP {VERSION} only; MCP 2025-11-25 is not served.*set it to protocol version {VERSION}"

    async def story() -> None:
        with pytest.RaisesGroup(pytest.RaisesExc(MCPError, match=told), flatten_subgroups=True):
            async with of_her_own(ANA, "legacy"):
                pass

    run(story)


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(connect: Connect) -> None:
    """With the nearest name in it."""

    async def story() -> None:
        async with connect(ANA, VERSION) as client:
            with pytest.raises(MCPError, match="did you mean recall"):
                await client.call_tool("recal", {})

    run(story)
