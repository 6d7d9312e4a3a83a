"""The floor: the least that answers these calls, on asyncio, json, pydantic and cryptography.

It reads one JSON-RPC message, checks the arguments with a model, seals into a dictionary and opens what lies there.
It looks at no header and no credential, and knows two tools.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from bench.peers.sealing import seal, unseal
from bench.tool_call import KEY, VALUE, App, Event

Scope = Literal["session", "user", "tool", "global"]
Key = Annotated[str, Field(min_length=1, max_length=512)]
Content = dict[str, Any]


class RememberThis(BaseModel):
    """The arguments of remember_this."""

    model_config = ConfigDict(extra="forbid")
    key: Key
    value: JsonValue
    scope: Scope = "session"
    ttl: Annotated[int, Field(ge=1)] | None = None


class Recall(BaseModel):
    """The arguments of recall."""

    model_config = ConfigDict(extra="forbid")
    key: Key
    scope: Scope = "session"


class Floor:
    """The app. `entries` are sealed."""

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}

    async def __call__(
        self, scope: Event, receive: Callable[[], Awaitable[Event]], send: Callable[[Event], Awaitable[None]]
    ) -> None:
        body, more = b"", scope["type"] == "http"
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        answer = json.dumps(self.answer(json.loads(body)), separators=(",", ":")).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def answer(self, message: dict[str, Any]) -> Content:
        tools: dict[str, Callable[[Content], Content]] = {"remember_this": self.remember_this, "recall": self.recall}
        params = message["params"]
        try:
            content = tools[params["name"]](params["arguments"])
        except ValidationError as exc:
            result: Content = {"content": [{"type": "text", "text": str(exc)}], "isError": True}
        else:
            text = json.dumps(content, separators=(",", ":"))
            result = {"content": [{"type": "text", "text": text}], "structuredContent": content, "isError": False}
        return {"jsonrpc": "2.0", "id": message["id"], "result": {**result, "resultType": "complete"}}

    def remember_this(self, arguments: Content) -> Content:
        given = RememberThis.model_validate(arguments)
        place, now = f"{given.scope}:{given.key}", time.time_ns() // 1_000_000
        entry = {"value": given.value, "createdAt": now, "expiresAt": given.ttl and now + given.ttl * 1000}
        replaced = place in self.entries
        self.entries[place] = seal(json.dumps(entry), place)
        return {"success": True, "key": given.key, "scope": given.scope, "replaced": replaced}

    def recall(self, arguments: Content) -> Content:
        given = Recall.model_validate(arguments)
        place = f"{given.scope}:{given.key}"
        if place not in self.entries:
            return {"found": False, "key": given.key, "scope": given.scope}
        entry = json.loads(unseal(self.entries[place], place))
        if entry["expiresAt"] is not None and entry["expiresAt"] <= time.time_ns() // 1_000_000:
            return {"found": False, "key": given.key, "scope": given.scope}
        return {"found": True, "key": given.key, "scope": given.scope, **entry}


@asynccontextmanager
async def serve() -> AsyncIterator[App]:
    """The app, with the bench's own value in it: a new process has nothing to recall otherwise."""
    floor = Floor()
    floor.remember_this({"key": KEY, "value": VALUE})
    yield floor
