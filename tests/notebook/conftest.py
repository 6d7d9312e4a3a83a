"""Notebooks under test: a memory in this process, sealed for real, on a clock that tests move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from remember.caller import Caller, Owner
from remember.keys import Collection, collection_of
from remember.notebook.note import Note
from remember.notebook.notebook import Notebook
from remember.notebook.results import Forgotten, Recalled, Remembered, Status
from remember.owned import Memory
from remember.sealing import Secrets, SecretSealer
from remember.settings import Redaction, Secret
from remember.stores.base import Store
from remember.stores.memory import MemoryStore
from tests.standins.clock import MovingClock

OLD_SECRET = Secret("made-up-secret-of-last-year-0123456789")
NEW_SECRET = Secret("made-up-secret-of-this-year-0123456789")

NO_MODEL = "/nonexistent/model.onnx"
"""Weights that are not there: words alone compare."""

PREFIX = "remember:"
HOUR = 3_600_000
DAY = 24 * HOUR


class Book:
    """One caller's notebook; each method runs an event loop of its own, as a request does on a cold function."""

    def __init__(self, memory: Memory, user: str = "ana") -> None:
        self.memory = memory
        self.owner = Owner("user", user)
        self.notebook = Notebook(memory, Caller(user), "tests:book")

    def remember(self, content: str, **given: Any) -> Remembered:
        return asyncio.run(self.notebook.remember(content, **given))

    def recall(self, query: str, **given: Any) -> Recalled:
        return asyncio.run(self.notebook.recall(query, **given))

    def forget(self, *ids: str, **given: Any) -> Forgotten:
        return asyncio.run(self.notebook.forget(*ids, **given))

    def forget_matching(self, **given: Any) -> Forgotten:
        return asyncio.run(self.notebook.forget_matching(**given))

    def feedback(self, note_id: str, helpful: bool, **given: Any) -> Note | None:
        return asyncio.run(self.notebook.feedback(note_id, helpful, **given))

    def status(self, **given: Any) -> Status:
        return asyncio.run(self.notebook.status(**given))

    def found(self, query: str, **given: Any) -> list[str]:
        """What the notes say that are found, best first."""
        return [hit.note.content for hit in self.recall(query, **given).hits]

    def everything(self) -> dict[str, Note]:
        """All notes by id, page by page, as the store has them."""
        notes: dict[str, Note] = {}
        cursor: str | None = None
        while True:
            page = self.recall("*", limit=20, cursor=cursor)
            notes |= {hit.note.id: hit.note for hit in page.hits}
            cursor = page.next_cursor
            if cursor is None:
                return notes

    @property
    def collection(self) -> Collection:
        return collection_of(PREFIX, self.owner)


def memory_of(
    store: Store,
    clock: Callable[[], int],
    *,
    secrets: tuple[Secret, ...] = (NEW_SECRET,),
    redaction: Redaction = "redact",
    model: str | None = NO_MODEL,
) -> Memory:
    """A memory as one process has it, with nothing read yet; the first of the secrets seals, all of them open."""
    return Memory(
        store, SecretSealer(Secrets(secrets[0], tuple(secrets[1:]))), clock, PREFIX, redaction=redaction, model=model
    )


@pytest.fixture
def store(clock: MovingClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def book(store: MemoryStore, clock: MovingClock) -> Book:
    """Ana's notes, compared by the installed model."""
    return Book(memory_of(store, clock, model=None))


@pytest.fixture
def words(store: MemoryStore, clock: MovingClock) -> Book:
    """Ana's notes in the same store, compared by words alone."""
    return Book(memory_of(store, clock))
