"""How often the store is asked: what a call costs over REST."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from remember.limits import RateLimit
from tests.notebook.conftest import Book, memory_of
from tests.notebook.odd_stores import CountingStore
from tests.standins.clock import MovingClock

LOOK, READ, WRITE = "changes", "bodies", "commit"


@pytest.fixture
def counting(clock: MovingClock) -> CountingStore:
    """A store with thirty notes."""
    store = CountingStore(clock)
    book = Book(memory_of(store, clock))
    for number in range(30):
        book.remember(f"Fact {number} of the harbour")
    book.remember("The user does not like tea")
    return store


CALLS: dict[str, tuple[Callable[[Book], object], list[str]]] = {
    "recall": (lambda book: book.recall("harbour"), [LOOK, READ]),
    "recall of all": (lambda book: book.recall("*"), [LOOK, READ]),
    "recall of nothing": (lambda book: book.recall("zeppelin"), [LOOK]),
    "recall with filters": (lambda book: book.recall("harbour", namespaces="default", period="today"), [LOOK, READ]),
    "remember what is new": (lambda book: book.remember("A cat sleeps"), [LOOK, WRITE]),
    "remember what conflicts": (lambda book: book.remember("The user does like tea"), [LOOK, READ, WRITE]),
    "remember what is there": (lambda book: book.remember("The user does not like tea"), [LOOK, READ]),
    "fold tags in": (lambda book: book.remember("The user does not like tea", tags=["a"]), [LOOK, READ, WRITE]),
    "force": (lambda book: book.remember("The user does not like tea", force=True), [LOOK, WRITE]),
    "dry run": (lambda book: book.remember("A cat sleeps", dry_run=True), [LOOK]),
    "status": (lambda book: book.status(), [LOOK]),
    "forget what is not there": (lambda book: book.forget("ffffffff"), [LOOK]),
    "a vote on what is not there": (lambda book: book.feedback("ffffffff", True), [LOOK]),
}


@pytest.mark.parametrize("process", ["cold", "warm"])
@pytest.mark.parametrize(("call", "requests"), CALLS.values(), ids=CALLS)
def test_requests(
    counting: CountingStore, clock: MovingClock, process: str, call: Callable[[Book], object], requests: list[str]
) -> None:
    """The same on a process that has just begun and on one that has read before."""
    book = Book(memory_of(counting, clock))
    if process == "warm":
        book.recall("harbour")
    counting.requests.clear()
    call(book)
    assert counting.requests == requests


def test_forgetting_voting_and_replacing_are_three(counting: CountingStore, clock: MovingClock) -> None:
    """Look, read, write."""
    book = Book(memory_of(counting, clock))
    one, other, third = list(book.everything())[:3]
    counting.requests.clear()
    book.feedback(one, True)
    book.remember("A cat sleeps", supersedes=other)
    book.forget(one, third)
    assert counting.requests == [LOOK, READ, WRITE] * 3


def test_a_call_is_charged_once_with_its_first_request(clock: MovingClock) -> None:
    """However many requests it makes."""
    store = CountingStore(clock)
    nine = RateLimit(9, clock)  # so few that each of them is counted in the store
    book = Book(replace(memory_of(store, clock), rate_limit=nine))
    note = book.remember("Anna likes tea").note
    book.recall("tea")
    book.recall("*")
    book.feedback(note.id, True)
    book.forget_matching(namespaces="default")
    book.forget(note.id)
    book.status()
    assert store.charges == 7
