"""Filters: what a row may be, what a note must be, and that both agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from remember.notebook.filters import Filters
from remember.notebook.leaf import Leaf
from remember.notebook.note import Note
from remember.notebook.rows_of_notes import row_of

NOTE = Note(
    id="0123456789abcdef01234567",
    content="Deploys run on Fridays",
    category="decision",
    entity="Café deploys",
    tags=("Backend", "release", "выпуск"),
    confidence=0.8,
    namespace="work",
    created_at=1_000,
    updated_at=5_000,
)

LET_THROUGH = [
    Filters(),
    Filters(categories=("decision",)),
    Filters(tags=("backend",)),
    Filters(tags=("ВЫПУСК", "Release")),
    Filters(entity="cafe DEPLOYS"),
    Filters(namespaces=("home", "work")),
    Filters(span=(None, 2_000)),
    Filters(span=(5_000, None)),
    Filters(span=(1_000, 1_001)),
    Filters(("decision",), ("backend", "release"), "café deploys", ("work",), (4_000, 6_000)),
]
HELD_BACK = [
    Filters(categories=("fact",)),
    Filters(tags=("back",)),
    Filters(tags=("backend", "frontend")),
    Filters(entity="deploys"),
    Filters(namespaces=("wor", "work2")),
    Filters(namespaces=()),
    Filters(span=(None, 1_000)),
    Filters(span=(5_001, None)),
    Filters(span=(1_001, 5_000)),
    Filters(("decision",), ("backend", "release"), "café deploys", ("home",), (4_000, 6_000)),
]


def fits(filters: Filters, *notes: Note) -> bool:
    """Whether these are all let through by their leaf, in which others are held back."""
    other = replace(
        NOTE, category="preference", tags=(), entity=None, namespace="elsewhere", created_at=0, updated_at=0
    )
    leaf = Leaf.of(map(row_of, (other, *notes, other)))
    return set(range(1, 1 + len(notes))) <= set(filters.fitting(leaf))


@pytest.mark.parametrize("filters", LET_THROUGH)
def test_a_note_that_has_it_all_is_let_through(filters: Filters) -> None:
    """By its row and by itself; case and accents of tags and entity do not count."""
    assert fits(filters, NOTE)
    assert filters.admits(NOTE)


@pytest.mark.parametrize("filters", HELD_BACK)
def test_a_note_that_lacks_one_thing_is_held_back(filters: Filters) -> None:
    """All tags have to be there, and a span holds the moment it begins with but not the one it ends with."""
    assert not fits(filters, NOTE)
    assert not filters.admits(NOTE)


def test_a_note_without_entity_and_tags_is_none_of_those_with() -> None:
    """Nothing is not a word."""
    bare = replace(NOTE, entity=None, tags=())
    for filters in (Filters(entity="deploys"), Filters(tags=("backend",))):
        assert not fits(filters, bare)
        assert not filters.admits(bare)


def test_the_note_has_the_last_word_where_hashes_meet() -> None:
    """A row whose hashes are those of other words gets through, its note does not."""
    filters = Filters(tags=("billing",), entity="billing")
    assert fits(filters, replace(NOTE, tags=("billing",), entity="billing"))
    assert not filters.admits(NOTE)


def test_equal_filters_are_equal_whether_used_or_not() -> None:
    """What is kept beside the fields does not count."""
    used = Filters(entity="deploys", tags=("backend",))
    assert not fits(used, NOTE)
    assert used == Filters(entity="deploys", tags=("backend",))
    assert used != Filters()
