"""A store that hangs: every caller hears so in time, and nothing of their calls is left behind."""

from __future__ import annotations

import asyncio
import gc
import inspect
import tracemalloc
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from remember import create_fetch_handler
from remember.caller import Owner
from remember.errors import StoreUnavailable
from remember.keys import collection_of
from remember.settings import Secret, Settings
from remember.stores.open_store import open_store
from remember.stores.upstash import UpstashStore
from tests.standins.client import Client, Reply
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest

BEARER = "a-made-up-key-that-only-ana-has"
NOTES = collection_of("remember:", Owner("user", "somebody-private"))
DEADLINE = 0.4  # seconds; the settings' default is held below
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("remember_this", {"key": "private-key", "value": "private-text"}),
    ("recall", {"key": "private-key"}),
    ("forget", {"key": "private-key"}),
    ("list_memories", {}),
]

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take the request, and never answer."""
    while await reader.read(65_536):
        pass


async def silent_within(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Begin an answer, and never end it."""
    await reader.read(1)
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"result"')
    await silent(reader, writer)


async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer for ever, a little at a time: each wait is short, and all of them have no end."""
    await reader.read(65_536)
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1\r\n \r\n")
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                if not await reader.read(65_536):
                    return


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[str]:
    """The address of a store that behaves like this."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await serve(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=256)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def ana_at(url: str, token: str) -> Client:
    environ = {
        "REMEMBER_SECRET": "made-up-secret-of-a-hung-store-0123456789",
        "REMEMBER_API_KEYS": f"ana={BEARER}",
        "KV_REST_API_URL": url,
        "KV_REST_API_TOKEN": token,
        "REMEMBER_STORE_DEADLINE": str(DEADLINE),
    }
    return Client(create_fetch_handler(environ=environ), BEARER)


async def call_at_once(ana: Client, count: int) -> list[Reply]:
    """The replies to so many calls, of all tools in turn."""
    return await asyncio.gather(*(ana.call_async(*CALLS[number % len(CALLS)]) for number in range(count)))


async def settle() -> None:
    """Let what has ended be cleared away: then no task but this one may be there."""
    if others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others, timeout=5)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    for _ in range(3):  # closed sockets are let go of in later rounds of the loop
        await asyncio.sleep(0)


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.mark.parametrize("serve", [silent, silent_within, dripping])
def test_a_hundred_callers_hear_of_a_hung_store_in_time(serve: Serve) -> None:
    """Each of 100 calls at once is told, by its deadline, that the store did not answer; no task or socket is left."""

    async def story() -> None:
        async with serving(serve) as url:
            ana = ana_at(url, "any")
            await call_at_once(ana, 1)
            await settle()
            before = open_files()
            started = asyncio.get_running_loop().time()
            replies = await call_at_once(ana, 100)
            assert asyncio.get_running_loop().time() - started < DEADLINE + 3  # at once, on a busy machine
            assert {reply.code for reply in replies} == {"REMEMBER_STORE_UNAVAILABLE"}
            assert {reply.text for reply in replies} == {
                "The memory store did not answer in time; try again in a moment."
            }
            await settle()
            assert open_files() <= before

    asyncio.run(story())


def test_hung_calls_leave_no_memory_behind() -> None:
    """After 200 calls to a hung store no more than a few bytes a call are held that were not before."""

    async def story() -> int:
        async with serving(silent) as url:
            ana = ana_at(url, "any")
            held = []
            for count in (100, 200):
                assert Counter(reply.failed for reply in await call_at_once(ana, count)) == {True: count}
                await settle()
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0])
            return held[1] - held[0]

    tracemalloc.start()
    try:
        grown = asyncio.run(story())
    finally:
        tracemalloc.stop()
    assert grown < 200 * 250  # a connection that is kept has 5,000 bytes and more


@pytest.mark.parametrize("serve", [silent, silent_within, dripping])
def test_a_hundred_readers_of_collections_hear_of_a_hung_store_in_time(serve: Serve, clock: MovingClock) -> None:
    """Each of 100 reads, commits and clears at once is told by its deadline, and no task is left."""

    async def story() -> None:
        async with serving(serve) as url:
            store = UpstashStore(url, Secret("any"), clock=clock, deadline=DEADLINE)
            started = asyncio.get_running_loop().time()
            calls = (
                call
                for _ in range(25)
                for call in (
                    store.changes(NOTES, None),
                    store.bodies(NOTES, ["x"], use=["x"]),
                    store.commit(NOTES, None, leaves={"a": "1"}, bodies={"x": "1"}),
                    store.clear(NOTES),
                )
            )
            ends = await asyncio.gather(*calls, return_exceptions=True)
            assert asyncio.get_running_loop().time() - started < DEADLINE + 3  # at once, on a busy machine
            told = [(end.reason, end.maybe_applied) for end in ends if isinstance(end, StoreUnavailable)]
            assert told == [("timeout", applied) for applied in (False, True, True, True)] * 25
            await settle()

    asyncio.run(story())


def test_three_loops_one_after_the_other(upstash: UpstashRest) -> None:
    """Calls hang and others are answered, three times with one handler, each time in another event loop."""
    ana = ana_at(upstash.url, upstash.token)

    async def story(turn: int) -> None:
        upstash.faults += ["hang"] * 8
        assert [reply.failed for reply in await call_at_once(ana, 8)] == [True] * 8
        stored = await ana.call_async("remember_this", {"key": "turn", "value": turn})
        assert stored.data["replaced"] is (turn > 0)
        assert (await ana.call_async("recall", {"key": "turn"})).data["value"] == turn
        await settle()

    for turn in range(3):
        asyncio.run(story(turn))
        assert upstash.all_closed.wait(5)


def test_a_store_is_waited_for_three_seconds_unless_told_otherwise(clock: MovingClock) -> None:
    """The deadline is 3 s by default, and REMEMBER_STORE_DEADLINE is what the store is given."""
    assert inspect.signature(UpstashStore).parameters["deadline"].default == 3.0
    database = {"KV_REST_API_URL": "https://x.upstash.io", "KV_REST_API_TOKEN": "t"}
    for given, seconds in ((None, 3.0), ("0.5", 0.5)):
        environ = database if given is None else database | {"REMEMBER_STORE_DEADLINE": given}
        store = open_store(Settings.read(environ), clock=clock)
        assert isinstance(store, UpstashStore)
        assert store._deadline == seconds
