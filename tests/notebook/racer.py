"""One of several processes that write down the same things: `python -m tests.notebook.racer <url> <token> <number>`.

Prints each answer as a line of JSON: outcome, id, and the text that was to be remembered.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Iterator

from remember.clock import system_clock
from remember.notebook.results import Remembered
from remember.settings import Secret
from remember.stores.upstash import UpstashStore
from tests.notebook.conftest import Book, memory_of

SHARED = 25
OWN = 25
PEOPLE = ["Anna", "Ben", "Chloé", "Dmitri", "Eda"]
PLACES = ["cellar", "attic", "garage", "kitchen", "garden shed"]


def shared_texts() -> list[str]:
    """What every process writes down, each a statement of its own."""
    return [f"{person} keeps the spare key in the {place}" for person in PEOPLE for place in PLACES]


def own_texts(number: str) -> list[str]:
    """What one process alone writes down."""
    return [f"Parcel {step} of depot {number} went to {PEOPLE[step % 5]}" for step in range(OWN)]


def plan(number: str) -> Iterator[str]:
    """Both in an order of its own, the same every time."""
    texts = [*shared_texts(), *own_texts(number)]
    random.Random(number).shuffle(texts)  # noqa: S311  not to be secret
    yield from texts


def book_at(url: str, token: str) -> Book:
    store = UpstashStore(url, Secret(token), clock=system_clock, deadline=30.0)
    return Book(memory_of(store, system_clock, model=None), "racer")


async def race(book: Book, number: str) -> list[Remembered]:
    answers = [await book.notebook.remember(text, tags=[f"seen by {number}"]) for text in plan(number)]
    await book.memory.store.close()
    return answers


if __name__ == "__main__":
    url, token, number = sys.argv[1:]
    for text, answer in zip(plan(number), asyncio.run(race(book_at(url, token), number)), strict=True):
        print(json.dumps([answer.outcome, answer.note.id, text]))  # noqa: T201  its answer
