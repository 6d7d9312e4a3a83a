"""recall: pages that show each note once, filters, and what is not there. (Who comes first is test_ranking's.)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from remember.errors import InvalidInput
from remember.notebook.reading import MOST_SHOWN
from remember.notebook.results import Recalled
from remember.stores.memory import MemoryStore
from tests.notebook.conftest import DAY, Book, memory_of
from tests.standins.clock import MovingClock

MANY = 257


def fill(book: Book, clock: MovingClock, count: int = MANY) -> list[str]:
    """So many notes about the harbour, a moment apart; their ids, oldest first."""
    ids = []
    for number in range(count):
        clock.advance(1_000)
        ids.append(book.remember(berth(number)).note.id)
    return ids


def berth(number: int) -> str:
    """A note that shares with the others what is asked for, and nothing else."""
    return f"Harbour berth of {' '.join(f'{word}{number}' for word in ('ship', 'captain', 'cargo', 'flag', 'port'))}"


def pages(book: Book, query: str, **given: Any) -> Iterator[Recalled]:
    """Page after page, until there is no more."""
    cursor: str | None = None
    while True:
        page = book.recall(query, cursor=cursor, **given)
        yield page
        cursor = page.next_cursor
        if cursor is None:
            assert not page.truncated
            return


def ids_of(page: Recalled) -> list[str]:
    return [hit.note.id for hit in page.hits]


@pytest.mark.promise("notes.recall.pages")
@pytest.mark.parametrize("query", ["*", "harbour berth"])
def test_every_note_comes_once(words: Book, clock: MovingClock, query: str) -> None:
    """I11: 257 notes in pages of 20, thirteen of them."""
    ids = fill(words, clock)
    shown = [ids_of(page) for page in pages(words, query, limit=20)]
    assert [len(page) for page in shown] == [20] * 12 + [17]
    assert Counter(note_id for page in shown for note_id in page) == Counter(ids)


@pytest.mark.parametrize("query", ["*", "harbour berth"])
def test_every_note_comes_once_while_others_write(
    words: Book, store: MemoryStore, clock: MovingClock, query: str
) -> None:
    """I11: another process inserts, folds, votes, deletes between pages; what was there throughout comes once."""
    ids = fill(words, clock)
    other = Book(memory_of(store, clock))
    gone: set[str] = set()
    shown: list[str] = []
    for number, page in enumerate(pages(words, query, limit=20)):
        assert not gone & set(ids_of(page))
        shown += ids_of(page)
        clock.advance(1_000)
        other.remember(berth(1_000 + number))
        other.remember(berth(number * 19), tags=["seen"])
        other.feedback(ids[number * 19 + 1], True)
        victim = ids[number * 19 + 2]
        other.forget(victim)
        gone.add(victim)
    counts = Counter(shown)
    assert {note_id: counts[note_id] for note_id in ids if note_id not in gone} == {
        note_id: 1 for note_id in ids if note_id not in gone
    }
    assert max(counts.values()) == 1


def test_all_notes_come_newest_first(words: Book, clock: MovingClock) -> None:
    """`*` asks for all of them."""
    ids = fill(words, clock, 45)
    assert [note_id for page in pages(words, " * ", limit=20) for note_id in ids_of(page)] == ids[::-1]


def test_a_page_is_bounded_by_characters_too(words: Book) -> None:
    """E13: one note comes in any case, and the rest on the next pages."""
    for number in range(7):
        words.remember(f"harbour {number} " + "x" * 1_000 + str(number))
    for query in ("*", "harbour"):
        shown = [ids_of(page) for page in pages(words, query, limit=20, max_chars=3_000)]
        assert [len(page) for page in shown] == [2, 2, 2, 1]
        assert len({note_id for page in shown for note_id in page}) == 7
        assert [len(page.hits) for page in pages(words, query, max_chars=1)] == [1] * 7


def test_a_question_ends_at_four_hundred(words: Book, clock: MovingClock) -> None:
    """There is more, and says so; a narrower question leads there."""
    fill(words, clock, MOST_SHOWN + 30)
    cursor, shown, truncated = None, 0, True
    while True:
        page = words.recall("harbour berth", limit=20, cursor=cursor)
        shown, truncated, cursor = shown + len(page.hits), page.truncated, page.next_cursor
        if cursor is None:
            break
    assert truncated
    assert MOST_SHOWN <= shown < MOST_SHOWN + 30


@pytest.mark.parametrize("limit", [0, -1, 26, 10**9, 2.0, True, "5", None])
def test_a_limit_that_does_not_fit_is_refused(words: Book, limit: Any) -> None:
    """I11: with what is allowed."""
    with pytest.raises(InvalidInput, match="limit must be a whole number from 1 to 25"):
        words.recall("harbour", limit=limit)


@pytest.mark.parametrize("query", ["*", "harbour"])
def test_a_cursor_is_bound_to_its_owner_and_its_question(words: Book, clock: MovingClock, query: str) -> None:
    """I11: nobody else's, and for no other question or filter."""
    fill(words, clock, 9)
    ben = Book(words.memory, "ben")
    fill(ben, clock, 9)
    cursor = words.recall(query, limit=5).next_cursor
    assert cursor is not None
    assert len(words.recall(query, limit=5, cursor=cursor).hits) == 4
    others: list[tuple[Book, str, dict[str, Any]]] = [
        (ben, query, {}),
        (words, "harbour berth", {}),
        (words, query, {"namespaces": "default"}),
        (words, query, {"threshold": 0.1}),
        (words, query, {"scope": "session"}),
        (words, query, {"period": "today"}),
    ]
    for book, asked, given in others:
        with pytest.raises(InvalidInput, match="cursor is not one"):
            book.recall(asked, limit=5, cursor=cursor, **given)


@pytest.mark.parametrize("cursor", ["", "x", "AAAAAAAAAAAAAAAA", "é", 7, "=", "a" * 10_000])
def test_a_made_up_cursor_is_refused(words: Book, cursor: Any) -> None:
    """By name."""
    for query in ("*", "harbour"):
        with pytest.raises(InvalidInput, match="cursor is not one"):
            words.recall(query, cursor=cursor)


@pytest.mark.promise("notes.recall.nothing")
def test_an_empty_notebook_is_no_error(words: Book) -> None:
    """I15: nothing, for every way of asking."""
    for query in ("*", "harbour", "?", "🙂"):
        found = words.recall(query)
        assert (found.hits, found.truncated, found.next_cursor, found.unreadable) == ((), False, None, 0)


@pytest.mark.parametrize("query", ["", "  ", "x" * 2_001, "\ud83c", None])
def test_a_question_that_does_not_fit_is_refused(words: Book, query: Any) -> None:
    """By name."""
    with pytest.raises(InvalidInput, match="query"):
        words.recall(query)


@pytest.mark.promise("notes.recall.threshold")
def test_what_is_not_there_is_not_found(book: Book) -> None:
    """An unrelated question finds nothing, and a threshold of 1 lets nothing through that is merely near."""
    book.remember("The user prefers dark mode")
    assert book.found("which editor theme does the user like, dark mode?") == ["The user prefers dark mode"]
    assert book.found("migratory patterns of arctic terns") == []
    assert book.found("interface colours", threshold=1.0) == []


@pytest.fixture
def shelf(words: Book, clock: MovingClock) -> Book:
    """Four notes on tea, in three namespaces, on four days; the last was made today."""
    for text, given in (
        ("Anna likes green tea", {"category": "preference", "tags": ["Drinks", "anna"], "entity": "Anna"}),
        ("The tea is ordered in Oslo", {"category": "fact", "tags": ["drinks"], "namespace": "work"}),
        ("Tea before coffee, decided", {"category": "decision", "namespace": "home", "entity": "Tea"}),
        ("Every tea steeps four minutes", {"category": "pattern", "tags": ["café"]}),
    ):
        clock.advance(DAY)
        words.remember(text, **given)
    return words


@pytest.mark.promise("notes.recall.filters")
@pytest.mark.parametrize(
    ("given", "beginnings"),
    [
        ({}, "Anna The Tea Every"),
        ({"category": "fact"}, "The"),
        ({"category": "outcome"}, ""),
        ({"tags": ["drinks"]}, "Anna The"),
        ({"tags": ["DRINKS", "Anna"]}, "Anna"),
        ({"tags": ["cafe"]}, "Every"),
        ({"tags": ["drinks", "café"]}, ""),
        ({"entity": "ANNA"}, "Anna"),
        ({"entity": "nobody"}, ""),
        ({"namespaces": "work"}, "The"),
        ({"namespaces": ["work", "home"]}, "The Tea"),
        ({"namespaces": []}, ""),
        ({"namespaces": "elsewhere"}, ""),
        ({"period": "today"}, "Every"),
        ({"after": "2 days ago"}, "The Tea Every"),
        ({"before": "2 days ago"}, "Anna"),
        ({"after": "2 days ago", "before": "1 day ago"}, "The"),
        ({"namespaces": "default", "tags": ["drinks"], "category": "preference"}, "Anna"),
    ],
)
def test_filters_narrow_what_is_found(shelf: Book, given: dict[str, Any], beginnings: str) -> None:
    """For a question as for all notes; how a tag or an entity is written does not count."""
    for query in ("tea", "*"):
        assert {text.split()[0] for text in shelf.found(query, limit=20, **given)} == set(beginnings.split())


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"category": "facts"}, "category"),
        ({"tags": "drinks"}, "tags"),
        ({"entity": ""}, "entity"),
        ({"namespaces": ["a\nb"]}, "namespace"),
        ({"threshold": 7}, "threshold"),
        ({"threshold": "0.3"}, "threshold"),
        ({"period": "the other day"}, "period"),
        ({"after": "soonish"}, "after"),
        ({"before": 7}, "before"),
        ({"zone": "Atlantis", "period": "today"}, "timezone"),
    ],
)
@pytest.mark.promise("notes.input")
def test_a_filter_that_does_not_fit_is_refused(shelf: Book, given: dict[str, Any], field: str) -> None:
    """By name, before the store is asked."""
    for query in ("tea", "*"):
        with pytest.raises(InvalidInput) as refused:
            shelf.recall(query, **given)
        assert refused.value.field == field


def test_a_question_counts_what_it_shows(words: Book) -> None:
    """How often a note was found is one of the parts that order it; looking at all of them does not count."""
    words.remember("Anna likes tea")
    words.recall("*")
    assert [hit.uses for _ in range(3) for hit in words.recall("tea").hits] == [1, 2, 3]
