"""What many tests need: a clock to move, a real Redis, and Upstash's REST API before it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.standins.clock import MovingClock
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

# Before any test imports numpy: on a busy machine its threads wait for each other, and take twenty times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """An empty Redis."""
    redis_server.admin.flushall()
    return redis_server.url


@pytest.fixture(scope="session")
def running_upstash(redis_server: RedisServer) -> Iterator[UpstashRest]:
    server = UpstashRest(redis_server).start()
    yield server
    server.stop()


@pytest.fixture
def upstash(running_upstash: UpstashRest, redis_url: str) -> UpstashRest:
    """The REST API before an empty Redis: `url`, `token`, what was asked, and faults to put in."""
    running_upstash.reset()
    return running_upstash
