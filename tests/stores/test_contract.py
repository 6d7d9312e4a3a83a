"""What every store promises (remember/stores/base.py), on each of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remember.caller import Owner
from remember.keys import Shelf, fits, shelf_of
from remember.stores.base import PAGE_CHARS, Page, Store, Swap
from tests.stores.conftest import World

MINUTE = 60_000

# One world serves all examples; each takes a shelf that nothing was put on yet.
several = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

TEXTS = [
    "",
    "123",
    "007",
    "true",
    "null",
    "106242075399214372653",
    "1e400",
    '{"a": 1}',
    "OK",
    "a\0b",
    'it\'s "quoted" \\ and 🙂 \r\n\t',
    "é" * 650_000,
]


async def whole(store: Store, shelf: Shelf, *, pattern: str = "*", limit: int = 100) -> list[tuple[str, str]]:
    """All pages of a shelf, one after the other."""
    page = await store.page(shelf, after=None, pattern=pattern, limit=limit)
    items = list(page.items)
    while page.next is not None:
        page = await store.page(shelf, after=page.next, pattern=pattern, limit=limit)
        items += page.items
    return items


async def fill(store: Store, shelf: Shelf, names: list[str]) -> None:
    """Put each name on the shelf, with itself as its text, a few at once."""
    for start in range(0, len(names), 20):
        await asyncio.gather(*(store.put(shelf.place(name), name, None) for name in names[start : start + 20]))


def test_it_is_a_store(world: World) -> None:
    """It has every method and says what it is."""
    assert isinstance(world.store, Store)
    assert world.store.lasting == (world.store.name != "memory")


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:12]))
def test_a_text_comes_back_as_it_was(world: World, text: str) -> None:
    """Texts that look like something else, odd characters and large ones stay what they are, everywhere."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        assert await store.put(place, text, None) is False
        assert await store.get(place.key) == text
        assert await store.page(place.shelf, after=None, pattern="*", limit=10) == Page((("key", text),))
        assert await store.swap(place, text, text + "!", None) == Swap(done=True)
        assert await store.swap(place, text, "never", None) == Swap(done=False, current=text + "!")
        assert await store.remove(place) == text + "!"
        assert await store.get(place.key) is None

    world.run(story)


def test_put_says_whether_something_was_there(world: World) -> None:
    """The second put replaces the first, and both say what they found."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        assert await store.put(place, "one", None) is False
        assert await store.put(place, "two", None) is True
        assert await store.get(place.key) == "two"

    world.run(story)


def test_remove_is_told_once(world: World) -> None:
    """Taking out gives the text the first time, and nothing after it; the name leaves the list."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        await store.put(place, "text", None)
        assert await store.remove(place) == "text"
        assert await store.remove(place) is None
        assert await store.page(place.shelf, after=None, pattern="*", limit=10) == Page(())

    world.run(story)


def test_swap_with_none_needs_an_empty_place(world: World) -> None:
    """Expecting nothing stores only where nothing lies, and expecting a text never stores where nothing lies."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        assert await store.swap(place, "text", "never", None) == Swap(done=False, current=None)
        assert await store.swap(place, None, "first", None) == Swap(done=True)
        assert await store.swap(place, None, "second", None) == Swap(done=False, current="first")
        assert await store.swap(place, "", "third", None) == Swap(done=False, current="first")
        assert await whole(store, place.shelf) == [("key", "first")]

    world.run(story)


def test_a_hundred_increments_at_once_all_count(world: World) -> None:
    """Compare-and-swap loses no writer: a counter raised by 100 tasks, 20 of them racing, ends at 100."""
    place = world.shelf().place("count")

    async def raise_it(store: Store, racing: asyncio.Semaphore) -> None:
        async with racing:
            expected = None
            while not (swap := await store.swap(place, expected, str(int(expected or 0) + 1), None)).done:
                expected = swap.current

    async def story(store: Store) -> None:
        racing = asyncio.Semaphore(20)
        await asyncio.gather(*(raise_it(store, racing) for _ in range(100)))
        assert await store.get(place.key) == "100"

    world.run(story)


def test_an_entry_is_there_until_its_time_comes(world: World) -> None:
    """One millisecond-exact end for all methods: before it an entry is there, from it on nothing is."""
    place = world.shelf().place("key")
    keeper = place.shelf.place("keeper")

    async def story(store: Store) -> None:
        await store.put(keeper, "stays", None)
        await store.put(place, "text", world.clock() + MINUTE)
        world.pass_time(MINUTE // 2)
        assert await store.get(place.key) == "text"
        assert len((await store.page(place.shelf, after=None, pattern="*", limit=10)).items) == 2
        world.pass_time(MINUTE // 2)
        assert await store.get(place.key) is None
        assert await whole(store, place.shelf) == [("keeper", "stays")]
        assert await store.remove(place) is None
        assert await store.wipe(place.shelf) == 1

    world.run(story)


def test_what_has_expired_is_never_revived(world: World) -> None:
    """A swap that still expects the old text fails, and a new entry at the place counts as new."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        await store.put(place, "old", world.clock() + MINUTE)
        world.pass_time(MINUTE)
        assert await store.swap(place, "old", "revived", None) == Swap(done=False, current=None)
        assert await store.get(place.key) is None
        assert await store.put(place, "new", None) is False
        world.pass_time(10 * MINUTE)
        assert await store.get(place.key) == "new"

    world.run(story)


def test_an_entry_put_after_its_own_end_is_not_there(world: World) -> None:
    """Storing with an end that has passed takes away what was there and leaves nothing."""
    place = world.shelf().place("key")

    async def story(store: Store) -> None:
        await store.put(place, "old", None)
        assert await store.put(place, "late", world.clock()) is True
        assert await store.get(place.key) is None
        await store.put(place, "old", None)
        assert await store.swap(place, "old", "late", world.clock() - 1) == Swap(done=True)
        assert await store.get(place.key) is None
        assert await whole(store, place.shelf) == []

    world.run(story)


def test_a_new_end_replaces_the_old_one(world: World) -> None:
    """An entry written again lives by its new end, be it later, earlier or none."""
    shelf = world.shelf()
    ends = {"later": (MINUTE, 10 * MINUTE), "earlier": (10 * MINUTE, MINUTE), "none": (MINUTE, None)}

    async def story(store: Store) -> None:
        for name, (first, second) in ends.items():
            await store.put(shelf.place(name), "1", world.clock() + first)
            await store.put(shelf.place(name), "2", None if second is None else world.clock() + second)
        world.pass_time(2 * MINUTE)
        assert await whole(store, shelf) == [("later", "2"), ("none", "2")]

    world.run(story)


def test_pages_reach_everything_once_in_order(world: World) -> None:
    """257 names in pages of 100 come in code point order, each once, although others come and go meanwhile."""
    shelf = world.shelf()
    names = [f"{letter}{number:03}" for letter in "Ba" for number in range(128)] + ["é"]

    async def story(store: Store) -> None:
        await fill(store, shelf, names)
        seen: list[str] = []
        after = None
        while True:
            page = await store.page(shelf, after=after, pattern="*", limit=100)
            seen += [name for name, _ in page.items]
            if (after := page.next) is None:
                break
            # One behind the cursor comes, the cursor itself goes, and one far ahead goes and comes back.
            await store.put(shelf.place("A-new"), "new", None)
            await store.remove(shelf.place(after))
            await store.remove(shelf.place("é"))
            await store.put(shelf.place("é"), "again", None)
        assert seen == sorted(names)

    world.run(story)


def test_a_full_last_page_says_that_nothing_follows(world: World) -> None:
    """`next` is None where a page ends with the shelf, and where only names follow that do not fit."""
    shelf = world.shelf()

    async def story(store: Store) -> None:
        for name in ("a1", "a2", "b1", "b2"):
            await store.put(shelf.place(name), name, None)
        page = await store.page(shelf, after="a2", pattern="*", limit=2)
        assert page == Page((("b1", "b1"), ("b2", "b2")))
        assert await store.page(shelf, after=None, pattern="*1", limit=2) == Page((("a1", "a1"), ("b1", "b1")))
        assert (await store.page(shelf, after=None, pattern="*", limit=2)).next == "a2"
        assert await store.page(shelf, after="b2", pattern="*", limit=2) == Page(())

    world.run(story)


def test_a_page_of_large_texts_stops_early(world: World) -> None:
    """A page ends once its texts exceed PAGE_CHARS, and the pages after it still bring the rest."""
    shelf = world.shelf()
    names = [f"{number:02}" for number in range(24)]

    async def story(store: Store) -> None:
        for name in names:
            await store.put(shelf.place(name), name * 75_000, None)
        page = await store.page(shelf, after=None, pattern="*", limit=100)
        sizes = [len(text) for _, text in page.items]
        assert sum(sizes) > PAGE_CHARS >= sum(sizes[:-1])
        assert await whole(store, shelf) == [(name, name * 75_000) for name in names]

    world.run(story)


def test_a_costly_pattern_cannot_keep_the_store_busy(world: World) -> None:
    """A pattern that fits nothing after much work gives short pages with a cursor, and ends."""
    shelf = world.shelf()
    names = ["a" * 480 + f"{number:03}" for number in range(20)]

    async def story(store: Store) -> None:
        for name in names:
            await store.put(shelf.place(name), "text", None)
        pattern = "*" + "a" * 400 + "b*"
        page = await store.page(shelf, after=None, pattern=pattern, limit=100)
        assert page.items == ()
        assert page.next is not None
        assert await whole(store, shelf, pattern=pattern) == []

    world.run(story)


NAMES = st.text(alphabet="abB%*?[]\\.:-_ ~^é漢😀\u0301", min_size=1, max_size=6)


@several
@given(names=st.sets(NAMES, max_size=12), patterns=st.lists(NAMES, min_size=1, max_size=4), limit=st.integers(1, 5))
def test_patterns_mean_what_keys_fits_says(world: World, names: set[str], patterns: list[str], limit: int) -> None:
    """Whatever names and patterns hold, the pages show just the names that fit, in order."""
    shelf = world.shelf()

    async def story(store: Store) -> None:
        for name in names:
            await store.put(shelf.place(name), f"text of {name}", None)
        for pattern in [*patterns, "*"]:
            shown = await whole(store, shelf, pattern=pattern, limit=limit)
            assert shown == [(name, f"text of {name}") for name in sorted(names) if fits(name, pattern)]

    world.run(story)


def test_a_wipe_touches_nobody_else(world: World) -> None:
    """Neighbours whose names look alike keep everything; the wiped shelf has nothing left."""
    ids = ["a", "a:b", "a%3A", "a%3Ab", "a*", "*", "A", "ab", "a ", "index"]
    shelves = [shelf_of("remember:", Owner("user", owner)) for owner in ids]
    shelves += [shelf_of("remember:", Owner("global")), shelf_of("remember:", Owner("tool", "a", "a"))]
    shelves += [shelf_of("remember:", Owner("session", "a")), shelf_of("remember2:", Owner("user", "a"))]

    async def story(store: Store) -> None:
        for number, shelf in enumerate(shelves):
            for name in ("x", "b:x", "%3A", "*", "user:a"):
                await store.put(shelf.place(name), str(number), None)
        for number, shelf in enumerate(shelves):
            assert await store.wipe(shelf) == 5
            assert await whole(store, shelf) == []
            assert await store.get(shelf.place("x").key) is None
            for other, neighbour in enumerate(shelves[number + 1 :], number + 1):
                assert [text for _, text in await whole(store, neighbour)] == [str(other)] * 5
        assert await store.wipe(shelves[0]) == 0

    world.run(story)


def test_a_wipe_takes_a_large_shelf_whole(world: World) -> None:
    """More entries than one command takes are all removed and counted."""
    shelf = world.shelf()

    async def story(store: Store) -> None:
        await fill(store, shelf, [f"k{number}" for number in range(520)])
        assert await store.wipe(shelf) == 520
        assert await whole(store, shelf) == []

    world.run(story)


def test_it_lives_through_several_event_loops(world: World) -> None:
    """Three asyncio.run in one process, with and without a close between them, see one store."""
    place = world.shelf().place("key")
    assert world.once(world.store.put(place, "one", None)) is False
    assert world.once(world.store.swap(place, "one", "two", None)) == Swap(done=True)
    assert world.once(world.store.get(place.key)) == "two"

    async def story(store: Store) -> str | None:
        await store.close()
        return await store.get(place.key)

    assert world.run(story) == "two"


OPERATIONS = st.one_of(
    st.tuples(st.just("put"), st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from([None, 1, 2, 3])),
    st.tuples(st.just("swap"), st.sampled_from("abc"), st.sampled_from(["x", "y", None]), st.sampled_from([None, 2])),
    st.tuples(st.just("remove"), st.sampled_from("abc")),
    st.tuples(st.just("wipe")),
    st.tuples(st.just("pass"), st.integers(1, 2)),
)


@dataclass
class Model:
    """The same promise, kept by a dictionary; minutes are its time."""

    now: int = 0
    held: dict[str, tuple[str, int | None]] = field(default_factory=dict)

    def get(self, name: str) -> str | None:
        text, end = self.held.get(name, (None, None))
        return None if end is not None and end <= self.now else text

    def all(self) -> list[tuple[str, str]]:
        return [(name, text) for name in "abc" if (text := self.get(name)) is not None]


async def play(world: World, shelf: Shelf, model: Model, operation: tuple[str, ...]) -> None:
    """One operation on the store and on the model, with the same answer."""
    store = world.store
    match operation:
        case ("put", name, text, ttl):
            ends = None if ttl is None else world.clock() + int(ttl) * MINUTE
            assert await store.put(shelf.place(name), text, ends) == (model.get(name) is not None)
            model.held[name] = (text, None if ttl is None else model.now + int(ttl))
        case ("swap", name, expected, ttl):
            ends = None if ttl is None else world.clock() + int(ttl) * MINUTE
            current = model.get(name)
            swapped = await store.swap(shelf.place(name), expected, "swapped", ends)
            assert swapped == (Swap(done=True) if current == expected else Swap(done=False, current=current))
            if swapped.done:
                model.held[name] = ("swapped", None if ttl is None else model.now + int(ttl))
        case ("remove", name):
            assert await store.remove(shelf.place(name)) == model.get(name)
            model.held.pop(name, None)
        case ("wipe",):
            assert await store.wipe(shelf) == len(model.all())
            model.held.clear()
        case ("pass", minutes):
            world.pass_time(int(minutes) * MINUTE)
            model.now += int(minutes)


@several
@given(st.lists(OPERATIONS, max_size=25))
def test_it_does_what_a_dictionary_would(world: World, operations: list[tuple[str, ...]]) -> None:
    """Any sequence of operations gives the answers of a dictionary with ends, and leaves what it leaves."""
    shelf = world.shelf()

    async def story(store: Store) -> None:
        model = Model()
        for operation in operations:
            await play(world, shelf, model, operation)
            assert await whole(store, shelf) == model.all()
        for name in "abc":
            assert await store.get(shelf.place(name).key) == model.get(name)

    world.run(story)
