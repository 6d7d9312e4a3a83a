"""docs/deploy.md reckons with the commands that the tools send, and with the prices that the doctor reckons with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from remember import create_fetch_handler
from remember.cli.month import COMMANDS, DOLLARS_PER_100_000, FREE_COMMANDS, MIX
from tests.standins.client import Client
from tests.standins.upstash_rest import UpstashRest

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "deploy.md").read_text()
ROWS = re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \| ([\d,]+) \| ([\d.]+) \|", PAGE, re.MULTILINE)


NOTE_COMMANDS = {"engram_recall": 5, "engram_remember": 7}
"""Of one call of each tool in a process that has just begun."""

VALUES = sum(MIX[tool] * COMMANDS[tool] for tool in MIX) / 100
NOTES = 0.5 * VALUES + 0.4 * NOTE_COMMANDS["engram_recall"] + 0.1 * NOTE_COMMANDS["engram_remember"]
TABLES = {"values": (ROWS[:3], VALUES, 0.050, 1.0), "notes": (ROWS[3:], NOTES, 0.075, 1.6)}
"""The rows, the commands of a call, and the seconds of a call and of a cold start."""

KEY = "a-key-of-my-own-0001"
QUESTION = {"query": "Where does the cat sleep?"}


def number(text: str) -> float:
    return float(text.replace(",", ""))


@pytest.mark.parametrize("table", TABLES)
def test_there_is_a_row_for_a_little_and_for_much_use(table: str) -> None:
    """100, 10,000 and 1,000,000 calls."""
    assert [number(row[0]) for row in TABLES[table][0]] == [100, 10_000, 1_000_000]


@pytest.mark.parametrize("table", TABLES)
def test_a_month_costs_what_the_page_says(table: str) -> None:
    """Commands as the tools send them, beyond what is free; seconds as the page's own assumptions make them."""
    rows, commands_a_call, seconds_a_call, seconds_a_start = TABLES[table]
    assert f"{commands_a_call:g} commands a call" in PAGE
    assert f"{seconds_a_call * 1000:g} ms a call" in PAGE
    for row in rows:
        calls, commands, dollars, seconds, on_lambda = map(number, row)
        assert commands == pytest.approx(calls * commands_a_call)
        assert dollars == pytest.approx(max(0, commands - FREE_COMMANDS) * DOLLARS_PER_100_000 / 100_000)
        starts = calls / (1_000 if calls == 1_000_000 else 20)
        assert seconds == pytest.approx(calls * seconds_a_call + starts * seconds_a_start, rel=0.25)
        assert on_lambda == 0
        assert seconds < 400_000


def test_a_call_for_notes_costs_what_the_page_says(upstash: UpstashRest) -> None:
    """The commands that Redis ran, in a process that has just begun, that knows the notes, and after another wrote."""
    environ = {"KV_REST_API_URL": upstash.url, "KV_REST_API_TOKEN": upstash.token}
    environ |= {"REMEMBER_API_KEYS": f"me={KEY}", "REMEMBER_SECRET": "a-made-up-secret-of-the-tests"}

    def process() -> Client:
        return Client(create_fetch_handler(environ=environ), KEY)

    def spent(client: Client, tool: str, arguments: dict[str, str]) -> int:
        upstash.reset()
        assert not client.call(tool, arguments).failed
        return sum(upstash.commands().values())

    def note(text: str) -> dict[str, str]:
        return {"content": text}

    ours, other = process(), process()
    for text in ("The cat sleeps on the sofa", "Interest rates rose in March"):
        ours.call("engram_remember", note(text))
    recalls = [spent(other, "engram_recall", QUESTION), spent(other, "engram_recall", QUESTION)]
    assert recalls == [NOTE_COMMANDS["engram_recall"], 4]
    assert spent(process(), "engram_remember", note("The bakery opens at six")) == NOTE_COMMANDS["engram_remember"]
    assert spent(ours, "engram_recall", QUESTION) == 6
    assert spent(ours, "engram_remember", note("A parcel came from Lyon")) == 6
    assert spent(ours, "engram_remember", note("The cat sleeps on the bed")) == 6 + 2
    for said in ("5 commands in a function", "4 where nothing changed", "6 where another", "is 7, or 6", "2 more"):
        assert said in PAGE


def test_the_free_quota_is_the_doctor_s() -> None:
    """Said in words under the table."""
    assert f"{FREE_COMMANDS:,} commands" in PAGE
    assert f"${DOLLARS_PER_100_000:.2f} for 100,000 commands" in PAGE
