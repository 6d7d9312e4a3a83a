"""What a month of use costs at a store that bills each command."""

from __future__ import annotations

from typing import NamedTuple

FREE_COMMANDS = 500_000  # a month, at Upstash
DOLLARS_PER_100_000 = 0.20  # beyond them
CALLS = (1_000, 10_000, 100_000, 1_000_000)

COMMANDS = {"recall": 1, "remember_this": 2, "forget": 2, "list_memories": 3}
"""Billed for one call of each tool; one request each. tests/cli/test_month.py measures them."""

MIX = {"recall": 60, "remember_this": 25, "forget": 5, "list_memories": 10}
"""Of 100 calls; an assumption."""


class Month(NamedTuple):
    """So many calls in a month: their commands, their share of the free ones in percent, dollars beyond those."""

    calls: int
    commands: int
    free_percent: float
    dollars: float


def months() -> tuple[Month, ...]:
    """A row for each of `CALLS`."""
    return tuple(_month(calls) for calls in CALLS)


def _month(calls: int) -> Month:
    commands = calls * sum(MIX[tool] * COMMANDS[tool] for tool in MIX) // 100
    beyond = max(0, commands - FREE_COMMANDS)
    return Month(
        calls, commands, round(100 * commands / FREE_COMMANDS, 1), round(beyond * DOLLARS_PER_100_000 / 100_000, 2)
    )
