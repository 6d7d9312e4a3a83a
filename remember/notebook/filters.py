"""Which notes somebody asks for: told quickly from rows, exactly from the notes themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf

from remember.notebook.note import Note
from remember.notebook.row import Row, hash_words, word_hash
from remember.text.categories import CATEGORIES, Category
from remember.text.folding import folded
from remember.text.time_words import Span

Test = Callable[[Row], bool]


@dataclass(frozen=True)  # no slots: `fits` is kept beside the fields
class Filters:
    """What a note must have; what is None or empty lets every note through."""

    categories: tuple[Category, ...] | None = None
    """One of them."""
    tags: tuple[str, ...] = ()
    """All of them."""
    entity: str | None = None
    namespaces: tuple[str, ...] | None = None
    """One of them."""
    span: Span = (None, None)
    """A note counts that was made or last changed in it."""

    @cached_property
    def fits(self) -> Test:
        """Whether a row may be one of these. Its entity and tags are hashes, so `admits` has the last word."""
        fits: Test = _any
        for test in self._tests():
            fits = _both(fits, test)
        return fits

    def admits(self, note: Note) -> bool:
        """Whether a note is one of these; how a tag or an entity is written (case, accents) does not count."""
        return (
            (self.categories is None or note.category in self.categories)
            and set(map(folded, self.tags)) <= set(map(folded, note.tags))
            and (self.entity is None or (note.entity is not None and folded(note.entity) == folded(self.entity)))
            and (self.namespaces is None or note.namespace in self.namespaces)
            and self._in_span(note)
        )

    def _tests(self) -> list[Test]:
        """Only those that somebody asked for, the quick ones first: they are held against every row."""
        tests: list[Test] = []
        if self.categories is not None:
            categories = frozenset(map(CATEGORIES.index, self.categories))
            tests.append(lambda row: row.category in categories)
        if self.namespaces is not None:
            namespaces = frozenset(self.namespaces)
            tests.append(lambda row: row.namespace in namespaces)
        if self.entity is not None:
            entity = word_hash(self.entity)
            tests.append(lambda row: row.entity == entity)
        if self.tags:
            tags = [hash_words((tag,)) for tag in self.tags]
            tests.append(lambda row: all(tag in row.tags for tag in tags))
        if self.span != (None, None):
            tests.append(self._in_span)
        return tests

    def _in_span(self, note: Row | Note) -> bool:
        after, before = self.span
        begin = -inf if after is None else after
        end = inf if before is None else before
        return begin <= note.updated_at < end or begin <= note.created_at < end


def _both(one: Test, other: Test) -> Test:
    return other if one is _any else lambda row: one(row) and other(row)


def _any(_: Row) -> bool:
    return True
