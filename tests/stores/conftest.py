"""The stores under test, each with a way to let time go by."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from redis.asyncio import Redis

from remember.caller import Owner
from remember.keys import Collection, Shelf, collection_of, shelf_of
from remember.settings import Secret
from remember.stores.base import DEFAULT_QUOTA, Quota, Store
from remember.stores.memory import MemoryStore
from remember.stores.redis import RedisClientStore, RedisStore
from remember.stores.sqlite import SqliteStore
from remember.stores.upstash import UpstashStore
from tests.standins.clock import MovingClock
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

Told = TypeVar("Told")

STORES = ["memory", "sqlite", "upstash", "redis", "redis-client"]


async def nothing() -> None:
    """Leave everything as it is."""


@dataclass
class World:
    """A store and the time it lives in. `leave` is what whoever made it does before an event loop ends."""

    store: Store
    clock: MovingClock
    pass_time: Callable[[int], None]
    leave: Callable[[], Awaitable[None]] = field(default=nothing)
    owners: int = 0

    def shelf(self) -> Shelf:
        """A shelf that nothing was put on yet."""
        self.owners += 1
        return shelf_of("remember:", Owner("user", f"owner-{self.owners}"))

    def collection(self) -> Collection:
        """A collection that never was."""
        self.owners += 1
        return collection_of("remember:", Owner("user", f"owner-{self.owners}"))

    def run(self, story: Callable[[Store], Awaitable[Told]]) -> Told:
        """Play a story with the store on an event loop of its own."""

        async def play() -> Told:
            try:
                return await story(self.store)
            finally:
                await self.store.close()

        return self.once(play())

    def once(self, work: Awaitable[Told]) -> Told:
        """Do one thing on an event loop of its own, without closing the store."""

        async def do() -> Told:
            try:
                return await work
            finally:
                await self.leave()

        return asyncio.run(do())


@pytest.fixture(params=STORES)
def world(request: pytest.FixtureRequest, clock: MovingClock, tmp_path: Path) -> World:
    return make_world(request, clock, tmp_path, quota=DEFAULT_QUOTA)


@pytest.fixture(params=STORES)
def narrow(request: pytest.FixtureRequest, clock: MovingClock, tmp_path: Path) -> World:
    """A store that takes five entries and 100,000 characters of large texts on a shelf."""
    return make_world(request, clock, tmp_path, quota=Quota(entries=5, chars=100_000))


def make_world(request: pytest.FixtureRequest, clock: MovingClock, tmp_path: Path, *, quota: Quota) -> World:
    if request.param == "memory":
        return World(MemoryStore(clock, quota=quota), clock, clock.advance)
    if request.param == "sqlite":
        return World(SqliteStore(tmp_path / "memory.db", clock=clock, quota=quota), clock, clock.advance)
    if request.param == "upstash":
        return upstash_world(request.getfixturevalue("upstash"), clock, quota=quota)
    redis_url: str = request.getfixturevalue("redis_url")
    server: RedisServer = request.getfixturevalue("redis_server")
    if request.param == "redis":
        store = RedisStore(Secret(redis_url), clock=clock, deadline=30.0, quota=quota)
        return World(store, clock, both(clock, server))
    client = Redis(port=server.port)
    made = RedisClientStore(client, clock=clock, deadline=30.0, quota=quota)
    return World(made, clock, both(clock, server), leave=client.aclose)


def upstash_world(server: UpstashRest, clock: MovingClock, *, quota: Quota = DEFAULT_QUOTA) -> World:
    store = UpstashStore(server.url, Secret(server.token), clock=clock, deadline=30.0, quota=quota)
    return World(store, clock, both(clock, server.redis))


def both(clock: MovingClock, server: RedisServer) -> Callable[[int], None]:
    """Lets time go by for a store and for its Redis."""

    def pass_time(ms: int) -> None:
        clock.advance(ms)
        server.pass_time(ms)

    return pass_time
