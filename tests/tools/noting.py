"""The memory server with its tools for notes, called as a client calls it, each answer held against its schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from remember import FetchHandler, Store, create_fetch_handler
from remember.clock import Clock
from tests.standins.client import Client, Reply

KEYS = {"ana": "a-key-that-only-ana-has", "ben": "a-key-that-only-ben-has"}
WORDS_ALONE = {"REMEMBER_MODEL": "/there/is/no/such/file"}
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"

OpenStore = Callable[[], Store]
"""A store as another instance opens it: the same memory each time."""


class Notes:
    """One caller's six tools, by their names without `engram_`."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._schemas = {name: tool["outputSchema"] for name, tool in client.tools().items()}

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What the tool answers, once it fits its own schema and its text says the same."""
        reply = self.client.call(f"engram_{tool}", arguments)
        data: dict[str, Any] = reply.data
        Draft202012Validator(self._schemas[f"engram_{tool}"]).validate(data)
        assert json.loads(reply.text) == data
        return data

    def refused(self, tool: str, **arguments: Any) -> Reply:
        """The error for the model; it must be one."""
        reply = self.client.call(f"engram_{tool}", arguments)
        assert reply.failed, reply.text
        assert "\n" not in reply.text
        return reply

    def found(self, query: str = "*", **arguments: Any) -> list[str]:
        """What the notes say that are found."""
        return [memory["content"] for memory in self("recall", query=query, **arguments)["memories"]]


def memory_server(store: Store | None = None, *, clock: Clock | None = None, **environ: str) -> FetchHandler:
    """The server that a deployment has, on this store."""
    settings = {"REMEMBER_STORE": "memory", "REMEMBER_SECRET": "a-secret-of-the-tests", "REMEMBER_ANONYMOUS": "allow"}
    return create_fetch_handler(environ=settings | environ, auth=KEYS, store=store, clock=clock)


def notes_of(name: str | None, handler: FetchHandler) -> Notes:
    """The tools as this caller has them; None is nobody."""
    return Notes(Client(handler, None if name is None else KEYS[name]))
