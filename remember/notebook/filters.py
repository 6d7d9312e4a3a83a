"""Which notes somebody asks for: told quickly from leaves, exactly from the notes themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, TypeVar

from remember.notebook.leaf import Leaf
from remember.notebook.note import Note
from remember.notebook.row import word_hash
from remember.text.categories import CATEGORIES, Category
from remember.text.folding import folded

if TYPE_CHECKING:
    from remember.text.time_words import Span


Value = TypeVar("Value")


@dataclass(frozen=True)  # no slots: hashes are kept beside the fields
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

    def fitting(self, leaf: Leaf) -> Sequence[int]:
        """The places of the notes that may be these. Entity and tags are hashes there, so `admits` has the last word.

        Only those columns are looked at that somebody asked about, the quick ones first.
        """
        places: Sequence[int] = range(leaf.total)
        if self.categories is not None:
            places = _among(leaf.categories, set(map(CATEGORIES.index, self.categories)), places)
        if self.namespaces is not None:
            spaces = {at for at, name in enumerate(leaf.namespaces) if name in self.namespaces}
            if len(spaces) < len(leaf.namespaces):
                places = _among(leaf.space_of(), spaces, places)
        if self.entity is not None:
            places = _among(leaf.entity_of(), {self._entity_hash}, places)
        if self.tags:
            tags = leaf.tags_of()
            places = [at for at in places if all(tag in tags[at] for tag in self._tag_hashes)]
        if self.span != (None, None):
            created, updated = leaf.created_at(), leaf.updated_at()
            places = [at for at in places if self._in_span(created[at], updated[at])]
        return places

    def admits(self, note: Note) -> bool:
        """Whether a note is one of these; how a tag or an entity is written (case, accents) does not count."""
        return (
            (self.categories is None or note.category in self.categories)
            and set(map(folded, self.tags)) <= set(map(folded, note.tags))
            and (self.entity is None or (note.entity is not None and folded(note.entity) == folded(self.entity)))
            and (self.namespaces is None or note.namespace in self.namespaces)
            and self._in_span(note.created_at, note.updated_at)
        )

    @cached_property
    def _entity_hash(self) -> bytes:
        return word_hash(self.entity or "")

    @cached_property
    def _tag_hashes(self) -> tuple[bytes, ...]:
        return tuple(map(word_hash, self.tags))

    def _in_span(self, created_at: int, updated_at: int) -> bool:
        after, before = self.span
        begin = -inf if after is None else after
        end = inf if before is None else before
        return begin <= updated_at < end or begin <= created_at < end


EVERYTHING = Filters()


def _among(column: Sequence[Value], wanted: set[Value], places: Iterable[int]) -> list[int]:
    return [at for at in places if column[at] in wanted]
