"""A run of hostile requests against one planted server after another."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from hypothesis import HealthCheck, Phase, given, seed, settings

from remember import Store
from remember.stores.memory import MemoryStore
from remember.stores.sqlite import SqliteStore
from tests.hostile.calls import Calls
from tests.hostile.judging import Judge, Tally, listening
from tests.hostile.planted import Planted, bob_lost_nothing, plant
from tests.hostile.requests import Hostile, requests
from tests.identity.issuer import MovedClock

Kind = Literal["memory", "sqlite"]


def attack(kind: Kind, count: int, number: int, *, model: bool = False) -> Tally:
    """What `count` requests of the seed `number` were answered with; the first that is not as it must be raises."""
    with _planted(kind, model=model) as planted, listening() as records, asyncio.Runner() as runner:
        judge = Judge(planted, runner, records)

        @seed(number)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        @given(request=requests(Calls(planted)))
        def one(request: Hostile) -> None:
            judge.send(request)

        one()
        bob_lost_nothing(planted)
        return judge.tally


@contextmanager
def _planted(kind: Kind, *, model: bool) -> Iterator[Planted]:
    clock = MovedClock()
    with tempfile.TemporaryDirectory() as folder:
        store: Store = MemoryStore(clock) if kind == "memory" else SqliteStore(Path(folder) / "m.db", clock=clock)
        try:
            yield plant(store, clock, model=model)
        finally:
            asyncio.run(store.close())
