"""Secrets in notes: out of every field before anything is stored, and out of everything that is shown."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from remember.errors import SecretRefused
from remember.stores.memory import MemoryStore
from tests.notebook.conftest import Book, memory_of
from tests.notebook.raw_notes import opened
from tests.standins.clock import MovingClock

SECRET = "ghp_" + "7Qm2Zx9Lk4Vb8Nc1Wd6Ts3Ry5Hj0Pf" + "aGeU2k"
FIELDS: list[dict[str, Any]] = [
    {"content": f"The deploy token is {SECRET}"},
    {"content": "The deploy token is kept", "entity": SECRET},
    {"content": "The deploy token is kept", "tags": ["ops", SECRET]},
]


def book_in(store: MemoryStore, clock: MovingClock, mode: Any) -> Book:
    return Book(memory_of(store, clock, redaction=mode))


@pytest.mark.promise("notes.redacted")
@pytest.mark.parametrize("given", FIELDS, ids=["content", "entity", "tags"])
def test_a_secret_is_taken_out_of_every_field(store: MemoryStore, clock: MovingClock, given: dict[str, Any]) -> None:
    """H4: neither the store, opened, nor an answer holds a part of it; the answer tells kind and count."""
    book = book_in(store, clock, "redact")
    answer = book.remember(**given)
    assert [(one.kind, one.count) for one in answer.redacted] == [("github-token", 1)]
    assert "[REDACTED]" in repr(answer.note)
    shown = [answer, book.recall("deploy token"), book.recall("*"), book.forget(answer.note.id)]
    for text in (repr(shown), opened(store, book)):
        assert SECRET not in text
        assert SECRET[4:14] not in text


@pytest.mark.promise("notes.rejected")
@pytest.mark.parametrize("given", FIELDS, ids=["content", "entity", "tags"])
def test_where_secrets_are_rejected_nothing_is_stored(
    store: MemoryStore, clock: MovingClock, given: dict[str, Any]
) -> None:
    """The field and the kind are told, not a character of it."""
    book = book_in(store, clock, "reject")
    with pytest.raises(SecretRefused, match="1 × github-token") as refused:
        book.remember(**given)
    assert refused.value.field in given
    assert SECRET[4:10] not in str(refused.value)
    assert book.everything() == {}
    assert store._collections._held == {}


@pytest.mark.parametrize("given", FIELDS, ids=["content", "entity", "tags"])
def test_off_means_off(store: MemoryStore, clock: MovingClock, given: dict[str, Any]) -> None:
    """What is given is stored, and shown as it is."""
    book = book_in(store, clock, "off")
    answer = book.remember(**given)
    assert answer.redacted == ()
    (hit,) = book.recall("deploy token").hits
    assert hit.note == answer.note
    assert SECRET in repr(hit.note)


@pytest.mark.parametrize("mode", ["redact", "reject"])
def test_a_namespace_holds_no_secret(store: MemoryStore, clock: MovingClock, mode: str) -> None:
    """Notes are told apart by it, so none can be taken out of it."""
    book = book_in(store, clock, mode)
    with pytest.raises(SecretRefused) as refused:
        book.remember("The deploy token is kept", namespace=SECRET)
    assert refused.value.field == "namespace"
    assert store._collections._held == {}


def test_what_is_said_with_a_vote_is_redacted(store: MemoryStore, clock: MovingClock) -> None:
    """In each mode as the content of a note."""
    book = book_in(store, clock, "redact")
    note = book.remember("Anna likes tea").note
    voted = book.feedback(note.id, True, context=f"it told me {SECRET}")
    assert voted is not None
    assert voted.contexts == ("it told me [REDACTED]",)
    with pytest.raises(SecretRefused, match="context"):
        book_in(store, clock, "reject").feedback(note.id, True, context=f"it told me {SECRET}")
    assert book.everything() == {note.id: voted}


@pytest.mark.parametrize("mode", ["redact", "reject"])
@pytest.mark.parametrize("given", FIELDS, ids=["content", "entity", "tags"])
def test_what_was_stored_when_nobody_looked_is_not_shown(
    store: MemoryStore, clock: MovingClock, mode: str, given: dict[str, Any]
) -> None:
    """By no answer: to a question, to a merge, to a vote, or to its own end."""
    note = book_in(store, clock, "off").remember(**given).note
    book = book_in(store, clock, mode)
    asked = [book.recall("deploy token"), book.recall("*")]
    assert [len(found.hits) for found in asked] == [1, 1]
    assert all([(one.kind, one.count) for one in found.redacted] == [("github-token", 1)] for found in asked)
    again = book.remember(given["content"].replace(SECRET, "[REDACTED]"), tags=["more"])
    shown = [*asked, again, book.forget_matching(namespaces="default"), book.feedback(note.id, True)]
    shown.append(book.forget(note.id))
    assert SECRET not in repr(shown)
    assert SECRET[4:14] not in repr(shown)


def test_redacting_twice_changes_nothing(store: MemoryStore, clock: MovingClock) -> None:
    """The same secret again, or what became of it, is a duplicate."""
    book = book_in(store, clock, "redact")
    first = book.remember(f"The deploy token is {SECRET}")
    for text in (f"The deploy token is {SECRET}", first.note.content):
        assert book.remember(text).outcome == "duplicate"
    assert len(book.everything()) == 1


def test_no_log_line_holds_a_secret(store: MemoryStore, clock: MovingClock, caplog: pytest.LogCaptureFixture) -> None:
    """Nor a word of a note, where one does not open."""
    caplog.set_level(logging.DEBUG)
    book = book_in(store, clock, "redact")
    book.remember(f"The deploy token is {SECRET} in Zanzibar")
    held = store._collections._held[book.collection.key]
    held.bodies = {name: body._replace(text=body.text[:-4] + "AAA}") for name, body in held.bodies.items()}
    assert book.recall("deploy token").unreadable == 1
    assert "does not open" in caplog.text
    assert SECRET[4:14] not in caplog.text
    assert "Zanzibar" not in caplog.text
