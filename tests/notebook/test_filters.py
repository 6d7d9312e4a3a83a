"""Filters: what a row may be, what a note must be, and that both agree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from remember.notebook.filters import Filters
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


@pytest.mark.parametrize("filters", LET_THROUGH)
def test_a_note_that_has_it_all_is_let_through(filters: Filters) -> None:
    """By its row and by itself; case and accents of tags and entity do not count."""
    assert filters.fits(row_of(NOTE))
    assert filters.admits(NOTE)


@pytest.mark.parametrize("filters", HELD_BACK)
def test_a_note_that_lacks_one_thing_is_held_back(filters: Filters) -> None:
    """All tags have to be there, and a span holds the moment it begins with but not the one it ends with."""
    assert not filters.fits(row_of(NOTE))
    assert not filters.admits(NOTE)


def test_a_note_without_entity_and_tags_is_none_of_those_with() -> None:
    """Nothing is not a word."""
    bare = replace(NOTE, entity=None, tags=())
    for filters in (Filters(entity="deploys"), Filters(tags=("backend",))):
        assert not filters.fits(row_of(bare))
        assert not filters.admits(bare)


def test_the_note_has_the_last_word_where_hashes_meet() -> None:
    """A row whose hashes are those of other words gets through, its note does not."""
    filters = Filters(tags=("billing",), entity="billing")
    met = row_of(replace(NOTE, tags=("billing",), entity="billing"))
    assert filters.fits(met._replace(id=NOTE.id))
    assert not filters.admits(NOTE)


def test_equal_filters_are_equal_whether_used_or_not() -> None:
    """What `fits` keeps does not count."""
    used = Filters(categories=("fact",))
    assert not used.fits(row_of(NOTE))
    assert used == Filters(categories=("fact",))
    assert used != Filters()
