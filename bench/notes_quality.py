"""How well notes are told apart, cleared of secrets, sorted and found again, on the labelled sets of the tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from bench import retrieval
from bench.report import Cell, Target
from remember.notebook.deciding import MERGE, Candidate, Decision, decide
from remember.notebook.note import Note
from remember.text.classification import classify
from remember.text.embedding import Model, load_model
from remember.text.redaction import redact, scan
from remember.text.vectors import Floats, pack, unpack
from tests.text.corpus import lookalikes, secrets
from tests.text.labelled import Pair, pairs, sentences

Measured = tuple[list[dict[str, Cell]], list[Target]]

FILLINGS = 5
"""Of each template of the redaction's corpus."""


def measure(locomo: Path | None) -> Iterator[Measured]:
    """A table each of dedupe, redaction, classification and retrieval."""
    model = load_model()
    yield _dedupe(model)
    yield _redaction()
    yield _classification()
    yield _retrieval(model, locomo)


# --- dedupe ----------------------------------------------------------------------------------------------------


def _dedupe(model: Model | None) -> Measured:
    """Each pair in both orders. A contradiction folded is a fact lost; a paraphrase that is not is kept twice."""
    rows: list[dict[str, Cell]] = []
    targets = []
    for half in ("seen", "unseen", "later", "last", "hostile"):
        for mode, cosines in _modes(pairs(half), model):
            row = _folded(half, cosines)
            rows.append({"what": f"dedupe, {half}, {mode}", **row})
            targets.append(Target(f"dedupe, {half}, {mode}: contradictions folded", row["lost"], 0))
            if mode == "minilm":
                missed = 1 - row["folded_near"] / row["near"]
                targets.append(Target(f"dedupe, {half}, {mode}: share of near paraphrases kept twice", missed, 0.1))
    return rows, targets


def _modes(labelled: Sequence[Pair], model: Model | None) -> Iterator[tuple[str, list[float | None]]]:
    """The pairs' cosines, which are what compares two notes; None by words alone."""
    yield "lexical", [None] * len(labelled)
    if model is not None:
        olds = _packed(model.embed([pair.old for pair in labelled]))
        news = _packed(model.embed([pair.new for pair in labelled]))
        yield "minilm", [float(old @ new) for old, new in zip(olds, news, strict=True)]


def _packed(vectors: Floats) -> list[Floats]:
    """As they come back from a store."""
    return [unpack(pack(vector)) for vector in vectors]


def _folded(half: str, cosines: Sequence[float | None]) -> dict[str, int | float]:
    """Counts by kind; `near`: paraphrases whose cosine nominates them. Precision is of what is folded."""
    decided = [
        (pair, cosine, _decide(pair, cosine))
        for old, cosine in zip(pairs(half), cosines, strict=True)
        for pair in (old, Pair(old.kind, old.new, old.old))
    ]
    folded = [pair.kind for pair, _, decision in decided if decision.outcome != "created"]
    near = [decision for pair, cosine, decision in decided if pair.kind == "paraphrase" and (cosine or 0) >= MERGE]
    contrary = [decision for pair, _, decision in decided if pair.kind == "contradiction"]
    right = folded.count("paraphrase")
    return {
        "contradictions": len(contrary),
        "lost": folded.count("contradiction"),
        "told": sum(bool(decision.conflicts) for decision in contrary),
        "paraphrases": sum(pair.kind == "paraphrase" for pair, _, _ in decided),
        "folded": right,
        "near": len(near),
        "folded_near": sum(decision.outcome != "created" for decision in near),
        "same_topic": sum(pair.kind == "same-topic" for pair, _, _ in decided),
        "same_topic_folded": folded.count("same-topic"),
        "precision": right / len(folded),
    }


def _decide(pair: Pair, cosine: float | None) -> Decision:
    old = Note("00" * 12, pair.old, "fact", None, (), 0.8, "default", 0, 0)
    return decide(pair.new, [Candidate(old, cosine)])


# --- redaction -------------------------------------------------------------------------------------------------


def _redaction() -> Measured:
    """Found means to the character, and nothing else gone."""
    rows: list[dict[str, Cell]] = []
    targets = []
    for half in ("tuned", "unseen", "later", "hostile"):
        cases = [case for seed in range(FILLINGS) for case in secrets(half, seed)]
        texts = [text for seed in range(FILLINGS) for text in lookalikes(half, seed)]
        found = sum([(span.start, span.end) for span in scan(case.text)] == [(case.start, case.end)] for case in cases)
        false = sum(redact(text).text != text for text in texts)
        recall, precision = found / len(cases), found / (found + false)
        rows.append(
            {
                "what": f"redaction, {half}",
                "secrets": len(cases),
                "found": found,
                "lookalikes": len(texts),
                "false": false,
                "recall": recall,
                "precision": precision,
            }
        )
        targets.append(Target(f"redaction, {half}: share of secrets missed", 1 - recall, 0.05))
        targets.append(Target(f"redaction, {half}: share of look-alikes changed", false / len(texts), 0.01))
    return rows, targets


# --- classification --------------------------------------------------------------------------------------------


def _classification() -> Measured:
    rows: list[dict[str, Cell]] = []
    targets = []
    for half in ("seen", "unseen"):
        labelled = sentences(half)
        guesses = [(sentence, *classify(sentence.text)) for sentence in labelled]
        category = sum(guess == sentence.category for sentence, guess, _ in guesses) / len(labelled)
        entity = sum((guess or "-").casefold() in sentence.entities for sentence, _, guess in guesses) / len(labelled)
        name = f"classification, {half}"
        rows.append({"what": name, "sentences": len(labelled), "category": category, "entity": entity})
        targets.append(Target(f"{name}: share of categories wrong", 1 - category, 0.15))
        targets.append(Target(f"{name}: share of entities wrong", 1 - entity, 0.25))
    return rows, targets


# --- retrieval -------------------------------------------------------------------------------------------------

Set = Literal["DevBench", "LoCoMo turns", "LoCoMo sessions"]
MISSED_AT = {"DevBench": (5, 0.0), "LoCoMo turns": (5, 0.44), "LoCoMo sessions": (10, 0.07)}
"""The share of a question's notes that may be missing among the first so many, with the model."""


def _retrieval(model: Model | None, locomo: Path | None) -> Measured:
    rows: list[dict[str, Cell]] = []
    targets = []
    for name, memories in _sets(locomo):
        for mode, judge in (("lexical", None), ("minilm", model)):
            if mode == "minilm" and model is None:
                continue
            found = retrieval.quality(memories, judge)
            called = f"retrieval, {name}, {mode}"
            rows.append(
                {
                    "what": called,
                    "questions": found.questions,
                    "frac@5": found.frac_at_5,
                    "frac@10": found.frac_at_10,
                    "mrr": found.mrr,
                }
            )
            first, most = MISSED_AT[name]
            most = 0.05 if (name, mode) == ("DevBench", "lexical") else most
            missed = 1 - (found.frac_at_5 if first == 5 else found.frac_at_10)
            targets.append(Target(f"{called}: share of notes not among the first {first}", missed, most))
            if (name, mode) == ("DevBench", "minilm"):
                targets.append(Target(f"{called}: 1 - MRR", 1 - found.mrr, 0.1))
    return rows, targets


def _sets(locomo: Path | None) -> Iterable[tuple[Set, list[retrieval.Memory]]]:
    yield "DevBench", [retrieval.devbench()]
    if locomo is not None:
        yield "LoCoMo turns", list(retrieval.locomo(locomo))
        yield "LoCoMo sessions", list(retrieval.locomo(locomo, sessions=True))
