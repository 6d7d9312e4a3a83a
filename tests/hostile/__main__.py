"""`python -m tests.hostile --requests 20000 --seed 1`: hostile requests, and what they were answered with."""

# ruff: noqa: T201  it is a command, and speaks to a person

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from typing import Any

from tests.hostile.attack import Kind, attack
from tests.hostile.judging import Tally

ROUND = 1_000
"""Requests to one planted server; the next round has a new one, and the next seed."""

GROWTH_MB = 64
"""What a run may take more than its first rounds did."""

WARM_ROUNDS = 4
"""Two on each store, one of them with the notes' model."""

KINDS: tuple[Kind, ...] = ("memory", "sqlite")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="how many at least (20000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first round; the others count on from it (1)")
    given = parser.parse_args()
    total, began, first = Tally(), time.monotonic(), 0.0
    for done, number in enumerate(range(given.seed, given.seed + -(-given.requests // ROUND)), 1):
        tally = attack(KINDS[number % 2], ROUND, number, model=number % 4 == 0)
        total.add(tally)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        first = peak if done <= WARM_ROUNDS else first
        print(f"seed {number}: {_told(tally)}, {peak:.0f} MB", flush=True)
        assert peak - first < GROWTH_MB, f"memory grew by {peak - first:.0f} MB"
    print(f"all in {time.monotonic() - began:.0f} s: {_told(total)}")
    print("status: " + _counted(total.statuses))
    print("code: " + _counted(total.codes))


def _told(tally: Tally) -> str:
    return f"{tally.statuses.total()} requests, slowest {tally.slowest * 1000:.0f} ms of CPU"


def _counted(counts: Counter[Any]) -> str:
    return ", ".join(f"{name} × {count}" for name, count in counts.most_common())


if __name__ == "__main__":
    main()
