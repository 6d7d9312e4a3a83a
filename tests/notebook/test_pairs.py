"""The labelled pairs end to end: remembered one after the other, with the model, each pair in its own namespace."""

from __future__ import annotations

import asyncio

import pytest

from remember.notebook.deciding import MERGE
from remember.notebook.meaning import Meaning
from remember.notebook.results import Remembered
from tests.notebook.conftest import Book
from tests.text.labelled import Pair, pairs

HALVES = ["seen", "unseen", "later", "last", "hostile"]


def remembered(book: Book, wanted: list[Pair]) -> list[tuple[Pair, Remembered]]:
    """The answer to each pair's newer text."""

    async def story() -> list[tuple[Pair, Remembered]]:
        answers = []
        for number, pair in enumerate(wanted):
            await book.notebook.remember(pair.old, namespace=f"pair {number}")
            answers.append((pair, await book.notebook.remember(pair.new, namespace=f"pair {number}")))
        return answers

    return asyncio.run(story())


@pytest.mark.promise("notes.guard")
@pytest.mark.parametrize("half", HALVES)
def test_no_contradiction_is_lost(book: Book, half: str) -> None:
    """I1: none is merged or dropped, both texts are in the store, and what is very similar is told of."""
    wanted = [pair for pair in pairs(half) if pair.kind == "contradiction"]
    answers = remembered(book, wanted)
    assert [pair for pair, answer in answers if answer.outcome != "created"] == []
    near = [
        (pair, answer) for pair, answer in answers if any((one.similarity or 0) >= MERGE for one in answer.conflicts)
    ]
    assert len(near) >= len(wanted) / 4
    assert all(conflict.reason for _, answer in near for conflict in answer.conflicts)
    kept = sorted(note.content for note in book.everything().values())
    assert kept == sorted(text for pair in wanted for text in (pair.old, pair.new))


@pytest.mark.promise("notes.merged")
def test_near_identical_paraphrases_are_folded(book: Book) -> None:
    """At least nine in ten of those from a cosine of 0.92 on."""
    paraphrases = [pair for half in HALVES for pair in pairs(half) if pair.kind == "paraphrase"]
    near = asyncio.run(near_ones(paraphrases))
    assert len(near) >= 60
    answers = remembered(book, near)
    folded = [pair for pair, answer in answers if answer.outcome != "created"]
    assert len(folded) / len(near) >= 0.9
    assert all(answer.existing is not None for _, answer in answers if answer.outcome != "created")


async def near_ones(wanted: list[Pair]) -> list[Pair]:
    """Those whose vectors are so near that the seed's thresholds would fold them."""
    model = await Meaning(None).model()
    assert model is not None
    old, new = model.embed([pair.old for pair in wanted]), model.embed([pair.new for pair in wanted])
    return [pair for pair, cosine in zip(wanted, (old * new).sum(axis=1), strict=True) if cosine >= MERGE]


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_two_facts_about_one_thing_stay_two(book: Book, half: str) -> None:
    """Folding them would lose one."""
    answers = remembered(book, [pair for pair in pairs(half) if pair.kind == "same-topic"])
    assert [pair for pair, answer in answers if answer.outcome != "created"] == []
