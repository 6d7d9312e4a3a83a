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

NOTES = [
    *(f"first call: {tool}" for tool in ("remember_this", "engram_remember", "engram_recall")),
    *(f"{tool}, {warmth}, of 20" for tool in ("recall", "remember") for warmth in ("cold", "warm")),
    "parts of a cold recall of 20, in ms",
    *(
        f"dedupe, {half}, {mode}"
        for half in ("seen", "unseen", "later", "last", "hostile")
        for mode in ("lexical", "minilm")
    ),
    *(f"redaction, {half}" for half in ("tuned", "unseen", "later", "hostile")),
    *(f"classification, {half}" for half in ("seen", "unseen")),
    *(
        f"retrieval, {name}, {mode}"
        for name in ("DevBench", "LoCoMo turns", "LoCoMo sessions")
        for mode in ("lexical", "minilm")
    ),
]

TALK = {
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "The kiln broke on Monday."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "My sister plays the cello in Lyon."},
        ],
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "We adopted two greyhounds."}],
    },
    "qa": [
        {"question": "Who plays the cello?", "evidence": ["D1:2"]},
        {"question": "Who adopted greyhounds?", "evidence": ["D2:1"]},
    ],
}
"""A conversation in the form of LoCoMo's."""


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


def test_the_notes_are_measured_and_what_never_varies_is_held(tmp_path: Path) -> None:
    """Costs, dedupe, redaction, classification and retrieval; requests and quality are no machine's business."""
    talks = tmp_path / "locomo.json"
    talks.write_text(json.dumps([TALK]))
    arguments = ("--runs", "1", "--sizes", "20", "--locomo", str(talks), "--json")
    report: dict[str, Any] = json.loads(run("notes", *arguments))
    assert [row["what"] for row in report["rows"]] == NOTES
    assert all(math.isfinite(value) for row in report["rows"] for value in row.values() if not isinstance(value, str))
    assert [row["numpy"] for row in report["rows"] if "numpy" in row] == ["not loaded", "loaded", "loaded"]
    costs = ("CPU", "RSS", "bytes")
    assert [one for one in report["targets"] if not one["met"] and not any(cost in one["what"] for cost in costs)] == []


def test_rows_of_other_columns_make_a_table_of_their_own() -> None:
    """Under one title, each with its own heading."""
    rows: list[dict[str, str | float]] = [
        {"what": "a", "cpu_ms": 1.5},
        {"what": "b", "bytes": 7},
        {"what": "c", "bytes": 8},
    ]
    lines = Report("Title", rows, []).to_text().splitlines()
    assert [line.split() for line in lines] == [
        ["Title"], [], ["what", "cpu_ms"], ["a", "1.500"], [], ["what", "bytes"], ["b", "7"], ["c", "8"], [],
    ]  # fmt: skip


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
