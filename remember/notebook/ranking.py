"""Which notes answer a question, best first: by their words, by their meaning where words are weak, and by what else
speaks for them.

Two steps, as a store is asked twice: `shortlist` chooses from columns, roughly; `rank` orders the notes themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remember.notebook.columns import Columns
from remember.notebook.note import Note
from remember.notebook.owned_notes import Kept
from remember.notebook.question import Question
from remember.notebook.results import Hit
from remember.text.bm25 import Words, bm25

if TYPE_CHECKING:
    from remember.text.vectors import Embedded, Floats

_Share = TypeVar("_Share", "float", "Floats")

MOST_SHORTLISTED = 60
"""Notes that one question reads whole: more than it may show, as sign bits order them roughly only. Of 10,000 notes of
which 50 each are much alike, 60 have 499 of 500 that all would show in answers of 25, and all in answers of 10.
"""

LEAST_RELEVANCE = 0.04
"""What is below it has nothing to do with the question: one common word of six in a long note, or a cosine of 0.18.

Short questions and what answers them have lower cosines than one would think ("what car" and a note on a Volvo: 0.34,
"IaC tool" and one on Terraform: 0.19); strangers have about 0.1.
"""

_UNLIKE = 0.12
"""The cosine up to which two English texts are strangers to each other."""

_MEANING = 0.60
"""How much of a question the very same meaning answers without a word in common. From 0.4 to 0.8 the order of all three
sets that were looked at (`bench/retrieval.py` and paraphrases) is nearly the same: words lead in all of them."""

_DAY = 86_400_000


class Candidate(NamedTuple):
    """A note that is worth reading, and what its words answer of the question."""

    id: str
    words: Words


def shortlist(notes: Columns, question: Question, most: int = MOST_SHORTLISTED) -> list[Candidate]:
    """The notes that are likely to answer best, best first."""
    if question.vector is not None:
        return _by_words_and_bits(notes, question, question.vector, most)
    words = bm25(notes.terms, notes.lengths(), question.terms)
    return [Candidate(notes.id(at), words[at]) for at in nlargest(most, words, key=words.__getitem__)]


def rank(
    candidates: Sequence[Candidate],
    notes: Mapping[str, Kept],
    question: Question,
    *,
    now: int,
    threshold: float | None = None,
    why: bool = False,
) -> list[Hit]:
    """Those of the candidates that answer the question, best first. `now` is milliseconds since 1970.

    `threshold` is the least relevance, from 0 to 1; without one, notes that have nothing to do with it are left out.
    """
    there = [(candidate.words, notes[candidate.id]) for candidate in candidates if candidate.id in notes]
    cosines = _cosines([kept.note for _, kept in there], question)
    found = [
        _Found(kept, words, cosine, _relevance(words.score, cosine))
        for (words, kept), cosine in zip(there, cosines, strict=True)
    ]
    least = LEAST_RELEVANCE if threshold is None else threshold
    relevant = [one for one in found if one.relevance >= least and one.relevance > 0]
    best = max((one.relevance for one in relevant), default=1.0)
    hits = [_hit(one, best=best, now=now, why=why) for one in relevant]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.note.updated_at, hit.note.id))


def everything(kept: Kept) -> Hit:
    """A note as the answer to a question that every note answers."""
    return Hit(kept.note, relevance=1.0, score=1.0, similarity=None, uses=kept.uses)


class _Found(NamedTuple):
    kept: Kept
    words: Words
    cosine: float | None
    relevance: float


def _relevance(words: float, cosine: float | None) -> float:
    return _answered(words, 0.0 if cosine is None else max(0.0, (cosine - _UNLIKE) / (1 - _UNLIKE)))


def _answered(words: _Share, meaning: _Share) -> _Share:
    """From 0 to 1: of what the words leave unanswered, the meaning may answer a part."""
    return words + (1 - words) * _MEANING * meaning


def _hit(found: _Found, *, best: float, now: int, why: bool) -> Hit:
    """The second seed's formula, but what else speaks for a note counts in proportion to how well it answers: no note
    comes before a better answer for being fresh alone.
    """
    note, uses = found.kept
    share = found.relevance / best
    parts = {
        "relevance": 0.45 * found.relevance,
        "recency": 0.15 * share / (1 + 0.01 * max(0, now - note.updated_at) / _DAY),
        "confidence": 0.15 * share * note.confidence,
        "access": 0.05 * share * uses / (uses + 10),
        "feedback": 0.10 * share * (note.helpful + 1) / (note.helpful + note.unhelpful + 2),
        "keywords": 0.10 * share * found.words.found,
    }
    return Hit(note, found.relevance, sum(parts.values()), found.cosine, uses, parts if why else None)


def _by_words_and_bits(notes: Columns, question: Question, vector: Embedded, most: int) -> list[Candidate]:
    """As `shortlist`, with the cosines that sign bits reckon; of another model's bits nothing is told."""
    import numpy as np  # noqa: PLC0415  lazy: here somebody has a vector, so numpy is loaded

    from remember.notebook.signs import cosines_by_signs  # noqa: PLC0415  lazy: as above
    from remember.text.bm25_arrays import bm25_arrays  # noqa: PLC0415  lazy: as above

    words = bm25_arrays(notes.terms, np.frombuffer(notes.counts, "<u2"), question.terms)
    meaning = np.maximum(0, (cosines_by_signs(vector, notes) - _UNLIKE) / (1 - _UNLIKE))
    likely = _answered(words.score, meaning)
    best = [at for at in np.argsort(-likely, kind="stable")[:most].tolist() if likely[at] > 0]
    return [Candidate(notes.id(at), Words(float(words.score[at]), float(words.found[at]))) for at in best]


def _cosines(notes: Sequence[Note], question: Question) -> list[float | None]:
    if question.vector is None:
        return [None] * len(notes)
    from remember.text.vectors import cosines  # noqa: PLC0415  lazy: as above

    return cosines(question.vector, [(note.model, note.vector or b"") for note in notes])
