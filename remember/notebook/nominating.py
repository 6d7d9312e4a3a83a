"""Which older notes a new text may be the same as, told from their rows; reading and deciding come after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remember.notebook.row import Row, content_hash, model_tag, term_hashes

if TYPE_CHECKING:
    from remember.text.vectors import Embedded

MOST_NOMINATED = 32

LEAST_COSINE = 0.70
"""By sign bits, which reckon a cosine of 0.80 to within 0.1."""

LEAST_SHARED = 0.5
"""Of the terms that either text has; half of them is less than any threshold asks for."""


def same_text(rows: Sequence[Row], content: str) -> list[str]:
    """The ids of the notes that say exactly this already; of several, some may not open."""
    said = content_hash(content)
    return [row.id for row in rows if said in row.contents]


def nominate(rows: Sequence[Row], hashes: bytes, vector: Embedded | None) -> list[str]:
    """The ids of the notes that are nearest; by meaning where both have a vector, else by the terms they share."""
    comparable = b"" if vector is None else model_tag(vector.model)
    near = [(row, _shared(row, frozenset(term_hashes(hashes)))) for row in rows if row.model != comparable]
    scored = [(share, row.id) for row, share in near if share >= LEAST_SHARED]
    if vector is not None:
        from remember.text.vectors import sign_cosines  # noqa: PLC0415  lazy: it needs numpy, which the model brings

        embedded = [row for row in rows if row.model == comparable]
        cosines = sign_cosines(vector, [(vector.model, row.bits) for row in embedded])
        pairs = zip(cosines, embedded, strict=True)
        scored += [(cosine, row.id) for cosine, row in pairs if cosine is not None and cosine >= LEAST_COSINE]
    return [note_id for _, note_id in sorted(scored, reverse=True)[:MOST_NOMINATED]]


def _shared(row: Row, wanted: frozenset[bytes]) -> float:
    there = frozenset(term_hashes(row.terms))
    return len(wanted & there) / (len(wanted | there) or 1)
