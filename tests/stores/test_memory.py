"""What the memory store keeps beside the entries: no more than they need."""

from __future__ import annotations

import asyncio

from remember.caller import Owner
from remember.keys import shelf_of
from remember.stores.memory import MemoryStore
from tests.standins.clock import MovingClock

SHELF = shelf_of("remember:", Owner("user", "ana"))


def test_overwriting_leaves_no_heap_of_old_ends_behind(clock: MovingClock) -> None:
    """One key, set ten thousand times with a life of its own: few ends are kept, and the last one holds."""
    store = MemoryStore(clock)
    place = SHELF.place("k")
    largest = 0

    async def story() -> None:
        nonlocal largest
        for number in range(10_000):
            await store.put(place, str(number), clock() + 3_600_000 + number)
            largest = max(largest, len(store._ends))
        clock.advance(3_600_000 + 9_998)
        assert await store.get(place.key) == "9999"
        clock.advance(1)
        assert await store.get(place.key) is None

    asyncio.run(story())
    assert largest < 200


def test_entries_still_leave_once_their_ends_were_sorted_out(clock: MovingClock) -> None:
    """Each of many keys goes with its last end, by the next write, and none before; one without an end stays."""
    store = MemoryStore(clock)
    places = [SHELF.place(f"k{number}") for number in range(50)]

    async def story() -> None:
        await store.put(SHELF.place("for good"), "text", None)
        for lap in range(1, 21):
            for number, place in enumerate(places):
                await store.put(place, "text", clock() + lap * 1_000 + number)
        clock.advance(20_000 + 24)
        await store.put(SHELF.place("after"), "text", None)
        kept = await store.page(SHELF, after=None, pattern="*", limit=100)
        assert {name for name, _ in kept.items} == {"for good", "after", *(place.name for place in places[25:])}

    asyncio.run(story())
    assert len(store._entries) == 27
