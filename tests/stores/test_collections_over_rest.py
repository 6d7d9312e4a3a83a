"""What collections cost at Upstash, what lies there, and what a fault leaves of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from remember.caller import Owner
from remember.errors import StoreUnavailable
from remember.keys import collection_of
from remember.settings import Secret
from remember.stores import collection_scripts
from remember.stores.base import Body, Changes, Charge, Committed, Store
from remember.stores.scripts import Call
from remember.stores.upstash import UpstashStore
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest
from tests.stores.test_collections import NEVER, commit, everything

NOTES = collection_of("remember:", Owner("user", "somebody-private"))
PARTS = {NOTES.part(name) for name in ("leaves", "bodies", "uses", "log", "state")}
MINUTE = 60_000
EPOCH = "0" * 24


def store_at(server: UpstashRest, clock: MovingClock, *, deadline: float = 10.0) -> UpstashStore:
    """A process whose collections are all of one epoch, in place of random ones."""
    return UpstashStore(server.url, Secret(server.token), clock=clock, deadline=deadline, random_bytes=bytes)


# --- what it costs ---------------------------------------------------------------------------------------------

# The collection has had two commits: leaves a and b, then a again; bodies x and y.
COSTS: dict[str, tuple[Callable[[Store, Charge | None], Awaitable[object]], int]] = {
    "changes, none": (lambda store, charge: store.changes(NOTES, f"{EPOCH}:2", charge=charge), 1),
    "changes, some": (lambda store, charge: store.changes(NOTES, f"{EPOCH}:1", charge=charge), 3),
    "changes, all": (lambda store, charge: store.changes(NOTES, None, charge=charge), 2),
    "bodies": (lambda store, charge: store.bodies(NOTES, "xy", charge=charge), 2),
    "bodies used": (lambda store, charge: store.bodies(NOTES, "xyz", use="xyz", charge=charge), 3),
    "commit": (
        lambda store, charge: store.commit(NOTES, f"{EPOCH}:2", leaves={"a": "3"}, bodies={"z": "3"}, charge=charge),
        5,
    ),
    "commit of bodies": (
        lambda store, charge: store.commit(NOTES, f"{EPOCH}:2", leaves={}, bodies={"z": "3"}, charge=charge),
        3,
    ),
    "commit that removes": (
        lambda store, charge: store.commit(NOTES, f"{EPOCH}:2", leaves={"a": None}, bodies={"x": None}, charge=charge),
        6,
    ),
    "commit that does all": (
        lambda store, charge: store.commit(
            NOTES, f"{EPOCH}:2", leaves={"a": None, "b": "3"}, bodies={"x": None, "z": "3"}, charge=charge
        ),
        8,
    ),
    "commit too late": (
        lambda store, charge: store.commit(NOTES, f"{EPOCH}:1", leaves={"a": "3"}, bodies={"z": "3"}, charge=charge),
        3,
    ),
    "clear": (lambda store, charge: store.clear(NOTES, charge=charge), 4),
}


@pytest.mark.parametrize("charged", [False, True])
@pytest.mark.parametrize("operation", COSTS)
def test_an_operation_is_one_request_of_few_commands(
    upstash: UpstashRest, clock: MovingClock, operation: str, *, charged: bool
) -> None:
    """Each is one request, the first one of a process too, and costs the commands that docs/architecture.md tells."""
    work, commands = COSTS[operation]
    charge = Charge("remember:v2:rate:somebody:1", 10, clock() + MINUTE) if charged else None

    async def story() -> None:
        store, maker = store_at(upstash, clock), store_at(upstash, clock)
        for more in (2, 1):  # the script sent whole, and by its sha
            upstash.redis.admin.delete(*PARTS)
            version = await commit(maker, NOTES, None, leaves={"a": "1", "b": "1"}, bodies={"x": "1", "y": "1"})
            assert await commit(maker, NOTES, version, leaves={"a": "2"}) == f"{EPOCH}:2"
            upstash.reset()
            await work(store, charge)
            assert len(upstash.requests) == 1
            assert sum(upstash.commands().values()) == commands + (more if charged else 0)

    asyncio.run(story())


def test_the_first_commit_costs_one_command_more(upstash: UpstashRest, clock: MovingClock) -> None:
    """It takes away what may be left of a collection whose version is gone."""

    async def story() -> None:
        upstash.reset()
        await commit(store_at(upstash, clock), NOTES, None, leaves={"a": "1"}, bodies={"x": "1"})
        assert len(upstash.requests) == 1
        assert upstash.commands() == {"hmget": 1, "unlink": 1, "hset": 3, "zadd": 1}

    asyncio.run(story())


def test_what_is_large_costs_a_command_for_each_part(upstash: UpstashRest, clock: MovingClock) -> None:
    """Ids go by 500 to a command, and what is written or raised by 250."""
    bodies: dict[str, str | None] = {f"id-{number:04}": "text" for number in range(1_001)}

    async def story() -> None:
        store = store_at(upstash, clock)
        version = await commit(store, NOTES, None)
        upstash.reset()
        version = await commit(store, NOTES, version, bodies=bodies)
        assert upstash.commands() == {"hmget": 1, "hset": 5 + 1}
        upstash.reset()
        await store.bodies(NOTES, bodies, use=bodies)
        assert upstash.commands() == {"hmget": 6, "hset": 5}
        upstash.reset()
        await commit(store, NOTES, version, bodies=dict.fromkeys(bodies))
        assert upstash.commands() == {"hmget": 1, "hdel": 6, "hset": 1}

    asyncio.run(story())


def test_it_costs_what_its_owner_has(upstash: UpstashRest, clock: MovingClock) -> None:
    """Nothing that walks the database is sent, and 10,000 collections of others change no count of commands."""

    async def commands(store: Store) -> dict[str, int]:
        await store.clear(NOTES)
        version = (await store.changes(NOTES, None)).version
        upstash.reset()
        version = await commit(store, NOTES, version, leaves={"a": "1"}, bodies={"x": "1"})
        await everything(store, NOTES)
        return upstash.commands()

    async def story() -> None:
        store = store_at(upstash, clock)
        await commit(store, NOTES, None)
        alone = await commands(store)
        pipe = upstash.redis.admin.pipeline(transaction=False)
        for number in range(10_000):
            other = collection_of("remember:", Owner("user", f"other-{number}"))
            pipe.hset(other.part("leaves"), "a", "1")
        pipe.execute()
        assert await commands(store) == alone
        assert not {"keys", "scan", "hscan", "flushdb"} & set(alone)

    asyncio.run(story())


# --- what lies there -------------------------------------------------------------------------------------------


def test_every_key_is_named_to_redis(upstash: UpstashRest, clock: MovingClock) -> None:
    """The scripts touch no key but a collection's five parts, so Upstash needs to lock nothing else."""
    calls: list[Call] = [
        collection_scripts.changes(NOTES, None),
        collection_scripts.bodies(NOTES, ["x"], used=1),
        collection_scripts.commit(NOTES, None, leaves={}, bodies={}, epoch=EPOCH),
        collection_scripts.clear(NOTES, epoch=EPOCH),
    ]
    assert {call.keys for call in calls} == {tuple(NOTES.part(p) for p in ("leaves", "bodies", "uses", "log", "state"))}
    assert all(call.script.locking.text.startswith("#!lua flags=allow-key-locking\n") for call in calls)

    async def story() -> None:
        store = store_at(upstash, clock)
        await commit(store, NOTES, None, leaves={"a": "1"}, bodies={"x": "1"})
        await store.bodies(NOTES, "x", use="x")
        assert set(upstash.redis.admin.keys()) == PARTS
        await store.clear(NOTES)
        assert upstash.redis.admin.keys() == [NOTES.part("state")]

    asyncio.run(story())


def test_removed_bodies_and_leaves_leave_no_text(upstash: UpstashRest, clock: MovingClock) -> None:
    """Of a removed body nothing stays; of a removed leaf its name and when that was."""
    admin = upstash.redis.admin

    async def story() -> None:
        store = store_at(upstash, clock)
        one = await commit(store, NOTES, None, leaves={"a": "1", "b": "1"}, bodies={"x": "1", "y": "1"})
        await store.bodies(NOTES, "xy", use="xy")
        await commit(store, NOTES, one, leaves={"b": None}, bodies={"y": None})
        assert (admin.hgetall(NOTES.part("bodies")), admin.hgetall(NOTES.part("uses"))) == ({"x": "1"}, {"x": "1"})
        assert admin.hgetall(NOTES.part("leaves")) == {"a": "1"}
        assert admin.zrange(NOTES.part("log"), 0, -1, withscores=True) == [("a", 1.0), ("b", 2.0)]
        assert admin.hgetall(NOTES.part("state")) == {"epoch": EPOCH, "n": "2"}

    asyncio.run(story())


def test_an_emptied_database_is_noticed(upstash: UpstashRest, clock: MovingClock) -> None:
    """A reader's version means nothing there, neither before nor after others have begun anew."""

    async def story() -> None:
        ours = UpstashStore(upstash.url, Secret(upstash.token), clock=clock)  # with the random epochs of every day
        theirs = UpstashStore(upstash.url, Secret(upstash.token), clock=clock)
        known = await commit(ours, NOTES, None, leaves={"a": "old"})
        upstash.redis.admin.flushall()
        assert await ours.changes(NOTES, known) == NEVER
        assert await ours.commit(NOTES, known, leaves={"a": "late"}, bodies={}) == Committed(None, NEVER)
        version = await commit(theirs, NOTES, None, leaves={"b": "new"})
        told = Changes(version, complete=True, leaves={"b": "new"})
        assert await ours.changes(NOTES, known) == told
        assert await ours.commit(NOTES, known, leaves={"a": "late"}, bodies={}) == Committed(version, told)

    asyncio.run(story())


def test_what_has_lost_its_version_is_not_mixed_with_what_comes(upstash: UpstashRest, clock: MovingClock) -> None:
    """Where a Redis short of memory has dropped the version alone, the rest of that life goes with the next's begin."""

    async def story() -> None:
        store = store_at(upstash, clock)
        await commit(store, NOTES, None, leaves={"a": "old"}, bodies={"x": "old", "y": "old"})
        await store.bodies(NOTES, "x", use="x")
        upstash.redis.admin.delete(NOTES.part("state"))
        assert await store.changes(NOTES, None) == NEVER
        version = await commit(store, NOTES, None, leaves={"b": "new"}, bodies={"x": "new"})
        assert await everything(store, NOTES) == (
            Changes(version, complete=True, leaves={"b": "new"}),
            {"x": Body("new", 0)},
        )

    asyncio.run(story())


# --- faults ----------------------------------------------------------------------------------------------------

BEFORE_IT_RAN = ["hang", "drop"]
AFTER_IT_RAN = ["drop-after", "cut", "500 upstream error", "200 {", '200 {"error": "ERR something"}']
FAULTS = [*BEFORE_IT_RAN, *AFTER_IT_RAN]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[:12])
def test_a_fault_leaves_a_commit_whole_or_undone(upstash: UpstashRest, clock: MovingClock, fault: str) -> None:
    """It is told as a failure, nothing is half written, and the same commit again ends with it written once."""

    async def story() -> None:
        store = store_at(upstash, clock, deadline=0.3 if fault == "hang" else 10)
        elsewhere = store_at(upstash, clock)
        one = await commit(store, NOTES, None, leaves={"a": "1"}, bodies={"x": "1"})
        old = await everything(elsewhere, NOTES)
        upstash.faults.append(fault)
        with pytest.raises(StoreUnavailable):
            await store.commit(NOTES, one, leaves={"a": "2", "b": "2"}, bodies={"x": None, "y": "2"})
        new = Changes(f"{EPOCH}:2", complete=True, leaves={"a": "2", "b": "2"}), {"y": Body("2", 0)}
        assert await everything(elsewhere, NOTES) == (old if fault in BEFORE_IT_RAN else new)
        again = await store.commit(NOTES, one, leaves={"a": "2", "b": "2"}, bodies={"x": None, "y": "2"})
        assert again.version == f"{EPOCH}:2"
        if fault in BEFORE_IT_RAN:
            assert again.missed is None
        else:  # it learns that its own commit is there
            assert again.missed == Changes(again.version, complete=False, leaves={"a": "2", "b": "2"})
        assert await everything(elsewhere, NOTES) == new

    asyncio.run(story())


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[:12])
def test_a_fault_is_never_an_empty_collection(upstash: UpstashRest, clock: MovingClock, fault: str) -> None:
    """Reading fails, says that nothing was written, changes nothing, and works the next time."""

    async def story() -> None:
        store = store_at(upstash, clock, deadline=0.3 if fault == "hang" else 10)
        await commit(store, NOTES, None, leaves={"a": "1"}, bodies={"x": "1"})
        right = await everything(store, NOTES)
        for work in (store.changes(NOTES, None), store.bodies(NOTES, "xyz")):
            upstash.faults.append(fault)
            with pytest.raises(StoreUnavailable) as caught:
                await work
            assert not caught.value.maybe_applied
        assert await everything(store, NOTES) == right

    asyncio.run(story())


@pytest.mark.parametrize(
    "said", ["1", '"text"', "[]", "null", "[null, 1, [], []]", "[[1], [0]]", '[["t"], ["many"]]', '["v", 1, ["a"], []]']
)
def test_an_answer_that_is_none_is_garbled(upstash: UpstashRest, clock: MovingClock, said: str) -> None:
    """What Redis cannot have said is taken for nothing; each kind of answer is another's garbage."""

    async def story() -> None:
        store = store_at(upstash, clock)
        works: dict[str, Callable[[], Awaitable[object]]] = {
            "changes": lambda: store.changes(NOTES, None),
            "bodies": lambda: store.bodies(NOTES, "x"),
            "commit": lambda: store.commit(NOTES, None, leaves={}, bodies={}),
            "clear": lambda: store.clear(NOTES),
        }
        sense = {"1": "clear", '"text"': "commit", "[null, 1, [], []]": "changes commit"}.get(said, "")
        for name in works.keys() - set(sense.split()):
            upstash.faults.append(f'200 {{"result": {said}}}')
            with pytest.raises(StoreUnavailable) as caught:
                await works[name]()
            assert caught.value.reason == "garbled"

    asyncio.run(story())
