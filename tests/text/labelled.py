"""The labelled sets beside it. The unseen halves were written before the code; nothing was tuned on them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"


class Pair(NamedTuple):
    """Two notes, the older first, and what they are to each other: contradiction, paraphrase or same-topic."""

    kind: str
    old: str
    new: str


class Sentence(NamedTuple):
    """A note, its category, and the entities that a reader would accept ("-": none)."""

    category: str
    text: str
    entities: frozenset[str]


def pairs(half: str) -> list[Pair]:
    """One of `seen`, `unseen`, `later`, `last` and `hostile`."""
    return [Pair(*line.split("\t")) for line in (DATA / f"pairs.{half}.tsv").read_text("utf-8").splitlines()]


def sentences(half: str) -> list[Sentence]:
    """One of `seen` and `unseen`."""
    rows = [line.split("\t") for line in (DATA / f"classification.{half}.tsv").read_text("utf-8").splitlines()]
    return [Sentence(category, text, frozenset(entities.casefold().split("|"))) for category, text, entities in rows]
