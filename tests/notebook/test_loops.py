"""What an agent does that stores what it has just been reminded of."""

from __future__ import annotations

import pytest

from remember.stores.memory import MemoryStore
from tests.notebook.conftest import NO_MODEL, Book, memory_of
from tests.standins.clock import MovingClock


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (None, "The user lives in Rome"),
        (NO_MODEL, "The user lives in Rome"),
        (NO_MODEL, "prefers dark mode"),
        (NO_MODEL, "User deploys with Terraform"),
        (NO_MODEL, "Anna likes green tea"),
    ],
)
def test_a_feedback_loop_does_not_fill_the_store(
    store: MemoryStore, clock: MovingClock, model: str | None, text: str
) -> None:
    """I9: fifty times, the best hit with `The user` before it; two notes at most."""
    book = Book(memory_of(store, clock, model=model))
    book.remember(text)
    for _ in range(50):
        (best,) = book.found(text, limit=1)
        book.remember(f"The user {best}")
    assert len(book.everything()) <= 2


@pytest.mark.parametrize("model", [None, NO_MODEL], ids=["minilm", "lexical"])
def test_what_is_recalled_is_recognised(store: MemoryStore, clock: MovingClock, model: str | None) -> None:
    """As it was shown it is a duplicate, whatever else was folded in meanwhile."""
    book = Book(memory_of(store, clock, model=model))
    for text in ("User prefers dark mode", "The user prefers dark mode.", "Logs are deleted after 14 days"):
        book.remember(text)
    for text in book.found("dark mode logs", limit=20):
        assert book.remember(text).outcome == "duplicate"
