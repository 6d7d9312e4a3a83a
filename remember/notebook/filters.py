"""Which notes a recall looks at: told quickly from rows, exactly from the notes themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from remember.notebook.note import Note
from remember.notebook.row import Row, hash_words, word_hash
from remember.text.categories import CATEGORIES, Category
from remember.text.folding import folded
from remember.text.time_words import Span

_TAG_BYTES = 4


@dataclass(frozen=True, slots=True)
class Filters:
    """What a note must have; what is None or empty lets every note through."""

    category: Category | None = None
    tags: tuple[str, ...] = ()
    """All of them."""
    entity: str | None = None
    namespaces: tuple[str, ...] | None = None
    """Any of them."""
    span: Span = (None, None)
    """A note counts that was made or last changed in it."""

    def rows(self, rows: Iterable[Row]) -> list[Row]:
        """Those that may be let through. Entity and tags are hashes here, so `admits` has the last word."""
        left = list(rows)
        if self.namespaces is not None:
            namespaces = frozenset(self.namespaces)
            left = [row for row in left if row.namespace in namespaces]
        if self.category is not None:
            category = CATEGORIES.index(self.category)
            left = [row for row in left if row.category == category]
        if self.entity is not None:
            entity = word_hash(self.entity)
            left = [row for row in left if row.entity == entity]
        for tag in self.tags:
            hashed = hash_words((tag,))
            left = [row for row in left if hashed in row.tags]
        if self.span != (None, None):
            left = [row for row in left if self._in_span(row)]
        return left

    def admits(self, note: Note) -> bool:
        """Whether the note is let through; how a tag or an entity is written (case, accents) does not count."""
        return (
            (self.namespaces is None or note.namespace in self.namespaces)
            and (self.category is None or note.category == self.category)
            and (self.entity is None or (note.entity is not None and folded(note.entity) == folded(self.entity)))
            and set(map(folded, self.tags)) <= set(map(folded, note.tags))
            and self._in_span(note)
        )

    def _in_span(self, note: Row | Note) -> bool:
        after, before = self.span
        return any(
            (after is None or at >= after) and (before is None or at < before)
            for at in (note.created_at, note.updated_at)
        )
