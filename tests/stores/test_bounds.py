"""How often a store may be asked and how much may lie on a shelf, on each store."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from remember.errors import QuotaExceeded, RateLimited
from remember.keys import Place, Shelf
from remember.stores.base import SMALL_CHARS, Charge, Quota, Store, Swap
from remember.stores.memory import MemoryStore
from remember.stores.sqlite import SqliteStore
from tests.standins.clock import MovingClock
from tests.stores.conftest import World
from tests.stores.test_contract import MINUTE, whole

LARGE = "x" * 40_000
"""Of these, two are within the narrow store's 100,000 characters, and three are not."""

OPERATIONS: dict[str, Callable[[Store, Place, Charge], Awaitable[object]]] = {
    "get": lambda store, place, charge: store.get(place.key, charge=charge),
    "put": lambda store, place, charge: store.put(place, "changed", None, charge=charge),
    "put new": lambda store, place, charge: store.put(place.shelf.place("new"), "changed", None, charge=charge),
    "remove": lambda store, place, charge: store.remove(place, charge=charge),
    "swap": lambda store, place, charge: store.swap(place, "text", "changed", None, charge=charge),
    "page": lambda store, place, charge: store.page(place.shelf, after=None, pattern="*", limit=9, charge=charge),
    "wipe": lambda store, place, charge: store.wipe(place.shelf, charge=charge),
}


def charge_of(world: World, *, limit: int, key: str = "remember:v2:rate:somebody:1", ms: int = MINUTE) -> Charge:
    return Charge(key, limit, world.clock() + ms)


# --- how often ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", OPERATIONS)
def test_beyond_the_limit_nothing_is_done(world: World, operation: str) -> None:
    """The one call that may be is like one without a charge; the next is refused and changes nothing."""
    place = world.shelf().place("key")
    charge = charge_of(world, limit=1)

    async def story(store: Store) -> None:
        await store.put(place, "text", None)
        assert await store.get(place.key, charge=charge) == "text"
        world.pass_time(15_000)
        with pytest.raises(RateLimited) as refused:
            await OPERATIONS[operation](store, place, charge)
        assert refused.value.retry_after == 45
        assert "45 seconds" in str(refused.value)
        assert await whole(store, place.shelf) == [("key", "text")]

    world.run(story)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_charge_changes_no_answer(world: World, operation: str) -> None:
    """Within the limit each operation says and does what it does without one."""
    places = [world.shelf().place("key") for _ in range(2)]

    async def story(store: Store) -> None:
        for place in places:
            await store.put(place, "text", None)
        charged = await OPERATIONS[operation](store, places[0], charge_of(world, limit=5))
        assert charged == await OPERATIONS[operation](store, places[1], None)  # type: ignore[arg-type]
        assert await whole(store, places[0].shelf) == await whole(store, places[1].shelf)

    world.run(story)


def test_the_limit_is_exact_for_calls_at_once(world: World) -> None:
    """Of 50 different calls at the same time just as many get through as may."""
    place = world.shelf().place("key")
    charge = charge_of(world, limit=20)
    works = [work for name, work in OPERATIONS.items() if name != "wipe"]

    async def story(store: Store) -> None:
        calls = (works[number % len(works)](store, place, charge) for number in range(50))
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(end) for end in ends].count(RateLimited) == 30
        assert not [end for end in ends if isinstance(end, Exception) and not isinstance(end, RateLimited)]

    world.run(story)


def test_a_window_ends_by_its_time(world: World) -> None:
    """A millisecond before its end it still holds; from then on the same key counts anew."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        await store.get(place.key, charge=charge_of(world, limit=1))
        world.pass_time(MINUTE - 1_000)
        with pytest.raises(RateLimited) as refused:
            await store.get(place.key, charge=charge_of(world, limit=1, ms=1_000))
        assert "1 second." in str(refused.value)
        world.pass_time(1_000)
        assert await store.get(place.key, charge=charge_of(world, limit=1)) is None
        with pytest.raises(RateLimited):
            await store.get(place.key, charge=charge_of(world, limit=1))

    world.run(story)


def test_each_key_is_counted_for_itself(world: World) -> None:
    """One caller's calls are not another's, and what they are counted under is no entry."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        for name in ("a", "b"):
            await store.put(place, "text", None, charge=charge_of(world, limit=1, key=f"remember:v2:rate:{name}:1"))
            with pytest.raises(RateLimited):
                await store.get(place.key, charge=charge_of(world, limit=1, key=f"remember:v2:rate:{name}:1"))
        assert await whole(store, place.shelf) == [("key", "text")]
        assert await store.wipe(place.shelf) == 1

    world.run(story)


# --- how much -----------------------------------------------------------------------------------------------------


async def fill(store: Store, shelf: Shelf, *, expires_at: int | None = None) -> None:
    """The five entries that a narrow shelf takes."""
    for number in range(5):
        assert await store.put(shelf.place(f"k{number}"), "text", expires_at) is False


async def assert_full(store: Store, place: Place, text: str, bound: str) -> None:
    """Neither way to a new entry is open, and what lies on the shelf stays as it is."""
    before = await whole(store, place.shelf)
    for work in (store.put(place, text, None), store.swap(place, None, text, None)):
        with pytest.raises(QuotaExceeded) as refused:
            await work
        assert refused.value.bound == bound
        assert f"{refused.value.limit:,}" in str(refused.value)
        assert "forget" in str(refused.value)
    assert await store.get(place.key) is None
    assert await whole(store, place.shelf) == before


def test_a_full_shelf_takes_no_new_entry(narrow: World) -> None:
    """What is there can be changed, removed and listed; another shelf is not touched by it."""
    shelf, other = narrow.shelf(), narrow.shelf()

    async def story(store: Store) -> None:
        await fill(store, shelf)
        await assert_full(store, shelf.place("new"), "text", "entries")
        assert await store.put(shelf.place("k0"), "changed", narrow.clock() + MINUTE) is True
        assert await store.swap(shelf.place("k0"), "changed", "again", None) == Swap(done=True)
        assert await store.put(other.place("new"), "text", None) is False
        assert await store.put(shelf.place("late"), "text", narrow.clock()) is False
        assert len(await whole(store, shelf)) == 5

    narrow.run(story)


@pytest.mark.parametrize("way", ["removed", "expired", "wiped", "put after its end"])
def test_a_shelf_with_room_again_takes_an_entry(narrow: World, way: str) -> None:
    """Whatever makes the room; and no more than fit."""
    shelf = narrow.shelf()

    async def story(store: Store) -> None:
        await fill(store, shelf, expires_at=narrow.clock() + MINUTE + 1)
        if way == "removed":
            await store.remove(shelf.place("k2"))
        elif way == "expired":
            narrow.pass_time(MINUTE + 1)
        elif way == "wiped":
            await store.wipe(shelf)
        else:
            assert await store.put(shelf.place("k3"), "late", narrow.clock() - 1) is True
        assert await store.put(shelf.place("new"), "text", None) is False
        assert await store.get(shelf.place("new").key) == "text"
        for number in range(4 if way in ("expired", "wiped") else 0):
            await store.put(shelf.place(f"more-{number}"), "text", None)
        await assert_full(store, shelf.place("newer"), "text", "entries")

    narrow.run(story)


def test_writers_at_once_do_not_go_beyond(narrow: World) -> None:
    """Of 30 new entries at the same time five get in."""
    shelf = narrow.shelf()

    async def story(store: Store) -> None:
        puts = (store.put(shelf.place(f"k{number}"), "text", None) for number in range(30))
        ends = await asyncio.gather(*puts, return_exceptions=True)
        assert [type(end) for end in ends].count(QuotaExceeded) == 25
        assert len(await whole(store, shelf)) == 5

    narrow.run(story)


def test_large_texts_are_bounded_together(narrow: World) -> None:
    """A third one is refused, new or in the place of a small one; small ones still go in."""
    shelf = narrow.shelf()

    async def story(store: Store) -> None:
        for name in "ab":
            await store.put(shelf.place(name), LARGE, None)
        await assert_full(store, shelf.place("c"), LARGE, "chars")
        await store.put(shelf.place("c"), "y" * SMALL_CHARS, None)
        for work in (
            store.put(shelf.place("c"), LARGE, None),
            store.swap(shelf.place("c"), "y" * SMALL_CHARS, LARGE, None),
        ):
            with pytest.raises(QuotaExceeded):
                await work
        assert await store.get(shelf.place("c").key) == "y" * SMALL_CHARS
        assert await store.put(shelf.place("c"), "x" * 20_000, None) is True

    narrow.run(story)


@pytest.mark.parametrize(
    "way", ["removed", "removed and small", "shorter", "swapped", "expired", "expired and small", "wiped"]
)
def test_room_for_a_large_text_comes_back(narrow: World, way: str) -> None:
    """However a large text goes, its room is free again, and no more than that."""
    shelf = narrow.shelf()
    ends = narrow.clock() + MINUTE

    async def story(store: Store) -> None:
        await store.put(shelf.place("a"), LARGE, ends if "expired" in way else None)
        await store.put(shelf.place("b"), LARGE, None)
        if "removed" in way:
            await store.remove(shelf.place("a"))
            if way == "removed and small":
                await store.put(shelf.place("a"), "short", None)
        elif way == "shorter":
            await store.put(shelf.place("a"), "short", None)
        elif way == "swapped":
            assert (await store.swap(shelf.place("a"), LARGE, "short", None)).done
        elif way == "wiped":
            assert await store.wipe(shelf) == 2
            await store.put(shelf.place("b"), LARGE, None)
        else:
            narrow.pass_time(MINUTE)
            if way == "expired and small":
                await store.put(shelf.place("a"), "short", narrow.clock() + 10 * MINUTE)
        assert await store.put(shelf.place("c"), LARGE, None) is False
        await assert_full(store, shelf.place("d"), LARGE, "chars")

    narrow.run(story)


def test_a_large_text_may_take_the_place_of_one_as_large(narrow: World) -> None:
    """A full shelf does not keep anybody from changing what is there, or from making it smaller."""
    shelf = narrow.shelf()

    async def story(store: Store) -> None:
        for name in "ab":
            await store.put(shelf.place(name), "x" * 50_000, None)
        assert await store.put(shelf.place("a"), "y" * 50_000, None) is True
        assert await store.put(shelf.place("a"), "y" * 49_999, narrow.clock() + MINUTE) is True
        assert (await store.swap(shelf.place("a"), "y" * 49_999, "z" * 50_000, None)).done
        with pytest.raises(QuotaExceeded):
            await store.put(shelf.place("a"), "y" * 50_001, None)

    narrow.run(story)


def test_windows_that_ended_leave_nothing(clock: MovingClock, tmp_path: Path) -> None:
    """The stores that keep counts themselves drop them with the next call that they count."""
    memory, sqlite = MemoryStore(clock), SqliteStore(tmp_path / "memory.db", clock=clock)

    async def story() -> None:
        for store in (memory, sqlite):
            for number in range(100):
                await store.get("key", charge=Charge(f"rate:{number}", 1, clock() + MINUTE))
        clock.advance(MINUTE)
        for store in (memory, sqlite):
            await store.get("key", charge=Charge("rate:next", 1, clock() + MINUTE))
        await sqlite.close()

    asyncio.run(story())
    assert list(memory._calls) == ["rate:next"]
    with closing(sqlite3.connect(tmp_path / "memory.db")) as db:
        assert db.execute("SELECT key FROM calls").fetchall() == [("rate:next",)]


def test_a_shelf_that_holds_too_much_can_become_smaller() -> None:
    """Where the bounds were larger once, what is there may still be changed, and not grow."""
    quota = Quota(entries=5, chars=100_000)
    old = "x" * 50_000
    quota.admit("y" * 50_000, old, entries=lambda: 9, chars=lambda: 500_000)
    with pytest.raises(QuotaExceeded):
        quota.admit("y" * 50_001, old, entries=lambda: 9, chars=lambda: 500_000)
