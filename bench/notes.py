"""Notes: what they cost over REST, a first one and one of many, and how well they are kept apart and found again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bench.report import Cell, Report, Target
from remember.text.embedding import one_blas_thread

SIZES = (100, 1_000, 10_000)


def measure(runs: int, sizes: Sequence[int] = SIZES, locomo: Path | None = None) -> Report:
    """All of it; quality needs no rounds, as it is the same each time."""
    one_blas_thread()
    from bench import notes_first, notes_quality, notes_size  # noqa: PLC0415  numpy comes with them, to stay with one

    rows: list[dict[str, Cell]] = []
    targets: list[Target] = []
    parts = (notes_first.measure(runs), notes_size.measure(sizes, runs), notes_quality.measure(locomo))
    for measured, judged in chain(*parts):
        rows += measured
        targets += judged
    return Report(f"Notes: median of {runs}", rows, targets)
