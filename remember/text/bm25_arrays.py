"""BM25 as `bm25` reckons it, for all notes at once with numpy: for when a model has loaded it anyway."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from remember.text.bm25 import BEST, K1, UNSEEN, B
from remember.text.terms import TERM_BYTES
from remember.text.vectors import Floats


class WordArrays(NamedTuple):
    """As `bm25.Words`, a cell a note."""

    score: Floats
    found: Floats


def bm25_arrays(text: bytes, lengths: NDArray[np.integer], question: bytes) -> WordArrays:
    """What each note's words answer of the question; zeros where it has none of its terms. Arguments as of `bm25`."""
    wanted = np.unique(_hashes(question))
    counts = _counts(text, lengths, wanted)
    notes = len(lengths)
    if not counts.any():
        return WordArrays(np.zeros(notes, np.float32), np.zeros(notes, np.float32))
    having = np.count_nonzero(counts, axis=1)
    weights = np.log(1 + (notes + UNSEEN - having + 0.5) / (having + 0.5)).astype(np.float32)
    damping = (K1 * (1 - B + B * lengths / lengths.mean())).astype(np.float32)
    scores = (weights[:, None] * counts * np.float32(BEST) / (counts + damping)).sum(axis=0)
    return WordArrays(
        np.minimum(1, scores / weights.sum(), dtype=np.float32),
        (np.count_nonzero(counts, axis=0) / len(wanted)).astype(np.float32),
    )


def _counts(text: bytes, lengths: NDArray[np.integer], wanted: NDArray[np.uint32]) -> Floats:
    """How often each wanted term (down) stands in each note (across)."""
    terms = _hashes(text)
    places = np.flatnonzero(np.isin(terms, wanted))
    notes = np.searchsorted(lengths.cumsum(), places, side="right")
    counted = np.bincount(
        np.searchsorted(wanted, terms[places]) * len(lengths) + notes, minlength=len(wanted) * len(lengths)
    )
    counts: Floats = counted.reshape(len(wanted), len(lengths)).astype(np.float32)
    return counts


def _hashes(run: bytes) -> NDArray[np.uint32]:
    """A run of hashes as numbers: read as four bytes each, of which the last belongs to the next hash."""
    found = np.ndarray(len(run) // TERM_BYTES, np.uint32, run + b"\0", strides=(TERM_BYTES,))
    return found & np.uint32(0xFFFFFF)
