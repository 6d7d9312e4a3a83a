"""One of several processes that write to one store: `python -m tests.stores.writer <store> <where> <token> <number>`.

Prints what the store acknowledged, as JSON: its own entries, and how often it raised each counter.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter

from remember.caller import Owner
from remember.clock import system_clock
from remember.keys import Place, shelf_of
from remember.settings import Secret
from remember.stores.base import Store
from remember.stores.redis import RedisStore
from remember.stores.sqlite import SqliteStore
from remember.stores.upstash import UpstashStore

SHELF = shelf_of("remember:", Owner("user", "shared"))
OPERATIONS = 100


def store_named(kind: str, where: str, token: str) -> Store:
    if kind == "sqlite":
        return SqliteStore(where, clock=system_clock)
    if kind == "redis":
        return RedisStore(Secret(where), clock=system_clock)
    return UpstashStore(where, Secret(token), clock=system_clock)


async def raise_counter(store: Store, place: Place) -> None:
    expected = await store.get(place.key)
    while not (swap := await store.swap(place, expected, str(int(expected or 0) + 1), None)).done:
        expected = swap.current


async def work(store: Store, number: str) -> tuple[dict[str, str], Counter[str]]:
    chance = random.Random(number)  # noqa: S311  the same run every time
    held: dict[str, str] = {}
    raised: Counter[str] = Counter()
    for step in range(OPERATIONS):
        kind, which = chance.choice(["put", "put", "remove", "raise"]), chance.randrange(10)
        name = f"own-{number}-{which}"
        if kind == "put":
            assert await store.put(SHELF.place(name), str(step), None) == (name in held)
            held[name] = str(step)
        elif kind == "remove":
            assert await store.remove(SHELF.place(name)) == held.pop(name, None)
        else:
            counter = f"count-{which % 3}"
            await raise_counter(store, SHELF.place(counter))
            raised[counter] += 1
    await store.close()
    return held, raised


if __name__ == "__main__":
    kind, where, token, number = sys.argv[1:]
    print(json.dumps(asyncio.run(work(store_named(kind, where, token), number))))  # noqa: T201  its answer
