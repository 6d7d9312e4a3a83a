"""One of several processes that use one memory: `python -m tests.stores.racer <store> <where> <token> <number>`.

Prints, as JSON, one line for each operation that was acknowledged: what it did, to which key, when it was asked
for and answered on the machine's monotonic clock, what it gave, and for a write what it left there.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from remember.accessor import Remember
from remember.caller import Caller, Owner
from remember.clock import system_clock
from remember.keys import shelf_of
from remember.owned import Memory
from remember.sealing import Secrets, SecretSealer
from remember.settings import Secret
from tests.stores.writer import store_named

COUNTERS = [f"count-{number}" for number in range(4)]
MIXED = [f"mixed-{number}" for number in range(16)]
SHELF = shelf_of("remember:", Owner("user", "racer"))
OPERATIONS = 500
KINDS = ["set"] * 5 + ["update"] * 5 + ["get"] * 4 + ["forget"] * 3 + ["list"] + ["count"] * 4


class Done(NamedTuple):
    """An acknowledged operation. `left` is what a write left under the key: the write's own name, or None."""

    kind: str
    key: str
    asked: int
    answered: int
    gave: Any
    left: str | None


def memory_at(kind: str, where: str, token: str) -> Remember:
    sealer = SecretSealer(Secrets(Secret("made-up-secret-of-the-race-0123456789")))
    return Remember(Memory(store_named(kind, where, token), sealer, system_clock, "remember:"), Caller("racer"), "a:b")


async def act(memory: Remember, kind: str, key: str, name: str) -> tuple[Any, str | None]:
    """Do one thing; what it gave, and what it left."""
    if kind == "set":
        return (await memory.set(key, name, scope="user")).replaced, name
    if kind == "get":
        return await memory.get(key, scope="user"), None
    if kind == "forget":
        return await memory.forget(key, scope="user"), None
    if kind == "list":
        return await memory.list(scope="user"), None
    if kind == "count":
        return await memory.update(key, lambda count: count + 1, scope="user"), None
    seen: list[Any] = [None]

    async def change(old: Any) -> str:
        seen[0] = old
        await asyncio.sleep(0)
        return name

    done = await memory.update(key, change, scope="user")
    return (seen[0] if done else None), (name if done else None)


def plan(number: str) -> Iterator[tuple[str, str]]:
    """Mixed operations, the same every time; at the end an entry goes, and no list follows that would tidy up."""
    chance = random.Random(number)  # noqa: S311  not to be secret
    for _ in range(OPERATIONS - 2):
        kind = chance.choice(KINDS)
        yield kind, chance.choice(COUNTERS if kind == "count" else MIXED)
    yield from (("set", MIXED[int(number)]), ("forget", MIXED[int(number)]))


async def race(memory: Remember, number: str) -> list[Done]:
    done = []
    for step, (kind, key) in enumerate(plan(number)):
        asked = time.monotonic_ns()
        gave, left = await act(memory, kind, key, f"{number}.{step}")
        done.append(Done(kind, key, asked, time.monotonic_ns(), gave, left))
    return done


if __name__ == "__main__":
    kind, where, token, number = sys.argv[1:]
    for one in asyncio.run(race(memory_at(kind, where, token), number)):
        print(json.dumps(one))  # noqa: T201  its answer
