"""Limits as a client meets them: a tool's error that says how long to wait, or what is full."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from remember import App, FetchHandler, Remember, RememberPlugin, create_direct, create_fetch_handler, tool
from remember.stores.base import Store
from remember.stores.memory import MemoryStore
from remember.stores.sqlite import SqliteStore
from tests.standins.client import Client
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest

ANA, BEN = "a-key-that-only-ana-has", "a-key-that-only-ben-has"
SECRET = "bench-secret-0123456789"

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("remember_this", {"key": "k", "value": "changed"}),
    ("recall", {"key": "k"}),
    ("forget", {"key": "k"}),
    ("list_memories", {}),
]


def handler_on(store: Store | None, clock: MovingClock, **environ: str) -> FetchHandler:
    return create_fetch_handler(
        environ={"REMEMBER_SECRET": SECRET, **environ}, auth={"ana": ANA, "ben": BEN}, store=store, clock=clock
    )


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_caller_who_asks_too_often_is_told_to_wait(clock: MovingClock, name: str, arguments: dict[str, Any]) -> None:
    """300 calls get through, the next is an error with its code and the wait, and nothing happens; others go on."""
    handler = handler_on(MemoryStore(clock), clock)
    ana, ben = Client(handler, ANA), Client(handler, BEN)
    clock.now += 60_000 - clock.now % 60_000 + 18_000

    async def ask() -> None:
        await ana.call_async("remember_this", {"key": "k", "value": "kept"})
        for _ in range(299):
            assert not (await ana.call_async("recall", {"key": "k"})).failed

    asyncio.run(ask())
    reply = ana.call(name, arguments)
    assert (reply.status, reply.failed, reply.code) == (200, True, "REMEMBER_RATE_LIMITED")
    assert "42 seconds" in reply.text
    assert not ben.call(name, arguments).failed
    assert ana.rpc("tools/list").status == 200
    clock.advance(42_000)
    assert ana.call("recall", {"key": "k"}).data["value"] == "kept"


def test_instances_count_together(tmp_path: Path, clock: MovingClock) -> None:
    """Beyond the tenth that each lets through, a caller has one count over all of them."""
    path = tmp_path / "memory.db"
    handlers = [handler_on(SqliteStore(path, clock=clock), clock, REMEMBER_RATE_LIMIT="20") for _ in range(4)]
    clients = [Client(handler, ANA) for handler in handlers]

    async def ask() -> list[str | None]:
        replies = [await client.call_async("recall", {"key": "k"}) for _ in range(10) for client in clients]
        return [reply.code if reply.failed else None for reply in replies]

    assert asyncio.run(ask()).count(None) == 4 * 2 + 18


def test_each_call_is_counted_once_in_its_own_request(upstash: UpstashRest, clock: MovingClock) -> None:
    """Over REST: no request more than without a limit, and an update's two requests are one call."""

    @tool
    async def raise_it(remember: Remember) -> bool:
        """Raise the number."""
        return await remember.update("k", lambda old: old + 1)

    environ = {
        "REMEMBER_SECRET": SECRET,
        "REMEMBER_RATE_LIMIT": "5",
        "KV_REST_API_URL": upstash.url,
        "KV_REST_API_TOKEN": upstash.token,
    }
    app = App("a", tools=[raise_it], plugins=[RememberPlugin.init(type="auto", tools={"enabled": True})])
    ana = Client(create_fetch_handler(app, environ=environ, auth={"ana": ANA}, clock=clock), ANA)

    async def ask() -> None:
        for name, arguments, requests in (
            ("remember_this", {"key": "k", "value": 1}, 1),
            ("raise_it", {}, 2),
            ("list_memories", {}, 1),
            ("recall", {"key": "k"}, 1),
            ("forget", {"key": "k"}, 1),
            ("recall", {"key": "k"}, 0),
        ):
            upstash.reset()
            reply = await ana.call_async(name, arguments)
            assert reply.code == (None if requests else "REMEMBER_RATE_LIMITED")
            assert len(upstash.requests) == requests
            assert upstash.commands().get("incr", 0) == min(requests, 1)

    asyncio.run(ask())


def test_zero_is_no_limit(clock: MovingClock) -> None:
    """REMEMBER_RATE_LIMIT=0 counts nobody's calls."""
    ana = Client(handler_on(MemoryStore(clock), clock, REMEMBER_RATE_LIMIT="0"), ANA)

    async def ask() -> None:
        for _ in range(1_000):
            assert not (await ana.call_async("recall", {"key": "k"})).failed

    asyncio.run(ask())


def test_create_direct_is_never_limited(clock: MovingClock) -> None:
    """It is called by the program that it runs in."""

    @tool
    async def ask(remember: Remember) -> int:
        """Ask a thousand times."""
        for _ in range(1_000):
            await remember.get("k")
        return 1_000

    environ = {"REMEMBER_RATE_LIMIT": "1"}
    direct = create_direct(App("a", tools=[ask], plugins=[RememberPlugin]), user_id="ana", environ=environ, clock=clock)
    assert asyncio.run(direct.call_tool("ask"))["isError"] is False


def test_a_full_memory_is_told(clock: MovingClock) -> None:
    """With its limit, its code and what to do; what is there can be changed, and forgetting makes room."""
    ana = Client(handler_on(None, clock, REMEMBER_MAX_ENTRIES="3", REMEMBER_STORE="memory"), ANA)
    for number in range(3):
        assert ana.call("remember_this", {"key": f"k{number}", "value": 1}).data["success"] is True
    reply = ana.call("remember_this", {"key": "k3", "value": 1})
    assert (reply.failed, reply.code) == (True, "REMEMBER_QUOTA_EXCEEDED")
    assert "3 entries" in reply.text
    assert "forget" in reply.text
    assert ana.call("recall", {"key": "k3"}).data["found"] is False
    assert not ana.call("remember_this", {"key": "k0", "value": 2}).failed
    assert not ana.call("remember_this", {"key": "k3", "value": 1, "scope": "user"}).failed
    ana.call("forget", {"key": "k0"})
    assert not ana.call("remember_this", {"key": "k3", "value": 1}).failed


def test_a_list_that_asks_the_store_several_times_is_one_call(clock: MovingClock) -> None:
    """Large values make the store's pages short; the caller asked once."""
    ana = Client(handler_on(MemoryStore(clock), clock, REMEMBER_RATE_LIMIT="4"), ANA)
    for number in range(3):
        assert not ana.call("remember_this", {"key": f"k{number}", "value": "x" * 900_000}).failed
    assert ana.call("list_memories").data["keys"] == ["k0", "k1", "k2"]
    assert ana.call("list_memories").code == "REMEMBER_RATE_LIMITED"
