"""The official Python client, connected to a handler in process or through a real server."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any, Protocol

import httpx2
import uvicorn
from mcp import Client
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client

from remember import FetchHandler
from tests.standins.redis_server import free_port


class Connect(Protocol):
    """A connection for the holder of a key (None: a stranger), in a mode of the client's own.

    `person` answers the server's questions; without one the client declares that it cannot ask.
    """

    def __call__(
        self, key: str | None, mode: str, person: ElicitationFnT | None = None
    ) -> AbstractAsyncContextManager[Client]: ...


def in_process(handler: FetchHandler) -> Connect:
    """Straight into the ASGI app that is deployed."""
    return _connecting("http://memory.example/mcp", lambda: httpx2.AsyncClient(transport=httpx2.ASGITransport(handler)))


def over_http(port: int) -> Connect:
    """Over a network, if only this machine's own."""
    return _connecting(f"http://127.0.0.1:{port}/mcp", lambda: httpx2.AsyncClient(trust_env=False))


def _connecting(url: str, opened: Callable[[], httpx2.AsyncClient]) -> Connect:
    @asynccontextmanager
    async def connect(key: str | None, mode: str, person: ElicitationFnT | None = None) -> AsyncIterator[Client]:
        http = opened()
        if key is not None:
            http.headers["authorization"] = f"Bearer {key}"
        transport = streamable_http_client(url, http_client=http)
        async with http, Client(transport, mode=mode, elicitation_callback=person) as client:
            yield client

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
