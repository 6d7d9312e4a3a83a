"""Many writers at once: each note exactly once, none lost, and no tag of any of them."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from remember.notebook.note import Note
from tests.notebook.conftest import Book, memory_of
from tests.notebook.odd_stores import YieldingStore
from tests.notebook.racer import OWN, SHARED, book_at, own_texts, shared_texts
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest

ROOT = Path(__file__).parents[2]
PROCESSES = 4


def test_many_tasks_on_one_memory(clock: MovingClock) -> None:
    """C1: 40 at once, half of them the same, on a store that lets all others go on within each request."""
    store = YieldingStore()
    books = [Book(memory_of(store, clock)) for _ in range(2)]
    texts = [f"Fact {number % 20 if number < 40 else number} of the harbour" for number in range(60)]

    async def together() -> Counter[str]:
        work = (books[at % 2].notebook.remember(text, tags=[f"t{at}"]) for at, text in enumerate(texts))
        return Counter([answer.outcome for answer in await asyncio.gather(*work)])

    assert asyncio.run(together()) == {"created": 40, "duplicate": 20}
    assert store.requests.count("commit") > len(texts)  # some came too late, and tried again
    notes = Book(memory_of(store, clock)).everything().values()
    assert sorted(note.content for note in notes) == sorted(set(texts))
    assert Counter(tag for note in notes for tag in note.tags) == Counter(f"t{at}" for at in range(60))


def test_votes_at_once_are_all_counted(clock: MovingClock) -> None:
    """30 of them on one note, beside 10 that fold a tag into it."""
    store = YieldingStore()
    book = Book(memory_of(store, clock))
    note = book.remember("Anna likes tea").note

    async def together() -> None:
        votes = (book.notebook.feedback(note.id, at % 3 > 0) for at in range(30))
        folds = (book.notebook.remember("Anna likes tea", tags=[f"t{at}"]) for at in range(10))
        await asyncio.gather(*votes, *folds)

    asyncio.run(together())
    (voted,) = book.everything().values()
    assert (voted.helpful, voted.unhelpful) == (20, 10)
    assert sorted(voted.tags) == [f"t{at}" for at in range(10)]


def test_forgetting_and_writing_at_once(clock: MovingClock) -> None:
    """What was forgotten is gone, what was written is there, whatever came first."""
    store = YieldingStore()
    book = Book(memory_of(store, clock))
    gone = [book.remember(f"Old fact {number}").note.id for number in range(15)]

    async def together() -> None:
        forget = (book.notebook.forget(note_id) for note_id in gone)
        write = (book.notebook.remember(f"New fact {number}") for number in range(15))
        await asyncio.gather(*forget, *write)

    asyncio.run(together())
    notes = Book(memory_of(store, clock)).everything().values()
    assert sorted(note.content for note in notes) == sorted(f"New fact {number}" for number in range(15))


def test_one_note_is_replaced_by_one(clock: MovingClock) -> None:
    """Two that would take the same note's place: the first does, the other is told that there is no such note."""
    store = YieldingStore()
    book = Book(memory_of(store, clock))
    old = book.remember("The meeting is on October 15th").note

    async def together() -> list[object]:
        days = (book.notebook.remember(f"The meeting is on October {day}th", supersedes=old.id) for day in (16, 17))
        return await asyncio.gather(*days, return_exceptions=True)

    answers = asyncio.run(together())
    assert Counter(type(answer).__name__ for answer in answers) == {"Remembered": 1, "InvalidInput": 1}
    assert len(book.everything()) == 1


def test_four_processes_over_rest(upstash: UpstashRest) -> None:
    """C1: 200 notes, half of them the same 25: 125 are stored, the outcomes add up, and no tag is lost."""
    answers = run_together(upstash)
    assert len(answers) == PROCESSES * (SHARED + OWN) == 200
    outcomes = Counter(outcome for outcome, _, _ in answers)
    assert outcomes == {"created": SHARED + PROCESSES * OWN, "duplicate": (PROCESSES - 1) * SHARED}

    notes = asyncio.run(everything(upstash))
    texts = [*shared_texts(), *(text for number in range(PROCESSES) for text in own_texts(str(number)))]
    assert sorted(note.content for note in notes.values()) == sorted(texts)
    assert {(note_id, text) for _, note_id, text in answers} == {(note.id, note.content) for note in notes.values()}
    seen = {f"seen by {number}" for number in range(PROCESSES)}
    assert all(set(note.tags) == seen for note in notes.values() if note.content in shared_texts())
    assert upstash.redis.admin.hlen("remember:v2:notes:user:racer:bodies") == len(texts)


def run_together(server: UpstashRest) -> list[tuple[str, str, str]]:
    program = [sys.executable, "-m", "tests.notebook.racer", server.url, server.token]
    running = [
        subprocess.Popen([*program, str(number)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for number in range(PROCESSES)
    ]
    told = [process.communicate(timeout=240)[0] for process in running]
    assert [process.returncode for process in running] == [0] * PROCESSES
    return [(outcome, note_id, text) for said in told for outcome, note_id, text in map(json.loads, said.splitlines())]


async def everything(server: UpstashRest) -> dict[str, Note]:
    """All notes, as a process finds them that has just begun."""
    book = book_at(server.url, server.token)
    notes: dict[str, Note] = {}
    cursor: str | None = None
    while True:
        page = await book.notebook.recall("*", limit=20, cursor=cursor)
        notes |= {hit.note.id: hit.note for hit in page.hits}
        cursor = page.next_cursor
        if cursor is None:
            await book.memory.store.close()
            return notes
