"""One flight: work that runs once for all who wait, whatever becomes of one of them."""

from __future__ import annotations

import asyncio

import pytest

from remember.flight import Flight


class Work:
    """Work that waits until it is let go, then tells the how many-th run it was, or fails."""

    def __init__(self) -> None:
        self.runs = 0
        self.fails = False
        self.begun = asyncio.Event()
        self.let_go = asyncio.Event()

    async def __call__(self) -> int:
        self.runs += 1
        run = self.runs
        self.begun.set()
        await self.let_go.wait()
        if self.fails:
            raise LookupError("nothing there")
        return run


def test_all_who_wait_share_one_run() -> None:
    """Fifty at once get the same answer of one run; who comes after it landed begins another."""

    async def story() -> None:
        work = Work()
        flight = Flight(work)
        waiting = [asyncio.create_task(flight.join()) for _ in range(50)]
        await work.begun.wait()
        assert flight.under_way
        work.let_go.set()
        assert await asyncio.gather(*waiting) == [1] * 50
        assert not flight.under_way
        assert await flight.join() == 2

    asyncio.run(story())


def test_a_waiter_that_is_cancelled_does_not_stop_the_work() -> None:
    """Not even the one who began it: the others still get what they wait for."""

    async def story() -> None:
        work = Work()
        flight = Flight(work)
        first, second = (asyncio.create_task(flight.join()) for _ in range(2))
        await work.begun.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert flight.under_way
        work.let_go.set()
        assert (await second, work.runs) == (1, 1)

    asyncio.run(story())


def test_a_failure_reaches_all_and_is_not_kept() -> None:
    """Everybody who waited gets it, and the next one to come has the work done anew."""

    async def story() -> None:
        work = Work()
        work.fails = True
        flight = Flight(work)
        waiting = [asyncio.create_task(flight.join()) for _ in range(3)]
        await work.begun.wait()
        work.let_go.set()
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(end) for end in ends] == [LookupError] * 3
        assert work.runs == 1
        work.fails = False
        assert await flight.join() == 2

    asyncio.run(story())


def test_a_failure_that_nobody_waits_for_is_quiet() -> None:
    """The loop has nothing to complain of, which would put a stack into the log."""
    complaints: list[object] = []

    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        work = Work()
        work.fails = True
        flight = Flight(work)
        waiting = asyncio.create_task(flight.join())
        await work.begun.wait()
        waiting.cancel()
        await asyncio.wait([waiting])
        (flying,) = asyncio.all_tasks() - {asyncio.current_task()}
        work.let_go.set()
        await asyncio.wait([flying])

    asyncio.run(story())
    assert not complaints


def test_each_event_loop_has_its_own_flight() -> None:
    """What is under way in one loop cannot be waited for in another; one that lands does not end the other's."""
    works = [Work(), Work()]
    flight = Flight(lambda: works[0]() if works[0].runs == 0 else works[1]())

    async def join(work: Work) -> asyncio.Task[int]:
        assert not flight.under_way
        waiting = asyncio.create_task(flight.join())
        await work.begun.wait()
        assert flight.under_way
        return waiting

    async def land(work: Work, waiting: asyncio.Task[int]) -> int:
        work.let_go.set()
        return await waiting

    async def join_again(waiting: asyncio.Task[int]) -> None:
        assert flight.under_way
        again = asyncio.create_task(flight.join())
        assert await land(works[1], waiting) == await again == 1

    with asyncio.Runner() as one, asyncio.Runner() as other:
        first, second = one.run(join(works[0])), other.run(join(works[1]))
        assert one.run(land(works[0], first)) == 1
        other.run(join_again(second))
    assert [work.runs for work in works] == [1, 1]
