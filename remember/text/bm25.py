"""BM25 over hashed terms, in plain Python.

A function answers one question and is gone, so nothing is inverted beforehand: each note's terms are held against
the question's at the speed of a set, which costs what reading them costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

_K1 = 1.2
_B = 0.75


class Bm25:
    """Scores notes, each given as the hashes of its terms with repeats; their places in the sequence name them."""

    def __init__(self, notes: Sequence[Sequence[int]]) -> None:
        self._notes = notes
        self._mean = sum(map(len, notes)) / len(notes) if notes else 0.0

    def scores(self, query: Iterable[int]) -> dict[int, float]:
        """The score of each note that has a term of the query; the others have none."""
        wanted = frozenset(query)
        hits = [(at, note) for at, note in enumerate(self._notes) if not wanted.isdisjoint(note)]
        found = [(at, len(note), {term: note.count(term) for term in wanted.intersection(note)}) for at, note in hits]
        weights = self._weights([counts for _, _, counts in found])
        return {
            at: sum(
                weights[term] * count * (_K1 + 1) / (count + self._damping(length)) for term, count in counts.items()
            )
            for at, length, counts in found
        }

    def _weights(self, found: list[dict[int, int]]) -> dict[int, float]:
        """What each term is worth: the fewer notes have it, the more."""
        having: dict[int, int] = {}
        for counts in found:
            for term in counts:
                having[term] = having.get(term, 0) + 1
        notes = len(self._notes)
        return {term: log(1 + (notes - number + 0.5) / (number + 0.5)) for term, number in having.items()}

    def _damping(self, length: int) -> float:
        return _K1 * (1 - _B + _B * length / self._mean)
