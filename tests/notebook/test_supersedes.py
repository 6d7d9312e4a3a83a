"""supersedes: a note that takes another's place."""

from __future__ import annotations

import pytest

from remember.errors import InvalidInput
from tests.notebook.conftest import HOUR, Book
from tests.standins.clock import START, MovingClock


@pytest.mark.promise("notes.supersedes")
def test_the_older_note_goes_and_its_text_stays_as_history(book: Book, clock: MovingClock) -> None:
    """One note is left; what it replaced is no conflict, and is found neither by id nor by question."""
    old = book.remember("The meeting is on October 15th").note
    clock.advance(HOUR)
    answer = book.remember("The meeting is on October 16th", supersedes=old.id[:8])
    assert (answer.outcome, answer.supersedes, answer.conflicts) == ("created", old.id, ())
    (note,) = book.everything().values()
    assert note == answer.note
    assert [(version.content, version.at, version.why) for version in note.history] == [
        (old.content, START + HOUR, "superseded")
    ]
    assert book.found("meeting October 15th") == ["The meeting is on October 16th"]
    assert book.forget(old.id).missing == (old.id,)


def test_what_was_superseded_may_come_back(book: Book) -> None:
    """Its text is no part of what the newer note says, so it is a note of its own again, in conflict with it."""
    old = book.remember("The meeting is on October 15th").note
    book.remember("The meeting is on October 16th", supersedes=old.id)
    answer = book.remember("The meeting is on October 15th")
    assert answer.outcome == "created"
    assert len(answer.conflicts) == 1
    assert len(book.everything()) == 2


def test_history_goes_on_through_a_chain(book: Book) -> None:
    """Each knows the last five before it, oldest first."""
    note = book.remember("The meeting is on October 1st").note
    for day in range(2, 10):
        note = book.remember(f"The meeting is on October {day}th", supersedes=note.id).note
    assert list(book.everything().values()) == [note]
    assert [version.content for version in note.history] == [
        "The meeting is on October 4th",
        "The meeting is on October 5th",
        "The meeting is on October 6th",
        "The meeting is on October 7th",
        "The meeting is on October 8th",
    ]


def test_a_note_may_replace_one_of_another_namespace(book: Book) -> None:
    """That is how it moves; the same text next door is no duplicate of it."""
    old = book.remember("Anna likes tea", namespace="inbox").note
    answer = book.remember("Anna likes tea", namespace="home", supersedes=old.id)
    assert (answer.outcome, answer.supersedes) == ("created", old.id)
    assert [note.namespace for note in book.everything().values()] == ["home"]


def test_a_text_that_is_there_takes_the_place_of_another(book: Book) -> None:
    """The text's note stays, as a duplicate, and the one that it replaces goes."""
    old, kept = book.remember("The server is in Oslo").note, book.remember("The server is in Rome").note
    answer = book.remember("The server is in Rome", supersedes=old.id)
    assert (answer.outcome, answer.note.id, answer.supersedes) == ("duplicate", kept.id, old.id)
    (note,) = book.everything().values()
    assert note == answer.note
    assert [version.content for version in note.history] == [old.content]


def test_a_note_does_not_replace_itself(book: Book) -> None:
    """It is a duplicate, and stays."""
    note = book.remember("The server is in Oslo").note
    answer = book.remember("The server is in Oslo", supersedes=note.id)
    assert (answer.outcome, answer.supersedes) == ("duplicate", None)
    assert book.everything() == {note.id: note}


def test_force_replaces_a_note_by_its_own_text(book: Book) -> None:
    """The copy has an id of its own."""
    note = book.remember("The server is in Oslo").note
    answer = book.remember("The server is in Oslo", supersedes=note.id, force=True)
    assert (answer.outcome, answer.supersedes) == ("created", note.id)
    assert list(book.everything()) == [answer.note.id]
    assert answer.note.id != note.id


def test_an_unknown_note_is_not_replaced(book: Book) -> None:
    """Nothing is stored, and the argument is named."""
    for given in ("0123456789abcdef01234567", "no-id", ""):
        with pytest.raises(InvalidInput, match="supersedes") as refused:
            book.remember("The server is in Oslo", supersedes=given)
        assert refused.value.field == "supersedes"
    assert book.everything() == {}


def test_another_users_note_is_not_replaced(book: Book) -> None:
    """Its id means nothing here."""
    ben = Book(book.memory, "ben")
    note = ben.remember("The server is in Oslo").note
    with pytest.raises(InvalidInput, match="names no note"):
        book.remember("The server is in Rome", supersedes=note.id)
    assert ben.everything() == {note.id: note}


def test_a_dry_run_replaces_nothing(book: Book) -> None:
    """It says what would be."""
    old = book.remember("The server is in Oslo").note
    dry = book.remember("The server is in Rome", supersedes=old.id, dry_run=True)
    assert dry.supersedes == old.id
    assert book.everything() == {old.id: old}
