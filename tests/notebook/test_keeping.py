"""Forgetting notes, by id and by filter, and voting on them."""

from __future__ import annotations

from typing import Any

import pytest

from remember.confirmation import LIFE_MS
from remember.errors import InvalidInput
from remember.notebook.keeping import MOST_SHOWN
from remember.stores.memory import MemoryStore
from tests.notebook.conftest import HOUR, Book, memory_of
from tests.standins.clock import MovingClock

# --- forget -------------------------------------------------------------------------------------------------------


@pytest.mark.promise("notes.forget")
@pytest.mark.parametrize("length", [8, 12, 24])
def test_a_note_is_forgotten_by_its_id_or_its_beginning(words: Book, store: MemoryStore, length: int) -> None:
    """I10: gone at once for every process, body and row, by every way of asking."""
    gone, kept = words.remember("Anna likes tea").note, words.remember("The server is in Oslo").note
    answer = words.forget(gone.id[:length])
    assert (answer.count, answer.notes, answer.missing, answer.dry_run) == (1, (gone,), (), False)
    other = Book(memory_of(store, words.memory.clock))
    assert other.everything() == {kept.id: kept}
    assert other.found("tea") == []
    assert other.status().total == 1
    assert list(store._collections._held[words.collection.key].bodies) == [kept.id]


def test_several_notes_at_once(words: Book) -> None:
    """Those that are there go, the others are named; a note that is named twice is one."""
    one, other = words.remember("Anna likes tea").note, words.remember("The server is in Oslo").note
    unknown = "ffffffff" * 3
    answer = words.forget(one.id, one.id[:8], unknown, other.id)
    assert (answer.count, answer.missing) == (2, (unknown,))
    assert set(answer.notes) == {one, other}
    assert words.everything() == {}


def test_forgetting_twice_is_no_error(words: Book) -> None:
    """I10: the second time there is nothing there."""
    note = words.remember("Anna likes tea").note
    words.forget(note.id)
    again = words.forget(note.id)
    assert (again.count, again.missing) == (0, (note.id,))


def test_one_wrong_id_forgets_nothing(words: Book) -> None:
    """Whoever mistypes one has not said which notes they mean."""
    note = words.remember("Anna likes tea").note
    with pytest.raises(InvalidInput, match="memory_id must be a note's id"):
        words.forget(note.id, "short")
    assert words.everything() == {note.id: note}


def test_nobody_forgets_anothers_note(words: Book) -> None:
    """A12: its id means nothing here, and the widest filter stays at home."""
    ben = Book(words.memory, "ben")
    note = ben.remember("Anna likes tea").note
    assert words.forget(note.id).missing == (note.id,)
    words.remember("Anna likes tea")
    token = words.forget_matching(namespaces="default").confirmation
    assert words.forget_matching(namespaces="default", confirmation=token).count == 1
    assert ben.everything() == {note.id: note}


def test_a_forgotten_text_can_be_remembered_again(words: Book) -> None:
    """As something new, with no trace of what it was."""
    note = words.remember("Anna likes tea", tags=["a"]).note
    words.forget(note.id)
    again = words.remember("Anna likes tea")
    assert (again.outcome, again.note.tags, again.note.id) == ("created", (), note.id)


# --- forget by filter ---------------------------------------------------------------------------------------------


def three(book: Book) -> None:
    for text, namespace in (("Anna likes tea", "home"), ("The cat is grey", "home"), ("The server is in Oslo", "work")):
        book.remember(text, namespace=namespace)


@pytest.mark.promise("notes.forget.filter")
def test_a_filter_shows_first_and_deletes_with_a_confirmation(words: Book) -> None:
    """Exactly what was shown, and nothing beside it."""
    three(words)
    before = words.everything()
    shown = words.forget_matching(namespaces="home")
    assert (shown.dry_run, shown.count, len(shown.notes)) == (True, 2, 2)
    assert shown.confirmation is not None
    assert words.everything() == before
    done = words.forget_matching(namespaces="home", confirmation=shown.confirmation)
    assert (done.dry_run, done.count, set(done.notes), done.confirmation) == (False, 2, set(shown.notes), None)
    assert [note.content for note in words.everything().values()] == ["The server is in Oslo"]


def test_a_confirmation_is_good_once(words: Book) -> None:
    """Afterwards there is something else, or nothing, behind the filter."""
    three(words)
    token = words.forget_matching(namespaces="home").confirmation
    words.forget_matching(namespaces="home", confirmation=token)
    with pytest.raises(InvalidInput, match="Nothing was deleted"):
        words.forget_matching(namespaces="home", confirmation=token)


def test_a_confirmation_ends_after_ten_minutes(words: Book, clock: MovingClock) -> None:
    """To the millisecond."""
    three(words)
    token = words.forget_matching(namespaces="home").confirmation
    clock.advance(LIFE_MS)
    with pytest.raises(InvalidInput, match="ten minutes"):
        words.forget_matching(namespaces="home", confirmation=token)
    clock.advance(-1)
    assert words.forget_matching(namespaces="home", confirmation=token).count == 2


@pytest.mark.parametrize("change", ["created", "folded", "forgotten"])
def test_a_confirmation_is_for_what_was_shown(words: Book, clock: MovingClock, change: str) -> None:
    """A note that came, changed or went since then was not looked at."""
    three(words)
    shown = words.forget_matching(namespaces="home")
    clock.advance(HOUR // 60)
    if change == "created":
        words.remember("The dog is brown", namespace="home")
    elif change == "folded":
        words.remember("Anna likes tea", namespace="home", tags=["new"])
    else:
        words.forget(shown.notes[0].id)
    left = words.everything()
    with pytest.raises(InvalidInput, match="something has changed"):
        words.forget_matching(namespaces="home", confirmation=shown.confirmation)
    assert words.everything() == left


@pytest.mark.parametrize("token", ["", "yes", "AAAA", "é", "A" * 28, "=" * 28, "////////////////////////////", True, 7])
def test_a_made_up_confirmation_deletes_nothing(words: Book, token: Any) -> None:
    """Whatever it looks like."""
    three(words)
    with pytest.raises(InvalidInput, match="confirmation is not for"):
        words.forget_matching(namespaces="home", confirmation=token)
    assert len(words.everything()) == 3


def test_a_confirmation_for_other_notes_deletes_nothing(words: Book) -> None:
    """Nor does another owner's for the same texts."""
    ben = Book(words.memory, "ben")
    three(words)
    three(ben)
    for token in (words.forget_matching(namespaces="work").confirmation, ben.forget_matching(namespaces="home")):
        with pytest.raises(InvalidInput, match="confirmation is not for"):
            words.forget_matching(namespaces="home", confirmation=getattr(token, "confirmation", token))
    assert len(words.everything()) == len(ben.everything()) == 3


def test_nothing_fits(words: Book) -> None:
    """There is nothing to confirm."""
    three(words)
    shown = words.forget_matching(namespaces="elsewhere")
    assert (shown.count, shown.notes, shown.confirmation) == (0, (), None)


def test_a_filter_that_lets_all_through_is_none(words: Book) -> None:
    """A12: everything is forgotten by saying so, never by leaving a filter out."""
    three(words)
    with pytest.raises(InvalidInput, match="Say which notes"):
        words.forget_matching()
    with pytest.raises(InvalidInput, match="Say which notes"):
        words.forget_matching(tags=[])
    assert len(words.everything()) == 3


def test_of_many_the_first_are_shown(words: Book, clock: MovingClock) -> None:
    """The count is of all, and all of them go."""
    for number in range(MOST_SHOWN + 5):
        clock.advance(1)
        words.remember(f"Fact number {number}", namespace="bulk")
    words.remember("Anna likes tea")
    shown = words.forget_matching(namespaces="bulk")
    assert (shown.count, len(shown.notes)) == (MOST_SHOWN + 5, MOST_SHOWN)
    assert words.forget_matching(namespaces="bulk", confirmation=shown.confirmation).count == MOST_SHOWN + 5
    assert [note.content for note in words.everything().values()] == ["Anna likes tea"]


# --- feedback -----------------------------------------------------------------------------------------------------


@pytest.mark.promise("notes.feedback")
@pytest.mark.parametrize(
    ("votes", "confidence"),
    [
        ("++++", 0.8),
        ("+++++", 0.85),
        ("++++++", 0.9),
        ("----", 0.8),
        ("-----", 0.7),
        ("----------", 0.2),
        ("--------------------", 0.1),
        ("++++++++++++", 1.0),
        ("+++-+", 0.85),
        ("++-+-", 0.8),
        ("---+-", 0.7),
    ],
)
def test_five_votes_nearly_alike_move_the_confidence(words: Book, votes: str, confidence: float) -> None:
    """By 0.05 up to 1, or by 0.1 down to 0.1, from the fifth vote on; fewer or divided ones do not."""
    note = words.remember("Anna likes tea").note
    for vote in votes:
        voted = words.feedback(note.id[:8], vote == "+")
    assert voted is not None
    assert voted.confidence == pytest.approx(confidence)
    assert (voted.helpful, voted.unhelpful) == (votes.count("+"), votes.count("-"))
    assert words.everything() == {note.id: voted}
    assert voted.updated_at == note.updated_at


def test_a_small_confidence_is_not_raised_by_bad_votes(words: Book) -> None:
    """The bound of 0.1 is none for what was less from the beginning."""
    note = words.remember("Anna likes tea", confidence=0.04).note
    for _ in range(6):
        voted = words.feedback(note.id, False)
    assert voted is not None
    assert voted.confidence == 0.04


def test_what_is_said_with_a_vote_is_kept(words: Book) -> None:
    """The last five."""
    note = words.remember("Anna likes tea").note
    for number in range(7):
        words.feedback(note.id, True, context=f"reason {number}")
    kept = words.feedback(note.id, True)
    assert kept is not None
    assert kept.contexts == tuple(f"reason {number}" for number in range(2, 7))


def test_a_vote_on_nothing(words: Book) -> None:
    """None, and nothing is made of it."""
    assert words.feedback("ffffffff", True) is None
    assert words.everything() == {}


def test_a_vote_that_does_not_fit_is_refused(words: Book) -> None:
    """By name, and not counted."""
    note = words.remember("Anna likes tea").note
    given: list[tuple[Any, str | None, str]] = [(1, None, "helpful"), ("yes", None, "helpful"), (True, "", "context")]
    for helpful, context, field in given:
        with pytest.raises(InvalidInput) as refused:
            words.feedback(note.id, helpful, context=context)
        assert refused.value.field == field
    assert words.everything() == {note.id: note}
