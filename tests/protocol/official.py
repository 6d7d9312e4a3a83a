"""The official Python client, connected to a handler in process or through a real server."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

import httpx2
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from remember import FetchHandler
from tests.standins.redis_server import free_port

Connect = Callable[[str | None, str], AbstractAsyncContextManager[Client]]
"""A connection for the holder of a key (None: a stranger), in a mode of the client's own."""


@asynccontextmanager
async def _connected(http: httpx2.AsyncClient, url: str, key: str | None, mode: str) -> AsyncIterator[Client]:
    if key is not None:
        http.headers["authorization"] = f"Bearer {key}"
    async with http, Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        yield client


def in_process(handler: FetchHandler) -> Connect:
    """Straight into the ASGI app that is deployed."""

    def connect(key: str | None, mode: str) -> AbstractAsyncContextManager[Client]:
        http = httpx2.AsyncClient(transport=httpx2.ASGITransport(handler))
        return _connected(http, "http://memory.example/mcp", key, mode)

    return connect


def over_http(port: int) -> Connect:
    """Over a network, if only this machine's own."""

    def connect(key: str | None, mode: str) -> AbstractAsyncContextManager[Client]:
        http = httpx2.AsyncClient(trust_env=False)
        return _connected(http, f"http://127.0.0.1:{port}/mcp", key, mode)

    return connect


class _Server(uvicorn.Server):
    """Says when its port is open."""

    started_up: threading.Event

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.started_up.set()


@contextmanager
def serving(handler: FetchHandler, port: int | None = None) -> Iterator[int]:
    """A real server in a thread of its own, on a free port unless one is given; gives its port."""
    port = port or free_port()
    server = _Server(uvicorn.Config(handler, host="127.0.0.1", port=port, log_config=None))
    server.started_up = threading.Event()
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        assert server.started_up.wait(20), "the server did not start"
        yield port
    finally:
        server.should_exit = True
        thread.join(20)
