"""BM25 over hashed terms, in plain Python, as a share of the best that a note could do.

A function answers one question and is gone, so nothing is inverted beforehand: all notes' hashes lie in one run of
bytes, and each term of the question is looked for in it at the speed of a search for bytes. Where numpy is loaded
anyway, `bm25_arrays` is several times as fast.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import log
from typing import NamedTuple

from remember.text.terms import TERM_BYTES

K1 = 1.2
B = 0.75
BEST = 1 + K1 * (1 - B)
"""What makes a term that stands once in a very short note worth all of its weight."""

UNSEEN = 10
"""Notes without any of the question's terms that are imagined beside the real ones: in a memory of three notes, too, a
word that stands in one of them tells something."""

_MOST_PLACES = 5_000
"""Places that are looked at, so that the commonest words of a large memory, which tell least, do not cost most."""


class Words(NamedTuple):
    """How much of a question a note's words answer, each from 0 to 1."""

    score: float
    """BM25, as a share of the weight of all terms of the question, those too that stand in no note."""
    found: float
    """The share of the question's terms that the note has."""


def bm25(text: bytes, lengths: Sequence[int], question: bytes) -> dict[int, Words]:
    """The notes that have a term of the question, by their places.

    `text` is the run of all notes' hashes, `lengths` how many of them each note has.
    """
    terms = list(dict.fromkeys(question[at : at + TERM_BYTES] for at in range(0, len(question), TERM_BYTES)))
    counts = _counts(text, lengths, terms)
    mean = sum(lengths) / (len(lengths) or 1)
    damping = {note: K1 * (1 - B + B * lengths[note] / mean) for having in counts.values() for note in having}
    scores = dict.fromkeys(damping, 0.0)
    found = dict.fromkeys(damping, 0)
    everything = 0.0
    for having in counts.values():
        weight = log(1 + (len(lengths) + UNSEEN - len(having) + 0.5) / (len(having) + 0.5))
        everything += weight
        for note, count in having.items():
            scores[note] += weight * count * BEST / (count + damping[note])
            found[note] += 1
    return {note: Words(min(1.0, score / everything), found[note] / len(terms)) for note, score in scores.items()}


def _counts(text: bytes, lengths: Sequence[int], terms: Sequence[bytes]) -> dict[bytes, Counter[int]]:
    """How often each note has each term, the rarest terms first; common ones only while there is room for places."""
    ends = list(accumulate(lengths))
    places = {term: _places(text, term) for term in terms}
    counts: dict[bytes, Counter[int]] = {}
    left = _MOST_PLACES
    for term in sorted(terms, key=lambda term: len(places[term])):
        left -= len(places[term])
        if counts and left < 0:
            break
        counts[term] = Counter(bisect_right(ends, place) for place in places[term])
    return counts


def _places(text: bytes, term: bytes) -> list[int]:
    """How many terms stand before each place of this one; what only looks like it, across two others, is left out."""
    ends = accumulate(len(part) + TERM_BYTES for part in text.split(term)[:-1])
    return [end // TERM_BYTES - 1 for end in ends if not end % TERM_BYTES]
