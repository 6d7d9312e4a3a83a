"""The memory server that the protocol is tried on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from remember import FetchHandler, Request, Response
from tests.protocol.requests import memory_handler

Send = Callable[[Request], Response]


@pytest.fixture(scope="session")
def handler() -> FetchHandler:
    """One for all: a request leaves nothing behind that another could see."""
    return memory_handler()


@pytest.fixture(scope="session")
def send(handler: FetchHandler) -> Send:
    return lambda request: asyncio.run(handler.fetch(request))
