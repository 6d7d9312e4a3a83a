"""Where it runs: behind Mangum, under uvicorn, in one event loop after another; nothing has to be started first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mangum import Mangum
from mcp import Client as OfficialClient
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent

from tests.fetch.asgi import serve
from tests.fetch.events import EVENTS, Make
from tests.fetch.stores import Slow
from tests.fetch.test_lambda import invoke
from tests.protocol.official import in_process, over_http, serving
from tests.protocol.oracle import result_of
from tests.protocol.requests import ANA, BOB, call, post, rpc
from tests.sdk.servers import handler, server
from tests.standins.client import VERSION, Client

KEPT = call("set_language", language="de")
ASKED = call("language")


@pytest.fixture
def loop() -> Iterator[None]:
    """The one event loop of a Lambda's process, which Mangum uses."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    asyncio.set_event_loop(None)
    made.close()


@pytest.mark.usefixtures("loop")
@pytest.mark.parametrize("lifespan", ["off", "auto", "on"])
@pytest.mark.parametrize("make", EVENTS.values(), ids=list(EVENTS))
def test_d2_a_warm_function_answers_again_and_again(make: Make, lifespan: Any) -> None:
    """D2: the same object, with each kind of event and with or without a lifespan around it."""
    function = Mangum(handler(), lifespan=lifespan)
    invoke(function, make(post(KEPT)))
    for _ in range(3):
        result = result_of(invoke(function, make(post(ASKED))), "tools/call")
        assert result["structuredContent"] == {"result": "de"}
        assert len(result_of(invoke(function, make(post(rpc("tools/list")))), "tools/list")["tools"]) == 6


def test_d1_no_lifespan_is_needed() -> None:
    """D1: an http scope alone, as Vercel sends it; the body in as many pieces as it likes."""
    made = handler()
    request = post(KEPT)
    assert request.body is not None
    chunks = [request.body[:10], request.body[10:], b""]
    result_of(asyncio.run(serve(made, request, chunks)), "tools/call")
    assert result_of(asyncio.run(serve(made, post(ASKED))), "tools/call")["structuredContent"] == {"result": "de"}


def test_d3_one_event_loop_after_another() -> None:
    """D3: three processes' worth of loops, and calls that meet in each."""
    made = handler(store=Slow())

    async def meet() -> list[int]:
        responses = await asyncio.gather(
            *(made.fetch(post(message)) for message in [KEPT, ASKED, rpc("tools/list")] * 5)
        )
        return [response.status for response in responses]

    for _ in range(3):
        assert asyncio.run(meet()) == [200] * 15


def test_the_server_s_own_lifespan_is_around_each_request() -> None:
    """An author's lifespan works without one of the platform's: entered, used and left, every time."""
    events: list[str] = []

    @asynccontextmanager
    async def lifespan(_: MCPServer[str]) -> AsyncIterator[str]:
        events.append("opened")
        yield "a connection"
        events.append("closed")

    made = MCPServer("assistant", lifespan=lifespan, log_level="WARNING")

    @made.tool()
    async def use(ctx: Context[str, Any]) -> str:
        """Use it."""
        events.append("used")
        return ctx.request_context.lifespan_context

    ana = Client(handler(made), ANA)
    assert [ana.call("use").text for _ in range(2)] == ["a connection"] * 2
    assert events == ["opened", "used", "closed"] * 2


def said(result: CallToolResult) -> str:
    """A tool's one piece of text; it must not be an error."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.is_error, content.text
    return content.text


async def story(ana: OfficialClient, bob: OfficialClient) -> None:
    """What two people do, each with the official client."""
    assert ana.protocol_version == VERSION
    names = [tool.name for tool in (await ana.list_tools()).tools]
    assert names == ["set_language", "language", "remember_this", "recall", "forget", "list_memories"]
    assert said(await ana.call_tool("set_language", {"language": "de"})) == "From now on in de."
    assert said(await ana.call_tool("language")) == "de"
    assert said(await bob.call_tool("language")) == "None"
    recalled = await ana.call_tool("recall", {"key": "language", "scope": "user"})
    assert (recalled.structured_content or {})["value"] == "de"
    listed = await bob.call_tool("list_memories", {"scope": "user"})
    assert (listed.structured_content or {})["keys"] == []
    refused = await ana.call_tool("recall", {"key": ""})
    assert refused.is_error
    assert (refused.meta or {})["code"] == "INVALID_INPUT"


@pytest.mark.parametrize("mode", ["auto", VERSION])
def test_the_official_client_in_process(mode: str) -> None:
    """Straight into the ASGI app."""
    connect = in_process(handler())

    async def talk() -> None:
        async with connect(ANA, mode) as ana, connect(BOB, mode) as bob:
            await story(ana, bob)

    asyncio.run(talk())


@pytest.mark.parametrize("mode", ["auto", VERSION])
def test_the_official_client_over_http(mode: str) -> None:
    """Through uvicorn, which is told of no lifespan by `serving` either way."""
    with serving(handler()) as port:
        connect = over_http(port)

        async def talk() -> None:
            async with connect(ANA, mode) as ana, connect(BOB, mode) as bob:
                await story(ana, bob)

        asyncio.run(talk())


def test_a_caller_who_hangs_up_stops_the_work() -> None:
    """The disconnect reaches a tool of the server's own, as it does on our engine."""
    made = server()
    begun, stopped = asyncio.Event(), asyncio.Event()

    @made.tool()
    async def wait() -> str:
        """Wait for ever."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    async def hang_up() -> None:
        working = asyncio.ensure_future(handler(made).fetch(post(call("wait"))))
        await begun.wait()
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        assert stopped.is_set()

    asyncio.run(hang_up())
