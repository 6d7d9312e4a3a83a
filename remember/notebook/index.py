"""All rows of one owner at one version of their collection, and what a change to some notes makes of the leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from operator import attrgetter

from remember.errors import InvalidInput
from remember.notebook.row import ID_BYTES, Row, leaf_of, unpack_rows
from remember.sealing import Unreadable
from remember.stores.base import Changes

MIN_PREFIX = 8
_INDEX_BYTES = 1_000
_ROW_BYTES = 700
"""About what they take in this process beside a row's terms."""

_TERMS = attrgetter("terms")  # a whole index is gone through for each question, so without a frame of Python a row

Leaves = Mapping[str, tuple[Row, ...] | None]
"""Rows by the leaf that they lie in; None where it does not open."""


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
                leaves[name] = _rows(name, text, open_leaf)
        return Index(changes.version, leaves)

    def with_leaves(self, version: str | None, written: Leaves, gone: Iterable[str]) -> Index:
        """The index once these leaves were written and those removed."""
        left = {name: rows for name, rows in self.leaves.items() if name not in set(gone)}
        return replace(self, version=version, leaves={**left, **written})

    def rows(self) -> Iterator[Row]:
        """Every row that can be read."""
        for rows in self.leaves.values():
            yield from rows or ()

    @property
    def unreadable(self) -> int:
        """How many leaves do not open."""
        return sum(rows is None for rows in self.leaves.values())

    @property
    def size(self) -> int:
        """About how many bytes this takes; a long note's terms are most of its row."""
        leaves = [rows for rows in self.leaves.values() if rows]
        terms = sum(sum(map(len, map(_TERMS, rows))) for rows in leaves)
        return _INDEX_BYTES + _ROW_BYTES * sum(map(len, leaves)) + terms

    def has(self, note_id: str) -> bool:
        """Whether there is a note of this id."""
        return any(row.id == note_id for rows in self._leaves_of(note_id).values() for row in rows or ())

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
        found = sorted(
            {row.id for rows in self._leaves_of(prefix).values() for row in rows or () if row.id.startswith(prefix)}
        )
        if len(found) > 1:
            raise InvalidInput(
                field_name, f"{field_name} {prefix} is the beginning of several ids: {', '.join(found)}."
            )
        return found[0] if found else None

    def changed(self, put: Iterable[Row], remove: Iterable[str]) -> dict[str, tuple[Row, ...]]:
        """The leaves to write so that these rows are there and those are not; an empty one is to be removed.

        A leaf that does not open is left as it is, for the day when its secret is known again: the rows go beside it.
        """
        new = {row.id: row for row in put}
        touched = {leaf_of(note_id) for note_id in (*new, *remove)}
        gone = set(remove)
        written: dict[str, tuple[Row, ...]] = {}
        for name in touched:
            beside = self._leaves_of_name(name)
            rows = {row.id: row for rows in beside.values() for row in rows or () if row.id not in gone}
            rows |= {row.id: row for row in new.values() if leaf_of(row.id) == name}
            written |= {old: () for old, old_rows in beside.items() if old_rows is not None}
            written[self._open_name(name)] = tuple(rows.values())
        return written

    def _open_name(self, name: str) -> str:
        """The first name of a leaf under which nothing lies that does not open."""
        names = (name if not number else f"{name}.{number}" for number in count())
        return next(name for name in names if self.leaves.get(name, ()) is not None)

    def _leaves_of(self, note_id: str) -> Leaves:
        return self._leaves_of_name(leaf_of(note_id))

    def _leaves_of_name(self, name: str) -> Leaves:
        return {known: rows for known, rows in self.leaves.items() if known.partition(".")[0] == name}


def _rows(name: str, text: str, open_leaf: Callable[[str, str], bytes]) -> tuple[Row, ...] | None:
    try:
        return tuple(unpack_rows(open_leaf(name, text)))
    except (Unreadable, ValueError):
        return None
