"""Four processes write to one collection at once: nothing is lost, torn or revived."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from remember.stores.base import Body, Store
from tests.stores.committer import COMMITS, NOTES, SHARED, Notebook
from tests.stores.writer import store_named

ROOT = Path(__file__).parents[2]
PROCESSES = 4


@pytest.mark.parametrize("kind", ["sqlite", "upstash", "redis"])
def test_four_processes_on_one_collection(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """4 × 60 commits: just the bodies that were acknowledged are there, all named by leaves, and each use counts."""
    where, token = str(tmp_path / "memory.db"), "none"
    if kind == "upstash":
        server = request.getfixturevalue("upstash")
        where, token = server.url, server.token
    elif kind == "redis":
        where = request.getfixturevalue("redis_url")
    asyncio.run(begin(store_named(kind, where, token)))

    program = [sys.executable, "-m", "tests.stores.committer", kind, where, token]
    running = [
        subprocess.Popen([*program, str(number)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for number in range(PROCESSES)
    ]
    told = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0] * PROCESSES

    acknowledged = [json.loads(said) for said in told]
    kept = {note for notes, _ in acknowledged for note in notes}
    assert len(kept) > PROCESSES * COMMITS // 4
    assert sum(used for _, used in acknowledged) == PROCESSES * COMMITS
    asyncio.run(assert_there(store_named(kind, where, token), kept))


async def begin(store: Store) -> None:
    """The body that all will use; and the collection's version, from which the processes start unknowing."""
    assert (await store.commit(NOTES, None, leaves={}, bodies={SHARED: "used by all"})).missed is None
    await store.close()


async def assert_there(store: Store, kept: set[str]) -> None:
    notebook = Notebook(store)
    notebook.learn(await store.changes(NOTES, None))
    assert set().union(*notebook.leaves.values()) == kept
    assert notebook.version is not None
    assert (
        int(notebook.version.partition(":")[2]) == PROCESSES * COMMITS + 1
    )  # a commit that was refused counts nothing
    every = [f"{number}-{step}" for number in range(PROCESSES) for step in range(COMMITS)]
    expected = {note: Body(f"body of {note}", 0) for note in kept} | {SHARED: Body("used by all", PROCESSES * COMMITS)}
    assert await store.bodies(NOTES, [*every, SHARED]) == expected
    await store.close()
