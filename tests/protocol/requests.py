"""Raw requests, with every byte in the test's hands: a good one first, then what a test changes about it."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from remember import FetchHandler, Request, Store, create_fetch_handler
from remember.clock import Clock
from remember.stores.memory import MemoryStore
from tests.standins.client import META, NAMED_BY, VERSION, Client, header_value
from tests.standins.clock import MovingClock

ANA = "key-of-ana-0123456789"
BOB = "key-of-bob-0123456789"
KEYS = {"ana": ANA, "bob": BOB}

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER = "io.modelcontextprotocol/serverInfo"


def memory_handler(
    store: Store | None = None,
    clock: Clock | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    keys: Mapping[str, str] | None = None,
) -> FetchHandler:
    """The memory server for Ana and Bob, on a store that ends with the test."""
    clock = clock or MovingClock()
    return create_fetch_handler(
        environ=environ or {}, auth=keys or KEYS, store=store or MemoryStore(clock), clock=clock
    )


def rpc(method: str, params: Mapping[str, Any] | None = None, **changes: object) -> dict[str, Any]:
    """One good JSON-RPC request, with members changed; a change to `...` takes one away."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": META, **(params or {})}, **changes}
    return {name: value for name, value in message.items() if value is not ...}


def call(tool: str, **arguments: object) -> dict[str, Any]:
    """One good tools/call."""
    return rpc("tools/call", {"name": tool, "arguments": arguments})


def post(
    message: Mapping[str, Any] | bytes,
    headers: Mapping[str, str | None] | None = None,
    *,
    more: Sequence[tuple[str, str]] = (),
    key: str | None = ANA,
    path: str = "/mcp",
    method: str = "POST",
) -> Request:
    """The POST that carries `message`, with the headers that repeat its body.

    `headers` changes one, or takes it away with None. `more` comes after them, names that are there already too.
    """
    named = message if isinstance(message, Mapping) else rpc("tools/list")
    params, part = named.get("params"), NAMED_BY.get(str(named.get("method")))
    name = params.get(part) if isinstance(params, Mapping) and part else None
    given: dict[str, str | None] = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": str(named.get("method")),
        "mcp-name": header_value(name) if isinstance(name, str) else None,
        "authorization": None if key is None else f"Bearer {key}",
        **(headers or {}),
    }
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    sent = tuple((name, value) for name, value in given.items() if value is not None)
    return Request(method, path, (*sent, *more), body)


def in_base64(text: str) -> str:
    """The form of a header value that carries what a header cannot."""
    return f"=?base64?{b64encode(text.encode()).decode()}?="


def two_clients(handler: FetchHandler) -> tuple[Client, Client]:
    """Ana and Bob at one handler."""
    return Client(handler, ANA), Client(handler, BOB)
