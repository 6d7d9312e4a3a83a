"""The measurements run, and say something of every peer. What they measure is no test's business."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bench.report import Report, Target
from bench.store_calls import OPERATIONS

ROOT = Path(__file__).parents[2]

ROWS = {
    "cold": [
        "floor: recall",
        "ours, upstash: recall",
        "MCPServer, upstash: recall",
        "ours, sqlite: recall",
        "ours, memory: remember_this",
    ],
    "warm": [
        "floor: remember_this",
        "ours: remember_this",
        "ours, redaction off: remember_this",
        "MCPServer: remember_this",
        "floor: recall",
        "ours: recall",
        "ours, redaction off: recall",
        "MCPServer: recall",
    ],
    "store": [f"{peer}: {operation}" for operation in OPERATIONS for peer in ("ours", "upstash-redis")],
}


@cache
def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", ROWS)
def test_a_measurement_has_every_row_with_finite_figures_and_judges_its_targets(command: str) -> None:
    """One round of each command measures all peers, and says of each target whether it is met."""
    report: dict[str, Any] = json.loads(run(command, "--runs", "1", "--json"))
    assert [row["what"] for row in report["rows"]] == ROWS[command]
    figures = [value for row in report["rows"] for value in row.values() if not isinstance(value, str)]
    assert len(figures) > 2 * len(report["rows"])
    assert all(math.isfinite(figure) and figure > 0 for figure in figures)
    assert report["targets"]
    assert all(target["met"] is (target["figure"] <= target["most"]) for target in report["targets"])


def test_a_report_shows_every_row_and_says_met_or_missed() -> None:
    """The table has a line for each row, and under it a line for each target."""
    rows: list[dict[str, str | float]] = [{"what": "floor", "cpu_ms": 341.7}, {"what": "ours", "cpu_ms": 0.25}]
    text = Report("Title", rows, [Target("CPU", 1.5, 1.5), Target("RSS", 51, 50)]).to_text()
    assert [line.split() for line in text.splitlines() if line] == [
        ["Title"],
        ["what", "cpu_ms"],
        ["floor", "342"],
        ["ours", "0.250"],
        ["met", "CPU:", "1.5,", "at", "most", "1.5"],
        ["missed", "RSS:", "51,", "at", "most", "50"],
    ]


def test_no_run_at_all_is_refused() -> None:
    """A median of nothing is no figure."""
    done = subprocess.run(
        [sys.executable, "-m", "bench", "warm", "--runs", "0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "at least one run" in done.stderr


def test_the_store_keeps_its_counts() -> None:
    """Requests and billable commands are the same however busy the machine is, so they are held to their targets."""
    report: dict[str, Any] = json.loads(run("store", "--runs", "1", "--json"))
    counted = [target for target in report["targets"] if target["what"].startswith(("requests", "commands"))]
    assert len(counted) == 12
    assert [target["what"] for target in counted if not target["met"]] == []
