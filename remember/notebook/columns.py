"""What a question is held against: the words and signs of many notes, in one run of bytes each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from struct import unpack
from typing import NamedTuple

from remember.notebook.row import BITS_BYTES, ID_BYTES, MODEL_BYTES
from remember.text.terms import TERM_BYTES


class Columns(NamedTuple):
    """Notes by their places; each column has the notes' bytes one after the other."""

    ids: bytes = b""
    """12 each."""
    models: bytes = b""
    """4 each: `model_tag`."""
    bits: bytes = b""
    """48 each, of their models."""
    counts: bytes = b""
    """2 each: how many terms a note has."""
    terms: bytes = b""
    """3 each, as many for a note as its count says."""

    @staticmethod
    def joined(parts: Iterable[Columns]) -> Columns:
        """The notes of all of these."""
        return Columns(*map(b"".join, zip(*parts, strict=True)))

    @property
    def total(self) -> int:
        """How many notes there are."""
        return len(self.ids) // ID_BYTES

    def taken(self, places: Sequence[int]) -> Columns:
        """The notes in these places only."""
        columns = (cut(self.ids, ID_BYTES), self.model_of(), cut(self.bits, BITS_BYTES), cut(self.counts, 2))
        return Columns(*(b"".join(map(column.__getitem__, places)) for column in (*columns, self.terms_of())))

    def id(self, place: int) -> str:
        """A note's id."""
        return self.ids[place * ID_BYTES : (place + 1) * ID_BYTES].hex()

    def model_of(self) -> list[bytes]:
        """Each note's model."""
        return cut(self.models, MODEL_BYTES)

    def lengths(self) -> tuple[int, ...]:
        """How many terms each note has."""
        return numbers(self.counts, 2)

    def terms_of(self) -> list[bytes]:
        """Each note's terms."""
        return cut_by(self.terms, self.lengths(), TERM_BYTES)


def cut(column: bytes, size: int) -> list[bytes]:
    """A column's values, each of `size` bytes."""
    return [column[at : at + size] for at in range(0, len(column), size)]


def cut_by(column: bytes, counts: Iterable[int], size: int) -> list[bytes]:
    """A column's runs, each of so many values of `size` bytes."""
    ends = accumulate((count * size for count in counts), initial=0)
    return [column[begin:end] for begin, end in pairwise(ends)]


def numbers(column: bytes, size: int) -> tuple[int, ...]:
    """A column's values, whole numbers of 2 or 8 bytes."""
    return unpack(f"<{len(column) // size}{'H' if size == 2 else 'Q'}", column)
