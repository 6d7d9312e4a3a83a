"""The one place that says what becomes of a new text: a note of its own, or part of an older one.

Similar vectors nominate (second seed: 0.92 and 0.95), and the guard may refuse. Without vectors common terms nominate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from remember.notebook.note import Note
from remember.notebook.results import Conflict, Outcome
from remember.text.guard import fuller, veto
from remember.text.terms import terms

DUPLICATE = 0.95
MERGE = 0.92
RELATED = 0.80
"""From here on an older note that says the contrary is told of, although it is not similar enough to be folded."""

SAME_TERMS = 0.80
RELATED_TERMS = 0.60
"""The same by words, where vectors cannot be compared: the share of terms that two texts have in common."""

_CONTRARY = ("negation", "number", "they say opposites", "direction", "order")
"""How the guard's reasons begin where two texts cannot both be true; others may just speak of different things."""


class Candidate(NamedTuple):
    """An older note, and the cosine of its vector with the new text's; None where they cannot be compared."""

    note: Note
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a text. `target`: the older note that says it; `content`: what that note says from now on."""

    outcome: Outcome
    conflicts: tuple[Conflict, ...] = ()
    target: Note | None = None
    similarity: float | None = None
    content: str = ""


def decide(content: str, candidates: Iterable[Candidate]) -> Decision:
    """Fold the text into the most similar note that says the same, or keep it apart from all of them."""
    ranked = sorted(candidates, key=lambda one: one.similarity or 0.0, reverse=True)
    target: Candidate | None = None
    conflicts = []
    for one in ranked:
        near = _nearness(content, one)
        if near is None:
            continue
        reason = veto(one.note.content, content)
        if reason is not None:
            if near >= MERGE or reason.startswith(_CONTRARY):
                conflicts.append(Conflict(one.note.id, one.similarity, reason))
        elif near >= MERGE and target is None:
            target = one
    if target is None:
        return Decision("created", tuple(conflicts))
    says = fuller(target.note.content, content)
    duplicate = says == target.note.content and (target.similarity is None or target.similarity >= DUPLICATE)
    return Decision("duplicate" if duplicate else "merged", tuple(conflicts), target.note, target.similarity, says)


def _nearness(content: str, candidate: Candidate) -> float | None:
    """How near two texts are, on the scale of the thresholds; None: too far for anything to follow."""
    if candidate.similarity is not None:
        return candidate.similarity if candidate.similarity >= RELATED else None
    shared = _shared_terms(content, candidate.note.content)
    if shared >= SAME_TERMS:
        return DUPLICATE
    return RELATED if shared >= RELATED_TERMS else None


def _shared_terms(one: str, other: str) -> float:
    here, there = Counter(terms(one)), Counter(terms(other))
    either = (here | there).total()
    return (here & there).total() / either if either else 0.0
