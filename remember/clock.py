"""The only place time is read; everything else is given a clock."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Gives the time in milliseconds since 1970, as entries store it."""


def system_clock() -> int:
    """The machine's time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
