"""Four processes use twenty keys of one owner at once, through the accessor: nothing is lost, torn or revived."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.stores.racer import COUNTERS, MIXED, OPERATIONS, SHELF, Done, memory_at
from tests.stores.raw import keys_in_redis, keys_in_sqlite

ROOT = Path(__file__).parents[2]
PROCESSES = 4
NEVER = -1
"""When everything was still empty."""


@pytest.mark.parametrize("kind", ["sqlite", "upstash"])
def test_four_processes_on_twenty_keys(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """4 × 500 operations: counters exact, all that was read explained by the writes, the index equal to the keys."""
    path = tmp_path / "memory.db"
    where, token = str(path), "none"
    server = request.getfixturevalue("upstash") if kind == "upstash" else None
    if server is not None:
        where, token = server.url, server.token
    asyncio.run(begin(kind, where, token))

    done = run_together(kind, where, token)

    assert len(done) == PROCESSES * OPERATIONS
    # Read before any list, which would take a name without an entry off the index.
    stored = keys_in_sqlite(path) if server is None else keys_in_redis(server.redis.admin)
    found = asyncio.run(everything(kind, where, token))
    assert_counted(done, found)
    assert_explained(done, found)
    assert_balanced(done, found)
    assert stored == {SHELF.place(key).key for key in found}


async def begin(kind: str, where: str, token: str) -> None:
    memory = memory_at(kind, where, token)
    for key in COUNTERS:
        await memory.set(key, 0, scope="user")


async def everything(kind: str, where: str, token: str) -> dict[str, Any]:
    memory = memory_at(kind, where, token)
    return {key: await memory.get(key, scope="user") for key in await memory.list(scope="user")}


def run_together(kind: str, where: str, token: str) -> list[Done]:
    program = [sys.executable, "-m", "tests.stores.racer", kind, where, token]
    running = [
        subprocess.Popen([*program, str(number)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for number in range(PROCESSES)
    ]
    told = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0] * PROCESSES
    return [Done(*json.loads(line)) for said in told for line in said.splitlines()]


def assert_counted(done: list[Done], found: dict[str, Any]) -> None:
    """Each counter holds as many as were acknowledged, and no list ever missed it."""
    raised = Counter(one.key for one in done if one.kind == "count" and one.gave is True)
    assert sum(raised.values()) == sum(one.kind == "count" for one in done)
    assert {key: found[key] for key in COUNTERS} == raised
    lists = [one.gave for one in done if one.kind == "list"]
    assert lists
    assert all(set(COUNTERS) <= set(keys) <= {*COUNTERS, *MIXED} for keys in lists)


def assert_explained(done: list[Done], found: dict[str, Any]) -> None:
    """What was read, and what lies there at the end, was left by a write that no later one had ended by then."""
    end = max(one.answered for one in done) + 1
    for key in MIXED:
        here = [one for one in done if one.key == key]
        writes = [one for one in here if one.kind in ("set", "forget") or one.left is not None]
        writes.append(Done("forget", key, NEVER, NEVER, gave=False, left=None))
        reads = [one for one in here if one.kind in ("get", "update")]
        reads.append(Done("get", key, end, end, gave=found.get(key), left=None))
        for read in reads:
            assert any(may_show(write, read, writes) for write in writes), read


def may_show(write: Done, read: Done, writes: list[Done]) -> bool:
    """Whether `read` can have seen what `write` left: no other write lies wholly between the two."""
    return (
        write.left == read.gave
        and write.asked < read.answered
        and not any(other.asked > write.answered and other.answered < read.asked for other in writes)
    )


def assert_balanced(done: list[Done], found: dict[str, Any]) -> None:
    """Each value was ended once at most: a forgotten one was not changed too, and no two changes began with one."""
    here: dict[str, Counter[str]] = defaultdict(Counter)
    for one in done:
        here[one.key][f"{one.kind} {one.gave}"] += 1
    for key in MIXED:
        made, ended = here[key]["set False"], here[key]["forget True"]  # where nothing lay before
        assert made - ended == (key in found), key
        changed = [one.gave for one in done if one.key == key and one.kind == "update" and one.left is not None]
        assert len(changed) == len(set(changed)), key
    assert sum(one.kind == "update" and one.left is not None for one in done) > 100
    assert sum(one.kind == "forget" and one.gave is True for one in done) > 50
