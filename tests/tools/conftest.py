"""Stores for the tools: one in the process, and one in a file."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from remember import Store
from remember.stores.memory import MemoryStore
from remember.stores.sqlite import SqliteStore
from tests.standins.clock import MovingClock
from tests.tools.noting import Notes, OpenStore, memory_server, notes_of


@pytest.fixture(params=["memory", "sqlite"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path, clock: MovingClock) -> Iterator[OpenStore]:
    """Opens the store, as often as there are instances."""
    opened: list[Store] = [MemoryStore(clock=clock)]

    def open_file() -> Store:
        opened.append(SqliteStore(tmp_path / "memory.db", clock=clock))
        return opened[-1]

    yield open_file if request.param == "sqlite" else lambda: opened[0]
    for store in opened:
        asyncio.run(store.close())


@pytest.fixture
def ana(open_store: OpenStore, clock: MovingClock) -> Notes:
    """Ana's notes on the deployed memory server."""
    return notes_of("ana", memory_server(open_store(), clock=clock))
