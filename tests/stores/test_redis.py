"""The stores over redis-py: what goes over the wire, what they say when it fails, and whose client it is."""

from __future__ import annotations

import asyncio
import gc
import ssl
import subprocess
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from remember.caller import Owner
from remember.errors import StoreUnavailable
from remember.keys import collection_of, shelf_of
from remember.settings import Secret
from remember.stores.base import Store, Swap
from remember.stores.redis import RedisClientStore, RedisStore
from tests.standins.clock import MovingClock
from tests.standins.faulty_redis import FaultyRedis
from tests.standins.redis_server import RedisServer, free_port
from tests.stores.test_transport import certificate

SHELF = shelf_of("remember:", Owner("user", "somebody-private"))
PLACE = SHELF.place("private-name")
NOTES = collection_of("remember:", Owner("user", "somebody-private"))
TEXT = "private-text"
QUICK = 0.2  # seconds; a deadline that a test can wait for

OPERATIONS: dict[str, Callable[[Store], Awaitable[object]]] = {
    "get": lambda store: store.get(PLACE.key),
    "put": lambda store: store.put(PLACE, TEXT, None),
    "remove": lambda store: store.remove(PLACE),
    "swap": lambda store: store.swap(PLACE, None, TEXT, None),
    "page": lambda store: store.page(SHELF, after=None, pattern="*", limit=10),
    "wipe": lambda store: store.wipe(SHELF),
    "changes": lambda store: store.changes(NOTES, None),
    "bodies": lambda store: store.bodies(NOTES, ["private-id"]),
    "bodies used": lambda store: store.bodies(NOTES, ["private-id"], use=["private-id"]),
    "commit": lambda store: store.commit(NOTES, None, leaves={"private-leaf": TEXT}, bodies={"private-id": TEXT}),
    "clear": lambda store: store.clear(NOTES),
}

# Fault, the reason it is told by, and whether a write may have happened.
FAULTS = [
    ("hang", "timeout", True),
    ("drop", "reset", True),
    ("drop-after", "reset", True),
    ("cut", "reset", True),
    ("-NOAUTH Authentication required.", "unauthorized", False),
    ("-WRONGPASS invalid username-password pair or user is disabled.", "unauthorized", False),
    ("-NOPERM this user has no permissions to run the 'eval' command private-name", "read-only", False),
    ("-READONLY You can't write against a read only replica.", "read-only", False),
    ("-LOADING Redis is loading the dataset in memory", "failed", False),
    ("-OOM command not allowed when used memory > 'maxmemory'. private-name", "failed", True),
    ("-ERR something private-name", "failed", True),
    ("HTTP/1.1 400 Bad Request", "garbled", True),
    ("+\x80", "garbled", True),
    ("*1\r\n$4\r\nwhat", "garbled", True),
]


def store_at(url: str, clock: MovingClock, *, deadline: float = 3.0) -> RedisStore:
    return RedisStore(Secret(url), clock=clock, deadline=deadline)


async def refusal(work: Awaitable[object]) -> StoreUnavailable:
    """What `work` ends in."""
    with pytest.raises(StoreUnavailable) as caught:
        await work
    return caught.value


def assert_tells_nothing(error: StoreUnavailable, *secrets: str) -> None:
    """No address, password, key, text or word of the server's own is in the error or in what led to it."""
    told = "".join(traceback.format_exception_only(error)) + repr(error.args) + error.reason
    for secret in [*secrets, "127.0.0.1", "localhost", "private", "user:", "WRONGPASS", "NOPERM", "maxmemory"]:
        assert secret not in told
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None


# --- what it says when something is wrong ------------------------------------------------------------------------


@pytest.mark.parametrize("own", [True, False], ids=["redis", "redis-client"])
@pytest.mark.parametrize(("fault", "reason", "applied"), FAULTS, ids=[ascii(fault[0][:16]) for fault in FAULTS])
def test_every_fault_is_one_clear_refusal(
    redis_server: RedisServer, redis_url: str, clock: MovingClock, fault: str, reason: str, applied: bool, own: bool
) -> None:
    """Whatever goes wrong is a StoreUnavailable with its reason, sends nothing twice, and gives nothing away."""

    async def story() -> None:
        async with FaultyRedis(redis_server.port) as server:
            deadline = QUICK if fault == "hang" else 3.0
            client = Redis(port=server.port)  # repeats what fails, three times, unless it is asked as we do
            store = (
                store_at(server.url, clock, deadline=deadline)
                if own
                else RedisClientStore(client, clock=clock, deadline=deadline)
            )
            for name, work in OPERATIONS.items():
                server.commands = 0
                server.faults.append(fault)
                error = await refusal(work(store))
                assert (name, error.reason) == (name, reason)
                assert error.maybe_applied is (applied and name not in ("get", "page", "changes", "bodies"))
                assert server.commands == 1
                assert_tells_nothing(error, str(server.port))
            assert await store.put(PLACE, TEXT, None) in (True, False)
            assert await store.get(PLACE.key) == TEXT
            await store.close()
            await client.aclose()

    asyncio.run(story())


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "no-such-host.invalid", "a..b", "x" * 70 + ".invalid"])
def test_where_nobody_listens_is_refused(clock: MovingClock, host: str) -> None:
    """A closed port and a name that is no host's are refusals, and nothing was written."""
    address = host.format(port=free_port())

    async def story() -> None:
        error = await refusal(store_at(f"redis://:private-word@{address}", clock).put(PLACE, TEXT, None))
        assert (error.reason, error.maybe_applied) == ("refused", False)
        assert_tells_nothing(error, address)

    asyncio.run(story())


def test_an_address_that_never_answers_is_a_timeout(clock: MovingClock) -> None:
    """Connecting is within the deadline too, and nothing was written then."""

    async def silent() -> None:
        held = []
        server = await asyncio.start_server(lambda _, writer: held.append(writer), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        error = await refusal(store_at(f"redis://:pw@127.0.0.1:{port}", clock, deadline=QUICK).put(PLACE, TEXT, None))
        assert (error.reason, error.maybe_applied) == ("timeout", False)
        server.close()
        for writer in held:
            writer.transport.abort()

    asyncio.run(silent())


def test_a_server_that_closes_at_once_is_asked_once(clock: MovingClock) -> None:
    """Connecting is not repeated either; the caller decides."""

    async def story() -> None:
        connections: list[asyncio.StreamWriter] = []

        def close(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.append(writer)
            writer.transport.abort()

        server = await asyncio.start_server(close, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        error = await refusal(store_at(f"redis://:pw@127.0.0.1:{port}", clock).put(PLACE, TEXT, None))
        assert (error.reason, error.maybe_applied) == ("refused", False)
        assert len(connections) == 1
        server.close()

    asyncio.run(story())


def test_hung_calls_leave_nothing_behind(redis_server: RedisServer, redis_url: str, clock: MovingClock) -> None:
    """100 of them: no task and no connection stays, and the next answer is that of the next question."""

    async def story() -> None:
        async with FaultyRedis(redis_server.port) as server:
            store = store_at(server.url, clock, deadline=QUICK)
            await store.put(PLACE, TEXT, None)
            tasks = len(asyncio.all_tasks())
            server.faults += ["hang"] * 100
            errors = await asyncio.gather(*(refusal(store.get(PLACE.key)) for _ in range(100)))
            assert {error.reason for error in errors} == {"timeout"}
            server.faults.clear()
            assert await store.get(PLACE.key) == TEXT
            assert await store.remove(PLACE) == TEXT
            for _ in range(50):
                await asyncio.sleep(0)
            assert len(asyncio.all_tasks()) <= tasks + 1  # the connection that answered
            assert server.connections <= 2
            await store.close()

    asyncio.run(story())


def test_a_server_that_was_started_again_is_found_again(
    redis_server: RedisServer, redis_url: str, clock: MovingClock
) -> None:
    """Connections that were closed meanwhile are noticed, and the script that is gone is sent again."""

    async def story() -> None:
        async with FaultyRedis(redis_server.port) as server:
            store = store_at(server.url, clock)
            await asyncio.gather(*(store.put(SHELF.place(f"k{number}"), TEXT, None) for number in range(5)))
            server.drop_connections()
            await asyncio.sleep(0.01)
            redis_server.admin.script_flush()
            assert await store.put(PLACE, TEXT, None) is False
            assert await store.swap(PLACE, TEXT, "changed", None) == Swap(done=True)
            await store.close()

    asyncio.run(story())


# --- the address -------------------------------------------------------------------------------------------------


@contextmanager
def user(server: RedisServer, name: str, password: str, *rules: str) -> Iterator[None]:
    server.admin.execute_command(  # type: ignore[no-untyped-call]
        "ACL", "SETUSER", name, "on", f">{password}", "~*", *rules
    )
    try:
        yield
    finally:
        server.admin.execute_command("ACL", "DELUSER", name)  # type: ignore[no-untyped-call]


def test_user_and_password_are_those_of_the_address(
    redis_server: RedisServer, redis_url: str, clock: MovingClock
) -> None:
    """Special characters are written as %40; a wrong password is told, and a user who may only read."""
    at = f"127.0.0.1:{redis_server.port}"

    async def story() -> None:
        good = store_at(f"redis://pen:p%40ss%2Fw%3Ard@{at}", clock)
        assert await good.put(PLACE, TEXT, None) is False
        error = await refusal(store_at(f"redis://pen:wrong-word@{at}", clock).put(PLACE, TEXT, None))
        assert (error.reason, error.maybe_applied) == ("unauthorized", False)
        assert_tells_nothing(error, "wrong-word", "pen")
        reader = store_at(f"redis://eye:private-word@{at}", clock)
        assert await reader.get(PLACE.key) == TEXT
        error = await refusal(reader.put(PLACE, "changed", None))
        assert (error.reason, error.maybe_applied) == ("read-only", False)
        await reader.close()
        await good.close()

    with (
        user(redis_server, "pen", "p@ss/w:rd", "+@all"),
        user(redis_server, "eye", "private-word", "+@read", "+@connection"),
    ):
        asyncio.run(story())


def test_the_number_is_the_database_s(redis_server: RedisServer, redis_url: str, clock: MovingClock) -> None:
    """What lies in one is not in another, and one that is not there is refused."""

    async def story() -> None:
        for number in ("", "/0", "/3"):
            store = store_at(redis_url + number, clock)
            assert await store.put(PLACE, TEXT, None) is (number == "/0")
            await store.close()
        error = await refusal(store_at(f"{redis_url}/9999", clock).put(PLACE, TEXT, None))
        assert (error.reason, error.maybe_applied) == ("refused", False)

    asyncio.run(story())


def test_rediss_is_tls_with_a_certificate_that_must_be_trusted(
    tmp_path: Path, redis_server: RedisServer, redis_url: str, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trusted it works; without trust nothing is sent."""
    pem = certificate(tmp_path)
    server_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_tls.load_cert_chain(pem)

    async def story() -> None:
        async with FaultyRedis(redis_server.port, tls=server_tls) as server:
            address = f"rediss://localhost:{server.port}"
            error = await refusal(store_at(address, clock).put(PLACE, TEXT, None))
            assert (error.reason, error.maybe_applied) == ("refused", False)
            monkeypatch.setenv("SSL_CERT_FILE", str(pem))
            store = store_at(address, clock)
            assert await store.put(PLACE, TEXT, None) is False
            assert await store.get(PLACE.key) == TEXT
            await store.close()

    asyncio.run(story())


# --- whose client it is ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", [2, 3])
@pytest.mark.parametrize("decode", [True, False])
def test_any_client_of_redis_py_will_do(
    redis_server: RedisServer, redis_url: str, clock: MovingClock, decode: bool, protocol: int
) -> None:
    """Whatever it makes of answers for its owner; and closing the store leaves it open."""

    async def story() -> None:
        retry = Retry(NoBackoff(), 3)
        client = Redis(port=redis_server.port, decode_responses=decode, protocol=protocol, retry=retry)
        store = RedisClientStore(client, clock=clock)
        assert await store.put(PLACE, "é\0x", None) is False
        assert await store.get(PLACE.key) == "é\0x"
        assert (await store.page(SHELF, after=None, pattern="*", limit=9)).items == ((PLACE.name, "é\0x"),)
        connections = len(redis_server.admin.client_list())
        await store.close()
        assert len(redis_server.admin.client_list()) == connections
        assert await client.ping() is True
        assert await store.remove(PLACE) == "é\0x"
        await client.aclose()

    asyncio.run(story())


def test_a_client_of_another_event_loop_is_told(redis_server: RedisServer, redis_url: str, clock: MovingClock) -> None:
    """As a refusal, and not as an error that nobody expects."""
    client = Redis(port=redis_server.port)
    store = RedisClientStore(client, clock=clock)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(store.put(PLACE, TEXT, None))
    error = asyncio.run(refusal(store.put(PLACE, TEXT, None)))
    assert error.reason == "failed"
    loop.run_until_complete(client.aclose())
    loop.close()


def test_threads_share_one_store(redis_url: str, clock: MovingClock) -> None:
    """Event loops in several threads use one store at once, each over connections of its own."""
    store = store_at(redis_url, clock)

    async def story(number: int) -> None:
        for step in range(20):
            await store.put(SHELF.place(f"{number}-{step:02}"), TEXT, None)

    threads = [threading.Thread(target=lambda number=number: asyncio.run(story(number))) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    page = asyncio.run(store.page(SHELF, after=None, pattern="*", limit=200))
    assert len(page.items) == 100


def test_loops_that_ended_leave_no_connection(redis_server: RedisServer, redis_url: str, clock: MovingClock) -> None:
    """Without a close, too: the end of a loop is the end of its connections."""
    before = len(redis_server.admin.client_list())
    store = store_at(redis_url, clock)
    for _ in range(5):
        asyncio.run(store.put(PLACE, TEXT, None))
    gc.collect()
    assert len(redis_server.admin.client_list()) <= before + 1  # the server may see the last one's end a moment later
    assert len(store._lives) == 1


def test_making_a_store_imports_nothing_heavy() -> None:
    """A cold function that never touches its memory does not pay for the client."""
    program = (
        "import sys; from remember.stores.redis import RedisStore; from remember.settings import Secret\n"
        "RedisStore(Secret('redis://localhost'), clock=int)\n"
        "print({'redis', 'httpx', 'upstash_redis', 'h11', 'sqlite3'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
