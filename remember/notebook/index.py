"""All leaves of one owner at one version of their collection, and what a change to some notes makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from remember.errors import InvalidInput
from remember.notebook.columns import Columns
from remember.notebook.filters import EVERYTHING, Filters
from remember.notebook.leaf import Leaf, leaf_of
from remember.notebook.row import ID_BYTES, Row
from remember.sealing import Unreadable
from remember.stores.base import Changes

MIN_PREFIX = 8
_INDEX_BYTES = 1_000
_LEAF_BYTES = 1_000
"""About what a leaf takes in this process beside its columns."""

Leaves = Mapping[str, Leaf | None]
"""By their names; None where one does not open."""


@dataclass(frozen=True, slots=True)
class Index:
    """What is known of an owner's notes without reading them."""

    version: str | None = None
    leaves: Leaves = field(default_factory=dict)

    def after(self, changes: Changes, open_leaf: Callable[[str, str], bytes]) -> Index:
        """The index once these changes are in; `open_leaf` unseals a text for the leaf's name."""
        leaves = {} if changes.complete else dict(self.leaves)
        for name, text in changes.leaves.items():
            if text is None:
                leaves.pop(name, None)
            else:
                leaves[name] = _opened(name, text, open_leaf)
        return Index(changes.version, leaves)

    def with_leaves(self, version: str | None, written: Leaves, gone: Iterable[str]) -> Index:
        """The index once these leaves were written and those removed."""
        left = {name: leaf for name, leaf in self.leaves.items() if name not in set(gone)}
        return replace(self, version=version, leaves={**left, **written})

    def opened(self) -> Iterator[Leaf]:
        """Every leaf that can be read."""
        return (leaf for leaf in self.leaves.values() if leaf is not None)

    def columns(self, filters: Filters = EVERYTHING) -> Columns:
        """The notes that may fit, as a question is held against them."""
        return Columns.joined(leaf.columns(filters.fitting(leaf)) for leaf in self.opened())

    def rows(self, filters: Filters = EVERYTHING) -> Iterator[Row]:
        """The notes that may fit, row by row."""
        for leaf in self.opened():
            if places := filters.fitting(leaf):
                yield from map(leaf.rows().__getitem__, places)

    @property
    def total(self) -> int:
        """How many notes there are in all leaves that can be read."""
        return sum(leaf.total for leaf in self.opened())

    @property
    def unreadable(self) -> int:
        """How many leaves do not open."""
        return sum(leaf is None for leaf in self.leaves.values())

    @property
    def size(self) -> int:
        """About how many bytes this takes."""
        return _INDEX_BYTES + sum(_LEAF_BYTES + leaf.size for leaf in self.opened())

    def has(self, note_id: str) -> bool:
        """Whether there is a note of this id."""
        return note_id in self._ids_beside(note_id)

    def find(self, note_id: object, field_name: str = "memory_id") -> str | None:
        """The whole id of the one note whose id begins so; None where there is none.

        Raises:
            InvalidInput: it is too short, no id, or several begin so.
        """
        prefix = note_id.strip().lower() if isinstance(note_id, str) else ""
        if not MIN_PREFIX <= len(prefix) <= 2 * ID_BYTES or set(prefix) - set("0123456789abcdef"):
            raise InvalidInput(
                field_name,
                f"{field_name} must be a note's id, {2 * ID_BYTES} characters of 0-9 a-f, or the first {MIN_PREFIX} or "
                f"more of them; got {note_id!r:.60}.",
            )
        found = sorted({name for name in self._ids_beside(prefix) if name.startswith(prefix)})
        if len(found) > 1:
            raise InvalidInput(
                field_name, f"{field_name} {prefix} is the beginning of several ids: {', '.join(found)}."
            )
        return found[0] if found else None

    def changed(self, put: Iterable[Row], remove: Iterable[str]) -> dict[str, Leaf]:
        """The leaves to write so that these rows are there and those are not; an empty one is to be removed.

        A leaf that does not open is left as it is, for the day when its secret is known again: the rows go beside it.
        """
        new = {row.id: row for row in put}
        gone = set(remove)
        written: dict[str, Leaf] = {}
        for name in {leaf_of(note_id) for note_id in (*new, *gone)}:
            beside = {old: leaf for old, leaf in self._leaves_of(name).items() if leaf is not None}
            rows = {row.id: row for leaf in beside.values() for row in leaf.rows() if row.id not in gone}
            rows |= {row.id: row for row in new.values() if leaf_of(row.id) == name}
            written |= dict.fromkeys(beside, Leaf.of(()))
            written[self._open_name(name)] = Leaf.of(rows.values())
        return written

    def _open_name(self, name: str) -> str:
        """The first name of a leaf under which nothing lies that does not open."""
        names = (name if not number else f"{name}.{number}" for number in count())
        return next(name for name in names if name not in self.leaves or self.leaves[name] is not None)

    def _ids_beside(self, note_id: str) -> Iterator[str]:
        """The ids that begin with the same two characters, and some more."""
        for leaf in self._leaves_of(leaf_of(note_id)).values():
            yield from leaf.note_ids() if leaf is not None else ()

    def _leaves_of(self, name: str) -> Leaves:
        return {known: leaf for known, leaf in self.leaves.items() if known.partition(".")[0] == name}


def _opened(name: str, text: str, open_leaf: Callable[[str, str], bytes]) -> Leaf | None:
    try:
        return Leaf.from_bytes(open_leaf(name, text))
    except (Unreadable, ValueError):
        return None
