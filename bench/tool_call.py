"""One tools/call of MCP 2026-07-28, the same bytes for every peer, handed over as an ASGI server does it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Event = MutableMapping[str, Any]
App = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Event]], Callable[[Event], Awaitable[None]]], Awaitable[None]
]

BEARER = "made-up-bearer-for-the-bench"
KEY = "project:deadline"
VALUE = "The release is planned for the last week of March; Ana reviews, Ben writes the notes. ".ljust(200, ".")
ARGUMENTS: dict[str, dict[str, Any]] = {"remember_this": {"key": KEY, "value": VALUE}, "recall": {"key": KEY}}

_DONE: dict[str, Callable[[dict[str, Any]], bool]] = {
    "remember_this": lambda said: said.get("success") is True,
    "recall": lambda said: said.get("value") == VALUE,
    "engram_remember": lambda said: said.get("outcome") == "created" and said.get("embedding") == "minilm",
    "engram_recall": lambda said: bool(said.get("memories")) and said.get("embedding") == "minilm",
}

_VERSION = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": _VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}


class ToolCall:
    """A request, ready to be sent to an app as often as one likes."""

    def __init__(self, tool: str, arguments: dict[str, Any] | None = None) -> None:
        self.tool = tool
        params = {"name": tool, "arguments": arguments or ARGUMENTS[tool], "_meta": _META}
        self._body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        headers = {
            "host": "127.0.0.1:8000",
            "authorization": f"Bearer {BEARER}",
            "content-type": "application/json",
            "content-length": str(len(self._body)),
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": _VERSION,
            "mcp-method": "tools/call",
            "mcp-name": tool,
        }
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8000),
        }

    async def send(self, app: App) -> bytes:
        """The body of the app's answer."""
        parts: list[bytes] = []
        arriving = [{"type": "http.request", "body": self._body, "more_body": False}]

        async def receive() -> Event:
            # After the body a server waits for the client to hang up; this client never does.
            return arriving.pop() if arriving else await asyncio.get_running_loop().create_future()

        async def send(event: Event) -> None:
            if event["type"] == "http.response.body":
                parts.append(event.get("body", b""))

        await app(dict(self._scope), receive, send)
        return b"".join(parts)

    def check(self, answer: bytes) -> None:
        """Refuse an answer that did not do what the tool is for: a fast failure is no figure.

        Raises:
            RuntimeError: the tool did not store the value or the note, or did not give it back.
        """
        content = json.loads(answer).get("result", {}).get("structuredContent") or {}
        if not _DONE[self.tool](content):
            raise RuntimeError(f"{self.tool} was answered with {answer.decode()[:500]}")
