"""Nothing of a note can be read in a store, and what does not open is never taken for lost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from remember.settings import Secret
from remember.stores.base import Body, Store
from remember.stores.memory import MemoryStore
from remember.stores.memory_collections import _Held
from remember.stores.sqlite import SqliteStore
from remember.stores.upstash import UpstashStore
from tests.notebook.conftest import NEW_SECRET, OLD_SECRET, Book, memory_of
from tests.notebook.raw_notes import dumped, sealed
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest

NOTE: dict[str, Any] = {
    "content": "Marguerite prefers Zanzibar cinnamon over saffron",
    "tags": ["spicerack", "Küchenkräuter"],
    "entity": "Marguerite",
    "namespace": "household-pantry",
}
WORDS = ["marguerite", "zanzibar", "cinnamon", "saffron", "spicerack", "kräuter", "household", "pantry", "preference"]
THREE = ["Anna likes tea", "The server is in Oslo", "Use pnpm in the shop repository"]


def live(book: Book) -> None:
    """A note's whole life: made, folded into, voted on, found, replaced."""
    note = book.remember(**NOTE).note
    book.remember(**{**NOTE, "tags": ["cupboard"]})
    book.feedback(note.id, True, context="Zanzibar was right")
    assert len(book.found("cinnamon")) == 1
    book.remember("Marguerite prefers saffron", namespace="household-pantry", supersedes=note.id)


def assert_nothing_shows(raw: str) -> None:
    assert "A256GCM" in raw
    shown = [word for word in (*WORDS, "cupboard", "kr\\u00e4uter", "kr\\xc3\\xa4uter") if word in raw.casefold()]
    assert shown == []


@pytest.mark.promise("notes.sealed")
def test_memory_shows_no_word(book: Book, store: MemoryStore) -> None:
    """G5: not of a note, a tag, an entity or a namespace; what is looked through does hold the notes."""
    live(book)
    assert_nothing_shows(sealed(store))


@pytest.mark.promise("notes.sealed")
def test_a_sqlite_file_shows_no_word(clock: MovingClock, tmp_path: Path) -> None:
    """Nor does what SQLite keeps beside it."""
    store = SqliteStore(tmp_path / "memory.db", clock=clock)
    live(Book(memory_of(store, clock)))
    files = [path for path in tmp_path.iterdir() if path.is_file()]
    assert_nothing_shows("".join(path.read_bytes().decode("utf-8", "replace") for path in files))
    asyncio.run(store.close())
    with closing(sqlite3.connect(tmp_path / "memory.db")) as db:
        assert_nothing_shows("\n".join(db.iterdump()))


@pytest.mark.promise("notes.sealed")
def test_redis_shows_no_word(clock: MovingClock, upstash: UpstashRest) -> None:
    """Nor does any request that went there."""
    store = UpstashStore(upstash.url, Secret(upstash.token), clock=clock, deadline=30.0)

    class Closing(Book):
        """Closes the store's connections before each event loop ends."""

        def remember(self, content: str, **given: Any) -> Any:
            return self._once(self.notebook.remember(content, **given))

        def recall(self, query: str, **given: Any) -> Any:
            return self._once(self.notebook.recall(query, **given))

        def feedback(self, note_id: str, helpful: bool, **given: Any) -> Any:
            return self._once(self.notebook.feedback(note_id, helpful, **given))

        def _once(self, work: Any) -> Any:
            async def do() -> Any:
                try:
                    return await work
                finally:
                    await store.close()

            return asyncio.run(do())

    live(Closing(memory_of(store, clock)))
    assert_nothing_shows(dumped(upstash.redis.admin))
    assert_nothing_shows(repr(upstash.requests))


def held(store: MemoryStore, book: Book) -> _Held:
    return store._collections._held[book.collection.key]


def fresh(store: Store, clock: MovingClock, *secrets: Secret, user: str = "ana") -> Book:
    """The notebook as a process sees it that has just begun, with these secrets."""
    return Book(memory_of(store, clock, secrets=secrets or (NEW_SECRET,)), user)


def texts(book: Book) -> set[str]:
    return {note.content for note in book.everything().values()}


# --- what was moved or damaged ------------------------------------------------------------------------------------


def test_what_was_moved_does_not_open(words: Book, store: MemoryStore, clock: MovingClock) -> None:
    """A body under another note's id, a leaf under another's name: each is sealed to its place."""
    ids = [words.remember(text).note.id for text in THREE]
    kept = held(store, words)
    kept.bodies[ids[0]], kept.bodies[ids[1]] = kept.bodies[ids[1]], kept.bodies[ids[0]]
    page = fresh(store, clock).recall("*")
    assert ([hit.note.content for hit in page.hits], page.unreadable) == ([THREE[2]], 2)
    one, other, *_ = sorted(kept.leaves)
    kept.leaves[one], kept.leaves[other] = kept.leaves[other], kept.leaves[one]
    assert fresh(store, clock).status().unreadable == 2


def test_another_owners_notes_do_not_open(words: Book, store: MemoryStore, clock: MovingClock) -> None:
    """Whoever can write to the store still cannot have one user's notes shown to another."""
    words.remember(THREE[0])
    ben = fresh(store, clock, user="ben")
    store._collections._held[ben.collection.key] = held(store, words)
    assert (ben.status().total, ben.status().unreadable, ben.found("tea")) == (0, 1, [])


DAMAGE: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[: len(text) // 2],
    "empty": lambda _: "",
    "other JSON": lambda _: '{"value": 1}',
    "no JSON": lambda _: "\x00ÿ🙂",
    "changed": lambda text: text.replace('"data":"', '"data":"AAAA'),
    "other algorithm": lambda text: text.replace("A256GCM", "none"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_one_damaged_body_beside_good_ones(
    words: Book, store: MemoryStore, clock: MovingClock, damage: Callable[[str], str]
) -> None:
    """B5: the others are found, the answer counts it, and its text can be remembered again, once."""
    ids = [words.remember(text).note.id for text in THREE]
    kept = held(store, words)
    kept.bodies[ids[0]] = Body(damage(kept.bodies[ids[0]].text), 0)
    book = fresh(store, clock)
    for query in ("*", "tea server repository"):
        page = book.recall(query)
        assert ({hit.note.content for hit in page.hits}, page.unreadable) == (set(THREE[1:]), 1)
    assert [book.remember(THREE[0]).outcome for _ in range(3)] == ["created", "duplicate", "duplicate"]
    assert texts(book) == set(THREE)
    assert book.feedback(ids[0], True) is None
    assert (book.forget(ids[0]).count, book.recall("*").unreadable) == (1, 0)


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_one_damaged_leaf_beside_good_ones(
    words: Book, store: MemoryStore, clock: MovingClock, damage: Callable[[str], str]
) -> None:
    """B5: the notes of the other leaves are found and written; its own bodies stay."""
    ids = [words.remember(text).note.id for text in THREE]
    kept = held(store, words)
    name = next(name for name in kept.leaves if int(name, 16) == int(ids[0][:2], 16) // 4)
    kept.leaves[name] = damage(str(kept.leaves[name]))
    book = fresh(store, clock)
    assert (book.status().unreadable, book.recall("tea server repository").unreadable) == (1, 1)
    assert texts(book) == set(THREE[1:])
    assert book.remember("The cat is grey").outcome == "created"
    assert book.remember(THREE[1]).outcome == "duplicate"
    assert ids[0] in kept.bodies


# --- rotation -----------------------------------------------------------------------------------------------------


def test_notes_of_an_old_secret_are_read_and_written_anew(store: MemoryStore, clock: MovingClock) -> None:
    """G1: with the previous secret all is there; what is written again is sealed under the new one, and opens alone."""
    old = fresh(store, clock, OLD_SECRET)
    for text in THREE:
        old.remember(text)
    both = fresh(store, clock, NEW_SECRET, OLD_SECRET)
    assert both.everything() == old.everything()
    assert [both.remember(text, tags=["moved"]).outcome for text in THREE] == ["duplicate"] * 3
    assert fresh(store, clock, NEW_SECRET).everything() == both.everything()
    assert texts(fresh(store, clock, NEW_SECRET)) == set(THREE)
    assert fresh(store, clock, OLD_SECRET).status().unreadable > 0


def test_a_row_moves_with_its_neighbours_and_its_note_when_it_is_written(
    store: MemoryStore, clock: MovingClock
) -> None:
    """A note that was only read stays under the old secret: dropped too early, it is counted and not gone."""
    old = fresh(store, clock, OLD_SECRET)
    kept, moved = (old.remember(text).note for text in THREE[:2])
    fresh(store, clock, NEW_SECRET, OLD_SECRET).feedback(moved.id, True)
    alone = fresh(store, clock, NEW_SECRET)
    assert texts(alone) == {moved.content}
    assert alone.status().unreadable + alone.recall("*").unreadable >= 1
    assert texts(fresh(store, clock, NEW_SECRET, OLD_SECRET)) == {kept.content, moved.content}


def test_an_unknown_secret_hides_and_destroys_nothing(store: MemoryStore, clock: MovingClock) -> None:
    """G1: other notes come into the same leaves, are folded, voted on, replaced and forgotten, under the new secret
    alone; with the previous one everything is there.
    """
    old = fresh(store, clock, OLD_SECRET)
    before = {old.remember(f"Fact {number} of the first year").note.content for number in range(150)}
    new = fresh(store, clock, NEW_SECRET)
    assert (texts(new), new.status().unreadable) == (set(), len(held(store, old).leaves))
    made = [new.remember(f"Fact {number} of the second year").note for number in range(150)]
    assert texts(fresh(store, clock, NEW_SECRET)) == {note.content for note in made}
    new.remember(made[0].content, tags=["folded"])
    new.feedback(made[1].id, True)
    new.forget(made[2].id)
    new.remember("A fact of its own", supersedes=made[3].id)
    after = {note.content for note in made} - {made[2].content, made[3].content} | {"A fact of its own"}
    assert texts(fresh(store, clock, NEW_SECRET)) == after
    both = fresh(store, clock, NEW_SECRET, OLD_SECRET)
    assert (texts(both), both.status().unreadable) == (before | after, 0)
    assert len(both.everything()) == len(before | after)
    assert texts(fresh(store, clock, OLD_SECRET, NEW_SECRET)) == before | after


def test_back_and_forth_between_two_secrets(store: MemoryStore, clock: MovingClock) -> None:
    """Neither loses a note to the other, however often they take turns."""
    made: dict[Secret, set[str]] = {OLD_SECRET: set(), NEW_SECRET: set()}
    for turn in range(6):
        secret = (OLD_SECRET, NEW_SECRET)[turn % 2]
        book = fresh(store, clock, secret)
        made[secret] |= {book.remember(f"Fact {number} of turn {turn}").note.content for number in range(20)}
        assert texts(book) == made[secret]
    both = fresh(store, clock, NEW_SECRET, OLD_SECRET)
    assert texts(both) == made[OLD_SECRET] | made[NEW_SECRET]
    both.remember("One more")
    assert texts(fresh(store, clock, NEW_SECRET, OLD_SECRET)) == made[OLD_SECRET] | made[NEW_SECRET] | {"One more"}


def test_the_same_text_under_two_secrets_is_two_notes(store: MemoryStore, clock: MovingClock) -> None:
    """Nobody could know; once both open, the text is a duplicate of one of them."""
    fresh(store, clock, OLD_SECRET).remember(THREE[0])
    assert fresh(store, clock, NEW_SECRET).remember(THREE[0]).outcome == "created"
    both = fresh(store, clock, NEW_SECRET, OLD_SECRET)
    assert [note.content for note in both.everything().values()] == [THREE[0]] * 2
    assert both.remember(THREE[0]).outcome == "duplicate"
