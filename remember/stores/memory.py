"""A store in this process, gone when it ends: for tests, for trying out, and for `create_direct`."""

from __future__ import annotations

import heapq
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, NamedTuple

from remember.clock import Clock
from remember.errors import RateLimited
from remember.keys import Collection, Place, Shelf, literal_prefix
from remember.stores.base import DEFAULT_QUOTA, Body, Changes, Charge, Committed, Page, Quota, Swap, large
from remember.stores.memory_collections import MemoryCollections
from remember.stores.paging import cut_page


class _Held(NamedTuple):
    place: Place
    text: str
    expires_at: int | None


class MemoryStore:
    """Entries and collections in dictionaries. May be used from several event loops and threads at once."""

    name: ClassVar[str] = "memory"
    lasting: ClassVar[bool] = False
    home: ClassVar[None] = None

    def __init__(
        self, clock: Clock, *, quota: Quota = DEFAULT_QUOTA, random_bytes: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._clock = clock
        self._quota = quota
        self._lock = threading.Lock()
        self._entries: dict[str, _Held] = {}
        self._shelves: dict[str, dict[str, Place]] = {}
        self._ends: list[tuple[int, str]] = []
        self._calls: dict[str, tuple[int, int]] = {}
        self._collections = MemoryCollections(random_bytes)

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:
        with self._lock:
            self._count(charge)
            return self._text(key)

    async def put(self, place: Place, text: str, expires_at: int | None, *, charge: Charge | None = None) -> bool:
        with self._lock:
            self._count(charge)
            old = self._text(place.key)
            self._store(_Held(place, text, expires_at), old)
            return old is not None

    async def remove(self, place: Place, *, charge: Charge | None = None) -> str | None:
        with self._lock:
            self._count(charge)
            text = self._text(place.key)
            self._drop(place)
            return text

    async def swap(
        self, place: Place, expected: str | None, text: str, expires_at: int | None, *, charge: Charge | None = None
    ) -> Swap:
        with self._lock:
            self._count(charge)
            current = self._text(place.key)
            if current != expected:
                return Swap(done=False, current=current)
            self._store(_Held(place, text, expires_at), current)
            return Swap(done=True)

    async def page(
        self, shelf: Shelf, *, after: str | None, pattern: str, limit: int, charge: Charge | None = None
    ) -> Page:
        with self._lock:
            self._count(charge)
            places = self._shelves.get(shelf.index, {})
            begin, start = literal_prefix(pattern), after or ""
            names = sorted(name for name in places if name > start and name.startswith(begin))
            return cut_page(names, lambda name: self._text(places[name].key), pattern=pattern, limit=limit)

    async def wipe(self, shelf: Shelf, *, charge: Charge | None = None) -> int:
        with self._lock:
            self._count(charge)
            places = tuple(self._shelves.get(shelf.index, {}).values())
            count = sum(self._text(place.key) is not None for place in places)
            for place in places:
                self._drop(place)
            return count

    async def changes(self, collection: Collection, since: str | None, *, charge: Charge | None = None) -> Changes:
        with self._lock:
            self._count(charge)
            return self._collections.changes(collection.key, since)

    async def bodies(
        self, collection: Collection, ids: Iterable[str], *, use: Iterable[str] = (), charge: Charge | None = None
    ) -> Mapping[str, Body]:
        with self._lock:
            self._count(charge)
            return self._collections.bodies(collection.key, ids, use)

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        with self._lock:
            self._count(charge)
            return self._collections.commit(collection.key, version, leaves, bodies)

    async def clear(self, collection: Collection, *, charge: Charge | None = None) -> int:
        with self._lock:
            self._count(charge)
            return self._collections.clear(collection.key)

    async def close(self) -> None:
        """Nothing to let go of; what is stored stays until the process ends."""

    def _text(self, key: str) -> str | None:
        held = self._entries.get(key)
        if held is None or (held.expires_at is not None and held.expires_at <= self._clock()):
            return None
        return held.text

    def _count(self, charge: Charge | None) -> None:
        if charge is None:
            return
        now = self._clock()
        if charge.key not in self._calls:
            self._calls = {key: (count, ends) for key, (count, ends) in self._calls.items() if ends > now}
        count, ends = self._calls.get(charge.key, (0, charge.expires_at))
        if ends <= now:
            count, ends = 0, charge.expires_at
        if count >= charge.limit:
            raise RateLimited(charge.expires_at - now)
        self._calls[charge.key] = (count + 1, ends)

    def _store(self, held: _Held, old: str | None) -> None:
        self._drop_expired()
        if held.expires_at is None or held.expires_at > self._clock():
            self._admit(held, old)
        self._entries[held.place.key] = held
        self._shelves.setdefault(held.place.shelf.index, {})[held.place.name] = held.place
        if held.expires_at is not None:
            heapq.heappush(self._ends, (held.expires_at, held.place.key))
            if len(self._ends) > 2 * len(self._entries) + 64:  # an overwritten entry leaves its old end behind
                ends = ((kept.expires_at, key) for key, kept in self._entries.items())
                self._ends = [(end, key) for end, key in ends if end is not None]
                heapq.heapify(self._ends)

    def _admit(self, held: _Held, old: str | None) -> None:
        places = self._shelves.get(held.place.shelf.index, {})
        self._quota.admit(
            held.text,
            old,
            entries=lambda: len(places),
            chars=lambda: sum(large(self._text(place.key)) for place in places.values()),
        )

    def _drop(self, place: Place) -> None:
        self._entries.pop(place.key, None)
        places = self._shelves.get(place.shelf.index, {})
        places.pop(place.name, None)
        if not places:
            self._shelves.pop(place.shelf.index, None)

    def _drop_expired(self) -> None:
        now = self._clock()
        while self._ends and self._ends[0][0] <= now:
            end, key = heapq.heappop(self._ends)
            held = self._entries.get(key)
            if held is not None and held.expires_at == end:
                self._drop(held.place)
