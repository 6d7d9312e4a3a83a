"""An ASGI server in a few lines: hands an app one request as a test cuts it, and keeps what the app sends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from remember import FetchHandler, Request, Response

Event = dict[str, Any]


def scope_of(request: Request, query: bytes = b"") -> dict[str, Any]:
    """A request's scope, as a server makes it."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "https",
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers],
        "client": ("203.0.113.7", 50000),
        "server": ("memory.example", 443),
    }


class Connection:
    """One connection. `chunks` are the body's pieces, all of them or (`whole` False) the first ones.

    After them the client waits, until `hang_up`.
    """

    def __init__(self, chunks: Sequence[bytes], *, whole: bool = True) -> None:
        self.sent: list[Event] = []
        self.received = 0
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        for number, chunk in enumerate(chunks, 1):
            more = not whole or number < len(chunks)
            self._events.put_nowait({"type": "http.request", "body": chunk, "more_body": more})

    def hang_up(self) -> None:
        self._events.put_nowait({"type": "http.disconnect"})

    async def receive(self) -> Event:
        event = await self._events.get()
        self.received += 1
        return event

    async def send(self, event: Any) -> None:
        self.sent.append(dict(event))

    @property
    def response(self) -> Response:
        """What was sent, which must be one whole response."""
        start, *bodies = self.sent
        assert start["type"] == "http.response.start"
        assert all(body["type"] == "http.response.body" for body in bodies)
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"])
        assert all(name == name.lower() for name, _ in headers)
        return Response(start["status"], headers, b"".join(body.get("body", b"") for body in bodies))


async def serve(
    handler: FetchHandler, request: Request, chunks: Sequence[bytes] | None = None, query: bytes = b""
) -> Response:
    """The app's response to one request."""
    connection = Connection([request.body or b""] if chunks is None else chunks)
    async with asyncio.timeout(10):
        await handler(scope_of(request, query), connection.receive, connection.send)
    return connection.response
