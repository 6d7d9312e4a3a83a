"""A client of MCP 2026-07-28 that speaks to a fetch handler in process, so that a test reads as a list of calls."""

from __future__ import annotations

import asyncio
import itertools
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from remember import FetchHandler, Request, Response

VERSION = "2026-07-28"

META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "0"},
}

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the HTTP status, the body read as JSON (None where it is empty), and the whole response."""

    status: int
    body: Any
    response: Response

    @property
    def result(self) -> dict[str, Any]:
        """The JSON-RPC result; the reply must have one."""
        assert "result" in self.body, self.body
        result: dict[str, Any] = self.body["result"]
        return result

    @property
    def error(self) -> dict[str, Any]:
        """The JSON-RPC error; the reply must have one."""
        assert "error" in self.body, self.body
        error: dict[str, Any] = self.body["error"]
        return error

    @property
    def failed(self) -> bool:
        """Whether a tool answered with an error for the model to read."""
        return bool(self.result.get("isError", False))

    @property
    def text(self) -> str:
        """A tool's one piece of text."""
        (content,) = self.result["content"]
        assert content["type"] == "text"
        return str(content["text"])

    @property
    def code(self) -> str | None:
        """The stable code of a tool's error."""
        code: str | None = self.result["_meta"].get("code")
        return code

    @property
    def data(self) -> Any:
        """What a tool answered, as structured content; it must not be an error."""
        assert not self.failed, self.text
        return self.result["structuredContent"]

    def header(self, name: str) -> str | None:
        """The first value under a response header's name, given in lower case."""
        return next((value for given, value in self.response.headers if given.lower() == name), None)


class Client:
    """One caller of a handler. `key` is the bearer credential, a static key or a token; None calls without one.

    `rpc` and `call` run an event loop of their own; `rpc_async` and `call_async` are for tests that have one.
    """

    def __init__(
        self,
        handler: FetchHandler,
        key: str | None = None,
        *,
        path: str = "/mcp",
        headers: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.handler = handler
        self.key = key
        self.path = path
        self.headers = tuple(headers)
        self._ids = itertools.count(1)

    def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        id: str | int | None = None,  # noqa: A002  JSON-RPC's word
        headers: Sequence[tuple[str, str]] = (),
    ) -> Request:
        """A well-formed request, with the headers that repeat what its body says, and `headers` after them."""
        body = {
            "jsonrpc": "2.0",
            "id": next(self._ids) if id is None else id,
            "method": method,
            "params": {"_meta": META, **(params or {})},
        }
        return Request("POST", self.path, (*self._headers(method, params or {}), *headers), json.dumps(body).encode())

    async def rpc_async(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        id: str | int | None = None,  # noqa: A002  JSON-RPC's word
        headers: Sequence[tuple[str, str]] = (),
    ) -> Reply:
        """The reply to one method."""
        return await self.send_async(self.request(method, params, id=id, headers=headers))

    async def call_async(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        id: str | int | None = None,  # noqa: A002  JSON-RPC's word
        headers: Sequence[tuple[str, str]] = (),
    ) -> Reply:
        """The reply to a tool's call."""
        params = {"name": tool, "arguments": dict(arguments or {})}
        return await self.rpc_async("tools/call", params, id=id, headers=headers)

    async def send_async(self, request: Request) -> Reply:
        """The reply to a request, however it was made."""
        response = await self.handler.fetch(request)
        return Reply(response.status, response.json() if response.body else None, response)

    def rpc(
        self, method: str, params: Mapping[str, Any] | None = None, *, headers: Sequence[tuple[str, str]] = ()
    ) -> Reply:
        return asyncio.run(self.rpc_async(method, params, headers=headers))

    def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, headers: Sequence[tuple[str, str]] = ()
    ) -> Reply:
        return asyncio.run(self.call_async(tool, arguments, headers=headers))

    def send(self, request: Request) -> Reply:
        return asyncio.run(self.send_async(request))

    def tools(self) -> dict[str, dict[str, Any]]:
        """What tools/list offers, by name."""
        return {tool["name"]: tool for tool in self.rpc("tools/list").result["tools"]}

    def _headers(self, method: str, params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", VERSION),
            ("mcp-method", method),
        ]
        if method in NAMED_BY:
            headers.append(("mcp-name", header_value(str(params[NAMED_BY[method]]))))
        if self.key is not None:
            headers.append(("authorization", f"Bearer {self.key}"))
        return (*headers, *self.headers)


def header_value(text: str) -> str:
    """`text` as a header carries it: as it is where that is possible, else in the specification's base64 form."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{b64encode(text.encode()).decode()}?="
