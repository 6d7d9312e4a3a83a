"""The one model that this process compares notes by, loaded beside the first request of the first call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from remember.notebook.note import Note
from remember.notebook.results import Mode
from remember.text.embedding import Model, ModelRoom

if TYPE_CHECKING:
    from remember.text.vectors import Embedded

MOST_FILLED = 8
"""Notes without a vector of this model that one call gives one to: each costs about 20 ms."""


class Meaning:
    """Vectors for one notebook's texts; without a model there are none, and notes are compared by their words."""

    def __init__(self, path: str | None) -> None:
        self._room = _room(path)
        self._room.start()

    async def model(self) -> Model | None:
        """The model, once it is loaded; None without one."""
        return await self._room.get()

    async def mode(self) -> Mode:
        """What notes are compared by."""
        return "lexical" if await self.model() is None else "minilm"

    @property
    def reason(self) -> str | None:
        """Why there is no model, once that is known."""
        return self._room.reason

    async def embedded(self, text: str) -> Embedded | None:
        """A text's vector."""
        model = await self.model()
        if model is None:
            return None
        from remember.text.vectors import Embedded  # noqa: PLC0415  lazy: it needs numpy, which the model brings

        vectors = await asyncio.to_thread(model.embed, [text])
        return Embedded(model.id, vectors[0])

    async def with_vectors(self, notes: Iterable[Note]) -> list[Note]:
        """Those of the notes that have no vector of this model, given one; the first few of them."""
        model = await self.model()
        if model is None:
            return []
        without = [note for note in notes if note.model != model.id][:MOST_FILLED]
        if not without:
            return []
        from remember.text.vectors import pack  # noqa: PLC0415  lazy: as above

        vectors = await asyncio.to_thread(model.embed, [note.content for note in without])
        return [
            replace(note, model=model.id, vector=pack(vector)) for note, vector in zip(without, vectors, strict=True)
        ]


@lru_cache(maxsize=4)
def _room(path: str | None) -> ModelRoom:
    return ModelRoom(path)
