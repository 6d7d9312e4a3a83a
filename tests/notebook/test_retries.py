"""A write whose answer was lost, and which the caller repeats: it is the same write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from remember.errors import StoreUnavailable
from tests.notebook.conftest import Book, memory_of
from tests.notebook.odd_stores import ForgetfulStore
from tests.standins.clock import MovingClock

Told = TypeVar("Told")


@pytest.fixture
def forgetful(clock: MovingClock) -> ForgetfulStore:
    return ForgetfulStore(clock)


@pytest.fixture(params=["the same process", "another process"])
def books(request: pytest.FixtureRequest, forgetful: ForgetfulStore, clock: MovingClock) -> tuple[Book, Book]:
    """The notebook that writes, and the one that repeats it."""
    book = Book(memory_of(forgetful, clock))
    return book, book if request.param == "the same process" else Book(memory_of(forgetful, clock))


def lost(store: ForgetfulStore, write: Callable[[], Any]) -> None:
    """Do it, and never hear of it."""
    store.lost = 1
    with pytest.raises(StoreUnavailable) as failure:
        write()
    assert failure.value.maybe_applied


def test_a_note_is_not_stored_twice(forgetful: ForgetfulStore, books: tuple[Book, Book]) -> None:
    """C2: the second time it is a duplicate, under the id that it had been given; its tags are there."""
    book, again = books
    lost(forgetful, lambda: book.remember("Anna likes tea", tags=["a"]))
    (note,) = again.everything().values()
    answer = again.remember("Anna likes tea", tags=["a"])
    assert (answer.outcome, answer.note, answer.folded) == ("duplicate", note, ())
    assert again.everything() == {note.id: note}


def test_a_merge_is_not_done_twice(forgetful: ForgetfulStore, books: tuple[Book, Book]) -> None:
    """The text was folded into the older note, and says so as a duplicate of it."""
    book, again = books
    old = book.remember("Logs are deleted after 14 days").note
    lost(forgetful, lambda: book.remember("Logs get deleted after 14 days"))
    (note,) = again.everything().values()
    assert note.content == "Logs get deleted after 14 days"
    answer = again.remember("Logs get deleted after 14 days")
    assert (answer.outcome, answer.note) == ("duplicate", note)
    assert (note.id, len(note.history)) == (old.id, 1)


@pytest.mark.promise("notes.supersedes")
@pytest.mark.parametrize("force", [False, True])
def test_a_note_is_not_replaced_twice(forgetful: ForgetfulStore, books: tuple[Book, Book], force: bool) -> None:
    """The older one is gone, which is no error: the newer one is there, and is the answer."""
    book, again = books
    old = book.remember("The meeting is on October 15th").note
    given: dict[str, Any] = {"supersedes": old.id, "force": force}
    lost(forgetful, lambda: book.remember("The meeting is on October 16th", **given))
    (note,) = again.everything().values()
    answer = again.remember("The meeting is on October 16th", **given)
    assert (answer.outcome, answer.note) == ("duplicate", note)
    assert again.everything() == {note.id: note}
    assert [version.content for version in note.history] == [old.content]


def test_a_note_is_not_forgotten_twice(forgetful: ForgetfulStore, books: tuple[Book, Book]) -> None:
    """It is gone, and the repeated call says that there is none."""
    book, again = books
    note, kept = book.remember("Anna likes tea").note, book.remember("The server is in Oslo").note
    lost(forgetful, lambda: book.forget(note.id))
    assert again.forget(note.id).missing == (note.id,)
    assert again.everything() == {kept.id: kept}
