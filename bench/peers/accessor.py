"""Remember's accessor over its own store at Upstash. Values are not sealed: that has its figures in `bench warm`."""

from __future__ import annotations

from bench.store_calls import NAMES, Peer
from remember.accessor import Remember
from remember.caller import Caller, Owner
from remember.clock import system_clock
from remember.keys import shelf_of
from remember.owned import Memory
from remember.sealing import PlainSealer
from remember.settings import Secret
from remember.stores.upstash import UpstashStore


class Accessor:
    """Everything in user scope."""

    def __init__(self, store: UpstashStore) -> None:
        self._store = store
        self._shelf = shelf_of("remember:", Owner("user", "bench"))
        memory = Memory(store, PlainSealer(), system_clock, "remember:")
        self._remember = Remember(memory, Caller("bench"), "bench:store")

    async def one_get(self, name: str) -> bool:
        return await self._store.get(self._shelf.place(name).key) is not None

    async def set(self, name: str, value: str) -> bool:
        return (await self._remember.set(name, value, scope="user")).replaced

    async def get(self, name: str) -> object:
        return await self._remember.get(name, scope="user")

    async def knows(self, name: str) -> bool:
        return await self._remember.knows(name, scope="user")

    async def forget(self, name: str) -> bool:
        return await self._remember.forget(name, scope="user")

    async def update(self, name: str, value: str) -> bool:
        return await self._remember.update(name, value, scope="user")

    async def page(self) -> list[str]:
        return (await self._remember.list_page(scope="user", limit=len(NAMES))).keys


def open_peer(url: str, token: str) -> Peer:
    """Nothing is connected yet."""
    return Accessor(UpstashStore(url, Secret(token), clock=system_clock))
