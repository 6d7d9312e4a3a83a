"""The one place that decides: what is folded, what is kept apart, and what is told of it."""

from __future__ import annotations

import pytest

from remember.notebook.deciding import DUPLICATE, MERGE, RELATED, Candidate, decide
from remember.notebook.note import Note
from remember.notebook.results import Conflict

TEA = "User likes green tea"
SAME = "The user likes green tea"
FULLER = "User likes green tea with milk and honey"
OPPOSITE = "User does not like green tea"
OTHER = "User likes green apples"


def near(content: str, similarity: float | None, number: int = 1) -> Candidate:
    return Candidate(Note(f"{number:024x}", content, "fact", None, (), 0.8, "default", 1, 1), similarity)


def test_nothing_near_is_created() -> None:
    """Without candidates, or with such that are far."""
    assert decide(TEA, []).outcome == "created"
    assert decide(TEA, [near(OTHER, RELATED - 0.01)]).conflicts == ()


@pytest.mark.promise("notes.duplicate", "notes.merged", "notes.created")
@pytest.mark.parametrize(
    ("similarity", "outcome"),
    [(1.0, "duplicate"), (DUPLICATE, "duplicate"), (0.949, "merged"), (MERGE, "merged"), (0.919, "created")],
)
def test_the_seeds_thresholds(similarity: float, outcome: str) -> None:
    """From 0.95 duplicate, from 0.92 merged, below created, for texts that say the same."""
    assert decide(SAME, [near(TEA, similarity)]).outcome == outcome


@pytest.mark.promise("notes.guard")
@pytest.mark.parametrize("similarity", [0.80, 0.93, 0.96, 0.999])
def test_a_contradiction_is_kept_however_similar(similarity: float) -> None:
    """I1: created, with the older note's id and what differs."""
    decision = decide(OPPOSITE, [near(TEA, similarity)])
    assert decision.outcome == "created"
    assert decision.conflicts == (Conflict(f"{1:024x}", similarity, "negation: only one of them is negated"),)


def test_other_things_conflict_only_where_they_are_very_similar() -> None:
    """Two notes on apples and tea are no conflict, unless a fold would have followed."""
    assert decide(OTHER, [near(TEA, 0.90)]).conflicts == ()
    (conflict,) = decide(OTHER, [near(TEA, 0.93)]).conflicts
    assert conflict.reason == "words differ: tea / apples"


def test_the_most_similar_that_says_the_same_takes_it() -> None:
    """A contradiction that is nearer stands in nobody's way, and is told of."""
    candidates = [near(SAME, 0.93, 1), near(OPPOSITE, 0.98, 2), near(TEA, 0.97, 3)]
    decision = decide(TEA, candidates)
    assert decision.target is not None
    assert (decision.outcome, decision.target.id) == ("duplicate", f"{3:024x}")
    assert [conflict.id for conflict in decision.conflicts] == [f"{2:024x}"]


def test_the_fuller_text_stays() -> None:
    """However similar: an older note that says less is merged, one that says as much or more is a duplicate."""
    short, long = "Payments are processed by Stripe", "Payments get processed by Stripe"
    grown = decide(long, [near(short, 0.97)])
    assert (grown.outcome, grown.content) == ("merged", long)
    kept = decide(short, [near(long, 0.97)])
    assert (kept.outcome, kept.content) == ("duplicate", long)


@pytest.mark.promise("notes.lexical")
def test_without_vectors_common_terms_decide() -> None:
    """The same guard; what shares few terms is not looked at."""
    assert decide(SAME, [near(TEA, None)]).outcome == "duplicate"
    opposite = decide(OPPOSITE, [near(TEA, None)])
    assert (opposite.outcome, len(opposite.conflicts)) == ("created", 1)
    assert opposite.conflicts[0].similarity is None
    assert decide("The server runs in Oslo", [near(TEA, None)]).conflicts == ()
