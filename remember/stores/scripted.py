"""What the stores on a Redis have in common: which script keeps which promise, and what its answer means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from remember.clock import Clock
from remember.errors import QuotaExceeded, RateLimited
from remember.keys import Collection, Place, Shelf
from remember.stores import collection_scripts, scripts
from remember.stores.allowance import Allowance
from remember.stores.base import Body, Changes, Charge, Committed, Page, Quota, Swap
from remember.stores.versions import new_epoch

Read = TypeVar("Read")


class ScriptLost(Exception):
    """The server does not know the script of this sha."""


class Commands(Protocol):
    """The three commands that everything is done by; they give what Redis answers, with texts as str."""

    async def get(self, key: str) -> object: ...

    async def eval(self, script: str, keys: list[str], args: list[str]) -> object: ...

    async def evalsha(self, sha: str, keys: list[str], args: list[str]) -> object:
        """Raises ScriptLost where Redis knows no script of this sha."""


class ScriptedStore(ABC):
    """A store by Lua scripts. How a command reaches Redis, and what may go wrong on its way, is for the heirs."""

    def __init__(
        self, *, clock: Clock, quota: Quota, random_bytes: Callable[[int], bytes], key_locking: bool = False
    ) -> None:
        self._clock = clock
        self._random_bytes = random_bytes
        self._quota = quota
        self._key_locking = key_locking
        self._allowance = Allowance(quota.entries)
        self._known: set[str] = set()
        """Scripts that the server has been sent whole."""

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:
        if charge is not None:
            return await self._run(scripts.get(key), scripts.read_text, charge, writes=False)

        async def get(redis: Commands) -> str | None:
            return scripts.read_text(await redis.get(key))

        return await self._attempt(get, writes=False)

    async def put(self, place: Place, text: str, expires_at: int | None, *, charge: Charge | None = None) -> bool:
        look = not self._allowance.take(place.shelf)
        call = scripts.put(place, text, expires_at, now=self._clock(), quota=self._quota, look=look)
        put = await self._run(call, scripts.read_put, charge)
        if put.room is not None:
            self._allowance.saw(place.shelf, put.room)
        return put.replaced

    async def remove(self, place: Place, *, charge: Charge | None = None) -> str | None:
        return await self._run(scripts.remove(place), scripts.read_text, charge)

    async def swap(
        self, place: Place, expected: str | None, text: str, expires_at: int | None, *, charge: Charge | None = None
    ) -> Swap:
        call = scripts.swap(place, expected, text, expires_at, now=self._clock(), quota=self._quota)
        return await self._run(call, scripts.read_swap, charge)

    async def page(
        self, shelf: Shelf, *, after: str | None, pattern: str, limit: int, charge: Charge | None = None
    ) -> Page:
        call = scripts.page(shelf, after=after, pattern=pattern, limit=limit, now=self._clock())
        return await self._run(call, scripts.read_page, charge, writes=False)

    async def wipe(self, shelf: Shelf, *, charge: Charge | None = None) -> int:
        return await self._run(scripts.wipe(shelf), scripts.read_count, charge)

    async def changes(self, collection: Collection, since: str | None, *, charge: Charge | None = None) -> Changes:
        call = collection_scripts.changes(collection, since)
        return await self._run(call, collection_scripts.read_changes, charge, writes=False)

    async def bodies(
        self, collection: Collection, ids: Iterable[str], *, use: Iterable[str] = (), charge: Charge | None = None
    ) -> Mapping[str, Body]:
        asked = dict.fromkeys(ids)
        used = asked.keys() & set(use)
        ordered = sorted(asked, key=lambda name: name not in used)

        def read(reply: object) -> dict[str, Body]:
            return collection_scripts.read_bodies(reply, ordered)

        call = collection_scripts.bodies(collection, ordered, used=len(used))
        return await self._run(call, read, charge, writes=bool(used))

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        epoch = new_epoch(self._random_bytes)
        call = collection_scripts.commit(collection, version, leaves=leaves, bodies=bodies, epoch=epoch)
        return await self._run(call, collection_scripts.read_commit, charge)

    async def clear(self, collection: Collection, *, charge: Charge | None = None) -> int:
        call = collection_scripts.clear(collection, epoch=new_epoch(self._random_bytes))
        return await self._run(call, scripts.read_count, charge)

    @abstractmethod
    async def close(self) -> None:
        """Let go of connections. The store can be used again afterwards."""

    @abstractmethod
    async def _attempt(self, work: Callable[[Commands], Awaitable[Read]], *, writes: bool) -> Read:
        """What `work` gives; whatever goes wrong becomes one StoreUnavailable. A ValueError is a garbled answer."""

    async def _run(
        self, call: scripts.Call, read: Callable[[object], Read], charge: Charge | None, *, writes: bool = True
    ) -> Read:
        now = self._clock()
        if charge is not None:
            call = call.charged(charge, now=now)

        async def run(redis: Commands) -> Read:
            match await self._call(redis, call):
                case scripts.OVER if charge is not None:
                    raise RateLimited(charge.expires_at - now)
                case [scripts.FULL, "entries"]:
                    raise QuotaExceeded("entries", self._quota.entries)
                case [scripts.FULL, "chars"]:
                    raise QuotaExceeded("chars", self._quota.chars)
                case reply:
                    return read(reply)

        return await self._attempt(run, writes=writes)

    async def _call(self, redis: Commands, call: scripts.Call) -> object:
        """Run a script: by its sha where the server has been sent it, and whole where it has not, or has lost it."""
        script = call.script.locking if self._key_locking else call.script
        keys, args = list(call.keys), list(call.args)
        if script.sha in self._known:
            try:
                return await redis.evalsha(script.sha, keys, args)
            except ScriptLost:
                pass
        answer = await redis.eval(script.text, keys, args)
        self._known.add(script.sha)
        return answer
