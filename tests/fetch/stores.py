"""Stores that take their time, so that requests meet in the middle of their work."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import ClassVar

from remember.keys import Collection, Place, Shelf
from remember.stores.base import Body, Changes, Charge, Committed, Page, Swap
from remember.stores.memory import MemoryStore
from tests.standins.clock import MovingClock


class Slow(MemoryStore):
    """A memory store that gives way to others before it looks and once it has, as one over a network does."""

    name: ClassVar[str] = "slow"

    def __init__(self, ways: int = 1) -> None:
        super().__init__(MovingClock())
        self.ways = ways

    async def pause(self) -> None:
        for _ in range(self.ways):
            await asyncio.sleep(0)

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:
        await self.pause()
        text = await super().get(key, charge=charge)
        await self.pause()
        return text

    async def put(self, place: Place, text: str, expires_at: int | None, *, charge: Charge | None = None) -> bool:
        await self.pause()
        was = await super().put(place, text, expires_at, charge=charge)
        await self.pause()
        return was

    async def remove(self, place: Place, *, charge: Charge | None = None) -> str | None:
        await self.pause()
        text = await super().remove(place, charge=charge)
        await self.pause()
        return text

    async def swap(
        self, place: Place, expected: str | None, text: str, expires_at: int | None, *, charge: Charge | None = None
    ) -> Swap:
        await self.pause()
        return await super().swap(place, expected, text, expires_at, charge=charge)

    async def page(
        self, shelf: Shelf, *, after: str | None, pattern: str, limit: int, charge: Charge | None = None
    ) -> Page:
        await self.pause()
        return await super().page(shelf, after=after, pattern=pattern, limit=limit, charge=charge)

    async def changes(self, collection: Collection, since: str | None, *, charge: Charge | None = None) -> Changes:
        await self.pause()
        told = await super().changes(collection, since, charge=charge)
        await self.pause()
        return told

    async def bodies(
        self, collection: Collection, ids: Iterable[str], *, use: Iterable[str] = (), charge: Charge | None = None
    ) -> Mapping[str, Body]:
        await self.pause()
        found = await super().bodies(collection, ids, use=use, charge=charge)
        await self.pause()
        return found

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        await self.pause()
        done = await super().commit(collection, version, leaves=leaves, bodies=bodies, charge=charge)
        await self.pause()
        return done


class Stuck(Slow):
    """Never answers a read; says when it was asked, and when the caller gave up."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.given_up = False

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:  # noqa: ARG002  whatever is asked for
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.given_up = True
            raise
        raise AssertionError("nobody sets that event")
