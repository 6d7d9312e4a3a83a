"""upstash-redis as it is shipped, with plain commands one after the other and a sorted set as the index.

What an author writes who has no scripts: two functions that write at once can lose an update, and a write that is cut
in half leaves a name without a value.
"""

from __future__ import annotations

from upstash_redis.asyncio import Redis

from bench.store_calls import NAMES, Peer

INDEX = "shipped:index"


class Shipped:
    """Its own HTTP client; no retries, which would sleep for seconds."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def one_get(self, name: str) -> bool:
        return await self._redis.get(f"shipped:{name}") is not None

    async def set(self, name: str, value: str) -> bool:
        await self._redis.zadd(INDEX, {name: 0})
        return await self._redis.set(f"shipped:{name}", value, get=True) is not None

    async def get(self, name: str) -> object:
        return await self._redis.get(f"shipped:{name}")

    async def knows(self, name: str) -> bool:
        return await self._redis.exists(f"shipped:{name}") > 0

    async def forget(self, name: str) -> bool:
        await self._redis.zrem(INDEX, name)
        return await self._redis.delete(f"shipped:{name}") > 0

    async def update(self, name: str, value: str) -> bool:
        old = await self._redis.get(f"shipped:{name}")
        return old is not None and bool(await self._redis.set(f"shipped:{name}", value, xx=True))

    async def page(self) -> list[str]:
        names = [str(name) for name in await self._redis.zrange(INDEX, 0, len(NAMES) - 1)]
        texts = await self._redis.mget(*(f"shipped:{name}" for name in names))
        return [name for name, text in zip(names, texts, strict=True) if text is not None]


def open_peer(url: str, token: str) -> Peer:
    """Plain text in and out, as the stand-in speaks it."""
    return Shipped(Redis(url, token, rest_encoding=None, rest_retries=0, allow_telemetry=False))
