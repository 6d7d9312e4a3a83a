"""Made-up notes in any number, the same on every run. Each has a vector much as a model would give it.

To embed 10,000 texts takes minutes, so only the sentences they begin with are: of notes that begin alike each has that
vector, moved a little its own way.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import numpy as np

from remember.notebook.note import Note
from remember.notebook.owned_notes import OwnedNotes
from remember.text.classification import classify
from remember.text.embedding import Model
from remember.text.vectors import Embedded, Floats, pack
from tests.text.labelled import pairs, sentences

BEGINNINGS = 200
"""So of 10,000 notes 50 begin alike."""

BATCH = 1_000
"""Notes in one commit: Upstash takes no request above 10 MB."""

_PEOPLE = ("Ana", "Ben", "Chidi", "Dora", "Emeka", "Farah", "Goro", "Hana", "Ivan", "Jun", "Kofi", "Lena", "Mina")
_PROJECTS = ("billing", "search", "onboarding", "the mobile app", "the data warehouse", "the design system", "hiring")
_FIRST_DAY = date(2024, 1, 1)
_NOON = 1_700_000_000_000
_MINUTE = 60_000
_MOVED = 0.6


class Made:
    """The notes by their numbers."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._vectors: dict[int, Floats] = {}

    def note(self, owned: OwnedNotes, number: int) -> Note:
        """A whole note of this owner."""
        content = self.text(number)
        category, entity = classify(content)
        return Note(
            id=owned.new_id("default", content),
            content=content,
            category=category,
            entity=entity,
            tags=("made-up", f"week-{number % 52}"),
            confidence=0.8,
            namespace="default",
            created_at=_NOON + number * _MINUTE,
            updated_at=_NOON + number * _MINUTE,
            model=self._model.id,
            vector=pack(self.vector(number).vector),
        )

    def text(self, number: int) -> str:
        """About 20 words."""
        said = _FIRST_DAY + timedelta(number % 700)
        return (
            f"{_beginnings()[number % BEGINNINGS]}; {_PEOPLE[number % 13]} said so about {_PROJECTS[number % 7]} on "
            f"{said:%d %B %Y}, item {number} of the minutes."
        )

    def question(self, number: int) -> str:
        """What a note with this number answers."""
        return f"What did {_PEOPLE[number % 13]} say: {_beginnings()[number % BEGINNINGS]}?"

    def vector(self, number: int) -> Embedded:
        """Of the note and of the question with this number."""
        beginning = number % BEGINNINGS
        if beginning not in self._vectors:
            self._vectors[beginning] = self._model.embed([_beginnings()[beginning]])[0]
        return Embedded(self._model.id, _moved(self._vectors[beginning], number))


async def fill(owned: OwnedNotes, made: Made, count: int) -> None:
    """Keep the first so many notes, in large commits."""
    index = await owned.index()
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        commit = await owned.commit(index, [made.note(owned, number) for number in numbers])
        if not commit.done:
            raise RuntimeError("somebody else writes to the store of the bench")
        index = commit.index


@cache
def _beginnings() -> list[str]:
    said = [one.text for half in ("seen", "unseen") for one in sentences(half)]
    said += [pair.old for half in ("seen", "unseen") for pair in pairs(half)]
    return list(dict.fromkeys(text.rstrip(".") for text in said))[:BEGINNINGS]


def _moved(vector: Floats, number: int) -> Floats:
    way = np.random.default_rng(number).standard_normal(vector.size, dtype=np.float32)
    moved = vector + _MOVED * way / np.linalg.norm(way)
    return np.asarray(moved / np.linalg.norm(moved), np.float32)
