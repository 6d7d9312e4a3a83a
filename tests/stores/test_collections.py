"""What every store promises of collections (remember/stores/base.py), on each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest

from remember.caller import Owner
from remember.errors import RateLimited
from remember.keys import Collection, collection_of, shelf_of
from remember.settings import Secret
from remember.stores.base import Body, Changes, Charge, Committed, Store
from remember.stores.memory import MemoryStore
from remember.stores.redis import RedisStore
from remember.stores.sqlite import SqliteStore
from tests.standins.clock import MovingClock
from tests.stores.conftest import World
from tests.stores.test_contract import MINUTE, whole

NEVER = Changes(None, complete=True, leaves={})
"""What is told of a collection that never was."""

NAMES = ["a", "a:b", "0", "*", "~", "a b", "leaf-" + "x" * 60]


async def commit(
    store: Store,
    collection: Collection,
    version: str | None,
    *,
    leaves: Mapping[str, str | None] | None = None,
    bodies: Mapping[str, str | None] | None = None,
) -> str:
    """Commit where nobody else does; the version that it gave."""
    done = await store.commit(collection, version, leaves=leaves or {}, bodies=bodies or {})
    assert done.missed is None
    assert done.version is not None
    return done.version


async def everything(store: Store, collection: Collection, ids: str = "xyz") -> tuple[Changes, Mapping[str, Body]]:
    """All leaves, and the bodies of these ids, of one letter each."""
    return await store.changes(collection, None), await store.bodies(collection, ids)


# --- leaves -------------------------------------------------------------------------------------------------------


def test_a_collection_that_never_was(world: World) -> None:
    """It has no version, no leaves and no bodies, whatever a reader believes to know, and looking makes none."""
    collection = world.collection()

    async def story(store: Store) -> None:
        for since in (None, "0123456789abcdef01234567:3"):
            assert await store.changes(collection, since) == NEVER
        assert await store.bodies(collection, ["x", "y"], use=["x"]) == {}
        assert await store.clear(collection) == 0
        assert await store.changes(collection, None) == NEVER

    world.run(story)


def test_what_is_committed_is_there(world: World) -> None:
    """Leaves and bodies of one commit come back as they were, under the version that the commit gave."""
    collection = world.collection()
    leaves = {name: f"leaf {name}" for name in NAMES} | {"empty": ""}
    bodies = {name: f"body {name}" for name in NAMES} | {"empty": ""}

    async def story(store: Store) -> None:
        version = await commit(store, collection, None, leaves=leaves, bodies=bodies)
        assert await store.changes(collection, None) == Changes(version, complete=True, leaves=leaves)
        assert await store.bodies(collection, [*bodies, "missing"]) == {
            name: Body(text, 0) for name, text in bodies.items()
        }

    world.run(story)


def test_changes_tell_what_came_after_a_version(world: World) -> None:
    """Since any version: the leaves written or removed by later commits, as they are now, and no others."""
    collection = world.collection()

    async def story(store: Store) -> None:
        one = await commit(store, collection, None, leaves={"a": "1", "b": "1", "c": "1"})
        two = await commit(store, collection, one, leaves={"b": "2", "d": "2"})
        three = await commit(store, collection, two, leaves={"c": None, "d": "3"})
        for since, changed in (
            (one, {"b": "2", "c": None, "d": "3"}),
            (two, {"c": None, "d": "3"}),
            (three, {}),
        ):
            assert await store.changes(collection, since) == Changes(three, complete=False, leaves=changed)
        assert await store.changes(collection, None) == Changes(
            three, complete=True, leaves={"a": "1", "b": "2", "d": "3"}
        )

    world.run(story)


@pytest.mark.parametrize(
    "since", ["", "x", ":", "1", "0123456789abcdef01234567:1", "{epoch}:3", "{epoch}:", "{epoch}:x"]
)
def test_a_version_that_was_never_given_gets_everything(world: World, since: str) -> None:
    """Another life's, one that is yet to come and no version at all: the answer is complete."""
    collection = world.collection()

    async def story(store: Store) -> None:
        version = await commit(store, collection, None, leaves={"a": "1"})
        version = await commit(store, collection, version, leaves={"b": "2"})
        asked = since.format(epoch=version.partition(":")[0])
        assert await store.changes(collection, asked) == Changes(version, complete=True, leaves={"a": "1", "b": "2"})

    world.run(story)


def test_every_commit_has_a_version_of_its_own(world: World) -> None:
    """Be there leaves, bodies or nothing in it; and what cleared a collection gives another again."""
    collection = world.collection()

    async def story(store: Store) -> None:
        versions: list[str | None] = [None]
        for leaves, bodies in (({"a": "1"}, {}), ({"a": "1"}, {}), ({}, {"x": "1"}), ({}, {}), ({"no": None}, {})):
            versions.append(await commit(store, collection, versions[-1], leaves=leaves, bodies=bodies))
        for _ in range(2):
            await store.clear(collection)
            versions.append((await store.changes(collection, None)).version)
        versions.append(await commit(store, collection, versions[-1]))
        assert len(set(versions)) == len(versions) == 9

    world.run(story)


# --- commits that come too late ------------------------------------------------------------------------------------


def test_a_commit_for_another_version_writes_nothing(world: World) -> None:
    """It answers with what was missed since its own version, and all is as it was."""
    collection = world.collection()

    async def story(store: Store) -> None:
        one = await commit(store, collection, None, leaves={"a": "1", "b": "1"}, bodies={"x": "1"})
        two = await commit(store, collection, one, leaves={"b": None, "c": "2"})
        before = await everything(store, collection)
        for version, missed in (
            (one, Changes(two, complete=False, leaves={"b": None, "c": "2"})),
            (None, Changes(two, complete=True, leaves={"a": "1", "c": "2"})),
            ("another:2", Changes(two, complete=True, leaves={"a": "1", "c": "2"})),
        ):
            late = await store.commit(
                collection, version, leaves={"a": "late", "c": None}, bodies={"x": None, "y": "late"}
            )
            assert late == Committed(two, missed)
            assert await everything(store, collection) == before
        await commit(store, collection, two)

    world.run(story)


def test_a_commit_for_a_version_where_nothing_ever_was(world: World) -> None:
    """A collection that is gone, as after a flush, is told as one that never was."""
    collection = world.collection()

    async def story(store: Store) -> None:
        late = await store.commit(collection, "0123456789abcdef01234567:3", leaves={"a": "1"}, bodies={"x": "1"})
        assert late == Committed(None, NEVER)
        assert await everything(store, collection) == (NEVER, {})

    world.run(story)


def test_of_commits_at_once_one_gets_through(world: World) -> None:
    """Of 20 for one version; and when each tries again from what it missed, all are there in the end."""
    collection = world.collection()
    at_first: list[bool] = []

    async def add(store: Store, number: int) -> None:
        done = await store.commit(collection, None, leaves={f"{number}": "leaf"}, bodies={f"{number}": "body"})
        at_first.append(done.missed is None)
        while done.missed is not None:
            done = await store.commit(
                collection, done.version, leaves={f"{number}": "leaf"}, bodies={f"{number}": "body"}
            )

    async def story(store: Store) -> None:
        await asyncio.gather(*(add(store, number) for number in range(20)))
        assert at_first.count(True) == 1
        numbers = {str(number) for number in range(20)}
        assert set((await store.changes(collection, None)).leaves) == numbers
        assert set(await store.bodies(collection, numbers)) == numbers

    world.run(story)


# --- bodies -------------------------------------------------------------------------------------------------------


def test_uses_are_counted(world: World) -> None:
    """Those in `use` that are there and asked for are raised by one, in the same answer; the others stay."""
    collection = world.collection()

    async def story(store: Store) -> None:
        version = await commit(store, collection, None, bodies={"x": "1", "y": "2", "z": "3"})
        assert await store.bodies(collection, "xy", use="x") == {"x": Body("1", 1), "y": Body("2", 0)}
        assert await store.bodies(collection, "yxx", use=["z", "missing", "x", "x"]) == {
            "x": Body("1", 2),
            "y": Body("2", 0),
        }
        assert await store.bodies(collection, "xyz") == {"x": Body("1", 2), "y": Body("2", 0), "z": Body("3", 0)}
        assert await store.bodies(collection, []) == {}
        assert (await store.changes(collection, None)).version == version  # a use is no commit

    world.run(story)


def test_a_body_keeps_its_uses_until_it_is_removed(world: World) -> None:
    """Written again it keeps them; removed and put anew, or cleared and put anew, it begins at none."""
    collection = world.collection()

    async def story(store: Store) -> None:
        version = await commit(store, collection, None, bodies={"x": "1", "y": "1"})
        await store.bodies(collection, "xy", use="xy")
        version = await commit(store, collection, version, bodies={"x": "2", "y": None, "z": None})
        assert await store.bodies(collection, "xyz", use="yz") == {"x": Body("2", 1)}
        version = await commit(store, collection, version, bodies={"y": "3", "z": "3"})
        assert await store.bodies(collection, "xyz") == {"x": Body("2", 1), "y": Body("3", 0), "z": Body("3", 0)}
        await store.clear(collection)
        await commit(store, collection, (await store.changes(collection, None)).version, bodies={"x": "4"})
        assert await store.bodies(collection, "x") == {"x": Body("4", 0)}

    world.run(story)


def test_uses_at_once_all_count(world: World) -> None:
    """Fifty readers that use one body raise it by fifty, and each sees a count of its own."""
    collection = world.collection()

    async def story(store: Store) -> None:
        await commit(store, collection, None, bodies={"x": "1"})
        seen = await asyncio.gather(*(store.bodies(collection, "x", use="x") for _ in range(50)))
        assert sorted(found["x"].uses for found in seen) == list(range(1, 51))

    world.run(story)


def test_large_collections(world: World) -> None:
    """64 leaves of 40 kB, 1,200 bodies by one commit, used, replaced and removed by others, each whole."""
    collection = world.collection()
    leaves: dict[str, str | None] = {f"{number:02x}": chr(97 + number % 26) * 40_000 for number in range(64)}
    bodies: dict[str, str | None] = {f"id-{number:04}": f"{number}" * 100 for number in range(1_200)}

    async def story(store: Store) -> None:
        version = await commit(store, collection, None, leaves=leaves, bodies=bodies)
        assert (await store.changes(collection, None)).leaves == leaves
        found = await store.bodies(collection, bodies, use=bodies)
        assert found == {name: Body(text or "", 1) for name, text in bodies.items()}
        one = await commit(store, collection, version, leaves=dict.fromkeys(leaves, "small"))
        changed = await store.changes(collection, version)
        assert (changed.complete, changed.leaves) == (False, dict.fromkeys(leaves, "small"))
        two = await commit(store, collection, one, leaves=dict.fromkeys(leaves), bodies=dict.fromkeys(bodies))
        assert await store.changes(collection, one) == Changes(two, complete=False, leaves=dict.fromkeys(leaves))
        assert await store.bodies(collection, bodies) == {}
        many: dict[str, str | None] = {f"{number}": f"{number}" for number in range(1_200)}  # more than ever should be
        three = await commit(store, collection, two, leaves=many)
        assert (await store.changes(collection, two)).leaves == many
        await commit(store, collection, three, leaves=dict.fromkeys(many))
        assert (await store.changes(collection, None)).leaves == {}

    world.run(story)


# --- clear --------------------------------------------------------------------------------------------------------


def test_clear_is_noticed(world: World) -> None:
    """Everything is gone; whoever knew a version hears so from `changes`, and cannot commit for it."""
    collection = world.collection()

    async def story(store: Store) -> None:
        one = await commit(store, collection, None, leaves={"a": "1"}, bodies={"x": "1", "y": "1"})
        two = await commit(store, collection, one, leaves={"b": "2"}, bodies={"y": None})
        assert await store.clear(collection) == 1
        told = await store.changes(collection, one)
        assert (told.complete, told.leaves) == (True, {})
        assert told.version not in (None, one, two)
        assert await store.bodies(collection, "xy", use="xy") == {}
        for version in (None, one, two):
            late = await store.commit(collection, version, leaves={"c": "3"}, bodies={"z": "3"})
            assert late == Committed(told.version, told)
        assert await everything(store, collection) == (told, {})
        again = await commit(store, collection, told.version, leaves={"c": "3"})
        assert await store.changes(collection, told.version) == Changes(again, complete=False, leaves={"c": "3"})
        assert await store.changes(collection, two) == Changes(again, complete=True, leaves={"c": "3"})

    world.run(story)


def test_two_owners_never_meet(world: World) -> None:
    """Collections whose owners look alike keep what is theirs, and so do the entries beside them."""
    ids = ["a", "a:b", "a%3A", "a*", "*", "A", "ab", "a ", "leaves", "a:leaves"]
    owners = [Owner("user", name) for name in ids]
    owners += [Owner("global"), Owner("tool", "a", "a"), Owner("session", "a"), Owner("tool", "a", "user")]
    shelves = [shelf_of("remember:", owner) for owner in owners]
    collections = [collection_of("remember:", owner) for owner in owners]
    collections.append(collection_of("remember2:", Owner("user", "a")))

    async def story(store: Store) -> None:
        for shelf in shelves:
            await store.put(shelf.place("leaves"), "entry", None)
        for number, collection in enumerate(collections):
            await commit(store, collection, None, leaves={"a": f"leaf {number}"}, bodies={"x": f"body {number}"})
            await store.bodies(collection, "x", use="x")
        for number, collection in enumerate(collections):
            assert await store.clear(collection) == 1
            for other, neighbour in enumerate(collections[number + 1 :], number + 1):
                told, found = await everything(store, neighbour)
                assert told.leaves == {"a": f"leaf {other}"}
                assert found == {"x": Body(f"body {other}", 1)}
        version = await commit(store, collections[-1], (await store.changes(collections[-1], None)).version)
        for shelf in shelves:
            assert await whole(store, shelf) == [("leaves", "entry")]
            assert await store.wipe(shelf) == 1
        assert (await store.changes(collections[-1], None)).version == version

    world.run(story)


def test_time_takes_nothing(world: World) -> None:
    """A collection does not expire."""
    collection = world.collection()

    async def story(store: Store) -> None:
        await commit(store, collection, None, leaves={"a": "1"}, bodies={"x": "1"})
        before = await everything(store, collection)
        world.pass_time(1_000 * 24 * 60 * MINUTE)
        assert await everything(store, collection) == before

    world.run(story)


def test_it_lives_through_several_event_loops(world: World) -> None:
    """What one event loop commits, the next one reads and changes."""
    collection = world.collection()
    version = world.once(commit(world.store, collection, None, leaves={"a": "1"}, bodies={"x": "1"}))
    version = world.once(commit(world.store, collection, version, leaves={"b": "2"}))
    assert world.once(world.store.changes(collection, version)) == Changes(version, complete=False, leaves={})
    assert world.once(world.store.bodies(collection, "x", use="x")) == {"x": Body("1", 1)}


# --- charges ------------------------------------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[[Store, Collection, str, Charge], Awaitable[object]]] = {
    "changes": lambda store, collection, version, charge: store.changes(collection, version, charge=charge),
    "bodies": lambda store, collection, _, charge: store.bodies(collection, "xy", charge=charge),
    "bodies used": lambda store, collection, _, charge: store.bodies(collection, "x", use="x", charge=charge),
    "commit": lambda store, collection, version, charge: store.commit(
        collection, version, leaves={"a": None, "b": "2"}, bodies={"x": None, "y": "2"}, charge=charge
    ),
    "clear": lambda store, collection, _, charge: store.clear(collection, charge=charge),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_beyond_the_limit_nothing_is_done(world: World, operation: str) -> None:
    """The calls that may be are like those without a charge; the next is refused, told when, and changes nothing."""
    collection = world.collection()
    charge = Charge("remember:v2:rate:somebody:1", 2, world.clock() + MINUTE)

    async def story(store: Store) -> None:
        version = await commit(store, collection, None, leaves={"a": "1"}, bodies={"x": "1"})
        assert await store.changes(collection, version, charge=charge) == await store.changes(collection, version)
        await OPERATIONS[operation](store, collection, version, charge)
        before = await everything(store, collection)
        world.pass_time(15_000)
        with pytest.raises(RateLimited) as refused:
            await OPERATIONS[operation](store, collection, before[0].version or "", charge)
        assert refused.value.retry_after == 45
        assert await everything(store, collection) == before

    world.run(story)


def test_a_charge_changes_no_answer(world: World) -> None:
    """Within the limit each operation says and does what it does without one."""

    async def story(store: Store) -> None:
        charge = Charge("remember:v2:rate:somebody:1", 9, world.clock() + MINUTE)
        collection = world.collection()
        one = (await store.commit(collection, None, leaves={"a": "1"}, bodies={"x": "1"}, charge=charge)).version
        two = await store.commit(collection, one, leaves={"b": "2"}, bodies={"y": "2"}, charge=charge)
        assert await store.commit(collection, one, leaves={"a": None}, bodies={}, charge=charge) == Committed(
            two.version, Changes(two.version, complete=False, leaves={"b": "2"})
        )
        assert await store.bodies(collection, "xyz", use="yz", charge=charge) == {"x": Body("1", 0), "y": Body("2", 1)}
        assert await store.changes(collection, None, charge=charge) == Changes(
            two.version, complete=True, leaves={"a": "1", "b": "2"}
        )
        assert await store.clear(collection, charge=charge) == 2
        assert (await store.changes(collection, two.version, charge=charge)).leaves == {}

    world.run(story)


# --- versions -----------------------------------------------------------------------------------------------------


def test_epochs_are_made_of_the_bytes_that_a_store_is_given(redis_url: str, clock: MovingClock, tmp_path: Path) -> None:
    """Twelve random ones for each life of a collection, on every store that makes its own."""
    collection = collection_of("remember:", Owner("user", "somebody"))

    async def story(store: Store) -> tuple[str, str | None]:
        version = await commit(store, collection, None)
        await store.clear(collection)
        await store.close()
        return version, (await store.changes(collection, None)).version

    for make in (
        lambda drawn: MemoryStore(clock, random_bytes=drawn),
        lambda drawn: SqliteStore(tmp_path / "memory.db", clock=clock, random_bytes=drawn),
        lambda drawn: RedisStore(Secret(redis_url), clock=clock, random_bytes=drawn),
    ):
        lives = iter(range(1, 9))
        one, two = asyncio.run(story(make(lambda size, lives=lives: bytes([next(lives)]) * size)))
        assert (one, two) == ("01" * 12 + ":1", "02" * 12 + ":0")
