"""A leaf: a run of an owner's notes without their texts, a column for each thing that is asked of all of them.

One owner's notes lie in at most 64 leaves, by the beginning of their ids. A question reads all leaves, so a column is
cut into single values only where somebody asks for these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import Struct, pack
from typing import Final, NamedTuple

from remember.notebook.columns import Columns, cut, cut_by, numbers
from remember.notebook.row import BITS_BYTES, CONTENT_BYTES, ID_BYTES, MODEL_BYTES, Row
from remember.text.terms import TERM_BYTES

LEAVES = 64

_FORM = 2
_HEAD = Struct("<BII")  # form, notes, bytes of the namespaces' names
_BETWEEN = "\0"  # namespaces have no control characters
_WIDTHS: Final = (ID_BYTES, 8, 8, 1, 2, TERM_BYTES, MODEL_BYTES, BITS_BYTES, 1, 1, 2)
"""Bytes a note in each column before `contents`."""


def leaf_of(note_id: str) -> str:
    """The leaf that a note lies in."""
    return f"{int(note_id[:2], 16) * LEAVES // 256:02x}"


class Leaf(NamedTuple):
    """Notes by their places. What the columns are is said at `Row`; `spaces` are places in `namespaces`."""

    namespaces: tuple[str, ...]
    ids: bytes
    created: bytes
    updated: bytes
    categories: bytes
    spaces: bytes
    entities: bytes
    models: bytes
    bits: bytes
    content_counts: bytes
    tag_counts: bytes
    term_counts: bytes
    contents: bytes
    tags: bytes
    terms: bytes

    @staticmethod
    def of(rows: Iterable[Row]) -> Leaf:
        """These rows as a leaf, in this order."""
        rows = tuple(rows)
        namespaces = tuple(dict.fromkeys(row.namespace for row in rows))
        return Leaf(
            namespaces,
            bytes.fromhex("".join(row.id for row in rows)),
            pack(f"<{len(rows)}Q", *(row.created_at for row in rows)),
            pack(f"<{len(rows)}Q", *(row.updated_at for row in rows)),
            bytes(row.category for row in rows),
            pack(f"<{len(rows)}H", *(namespaces.index(row.namespace) for row in rows)),
            b"".join(row.entity for row in rows),
            b"".join(row.model for row in rows),
            b"".join(row.bits for row in rows),
            bytes(len(row.contents) // CONTENT_BYTES for row in rows),
            bytes(len(row.tags) // TERM_BYTES for row in rows),
            pack(f"<{len(rows)}H", *(len(row.terms) // TERM_BYTES for row in rows)),
            b"".join(row.contents for row in rows),
            b"".join(row.tags for row in rows),
            b"".join(row.terms for row in rows),
        )

    @staticmethod
    def from_bytes(data: bytes) -> Leaf:
        """Read back what `to_bytes` wrote.

        Raises:
            ValueError: it holds something else.
        """
        if len(data) < _HEAD.size or data[0] != _FORM:
            raise ValueError("not a leaf of this form")
        _, total, names = _HEAD.unpack_from(data)
        fixed = _fixed(total)
        begin = _HEAD.size + names
        hashes = begin + fixed.size
        if len(data) < hashes:
            raise ValueError("a leaf is cut off")
        columns = fixed.unpack_from(data, begin)
        *_, contents, tags, terms = columns
        after_contents = hashes + sum(contents) * CONTENT_BYTES
        after_tags = after_contents + sum(tags) * TERM_BYTES
        if len(data) != after_tags + sum(numbers(terms, 2)) * TERM_BYTES:
            raise ValueError("a leaf is cut off, or goes on")
        namespaces = tuple(data[_HEAD.size : begin].decode().split(_BETWEEN)) if names else ()
        runs = data[hashes:after_contents], data[after_contents:after_tags], data[after_tags:]
        leaf = Leaf._make((namespaces, *columns, *runs))
        if max(leaf.space_of(), default=-1) >= len(namespaces):
            raise ValueError("a note of a leaf is in no namespace")
        return leaf

    def to_bytes(self) -> bytes:
        """As it is sealed and kept."""
        namespaces, *columns = self
        names = _BETWEEN.join(namespaces).encode()
        return b"".join((_HEAD.pack(_FORM, self.total, len(names)), names, *columns))

    @property
    def total(self) -> int:
        """How many notes there are."""
        return len(self.categories)

    @property
    def size(self) -> int:
        """How many bytes the columns have."""
        _, *columns = self
        return sum(map(len, columns))

    def note_ids(self) -> list[str]:
        """Each note's id."""
        return [name.hex() for name in cut(self.ids, ID_BYTES)]

    def created_at(self) -> tuple[int, ...]:
        """When each note was made."""
        return numbers(self.created, 8)

    def updated_at(self) -> tuple[int, ...]:
        """When each note was last changed."""
        return numbers(self.updated, 8)

    def space_of(self) -> tuple[int, ...]:
        """The place of each note's namespace."""
        return numbers(self.spaces, 2)

    def entity_of(self) -> list[bytes]:
        """Each note's entity."""
        return cut(self.entities, TERM_BYTES)

    def tags_of(self) -> list[bytes]:
        """Each note's tags."""
        return cut_by(self.tags, self.tag_counts, TERM_BYTES)

    def columns(self, places: Sequence[int] | None = None) -> Columns:
        """What a question is held against, of all notes or of those in these places."""
        whole = Columns(self.ids, self.models, self.bits, self.term_counts, self.terms)
        return whole if places is None or len(places) == self.total else whole.taken(places)

    def rows(self) -> list[Row]:
        """Note by note."""
        return list(
            map(
                Row,
                self.note_ids(),
                self.created_at(),
                self.updated_at(),
                self.categories,
                (self.namespaces[space] for space in self.space_of()),
                cut(self.models, MODEL_BYTES),
                cut(self.bits, BITS_BYTES),
                self.entity_of(),
                cut_by(self.contents, self.content_counts, CONTENT_BYTES),
                self.tags_of(),
                cut_by(self.terms, numbers(self.term_counts, 2), TERM_BYTES),
            )
        )


@lru_cache(maxsize=512)
def _fixed(total: int) -> Struct:
    """The columns before `contents` of so many notes; most leaves of an owner have about as many as the others."""
    return Struct("<" + "".join(f"{width * total}s" for width in _WIDTHS))
