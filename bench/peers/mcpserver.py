"""The same four memory tools on the official SDK's MCPServer: what an author writes who has no Remember.

Values are sealed as ours are. They lie in a dictionary, or, where KV_REST_API_URL is set, in Upstash through
upstash-redis as it is shipped. Everybody who calls is one caller: the SDK's own bearer checks are left out.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal, Protocol

from mcp.server import MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from bench.peers.sealing import seal, unseal
from bench.tool_call import App

Key = Annotated[str, Field(min_length=1, max_length=512, description="Its name, such as 'project:deadline'.")]
Scope = Annotated[
    Literal["session", "user", "tool", "global"],
    Field(description="Whose memory to use: this session, the signed-in caller, this tool, or everybody."),
]
Brand = Literal["preference", "cache", "state", "conversation", "custom"]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


class Stored(BaseModel):
    """What remember_this answers."""

    success: bool
    key: str
    scope: str
    replaced: bool
    expiresAt: int | None = None  # noqa: N815  the wire's name


class Recalled(BaseModel):
    """What recall answers."""

    found: bool
    key: str
    scope: str
    value: Any = None
    createdAt: int | None = None  # noqa: N815  the wire's name
    expiresAt: int | None = None  # noqa: N815  the wire's name


class Forgotten(BaseModel):
    """What forget answers."""

    success: bool
    key: str
    scope: str
    existed: bool


class Listed(BaseModel):
    """What list_memories answers."""

    keys: list[str]
    scope: str
    count: int
    truncated: bool


class Shelf(Protocol):
    """Where sealed texts lie."""

    async def get(self, place: str) -> str | None: ...
    async def put(self, place: str, text: str, ttl: int | None) -> bool: ...
    async def remove(self, place: str) -> bool: ...
    async def places(self) -> list[str]: ...


class DictShelf:
    """In this process."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    async def get(self, place: str) -> str | None:
        return self._texts.get(place)

    async def put(self, place: str, text: str, ttl: int | None) -> bool:  # noqa: ARG002  the entry itself knows its end
        replaced = place in self._texts
        self._texts[place] = text
        return replaced

    async def remove(self, place: str) -> bool:
        return self._texts.pop(place, None) is not None

    async def places(self) -> list[str]:
        return sorted(self._texts)


class UpstashShelf:
    """At Upstash, with a set of the places beside the texts."""

    def __init__(self, url: str, token: str) -> None:
        from upstash_redis.asyncio import Redis  # noqa: PLC0415  lazy: the dictionary does without

        self._redis = Redis(url, token, rest_encoding=None)  # the stand-in answers plainly

    async def get(self, place: str) -> str | None:
        return await self._redis.get(place)

    async def put(self, place: str, text: str, ttl: int | None) -> bool:
        await self._redis.sadd("places", place)
        return await self._redis.set(place, text, ex=ttl, get=True) is not None

    async def remove(self, place: str) -> bool:
        await self._redis.srem("places", place)
        return await self._redis.delete(place) > 0

    async def places(self) -> list[str]:
        return sorted(await self._redis.smembers("places"))


def build_server(shelf: Shelf) -> MCPServer:
    """The server with its four tools."""
    server = MCPServer("remember", log_level="WARNING")

    @server.tool(title="Remember this", annotations=WRITES)
    async def remember_this(
        key: Key,
        value: Any,
        scope: Scope = "session",
        ttl: Annotated[int, Field(ge=1, description="Seconds until it is forgotten by itself.")] | None = None,
        brand: Brand | None = None,
    ) -> Stored:
        """Keep something for later conversations. It replaces what the key held before, and says so."""
        place, now = f"{scope}:{key}", _now()
        expires_at = None if ttl is None else now + ttl * 1000
        entry = {"value": value, "brand": brand, "createdAt": now, "expiresAt": expires_at}
        replaced = await shelf.put(place, seal(json.dumps(entry), place), ttl)
        return Stored(success=True, key=key, scope=scope, replaced=replaced, expiresAt=expires_at)

    @server.tool(title="Recall", annotations=READS)
    async def recall(key: Key, scope: Scope = "session") -> Recalled:
        """Read what was kept with remember_this. found is false where nothing is kept."""
        place = f"{scope}:{key}"
        text = await shelf.get(place)
        entry = {} if text is None else json.loads(unseal(text, place))
        if text is None or (entry["expiresAt"] is not None and entry["expiresAt"] <= _now()):
            return Recalled(found=False, key=key, scope=scope)
        times = {"createdAt": entry["createdAt"], "expiresAt": entry["expiresAt"]}
        return Recalled(found=True, key=key, scope=scope, value=entry["value"], **times)

    @server.tool(title="Forget", annotations=WRITES)
    async def forget(key: Key, scope: Scope = "session") -> Forgotten:
        """Remove for good what remember_this kept under one key."""
        return Forgotten(success=True, key=key, scope=scope, existed=await shelf.remove(f"{scope}:{key}"))

    @server.tool(title="List memories", annotations=READS)
    async def list_memories(
        scope: Scope = "session",
        pattern: Annotated[str, Field(min_length=1, description="Which keys: * is any text.")] = "*",
        limit: Annotated[int, Field(ge=1, le=100, description="How many keys at most.")] = 50,
    ) -> Listed:
        """See which keys hold something that remember_this kept; recall then reads one."""
        begin = f"{scope}:"
        places = await shelf.places()
        keys = [place.removeprefix(begin) for place in places if place.startswith(begin)]
        fitting = [key for key in keys if fnmatchcase(key, pattern)]
        shown = fitting[:limit]
        return Listed(keys=shown, scope=scope, count=len(shown), truncated=len(fitting) > limit)

    return server


@asynccontextmanager
async def serve() -> AsyncIterator[App]:
    """The app as the SDK makes it, stateless and answering in JSON, with the lifespan that it needs."""
    url = os.environ.get("KV_REST_API_URL")
    shelf = UpstashShelf(url, os.environ["KV_REST_API_TOKEN"]) if url else DictShelf()
    app = build_server(shelf).streamable_http_app(json_response=True, stateless_http=True)
    async with app.router.lifespan_context(app):
        yield app


def _now() -> int:
    return time.time_ns() // 1_000_000
