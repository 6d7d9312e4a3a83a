"""From ASGI to a Request and back. No lifespan is needed, and a caller who hangs up cancels the work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from remember.protocol import Request, Response
from remember.settings import MAX_BODY_BYTES

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]


async def serve_asgi(
    fetch: Callable[[Request], Awaitable[Response]], scope: Scope, receive: Receive, send: Send
) -> None:
    """Serve one ASGI connection with a fetch function."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":
        request = await _request(scope, receive)
        if request is not None:
            await _unless_disconnected(_respond(fetch, request, send), receive)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})


async def _lifespan(receive: Receive, send: Send) -> None:
    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    await send({"type": "lifespan.shutdown.complete"})


async def _request(scope: Scope, receive: Receive) -> Request | None:
    """The whole request; None where the caller hangs up in the middle of it."""
    headers = tuple([(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]])
    chunks: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        chunk = event.get("body", b"")
        size += len(chunk)
        chunks.append(chunk)
        if size > MAX_BODY_BYTES or not event.get("more_body", False):
            body = b"".join(chunks) if size <= MAX_BODY_BYTES else None
            return Request(scope["method"], scope["path"], headers, body)


async def _unless_disconnected(work: Awaitable[None], receive: Receive) -> None:
    """Do the work, and stop it where the caller hangs up first (MCP: disconnect cancels)."""
    working = asyncio.current_task()
    assert working is not None  # noqa: S101  an ASGI app always runs in a task
    watching: asyncio.Task[None] | None = None
    left = False

    async def watch() -> None:
        nonlocal left
        while (await receive())["type"] != "http.disconnect":
            pass
        left = True
        working.cancel()

    def start_watching() -> None:
        nonlocal watching
        watching = asyncio.ensure_future(watch())

    starting = asyncio.get_running_loop().call_soon(start_watching)  # which happens only if the work has to wait
    try:
        await work
    except asyncio.CancelledError:
        if not left:
            raise
    finally:
        starting.cancel()
        if watching is not None:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
        if left:
            working.uncancel()


async def _respond(fetch: Callable[[Request], Awaitable[Response]], request: Request, send: Send) -> None:
    response = await fetch(request)
    if response.stream is None:
        await _send(response, send, with_body=request.method != "HEAD")
        return
    try:
        await send({"type": "http.response.start", "status": response.status, "headers": _raw(response)})
        async for part in response.stream:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await response.stream.aclose()


async def _send(response: Response, send: Send, *, with_body: bool) -> None:
    headers = _raw(response)
    if response.status != 204:  # RFC 9110 §8.6
        headers.append((b"content-length", str(len(response.body)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body if with_body else b""})


def _raw(response: Response) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
