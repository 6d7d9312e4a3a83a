"""A clock that tests move by hand."""

from __future__ import annotations

START = 1_800_000_000_000


class MovingClock:
    """Stands still until it is told to go on."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, ms: int) -> None:
        self.now += ms
