"""Which notes answer a question, best first: by their words, by their meaning where words are weak, and by what else
speaks for them.

Two steps, as a store is asked twice: `shortlist` chooses from rows, roughly; `rank` orders the notes themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from remember.notebook.note import Note
from remember.notebook.owned_notes import Kept
from remember.notebook.question import Question
from remember.notebook.results import Hit
from remember.notebook.row import Row, model_tag
from remember.text.bm25 import Words, bm25

MOST_SHORTLISTED = 100

LEAST_RELEVANCE = 0.10
"""What is below it has nothing to do with the question."""

_UNLIKE = 0.20
"""The cosine up to which two English texts are strangers."""
_MEANING = 0.6
"""How much of a question the same meaning answers without a word in common."""

_NO_WORDS = Words(0.0, 0.0)
_DAY = 86_400_000


class Candidate(NamedTuple):
    """A note that is worth reading, and what its words answer of the question."""

    id: str
    words: Words


def shortlist(rows: Sequence[Row], question: Question, most: int = MOST_SHORTLISTED) -> list[Candidate]:
    """The rows that are likely to answer best, best first."""
    words = bm25([row.terms for row in rows], question.terms)
    cosines = _sign_cosines(rows, question)
    likely = {at: _relevance(found.score, cosines.get(at)) for at, found in words.items()}
    likely |= {at: _relevance(0, cosine) for at, cosine in cosines.items() if at not in words and cosine > _UNLIKE}
    return [Candidate(rows[at].id, words.get(at, _NO_WORDS)) for at in nlargest(most, likely, key=likely.__getitem__)]


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
    """From 0 to 1: what words leave unanswered, meaning may answer in part."""
    meaning = 0.0 if cosine is None else max(0.0, (cosine - _UNLIKE) / (1 - _UNLIKE))
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


def _sign_cosines(rows: Sequence[Row], question: Question) -> dict[int, float]:
    """By the row's place; only rows of the question's model have one."""
    if question.vector is None:
        return {}
    from remember.text.vectors import sign_cosines  # noqa: PLC0415  lazy: it needs numpy, which the model brings

    tag = model_tag(question.vector.model)
    places = [at for at, row in enumerate(rows) if row.model == tag]
    cosines = sign_cosines(question.vector, [(question.vector.model, rows[at].bits) for at in places])
    return {at: cosine for at, cosine in zip(places, cosines, strict=True) if cosine is not None}


def _cosines(notes: Sequence[Note], question: Question) -> list[float | None]:
    if question.vector is None:
        return [None] * len(notes)
    from remember.text.vectors import cosines  # noqa: PLC0415  lazy: as above

    return cosines(question.vector, [(note.model, note.vector or b"") for note in notes])
