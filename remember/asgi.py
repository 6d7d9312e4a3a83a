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
        response = await _unless_disconnected(fetch(await _request(scope, receive)), receive)
        if response is not None:
            await _send(response, send, with_body=scope["method"] != "HEAD")
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})


async def _lifespan(receive: Receive, send: Send) -> None:
    while (await receive())["type"] != "lifespan.shutdown":
        await send({"type": "lifespan.startup.complete"})
    await send({"type": "lifespan.shutdown.complete"})


async def _request(scope: Scope, receive: Receive) -> Request:
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    return Request(scope["method"], scope["path"], headers, await _body(receive))


async def _body(receive: Receive) -> bytes | None:
    """The whole body, or None once it is larger than allowed."""
    chunks: list[bytes] = []
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise asyncio.CancelledError
        chunk = event.get("body", b"")
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            return None
        chunks.append(chunk)
        if not event.get("more_body", False):
            return b"".join(chunks)


async def _unless_disconnected(work: Awaitable[Response], receive: Receive) -> Response | None:
    """The work's response; None, and the work cancelled, where the caller hangs up first (MCP: disconnect cancels)."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_disconnect(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(response: Response, send: Send, *, with_body: bool) -> None:
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
    headers.append((b"content-length", str(len(response.body)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body if with_body else b""})
