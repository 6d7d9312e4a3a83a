"""BM25 over hashed terms, in plain Python, as a share of the best that a note could do.

A function answers one question and is gone, so nothing is inverted beforehand: all notes' hashes lie in one run of
bytes, and each term of the question is looked for in it at the speed of a search for bytes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import log
from typing import NamedTuple

TERM_BYTES = 4

_K1 = 1.2
_B = 0.75
_BEST = 1 + _K1 * (1 - _B)  # what makes a term that stands once in a very short note worth all of its weight

_UNSEEN = 100
"""Notes without any of the question's terms that are imagined beside the real ones: in a memory of three notes, too, a
word that stands in one of them tells something."""

_MOST_HITS = 30_000
"""Places that are looked at: of a question's terms the rare ones come first, and tell the most."""


class Words(NamedTuple):
    """How much of a question a note's words answer, each from 0 to 1."""

    score: float
    """BM25, as a share of the weight of all terms of the question, those too that stand in no note."""
    found: float
    """The share of the question's terms that the note has."""


def bm25(notes: Sequence[bytes], question: bytes) -> dict[int, Words]:
    """The notes that have a term of the question, by their places. A text is the run of its terms' hashes."""
    terms = list(dict.fromkeys(question[at : at + TERM_BYTES] for at in range(0, len(question), TERM_BYTES)))
    counts = _counts(notes, terms)
    mean = sum(map(len, notes)) / (len(notes) or 1)
    damping = {note: _K1 * (1 - _B + _B * len(notes[note]) / mean) for note in set().union(*counts.values())}
    scores = dict.fromkeys(damping, 0.0)
    found = dict.fromkeys(damping, 0)
    everything = 0.0
    for term in terms:
        having: Counter[int] = counts.get(term, Counter())
        weight = log(1 + (len(notes) + _UNSEEN - len(having) + 0.5) / (len(having) + 0.5))
        everything += weight
        for note, count in having.items():
            scores[note] += weight * count * _BEST / (count + damping[note])
            found[note] += 1
    return {note: Words(min(1.0, score / everything), found[note] / len(terms)) for note, score in scores.items()}


def _counts(notes: Sequence[bytes], terms: Sequence[bytes]) -> dict[bytes, Counter[int]]:
    """How often each note has each term; the places that have none are left out."""
    text = b"".join(notes)
    ends = list(accumulate(map(len, notes)))
    hits = {term: text.count(term) for term in terms}
    left = _MOST_HITS
    counts: dict[bytes, Counter[int]] = {}
    for term in sorted(terms, key=hits.__getitem__):
        left -= hits[term]
        if counts and left < 0:
            break
        places = _places(text, term) if hits[term] else ()
        counts[term] = Counter(bisect_right(ends, place) for place in places)
    return counts


def _places(text: bytes, term: bytes) -> list[int]:
    """Where a term stands; what only looks like it, across two others, is left out."""
    ends = accumulate(len(part) + TERM_BYTES for part in text.split(term)[:-1])
    return [end - TERM_BYTES for end in ends if not end % TERM_BYTES]
