"""remember: created, merged or duplicate, and always true to the store."""

from __future__ import annotations

import pytest

from remember.errors import InvalidInput, QuotaExceeded
from remember.notebook import writing
from remember.notebook.results import Remembered
from remember.stores.memory import MemoryStore
from tests.notebook.conftest import HOUR, Book, memory_of
from tests.standins.clock import START, MovingClock


def said(answer: Remembered) -> tuple[str, str]:
    return answer.outcome, answer.note.content


@pytest.mark.promise("notes.created", "notes.outcome", "notes.auto", "notes.confidence", "notes.persists")
def test_what_is_new_is_created(book: Book, store: MemoryStore, clock: MovingClock) -> None:
    """With an id, all that was told from the content, and at once readable by a process that has just begun."""
    answer = book.remember("User prefers tabs over spaces", tags=["editor"])
    note = answer.note
    assert (answer.outcome, answer.mode, answer.existing, answer.conflicts) == ("created", "minilm", None, ())
    assert (note.category, note.entity, note.guessed) == ("preference", "tabs", ("category", "entity"))
    assert (note.confidence, note.namespace, note.tags) == (0.8, "default", ("editor",))
    assert (note.created_at, note.updated_at) == (START, START)
    assert len(note.id) == 24
    assert Book(memory_of(store, clock)).everything() == {note.id: note}
    assert Book(memory_of(store, clock), "ben").everything() == {}


def test_what_is_given_is_not_guessed(book: Book) -> None:
    """Category, entity and confidence as they came; nothing is said to be guessed."""
    note = book.remember("User prefers tabs", category="decision", entity="indent", confidence=0.31).note
    assert (note.category, note.entity, note.confidence, note.guessed) == ("decision", "indent", 0.31, ())
    assert book.everything() == {note.id: note}


@pytest.mark.promise("notes.duplicate")
def test_the_same_text_three_times_is_one_note(book: Book) -> None:
    """I3: created, duplicate, duplicate, with the id and the text of what is there; white space does not count."""
    first = book.remember("Anna likes green tea")
    again = [book.remember("Anna likes green tea"), book.remember(" Anna  likes\tgreen tea\r\n")]
    assert [one.outcome for one in again] == ["duplicate"] * 2
    assert [one.note for one in again] == [one.existing for one in again] == [first.note] * 2
    assert [one.similarity for one in again] == [1.0, 1.0]
    assert list(book.everything()) == [first.note.id]


def test_case_inside_identifiers_makes_another_note(book: Book) -> None:
    """I5: `FOO_bar` and `foo_BAR` are two things."""
    book.remember("Env var is FOO_bar")
    assert book.remember("env var is foo_BAR").outcome == "created"


@pytest.mark.promise("notes.duplicate.folded")
def test_a_duplicate_gives_its_tags_and_its_confidence(book: Book, clock: MovingClock) -> None:
    """The older note's tags first, the larger confidence; the answer names what was folded in."""
    old = book.remember("Anna likes green tea", tags=["tea", "anna"], confidence=0.5).note
    clock.advance(HOUR)
    answer = book.remember("Anna likes green tea", tags=["drinks", "tea"], confidence=0.9)
    assert (answer.outcome, answer.folded, answer.existing) == ("duplicate", ("tags", "confidence"), old)
    note = book.everything()[old.id]
    assert note == answer.note
    assert (note.tags, note.confidence) == (("tea", "anna", "drinks"), 0.9)
    assert (note.created_at, note.updated_at) == (START, START + HOUR)
    assert book.remember("Anna likes green tea", confidence=0.2).folded == ()
    assert book.everything() == {old.id: note}


@pytest.mark.promise("notes.merged", "notes.embedding")
def test_the_fuller_of_two_texts_stays_and_is_embedded_again(book: Book) -> None:
    """One note under the older id; the other text is kept as history, found as a duplicate, and comparable by words."""
    old = book.remember("Logs are deleted after 14 days", category="fact", tags=["ops"]).note
    answer = book.remember("Logs get deleted after 14 days", tags=["logs"])
    assert (answer.outcome, answer.existing, answer.folded) == ("merged", old, ("tags",))
    note = answer.note
    assert (note.id, note.content, note.category) == (old.id, "Logs get deleted after 14 days", "fact")
    assert [(version.content, version.why) for version in note.history] == [(old.content, "folded")]
    assert note.model == old.model is not None
    assert note.vector != old.vector
    assert book.everything() == {note.id: note}
    for text in (old.content, note.content):
        assert said(book.remember(text)) == ("duplicate", note.content)


@pytest.mark.promise("notes.force")
def test_force_makes_a_copy(book: Book) -> None:
    """I3: with an id of its own, every time; afterwards the text is still a duplicate."""
    ids = {book.remember("Anna likes tea", force=force).note.id for force in (False, True, True)}
    assert len(ids) == 3
    assert set(book.everything()) == ids
    assert book.remember("Anna likes tea").note.id in ids


@pytest.mark.promise("notes.namespace")
def test_namespaces_never_meet(book: Book) -> None:
    """The same text is a note in each of them, and a contradiction next door is no conflict."""
    home, work = (book.remember("The user drinks tea", namespace=name) for name in ("home", "work"))
    assert (home.outcome, work.outcome) == ("created", "created")
    assert home.note.id != work.note.id
    assert book.remember("The user does not drink tea", namespace="garden").conflicts == ()
    assert book.remember("The user drinks tea", namespace="work").note.id == work.note.id
    assert book.found("tea", namespaces="home") == ["The user drinks tea"]


CONTRADICTIONS = [
    ("User prefers tabs over spaces", "User prefers spaces over tabs"),
    ("User is allergic to peanuts", "User is not allergic to peanuts"),
    ("The router is 192.168.7.1", "The router is 192.168.9.1"),
    ("The key rotates every 30 days", "The key rotates every 90 days"),
    ("The meeting is on 2026-03-01", "The meeting is on 2026-03-02"),
    ("Use pnpm, never npm", "Use npm, never pnpm"),
    ("The database is db-1.internal", "The database is db-2.internal"),
]


@pytest.mark.promise("notes.guard")
@pytest.mark.parametrize(("old", "new"), CONTRADICTIONS)
def test_a_contradiction_is_kept_beside_it(book: Book, old: str, new: str) -> None:
    """I1: created, both ids and the reason in the answer, both notes found."""
    first = book.remember(old)
    answer = book.remember(new)
    assert answer.outcome == "created"
    (conflict,) = answer.conflicts
    assert conflict.id == first.note.id
    assert conflict.similarity is not None
    assert conflict.similarity > 0.8
    assert conflict.reason
    assert sorted(note.content for note in book.everything().values()) == sorted([old, new])


@pytest.mark.parametrize("new", ["User prefers spaces over tabs", "User prefers tabs over spaces", "user prefers tabs"])
@pytest.mark.parametrize("force", [False, True])
def test_a_dry_run_says_what_the_real_one_does(book: Book, new: str, force: bool) -> None:
    """I7: one decision, and nothing is written by the first of the two."""
    book.remember("User prefers tabs over spaces")
    before = book.everything()
    dry = book.remember(new, force=force, tags=["x"], dry_run=True)
    assert book.everything() == before
    assert book.remember(new, force=force, tags=["x"]) == dry
    assert book.everything() == before | {dry.note.id: dry.note}


def test_a_full_namespace_takes_no_more(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in it can still be folded into and replaced; other namespaces go on."""
    monkeypatch.setattr(writing, "MAX_NOTES", 2)
    old = book.remember("Anna likes tea").note
    book.remember("The server is in Oslo")
    with pytest.raises(QuotaExceeded, match="2 notes in this namespace"):
        book.remember("The cat is grey")
    assert len(book.everything()) == 2
    assert book.remember("Anna likes tea", tags=["x"]).folded == ("tags",)
    assert book.remember("The cat is grey", namespace="home").outcome == "created"
    assert book.remember("The dog is brown", supersedes=old.id).outcome == "created"


def test_an_owner_who_has_all_they_may_takes_no_more(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all namespaces together."""
    monkeypatch.setattr(writing, "MAX_OWNED", 2)
    book.remember("Anna likes tea", namespace="a")
    book.remember("Anna likes tea", namespace="b")
    with pytest.raises(QuotaExceeded, match="2 notes"):
        book.remember("Anna likes tea", namespace="c")


def test_bad_input_writes_nothing(book: Book) -> None:
    """Nor does it ask the store."""
    with pytest.raises(InvalidInput, match="confidence"):
        book.remember("Anna likes tea", confidence=7)
    assert book.everything() == {}
