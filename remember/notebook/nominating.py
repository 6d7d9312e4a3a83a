"""Which older notes a new text may be the same as, told from their leaves; reading and deciding come after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from remember.notebook.columns import Columns, cut
from remember.notebook.leaf import Leaf
from remember.notebook.row import content_hash, model_tag
from remember.text.terms import TERM_BYTES

if TYPE_CHECKING:
    from remember.text.vectors import Embedded

MOST_NOMINATED = 32

LEAST_COSINE = 0.70
"""By sign bits, which reckon a cosine of 0.80 to within 0.1."""

LEAST_SHARED = 0.5
"""Of the terms that either text has; half of them is less than any threshold asks for."""


def same_text(leaves: Iterable[Leaf], namespace: str, content: str) -> list[str]:
    """The ids of a namespace's notes that say exactly this already; of several, some may not open."""
    said = content_hash(content)
    rows = (row for leaf in leaves if said in leaf.contents for row in leaf.rows())
    return [row.id for row in rows if said in row.contents and row.namespace == namespace]


def nominate(notes: Columns, hashes: bytes, vector: Embedded | None) -> list[str]:
    """The ids of the notes that are nearest; by meaning where both have a vector, else by the terms they share."""
    scored = [*_by_terms(notes, hashes, vector), *_by_signs(notes, vector)]
    return [notes.id(at) for _, at in sorted(scored, reverse=True)[:MOST_NOMINATED]]


def _by_terms(notes: Columns, hashes: bytes, vector: Embedded | None) -> Iterator[tuple[float, int]]:
    """The share and the place of each note that is near by its terms, where no vectors can be compared."""
    comparable = b"" if vector is None else model_tag(vector.model)
    if notes.models == notes.total * comparable:
        return
    wanted = frozenset(cut(hashes, TERM_BYTES))
    for at, (model, terms) in enumerate(zip(notes.model_of(), notes.terms_of(), strict=True)):
        if model != comparable:
            there = frozenset(cut(terms, TERM_BYTES))
            share = len(wanted & there) / (len(wanted | there) or 1)
            if share >= LEAST_SHARED:
                yield share, at


def _by_signs(notes: Columns, vector: Embedded | None) -> list[tuple[float, int]]:
    """The cosine and the place of each note that is near by its signs."""
    if vector is None:
        return []
    from remember.notebook.signs import cosines_by_signs  # noqa: PLC0415  lazy: it needs numpy, which the model brings

    cosines = cosines_by_signs(vector, notes)
    near = (cosines >= LEAST_COSINE).nonzero()[0]
    return list(zip(cosines[near].tolist(), near.tolist(), strict=True))
