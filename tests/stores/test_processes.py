"""Several processes on one store at once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from remember.stores.base import Store
from tests.stores.writer import SHELF, store_named

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", ["sqlite", "upstash", "redis"])
def test_four_processes_lose_nothing(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """4 × 100 mixed writes, the file being made meanwhile: what was acknowledged is there, and nothing else."""
    where, token = str(tmp_path / "memory.db"), "none"
    if kind == "upstash":
        server = request.getfixturevalue("upstash")
        where, token = server.url, server.token
    elif kind == "redis":
        where = request.getfixturevalue("redis_url")
    program = [sys.executable, "-m", "tests.stores.writer", kind, where, token]
    running = [subprocess.Popen([*program, str(i)], cwd=ROOT, stdout=subprocess.PIPE, text=True) for i in range(4)]
    told = [(process.communicate(timeout=120)[0], process.returncode) for process in running]
    assert [code for _, code in told] == [0, 0, 0, 0]

    expected: dict[str, str] = {}
    raised: Counter[str] = Counter()
    for said, _ in told:
        held, counts = json.loads(said)
        expected |= held
        raised.update(counts)
    expected |= {name: str(count) for name, count in raised.items()}
    assert sum(raised.values()) > 50
    assert asyncio.run(everything(store_named(kind, where, token))) == expected


async def everything(store: Store) -> dict[str, str]:
    page = await store.page(SHELF, after=None, pattern="*", limit=100)
    assert page.next is None
    assert {name: await store.get(SHELF.place(name).key) for name, _ in page.items} == dict(page.items)
    await store.close()
    return dict(page.items)
