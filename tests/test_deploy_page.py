"""docs/deploy.md reckons with the commands and prices that the doctor reckons with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from remember.cli.month import COMMANDS, DOLLARS_PER_100_000, FREE_COMMANDS, MIX

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "deploy.md").read_text()
ROWS = re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \| ([\d,]+) \| ([\d.]+) \|", PAGE, re.MULTILINE)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_there_is_a_row_for_a_little_and_for_much_use() -> None:
    """100, 10,000 and 1,000,000 calls."""
    assert [number(row[0]) for row in ROWS] == [100, 10_000, 1_000_000]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_month_costs_what_the_page_says(row: tuple[str, ...]) -> None:
    """Commands as the tools send them, beyond what is free; seconds as the page's own assumptions make them."""
    calls, commands, dollars, seconds, on_lambda = map(number, row)
    assert commands == calls * sum(MIX[tool] * COMMANDS[tool] for tool in MIX) / 100
    assert dollars == max(0, commands - FREE_COMMANDS) * DOLLARS_PER_100_000 / 100_000
    cold = calls / (1_000 if calls == 1_000_000 else 20)
    assert seconds == pytest.approx(calls * 0.050 + cold * 1.0, rel=0.5)
    assert on_lambda == 0
    assert seconds < 400_000


def test_the_free_quota_is_the_doctor_s() -> None:
    """Said in words under the table."""
    assert f"{FREE_COMMANDS:,} commands" in PAGE
    assert f"${DOLLARS_PER_100_000:.2f} for 100,000 commands" in PAGE
