"""The stores under test, each with a way to let time go by."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from remember.caller import Owner
from remember.keys import Shelf, shelf_of
from remember.settings import Secret
from remember.stores.base import Store
from remember.stores.memory import MemoryStore
from remember.stores.sqlite import SqliteStore
from remember.stores.upstash import UpstashStore
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest

Told = TypeVar("Told")


@dataclass
class World:
    """A store and the time it lives in."""

    store: Store
    clock: MovingClock
    pass_time: Callable[[int], None]
    owners: int = 0

    def shelf(self) -> Shelf:
        """A shelf that nothing was put on yet."""
        self.owners += 1
        return shelf_of("remember:", Owner("user", f"owner-{self.owners}"))

    def run(self, story: Callable[[Store], Awaitable[Told]]) -> Told:
        """Play a story with the store on an event loop of its own."""

        async def play() -> Told:
            try:
                return await story(self.store)
            finally:
                await self.store.close()

        return asyncio.run(play())


@pytest.fixture(params=["memory", "sqlite", "upstash"])
def world(request: pytest.FixtureRequest, clock: MovingClock, tmp_path: Path) -> World:
    if request.param == "memory":
        return World(MemoryStore(clock), clock, clock.advance)
    if request.param == "sqlite":
        return World(SqliteStore(tmp_path / "memory.db", clock=clock), clock, clock.advance)
    return upstash_world(request.getfixturevalue("upstash"), clock)


def upstash_world(server: UpstashRest, clock: MovingClock) -> World:
    def pass_time(ms: int) -> None:
        clock.advance(ms)
        server.redis.pass_time(ms)

    return World(UpstashStore(server.url, Secret(server.token), clock=clock, deadline=30.0), clock, pass_time)
