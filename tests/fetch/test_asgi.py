"""As an ASGI app: with a lifespan or without, in several event loops, with bodies in pieces and clients that leave."""

from __future__ import annotations

import asyncio
import json

import pytest

from remember import App, Context, FetchHandler, Request, create_fetch_handler, tool
from remember.settings import MAX_BODY_BYTES
from tests.fetch.asgi import Connection, scope_of, serve
from tests.fetch.stores import Slow, Stuck
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import ANA, KEYS, call, memory_handler, post, rpc

LIST = post(rpc("tools/list"))
SECRET = {"REMEMBER_SECRET": "a-made-up-secret-of-the-tests"}


@pytest.fixture
def handler() -> FetchHandler:
    return memory_handler()


def test_d1_no_lifespan_is_needed(handler: FetchHandler) -> None:
    """D1: some platforms never run one."""
    result_of(asyncio.run(serve(handler, LIST)), "tools/list")


def test_a_lifespan_is_answered_and_ends(handler: FetchHandler) -> None:
    """Started and shut down, each confirmed once, with requests between and after."""

    async def story() -> list[str]:
        events: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        sent: list[str] = []

        async def send(event: object) -> None:
            assert isinstance(event, dict)
            sent.append(event["type"])

        running = asyncio.create_task(handler({"type": "lifespan"}, events.get, send))
        events.put_nowait({"type": "lifespan.startup"})
        result_of(await serve(handler, LIST), "tools/list")
        events.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.wait_for(running, 10)
        result_of(await serve(handler, LIST), "tools/list")
        return sent

    assert asyncio.run(story()) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_d3_one_process_may_have_several_event_loops(handler: FetchHandler) -> None:
    """D3: nothing stays bound to the first one, and what it kept is still there."""
    asyncio.run(serve(handler, post(call("remember_this", key="k", value=7))))
    for _ in range(3):
        result = result_of(asyncio.run(serve(handler, post(call("recall", key="k")))), "tools/call")
        assert result["structuredContent"]["value"] == 7


def test_d7_nothing_is_left_to_do_after_the_response() -> None:
    """D7: a frozen function never gets to it, so a second instance must find it at once."""
    store = Slow(ways=200)
    first, second = (memory_handler(store, environ=SECRET) for _ in range(2))
    asyncio.run(serve(first, post(call("remember_this", key="k", value=7))))  # its loop ends here, tasks and all
    result = result_of(asyncio.run(serve(second, post(call("recall", key="k")))), "tools/call")
    assert result["structuredContent"]["value"] == 7


def test_no_task_outlives_its_request(handler: FetchHandler) -> None:
    """The watch for a client that leaves ends with the request."""

    async def story() -> int:
        await serve(handler, LIST)
        return len(asyncio.all_tasks())

    assert asyncio.run(story()) == 1


def test_a_client_that_hangs_up_cancels_the_work() -> None:
    """MCP: to disconnect is to cancel. Nothing is sent into the closed connection."""

    async def story() -> None:
        store = Stuck()
        request = post(call("recall", key="k"))
        connection = Connection([request.body or b""])
        serving = asyncio.create_task(memory_handler(store)(scope_of(request), connection.receive, connection.send))
        await asyncio.wait_for(store.asked.wait(), 10)
        connection.hang_up()
        await asyncio.wait_for(serving, 10)
        assert store.given_up
        assert connection.sent == []
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())


def test_a_server_that_shuts_down_cancels_the_work() -> None:
    """A cancelled request cancels what it waits for, and leaves no task behind."""

    async def story() -> None:
        store = Stuck()
        request = post(call("recall", key="k"))
        connection = Connection([request.body or b""])
        serving = asyncio.create_task(memory_handler(store)(scope_of(request), connection.receive, connection.send))
        await asyncio.wait_for(store.asked.wait(), 10)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        assert store.given_up
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())


def test_a_client_that_hangs_up_in_the_middle_of_its_body_ends_the_request_quietly() -> None:
    """There is nobody to answer; a server would log an exception that we raise, stack and all."""

    async def story() -> None:
        connection = Connection([b'{"jsonrpc":'], whole=False)
        connection.hang_up()
        await memory_handler()(scope_of(LIST), connection.receive, connection.send)
        assert connection.sent == []

    asyncio.run(story())


@pytest.mark.parametrize("size", [1, 7, 64, 100_000])
def test_a_body_may_come_in_pieces(handler: FetchHandler, size: int) -> None:
    """Also cut in the middle of a character."""
    request = post(call("remember_this", key="städte", value="東京"))
    body = json.dumps(json.loads(request.body or b""), ensure_ascii=False).encode()
    chunks = [body[start : start + size] for start in range(0, len(body), size)]
    response = asyncio.run(serve(handler, request, [*chunks, b""]))
    assert result_of(response, "tools/call")["structuredContent"]["key"] == "städte"


def test_b4_a_body_over_the_limit_is_refused_before_its_end(handler: FetchHandler) -> None:
    """B4, E18: no more of it is kept than the limit, and the answer is JSON."""

    async def story() -> None:
        pieces = 64
        connection = Connection([b" " * 262_144] * pieces)
        await asyncio.wait_for(handler(scope_of(LIST), connection.receive, connection.send), 10)
        error_of(connection.response, 413, -32600, id=None)

    asyncio.run(story())


def test_a_body_of_exactly_the_limit_is_read(handler: FetchHandler) -> None:
    """The limit is the last size that is allowed."""
    body = (LIST.body or b"").ljust(MAX_BODY_BYTES)
    result_of(asyncio.run(serve(handler, LIST, [body[:1_000_000], body[1_000_000:]])), "tools/list")
    error_of(asyncio.run(serve(handler, LIST, [body, b" "])), 413, -32600, id=None)


@pytest.mark.parametrize("path", ["/", "/health", "/nothing", "/mcp"])
def test_head_answers_as_get_does_without_the_body(handler: FetchHandler, path: str) -> None:
    """With the length that the body would have had."""
    got, headed = (
        asyncio.run(serve(handler, post(b"", method=method, path=path, key=None))) for method in ("GET", "HEAD")
    )
    assert headed.body == b""
    assert (headed.status, headed.headers) == (got.status, got.headers)
    assert header(got, "content-length") == str(len(got.body))


def test_no_content_has_no_length(handler: FetchHandler) -> None:
    """RFC 9110 §8.6: a 204 carries no content-length; other empty bodies do."""
    preflight = Request("OPTIONS", "/mcp", (("origin", "https://claude.ai"),))
    response = asyncio.run(serve(handler, preflight))
    assert (response.status, response.body, header(response, "content-length")) == (204, b"", None)
    accepted = asyncio.run(serve(handler, post(rpc("notifications/x", id=...))))
    assert (accepted.status, accepted.body, header(accepted, "content-length")) == (202, b"", "0")


def test_a_websocket_is_turned_away(handler: FetchHandler) -> None:
    """Closed before it was accepted, which servers answer with 403."""

    async def story() -> list[object]:
        sent: list[object] = []

        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(event: object) -> None:
            sent.append(event)

        await handler({"type": "websocket", "path": "/mcp", "headers": []}, receive, send)
        return sent

    assert asyncio.run(story()) == [{"type": "websocket.close", "code": 1000}]


@pytest.mark.parametrize("query", [b"token=", b"access_token=", b"key=", b"authorization=Bearer%20"])
def test_f8_a_credential_in_the_query_is_none(
    handler: FetchHandler, query: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """F8: it would stand in every log on the way; it stands in none of ours."""
    response = asyncio.run(serve(handler, post(rpc("tools/list"), key=None), query=query + ANA.encode()))
    error_of(response, 401, -32600)
    assert ANA not in caplog.text
    assert ANA.encode() not in response.body


@pytest.mark.parametrize("raw", [b"Bearer \xc3\xa1", b"\xff", b"Bearer \x00", b"Bearer " + b"\x80" * 40])
def test_e16_bytes_beyond_ascii_in_a_credential_are_refused(handler: FetchHandler, raw: bytes) -> None:
    """E16: a refusal, not a failure."""
    request = post(rpc("tools/list"), {"authorization": raw.decode("latin-1")})
    error_of(asyncio.run(serve(handler, request)), 401, -32600)


def streaming(**changes: str | None) -> tuple[FetchHandler, Request, asyncio.Event]:
    """A handler whose tool tells of progress and waits, a call of it, and what says that the tool was stopped."""
    stopped = asyncio.Event()

    @tool
    async def wait(context: Context) -> str:
        """Wait."""
        await context.progress(1)
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    message = call("wait")
    message["params"]["_meta"] = {**message["params"]["_meta"], "progressToken": "t"}
    return create_fetch_handler(App("waits", tools=[wait]), environ={}, auth=KEYS), post(message, changes), stopped


def test_a_client_that_hangs_up_in_the_middle_of_a_stream_stops_the_tool() -> None:
    """MCP: to disconnect is to cancel. The server sees no exception, and no task is left."""

    async def story() -> None:
        handler, request, stopped = streaming()
        connection = Connection([request.body or b""])
        sent = asyncio.Event()

        async def send(event: object) -> None:
            await connection.send(event)
            if len(connection.sent) == 2:
                sent.set()

        serving = asyncio.create_task(handler(scope_of(request), connection.receive, send))
        await asyncio.wait_for(sent.wait(), 10)
        assert not stopped.is_set()
        connection.hang_up()
        await asyncio.wait_for(serving, 10)
        assert stopped.is_set()
        start, told = connection.sent
        assert dict(start["headers"])[b"content-type"] == b"text/event-stream"
        assert b"content-length" not in dict(start["headers"])
        assert told["more_body"] is True
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())


@pytest.mark.parametrize("part", [1, 2], ids=["the head", "the first event"])
def test_a_connection_that_breaks_while_a_stream_is_sent_stops_the_tool(part: int) -> None:
    """Some servers raise where the client is gone; that goes back to them, and the tool ends."""

    async def story() -> None:
        handler, request, stopped = streaming()
        connection = Connection([request.body or b""])

        async def send(event: object) -> None:
            await connection.send(event)
            if len(connection.sent) == part:
                raise OSError("gone")

        with pytest.raises(OSError, match="gone"):
            await asyncio.wait_for(handler(scope_of(request), connection.receive, send), 10)
        assert stopped.is_set()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())


def test_a_stream_tells_browsers_what_every_answer_tells_them() -> None:
    """CORS headers are on it, or a script could not read it."""

    async def story() -> None:
        handler, request, _ = streaming(origin="https://claude.ai")
        response = await handler.fetch(request)
        assert header(response, "access-control-allow-origin") == "*"
        assert response.stream is not None
        await response.stream.aclose()

    asyncio.run(story())
