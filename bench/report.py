"""What a measurement prints: a table of rows, and under it each target with its figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

Cell = str | float


@dataclass(frozen=True, slots=True)
class Target:
    """A figure and the most that it may be."""

    what: str
    figure: float
    most: float

    @property
    def met(self) -> bool:
        return self.figure <= self.most

    def to_text(self) -> str:
        return f"{'met' if self.met else 'missed':7} {self.what}: {self.figure:.3g}, at most {self.most:g}"


@dataclass(frozen=True, slots=True)
class Report:
    """One measurement. Rows one after the other that have the same columns are shown as one table."""

    title: str
    rows: Sequence[dict[str, Cell]]
    targets: Sequence[Target]

    def to_text(self) -> str:
        tables = [list(rows) for _, rows in groupby(self.rows, key=tuple)]
        parts = [*map(_table, tables), "\n".join(target.to_text() for target in self.targets)]
        return "\n\n".join([self.title, *parts])

    def to_json(self) -> str:
        targets = [{**asdict(target), "met": target.met} for target in self.targets]
        return json.dumps({"title": self.title, "rows": list(self.rows), "targets": targets}, indent=2)


def _table(rows: Sequence[dict[str, Cell]]) -> str:
    columns = list(rows[0])
    table = [columns, *([_cell(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[at]) for line in table) for at in range(len(columns))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in table)


def _cell(value: Cell) -> str:
    if isinstance(value, str | int):  # a text, or a count
        return str(value)
    return f"{value:.3f}" if value < 10 else f"{value:.0f}"
