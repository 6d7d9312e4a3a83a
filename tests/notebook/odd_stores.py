"""Memory stores with something odd: they count, they yield, or they lose an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from remember.clock import Clock
from remember.errors import StoreUnavailable
from remember.keys import Collection
from remember.stores.base import Body, Changes, Charge, Committed
from remember.stores.memory import MemoryStore
from tests.fetch.stores import Slow


class CountingStore(MemoryStore):
    """Notes each request for a collection, by name, and how many of them carried a charge."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.requests: list[str] = []
        self.charges = 0

    async def changes(self, collection: Collection, since: str | None, *, charge: Charge | None = None) -> Changes:
        self._noted("changes", charge)
        return await super().changes(collection, since, charge=charge)

    async def bodies(
        self, collection: Collection, ids: Iterable[str], *, use: Iterable[str] = (), charge: Charge | None = None
    ) -> Mapping[str, Body]:
        self._noted("bodies", charge)
        return await super().bodies(collection, ids, use=use, charge=charge)

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        self._noted("commit", charge)
        return await super().commit(collection, version, leaves=leaves, bodies=bodies, charge=charge)

    def _noted(self, name: str, charge: Charge | None) -> None:
        self.requests.append(name)
        self.charges += charge is not None


class YieldingStore(Slow, CountingStore):
    """Lets every other task go on before and after each request, as a store on the network does, and counts them."""


class ForgetfulStore(MemoryStore):
    """Applies as many commits as `lost` says, and then breaks the connection off instead of answering."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.lost = 0

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        done = await super().commit(collection, version, leaves=leaves, bodies=bodies, charge=charge)
        if self.lost:
            self.lost -= 1
            raise StoreUnavailable("reset", "The memory store broke the connection off; try again.", maybe_applied=True)
        return done
