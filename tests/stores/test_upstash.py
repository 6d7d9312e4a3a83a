"""What the Upstash store costs, and what it says when the REST API does not answer."""

from __future__ import annotations

import asyncio
import importlib.metadata
import inspect
import subprocess
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from upstash_redis.commands import AsyncCommands

from remember.caller import Owner
from remember.errors import QuotaExceeded, RateLimited, StoreUnavailable
from remember.keys import collection_of, shelf_of
from remember.settings import Secret
from remember.stores import scripts
from remember.stores.base import DEFAULT_QUOTA, Charge, Page, Quota, Store, Swap
from remember.stores.upstash import UpstashStore
from tests.standins.clock import START, MovingClock
from tests.standins.redis_server import free_port
from tests.standins.upstash_rest import UpstashRest

SHELF = shelf_of("remember:", Owner("user", "somebody-private"))
PLACE = SHELF.place("private-name")
NOTES = collection_of("remember:", Owner("user", "somebody-private"))
TEXT = "private-text"
MINUTE = 60_000
QUICK = 0.2  # seconds; a deadline that a test can wait for


def store_at(server: UpstashRest, clock: MovingClock, *, deadline: float = 3.0, token: str = "") -> UpstashStore:
    return UpstashStore(server.url, Secret(token or server.token), clock=clock, deadline=deadline)


def failure(work: Awaitable[object]) -> StoreUnavailable:
    """The refusal that `work` ends in."""

    async def play() -> None:
        await work

    with pytest.raises(StoreUnavailable) as caught:
        asyncio.run(play())
    return caught.value


def assert_tells_nothing(error: StoreUnavailable, server: UpstashRest) -> None:
    """No address, token, key, text or word of the server's own is in the error or in what led to it."""
    told = "".join(traceback.format_exception_only(error)) + repr(error.args) + error.reason
    secrets = [server.url, str(server.port), server.token, server.read_only_token, "localhost", "private", "user:"]
    for secret in [*secrets, "WRONGPASS", "NOPERM", "SET", "upstream", "<html>"]:
        assert secret not in told
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None


# --- what it costs ---------------------------------------------------------------------------------------------

NEW = SHELF.place("new-name")
LARGE = "x" * 20_000

COSTS: dict[str, tuple[Callable[[Store, Charge | None], Awaitable[object]], int]] = {
    "get": (lambda store, charge: store.get(PLACE.key, charge=charge), 1),
    "put": (lambda store, charge: store.put(PLACE, TEXT, None, charge=charge), 2),
    "put new": (lambda store, charge: store.put(NEW, TEXT, None, charge=charge), 2),
    "put with an end": (lambda store, charge: store.put(PLACE, TEXT, START + MINUTE + 1, charge=charge), 2),
    "put large": (lambda store, charge: store.put(PLACE, LARGE, None, charge=charge), 4),
    "remove": (lambda store, charge: store.remove(PLACE, charge=charge), 2),
    "swap": (lambda store, charge: store.swap(PLACE, "there", TEXT, None, charge=charge), 3),
    "swap that fails": (lambda store, charge: store.swap(PLACE, "other", TEXT, None, charge=charge), 1),
    "page": (lambda store, charge: store.page(SHELF, after=None, pattern="*", limit=50, charge=charge), 2),
    "wipe": (lambda store, charge: store.wipe(SHELF, charge=charge), 3),
}


@pytest.mark.parametrize("charged", [False, True])
@pytest.mark.parametrize("operation", COSTS)
def test_an_operation_is_one_request_of_few_commands(
    upstash: UpstashRest, clock: MovingClock, operation: str, *, charged: bool
) -> None:
    """Each operation is one request, the first one of a process too, and costs the commands that are promised.

    A charge is one command more, and another one where its window begins.
    """
    work, commands = COSTS[operation]
    charge = Charge("remember:v2:rate:somebody:1", 10, clock() + MINUTE) if charged else None

    async def story() -> None:
        store = store_at(upstash, clock)
        for more in (2, 1):  # the script sent whole, and by its sha
            upstash.redis.admin.mset({PLACE.key: "there"})
            upstash.redis.admin.zadd(SHELF.index, {PLACE.name: "inf"})
            upstash.redis.admin.zrem(SHELF.index, NEW.name)
            upstash.reset()
            await work(store, charge)
            assert len(upstash.requests) == 1
            assert sum(upstash.commands().values()) == commands + (more if charged else 0)

    asyncio.run(story())


def test_a_call_beyond_the_limit_costs_one_command(upstash: UpstashRest, clock: MovingClock) -> None:
    """It is counted, and that is all; the window's end stays where it was."""
    charge = Charge("remember:v2:rate:somebody:1", 1, clock() + MINUTE)

    async def story() -> None:
        store = store_at(upstash, clock)
        await store.put(PLACE, TEXT, None, charge=charge)
        upstash.redis.pass_time(MINUTE // 2)
        upstash.reset()
        for _ in range(3):
            with pytest.raises(RateLimited):
                await store.put(PLACE, TEXT, None, charge=charge)
        assert upstash.commands() == {"incr": 3}
        assert upstash.redis.admin.pttl(charge.key) <= MINUTE // 2

    asyncio.run(story())


def test_names_are_counted_now_and_then(upstash: UpstashRest, clock: MovingClock) -> None:
    """A hundred new entries are two commands each and a count after every 16; what is written again costs none."""

    async def story() -> None:
        store = store_at(upstash, clock)
        upstash.reset()
        for number in range(100):
            await store.put(SHELF.place(f"name-{number}"), TEXT, None)
        assert upstash.commands() == {"zadd": 100, "set": 100, "zcard": 5}
        upstash.reset()
        for number in range(100):
            await store.put(SHELF.place(f"name-{number}"), TEXT, None)
        assert upstash.commands() == {"zadd": 100, "set": 100}

    asyncio.run(story())


def test_a_process_that_finds_a_full_shelf_lets_nothing_more_in(upstash: UpstashRest, clock: MovingClock) -> None:
    """A new process may put 16 names before it looks; from then on none, until there is room again."""

    async def story() -> None:
        quota = Quota(entries=300)
        stores = [UpstashStore(upstash.url, Secret(upstash.token), clock=clock, quota=quota) for _ in range(2)]
        upstash.redis.admin.zadd(SHELF.index, {f"old-{number}": "inf" for number in range(300)})
        for store in stores:
            for number in range(20):
                with suppress(QuotaExceeded):
                    await store.put(SHELF.place(f"{id(store)}-{number}"), TEXT, None)
        assert upstash.redis.admin.zcard(SHELF.index) == 332
        for number in range(50):
            await stores[0].remove(SHELF.place(f"old-{number}"))
        assert await stores[0].put(NEW, TEXT, None) is False

    asyncio.run(story())


def test_a_wipe_leaves_nothing_of_a_shelf(upstash: UpstashRest, clock: MovingClock) -> None:
    """Neither the index nor the notes on large texts."""

    async def story() -> None:
        store = store_at(upstash, clock)
        await store.put(PLACE, LARGE, None)
        assert upstash.redis.admin.hgetall(SHELF.sizes) == {PLACE.name: "20000 "}
        await store.wipe(SHELF)
        assert upstash.redis.admin.keys() == []

    asyncio.run(story())


def test_a_shelf_that_holds_too_much_can_become_smaller(upstash: UpstashRest, clock: MovingClock) -> None:
    """Where the bounds were larger once, what is there may still be changed, and not grow."""

    async def story() -> None:
        before = store_at(upstash, clock)
        for name in "abc":
            await before.put(SHELF.place(name), LARGE, None)
        now = UpstashStore(upstash.url, Secret(upstash.token), clock=clock, quota=Quota(entries=1, chars=10))
        assert await now.put(SHELF.place("a"), LARGE[1:], None) is True
        with pytest.raises(QuotaExceeded):
            await now.put(SHELF.place("a"), LARGE, None)

    asyncio.run(story())


def test_notes_on_thousands_of_large_texts_that_are_gone_are_dropped(upstash: UpstashRest, clock: MovingClock) -> None:
    """They are taken away with the first text for which they leave no room."""
    upstash.redis.admin.hset(SHELF.sizes, mapping={f"gone-{number}": "60000 " for number in range(5_000)})
    upstash.redis.admin.zadd(SHELF.index, {"gone-7": "inf"})
    upstash.redis.admin.hset(SHELF.sizes, "gone-8", f"60000 {START + MINUTE}")
    upstash.redis.admin.zadd(SHELF.index, {"gone-8": START + 2 * MINUTE})

    async def story() -> None:
        await store_at(upstash, clock).put(PLACE, LARGE, None)
        notes = upstash.redis.admin.hgetall(SHELF.sizes)
        assert notes == {"gone-7": "60000 ", PLACE.name: "20000 "}

    asyncio.run(story())


def test_a_list_costs_what_its_owner_has(upstash: UpstashRest, clock: MovingClock) -> None:
    """20 names among 20,000 of others cost the commands that they cost alone, and no key space is walked."""

    async def commands(store: Store) -> dict[str, int]:
        upstash.reset()
        page = await store.page(SHELF, after=None, pattern="*", limit=50)
        assert len(page.items) == 20
        return upstash.commands()

    async def story() -> None:
        store = store_at(upstash, clock)
        for number in range(20):
            await store.put(SHELF.place(f"name-{number}"), TEXT, None)
        alone = await commands(store)
        pipe = upstash.redis.admin.pipeline(transaction=False)
        for number in range(20_000):
            place = shelf_of("remember:", Owner("user", f"other-{number % 500}")).place(f"name-{number}")
            pipe.set(place.key, TEXT)
            pipe.zadd(place.shelf.index, {place.name: "inf"})
        pipe.execute()
        assert await commands(store) == alone == {"zrangebyscore": 1, "mget": 2}

    asyncio.run(story())


def test_neither_keys_nor_scan_is_ever_sent(upstash: UpstashRest, clock: MovingClock) -> None:
    """Nothing that walks the whole database is used by any operation."""

    async def story() -> None:
        store = store_at(upstash, clock)
        for work, _ in COSTS.values():
            await work(store, None)
        assert not {"keys", "scan", "flushdb", "flushall", "randomkey"} & set(upstash.commands())

    asyncio.run(story())


def test_a_script_is_sent_whole_once(upstash: UpstashRest, clock: MovingClock) -> None:
    """The first use sends a script, later ones its sha; a server that has lost it is sent it again."""

    async def story() -> None:
        store = store_at(upstash, clock)
        for _ in range(3):
            await store.put(PLACE, TEXT, None)
        upstash.redis.admin.script_flush()
        assert await store.put(PLACE, "after", None) is True
        assert [request[0] for request in upstash.requests] == ["EVAL", "EVALSHA", "EVALSHA", "EVALSHA", "EVAL"]
        assert await store.get(PLACE.key) == "after"

    asyncio.run(story())


def test_only_upstash_is_asked_to_lock_keys(clock: MovingClock) -> None:
    """Scripts with all keys in KEYS carry the flag for Upstash's hosts, and for those alone."""
    put = scripts.put(PLACE, TEXT, None, now=0, quota=DEFAULT_QUOTA, look=True).script
    assert put.locking.text == "#!lua flags=allow-key-locking\n" + put.text
    assert put.locking.sha != put.sha
    assert put.charged.locking.text.startswith("#!lua flags=allow-key-locking\n")
    assert scripts.page(SHELF, after=None, pattern="*", limit=1, now=0).script.locking.text.startswith("#!") is False
    for host, locks in {"eu1-a-1.upstash.io": True, "upstash.io.example.org": False, "localhost": False}.items():
        assert UpstashStore(f"https://{host}", Secret("t"), clock=clock)._key_locking is locks


def test_the_order_is_the_same_in_every_locale(
    upstash: UpstashRest, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the server's own order is another one, names are compared byte by byte."""
    plain = "local plain = 'B' < 'a'"
    assert plain in scripts.PAGE.text
    slow = scripts.Script(scripts.PAGE.text.replace(plain, "local plain = false"), closed=False)
    monkeypatch.setattr(scripts, "PAGE", slow)
    names = ["a", "B", "a-c", "ab", "é", "z", "漢", "😀", "ab ", "-"]

    async def story() -> None:
        store = store_at(upstash, clock)
        for name in names:
            await store.put(SHELF.place(name), name, None)
        first = await store.page(SHELF, after=None, pattern="*", limit=4)
        rest = await store.page(SHELF, after=first.next, pattern="*", limit=10)
        assert [name for name, _ in (*first.items, *rest.items)] == sorted(names)

    asyncio.run(story())


# --- the index heals itself ------------------------------------------------------------------------------------


def test_a_ghost_goes_with_the_page_that_meets_it(upstash: UpstashRest, clock: MovingClock) -> None:
    """A name whose entry is gone is not shown, and the page takes it off the index."""

    async def story() -> None:
        store = store_at(upstash, clock)
        for name in "abc":
            await store.put(SHELF.place(name), name, None)
        upstash.redis.admin.delete(SHELF.place("b").key)
        page = await store.page(SHELF, after=None, pattern="*", limit=10)
        assert page == Page((("a", "a"), ("c", "c")))
        assert upstash.redis.admin.zrange(SHELF.index, 0, -1) == ["a", "c"]

    asyncio.run(story())


def test_pages_of_ghosts_alone_come_to_an_end(upstash: UpstashRest, clock: MovingClock) -> None:
    """Thousands of ghosts neither show nor hide what stands behind them."""
    upstash.redis.admin.zadd(SHELF.index, {f"ghost-{number:05}": "inf" for number in range(5_000)})

    async def story() -> None:
        store = store_at(upstash, clock)
        await store.put(SHELF.place("real"), TEXT, None)
        after, pages = None, 0
        items: list[tuple[str, str]] = []
        while True:
            page = await store.page(SHELF, after=after, pattern="*", limit=100)
            items += page.items
            pages += 1
            if (after := page.next) is None:
                break
        assert items == [("real", TEXT)]
        assert pages <= 4
        assert upstash.redis.admin.zcard(SHELF.index) == 1

    asyncio.run(story())


def test_ghosts_do_not_pile_up_for_who_never_lists(upstash: UpstashRest, clock: MovingClock) -> None:
    """About one write in 16 takes the expired names off its index."""

    async def story() -> None:
        store = store_at(upstash, clock)
        for number in range(15):
            await store.put(SHELF.place(f"old-{number}"), TEXT, clock() + MINUTE + number + 1)
        clock.advance(2 * MINUTE)
        upstash.redis.pass_time(2 * MINUTE)
        await store.put(PLACE, TEXT, clock() + MINUTE + 1)
        assert upstash.redis.admin.zcard(SHELF.index) == 16
        await store.put(PLACE, TEXT, (clock() // 16 + MINUTE) * 16)
        assert upstash.redis.admin.zrange(SHELF.index, 0, -1) == [PLACE.name]

    asyncio.run(story())


# --- what it says when something is wrong ----------------------------------------------------------------------

# Fault, the reason it is told by, and whether a write may have happened.
FAULTS = [
    ("hang", "timeout", True),
    ("drop", "reset", True),
    ("drop-after", "reset", True),
    ("cut", "reset", True),
    ('401 {"error": "WRONGPASS private-name"}', "unauthorized", False),
    ("403 Forbidden", "unauthorized", False),
    ('429 {"error": "slow down"}', "rate-limited", False),
    ('400 {"error": "ERR max daily request limit exceeded. Limit: 10000"}', "rate-limited", False),
    ('400 {"error": "READONLY You can\'t write against a read only replica."}', "read-only", False),
    ('400 {"error": "OOM command not allowed: SET private-name"}', "failed", True),
    ("500 upstream error", "failed", True),
    ("502 <html>private-text</html>", "failed", True),
    ("301 ", "failed", True),
    ("200 <html>private-text</html>", "garbled", True),
    ("200 {", "garbled", True),
    ("200 [1]", "garbled", True),
    ("200 null", "garbled", True),
    ('200 {"answer": 1}', "garbled", True),
    ('200 {"result": {"a": 1}}', "garbled", True),
    ('200 {"error": "ERR something private-name"}', "failed", True),
    ("200 " + "[" * 100_000, "garbled", True),
]


@pytest.mark.parametrize(("fault", "reason", "applied"), FAULTS, ids=[fault[0][:24] for fault in FAULTS])
def test_every_fault_is_one_clear_refusal(
    upstash: UpstashRest, clock: MovingClock, fault: str, reason: str, applied: bool
) -> None:
    """Whatever goes wrong is a StoreUnavailable with its reason, sends a write once, and gives nothing away."""
    operations: dict[str, Callable[[UpstashStore], Awaitable[object]]] = {
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
    for name, work in operations.items():
        upstash.reset()
        upstash.faults.append(fault)
        error = failure(work(store_at(upstash, clock, deadline=QUICK if fault == "hang" else 3.0)))
        assert error.reason == reason
        assert error.maybe_applied is (applied and name not in ("get", "page", "changes", "bodies"))
        assert len(upstash.requests) == 1
        assert_tells_nothing(error, upstash)


def test_the_token_that_may_only_read_is_told_apart(upstash: UpstashRest, clock: MovingClock) -> None:
    """With a read-only token reading works, and writing says which token is needed."""
    store = store_at(upstash, clock, token=upstash.read_only_token)
    assert asyncio.run(store.get(PLACE.key)) is None
    error = failure(store.put(PLACE, TEXT, None))
    assert (error.reason, error.maybe_applied) == ("read-only", False)
    assert_tells_nothing(error, upstash)


def test_a_wrong_token_is_unauthorized(upstash: UpstashRest, clock: MovingClock) -> None:
    """The answer holds the whole command; the refusal holds none of it."""
    error = failure(store_at(upstash, clock, token="another-token").put(PLACE, TEXT, None))
    assert (error.reason, error.maybe_applied) == ("unauthorized", False)
    assert_tells_nothing(error, upstash)


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "no-such-host.invalid", "a..b", "x" * 70 + ".invalid"])
def test_where_nobody_listens_is_refused(upstash: UpstashRest, clock: MovingClock, host: str) -> None:
    """A closed port and a name that is no host's are refusals, and nothing was written."""
    url = f"http://{host.format(port=free_port())}"
    error = failure(UpstashStore(url, Secret("t"), clock=clock).put(PLACE, TEXT, None))
    assert (error.reason, error.maybe_applied) == ("refused", False)
    assert_tells_nothing(error, upstash)


def test_a_lost_answer_of_a_write_is_told_and_not_repeated(upstash: UpstashRest, clock: MovingClock) -> None:
    """The write happened and its answer was lost: the caller hears that it may have happened, and it ran once."""

    async def story() -> None:
        store = store_at(upstash, clock)
        await store.get(PLACE.key)  # leaves a connection that is used again
        upstash.reset()
        upstash.faults.append("drop-after")
        with pytest.raises(StoreUnavailable) as caught:
            await store.put(PLACE, TEXT, None)
        assert caught.value.maybe_applied
        assert len(upstash.requests) == 1
        assert await store.get(PLACE.key) == TEXT

    asyncio.run(story())


def test_a_killed_server_is_found_again(redis_url: str, upstash: UpstashRest, clock: MovingClock) -> None:
    """While it is down calls are refused; once it is back they work, without a new store."""
    server = UpstashRest(upstash.redis).start()
    store = store_at(server, clock)

    async def story() -> None:
        await store.put(PLACE, "one", None)
        await asyncio.to_thread(server.stop)
        with pytest.raises(StoreUnavailable) as caught:
            await store.put(PLACE, "lost", None)
        assert caught.value.reason == "refused"
        server.start()
        assert await store.swap(PLACE, "one", "two", None) == Swap(done=True)

    asyncio.run(story())
    server.stop()


# --- the seam --------------------------------------------------------------------------------------------------


def test_the_seam_in_upstash_redis_is_where_it_was() -> None:
    """upstash-redis is 1.8.x and its commands still end in `execute(command)`, which is all that is replaced."""
    assert importlib.metadata.version("upstash-redis").startswith("1.8.")
    assert list(inspect.signature(vars(AsyncCommands)["execute"]).parameters) == ["self", "command"]
    sent: list[list[object]] = []

    class Recorder(AsyncCommands):
        def __init__(self) -> None: ...

        async def execute(self, command: list[object]) -> str:
            sent.append(command)
            return "said"

    async def story() -> None:
        client = Recorder()
        assert await client.get("k") == "said"
        assert await client.eval("s", ["k", "i"], ["a"]) == "said"
        assert await client.evalsha("h", ["k", "i"], ["a"]) == "said"

    asyncio.run(story())
    assert sent == [["GET", "k"], ["EVAL", "s", 2, "k", "i", "a"], ["EVALSHA", "h", 2, "k", "i", "a"]]


def test_making_a_store_imports_nothing_heavy() -> None:
    """A cold function that never touches its memory does not pay for the client."""
    program = (
        "import sys; from remember.stores.upstash import UpstashStore; from remember.settings import Secret\n"
        "UpstashStore('https://x.upstash.io', Secret('t'), clock=int)\n"
        "print({'asyncio', 'httpx', 'upstash_redis', 'h11', 'ssl', 'sqlite3'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
