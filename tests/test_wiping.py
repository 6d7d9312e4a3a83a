"""Everything that one owner has: counted with a mark, and deleted as it was counted."""

from __future__ import annotations

import asyncio

import pytest

from remember.accessor import Remember
from remember.caller import Caller, owner_of
from remember.errors import RememberConflict
from remember.notebook.notebook import Notebook
from remember.owned import Memory
from remember.sealing import PlainSealer
from remember.stores.memory import MemoryStore
from remember.wiping import Contents, Wiping
from tests.standins.clock import MovingClock

ANA = Caller("ana")


@pytest.fixture
def memory(clock: MovingClock) -> Memory:
    """Without a seal and without a model: what lies there is what was written."""
    return Memory(MemoryStore(clock), PlainSealer(), clock, "remember:", model="/there/is/no/such/file")


@pytest.fixture
def remember(memory: Memory) -> Remember:
    return Remember(memory, ANA, "tests:tool")


@pytest.fixture
def notebook(memory: Memory) -> Notebook:
    return Notebook(memory, ANA, "tests:tool")


def wiping(memory: Memory, *, notes: bool = True) -> Wiping:
    return Wiping(memory, owner_of(ANA, "user", ""), notes=notes)


def look(memory: Memory, *, notes: bool = True) -> Contents:
    return asyncio.run(wiping(memory, notes=notes).look(charge=None))


def test_the_mark_is_the_same_as_long_as_nothing_changes(
    memory: Memory, remember: Remember, notebook: Notebook
) -> None:
    """Another one for another value under the same key, for the same value under another, for a note."""
    marks = [look(memory).mark]
    for key, value in (("a", 1), ("a", 2), ("b", 2)):
        asyncio.run(remember.set(key, value, scope="user"))
        marks += [look(memory).mark]
    asyncio.run(notebook.remember("Tea is at five"))
    marks += [look(memory).mark]
    assert len(set(marks)) == len(marks)
    assert look(memory).mark == marks[-1]


def test_a_note_that_comes_between_stops_everything(memory: Memory, remember: Remember, notebook: Notebook) -> None:
    """Nothing is deleted, not even the values."""
    asyncio.run(remember.set("a", 1, scope="user"))
    asyncio.run(notebook.remember("Tea is at five"))
    seen = look(memory)
    asyncio.run(notebook.remember("Milk comes on Monday"))
    with pytest.raises(RememberConflict, match="nothing was deleted"):
        asyncio.run(wiping(memory).wipe(seen))
    assert (look(memory).values, look(memory).notes) == (1, 2)


def test_without_notes_they_stay(memory: Memory, remember: Remember, notebook: Notebook) -> None:
    """And are not counted."""
    asyncio.run(remember.set("a", 1, scope="user"))
    asyncio.run(notebook.remember("Tea is at five"))
    seen = look(memory, notes=False)
    assert (seen.values, seen.notes, seen.empty) == (1, 0, False)
    asyncio.run(wiping(memory, notes=False).wipe(seen))
    assert (look(memory).values, look(memory).notes) == (0, 1)


def test_what_has_expired_is_not_there(memory: Memory, remember: Remember, clock: MovingClock) -> None:
    """It is neither counted nor worth a question."""
    asyncio.run(remember.set("a", 1, scope="user", ttl=1))
    clock.advance(1_001)
    assert look(memory).empty
