"""A measured process of `bench store`: for each line on its input it prepares an operation, or runs it and times it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from bench.tool_call import VALUE

NAMES = [f"name-{number:02}" for number in range(20)]
ONE_COMMAND = "one GET"


class Peer(Protocol):
    """What keeps values by name at Upstash."""

    async def one_get(self, name: str) -> bool: ...
    async def set(self, name: str, value: str) -> bool: ...
    async def get(self, name: str) -> object: ...
    async def knows(self, name: str) -> bool: ...
    async def forget(self, name: str) -> bool: ...
    async def update(self, name: str, value: str) -> bool: ...
    async def page(self) -> list[str]: ...


async def _nothing(peer: Peer, name: str) -> object: ...


async def _store(peer: Peer, name: str) -> object:
    return await peer.set(name, VALUE)


@dataclass(frozen=True, slots=True)
class Operation:
    """What is done with the n-th name, what it must give, and what has to be done before."""

    work: Callable[[Peer, str], Awaitable[object]]
    right: object
    prepare: Callable[[Peer, str], Awaitable[object]] = _nothing


OPERATIONS = {
    ONE_COMMAND: Operation(lambda peer, _: peer.one_get(NAMES[0]), True),
    "set": Operation(lambda peer, _: peer.set(NAMES[0], VALUE), True),
    "get": Operation(lambda peer, _: peer.get(NAMES[0]), VALUE),
    "get, nothing there": Operation(lambda peer, name: peer.get(name), None),
    "knows": Operation(lambda peer, _: peer.knows(NAMES[0]), True),
    "forget": Operation(lambda peer, name: peer.forget(name), True, _store),
    "update": Operation(lambda peer, _: peer.update(NAMES[0], VALUE), True),
    "list 20 of 20,020": Operation(lambda peer, _: peer.page(), NAMES),
}


def main() -> None:
    """Argument: the module of a peer."""
    peer = import_module(f"bench.peers.{sys.argv[1]}").open_peer(
        os.environ["KV_REST_API_URL"], os.environ["KV_REST_API_TOKEN"]
    )
    asyncio.run(_serve(peer))


async def _serve(peer: Peer) -> None:
    for name in NAMES:
        await _store(peer, name)
    for line in sys.stdin:
        what, operation, calls = json.loads(line)
        names = [f"other-{number}" for number in range(calls)]
        if what == "prepare":
            for name in names:
                await OPERATIONS[operation].prepare(peer, name)
            print(flush=True)
        else:
            print(json.dumps(await _run(OPERATIONS[operation], peer, names)), flush=True)


async def _run(operation: Operation, peer: Peer, names: list[str]) -> dict[str, float]:
    """Milliseconds for one call; refuses figures of calls that went wrong."""
    cpu, wall = time.process_time(), time.perf_counter()
    answers = [await operation.work(peer, name) for name in names]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    if any(answer != operation.right for answer in answers):
        raise RuntimeError(f"an operation was answered with {answers[0]!r:.200}")
    return {"cpu_ms": cpu * 1000 / len(names), "wall_ms": wall * 1000 / len(names)}
