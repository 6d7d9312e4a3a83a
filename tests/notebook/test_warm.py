"""What a process keeps of what it has read: bounded, apart by owner, and never trusted."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from remember.notebook.index import Index
from remember.notebook.owned_notes import OwnedNotes
from remember.stores.memory import MemoryStore
from remember.warm import WarmCache
from tests.notebook.conftest import Book, memory_of
from tests.standins.clock import MovingClock


def test_the_least_recently_used_goes_first() -> None:
    """Where all together are larger than the cache."""
    cache = WarmCache(most=30)
    for name in "abc":
        cache.put(name, name.upper(), 10)
    assert cache.get("a") == "A"
    cache.put("d", "D", 10)
    assert [cache.get(name) for name in "abcd"] == ["A", None, "C", "D"]


def test_a_value_that_grows_is_counted_once() -> None:
    """And one that shrinks makes room again."""
    cache = WarmCache(most=30)
    for size in (10, 30, 5):
        cache.put("a", size, size)
    cache.put("b", "B", 25)
    assert (cache.get("a"), cache.get("b")) == (5, "B")
    cache.put("a", 6, 6)
    assert (cache.get("a"), cache.get("b")) == (6, None)


def test_what_is_larger_than_the_cache_is_not_kept() -> None:
    """Nor what it was before; the others stay."""
    cache = WarmCache(most=30)
    cache.put("a", "A", 10)
    cache.put("b", "B", 10)
    cache.put("a", "AAAA", 31)
    assert (cache.get("a"), cache.get("b")) == (None, "B")


def test_many_threads_keep_the_sum_right() -> None:
    """Afterwards the cache holds exactly what there is room for."""
    cache = WarmCache(most=100)

    def put(number: int) -> None:
        for turn in range(200):
            cache.put(f"{(number * 7 + turn) % 40}", turn, 10)
            cache.get(f"{turn % 40}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(put, range(8)))
    assert sum(cache.get(str(number)) is not None for number in range(40)) == 10


def test_the_cache_of_a_memory_is_bounded(store: MemoryStore, clock: MovingClock) -> None:
    """However many users ask, with notes or without; each is answered right after being dropped."""
    memory = replace(memory_of(store, clock), warm=WarmCache(most=5_000))
    users = [Book(memory, f"user-{number}") for number in range(12)]
    for number, book in enumerate(users):
        book.remember(f"User {number} likes tea")
        Book(memory, f"nobody-{number}").recall("tea")
    held = memory.warm._held
    assert sum(size for _, size in held.values()) <= 5_000
    assert 0 < len(held) < 12
    assert all(size > 0 for _, size in held.values())
    for number, book in enumerate(users):
        assert book.found("tea") == [f"User {number} likes tea"]


@pytest.mark.promise("notes.persists", "notes.scope")
def test_two_users_never_see_each_others_notes(words: Book) -> None:
    """In one process, in turns, by no way of asking; and no scope shows another's."""
    ben = Book(words.memory, "ben")
    for number in range(10):
        words.remember(f"Anna's fact {number}")
        ben.remember(f"Ben's fact {number}")
    for book, own in ((words, "Anna"), (ben, "Ben")):
        assert {text.split("'")[0] for text in book.found("fact", limit=20)} == {own}
        assert {note.content.split("'")[0] for note in book.everything().values()} == {own}
        assert book.status().total == 10
        assert book.recall("fact", scope="session").hits == ()
        assert book.recall("fact", scope="global").hits == ()
    words.remember("Everybody's fact", scope="global")
    assert ben.found("fact", scope="global") == ["Everybody's fact"]


def test_many_users_at_once_get_their_own(store: MemoryStore, clock: MovingClock) -> None:
    """A10: 20 users' calls side by side on one memory."""
    memory = memory_of(store, clock)
    books = [Book(memory, f"user-{number}") for number in range(20)]

    async def story(number: int) -> list[str]:
        notebook = books[number].notebook
        for turn in range(5):
            await notebook.remember(f"Secret garden {turn} of user {number}")
        return [hit.note.content for hit in (await notebook.recall("garden", limit=20)).hits]

    async def together() -> list[list[str]]:
        return await asyncio.gather(*(story(number) for number in range(20)))

    for number, found in enumerate(asyncio.run(together())):
        assert sorted(found) == [f"Secret garden {turn} of user {number}" for turn in range(5)]


def test_another_processs_writes_are_seen(words: Book, store: MemoryStore, clock: MovingClock) -> None:
    """Made, changed, forgotten: the next question is answered by what is there now."""
    other = Book(memory_of(store, clock))
    assert words.found("tea") == []
    note = other.remember("Anna likes tea").note
    assert words.found("tea") == ["Anna likes tea"]
    assert words.remember("Anna likes tea").outcome == "duplicate"
    other.remember("Anna likes tea", tags=["new"])
    assert words.found("tea", tags=["new"]) == ["Anna likes tea"]
    other.forget(note.id)
    assert (words.found("tea"), words.status().total) == ([], 0)


@pytest.mark.parametrize("how", ["wiped", "flushed", "flushed and written anew", "put back to an older state"])
def test_a_collection_that_is_not_what_it_was(words: Book, store: MemoryStore, clock: MovingClock, how: str) -> None:
    """The cache shows nothing of its former life, and the next note is written where it was."""
    words.remember("Anna likes coffee")
    collections = store._collections._held
    if how == "put back to an older state":
        held = collections[words.collection.key]
        older = type(held)(held.version, dict(held.leaves), dict(held.changed), dict(held.bodies))
    words.remember("Anna likes tea")
    if how == "wiped":
        assert asyncio.run(OwnedNotes(memory_of(store, clock), words.owner).clear()) == 2
    else:
        del collections[words.collection.key]
    if how == "flushed and written anew":
        Book(memory_of(store, clock)).remember("The server is in Oslo")
    left = {"flushed and written anew": ["The server is in Oslo"]}.get(how, [])
    if how == "put back to an older state":
        collections[words.collection.key] = older
        left = ["Anna likes coffee"]
    assert [note.content for note in words.everything().values()] == left
    assert words.found("tea") == []
    assert words.remember("Anna likes tea").outcome == "created"
    fresh = Book(memory_of(store, clock))
    assert sorted(note.content for note in fresh.everything().values()) == sorted([*left, "Anna likes tea"])


def test_a_cached_index_equals_a_read_one(words: Book, store: MemoryStore, clock: MovingClock) -> None:
    """After every kind of write, row by row."""
    other = Book(memory_of(store, clock))
    notes = [words.remember(f"Fact {number}").note for number in range(30)]
    other.feedback(notes[0].id, True)
    words.remember("Fact 1", tags=["x"])
    other.forget(notes[2].id, notes[3].id)
    words.remember("A newer fact", supersedes=notes[4].id)
    words.status()
    warm = words.memory.warm.get(words.collection.key)
    assert isinstance(warm, Index)
    read = asyncio.run(OwnedNotes(memory_of(store, clock), words.owner).index())
    assert warm.version == read.version
    assert {row.id: row for row in warm.rows()} == {row.id: row for row in read.rows()}
