"""One flight: work that runs once at a time, however many wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Landed = TypeVar("Landed")


class Flight(Generic[Landed]):
    """Starts `work` where it is not under way, and waits for it where it is.

    Each event loop has its own flight, since another loop's cannot be waited for. The work goes on when one of
    those who wait is cancelled.
    """

    def __init__(self, work: Callable[[], Coroutine[Any, Any, Landed]]) -> None:
        self._work = work
        self._task: asyncio.Task[Landed] | None = None

    @property
    def under_way(self) -> bool:
        """Whether the work is being done in this event loop."""
        task = self._task
        return task is not None and not task.done() and task.get_loop() is asyncio.get_running_loop()

    async def join(self) -> Landed:
        """What the work gives; everybody who joins the same flight gets the same, its failure too."""
        if self._task is None or not self.under_way:
            self._task = asyncio.get_running_loop().create_task(self._work())
            self._task.add_done_callback(self._land)
        return await asyncio.shield(self._task)

    def _land(self, task: asyncio.Task[Landed]) -> None:
        if not task.cancelled():
            task.exception()  # looked at, so that the loop does not print one that nobody waited for
        if self._task is task:
            self._task = None
