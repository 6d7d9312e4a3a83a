"""The probes of `probes.py`: our answers are those of the facts, and who answers otherwise has a reason on record."""

from __future__ import annotations

import asyncio

import pytest

from tests.protocol.probe_requests import PROBES
from tests.protocol.probes import DIFFERENCES, GUARDED, SERVERS, Answer, differences, replay, table

Answers = dict[str, dict[str, Answer]]


@pytest.fixture(scope="module")
def answers() -> Answers:
    return asyncio.run(replay())


def test_there_are_enough_of_them() -> None:
    """Ids, shapes, bytes, versions, headers, HTTP and credentials."""
    assert len(PROBES) >= 100


def test_every_difference_has_its_reason_and_every_reason_its_difference(answers: Answers) -> None:
    """A new one fails here, and one that is gone too."""
    found = differences(answers)
    assert {where: f"{ours} / {theirs}" for where, (ours, theirs) in found.items() if where not in DIFFERENCES} == {}
    assert set(DIFFERENCES) - set(found) == set()


def test_the_sdk_behind_our_gate_answers_as_we_do(answers: Answers) -> None:
    """To every one of them: which engine stands behind it is no client's business."""
    assert GUARDED == {}
    assert [name for name, by in answers.items() if by["guarded SDK"] != by["ours"]] == []


def test_no_server_fails(answers: Answers) -> None:
    """No 500 anywhere; ours refuses in JSON-RPC, or as a page that is none."""
    assert all(answer.status < 500 for by in answers.values() for answer in by.values())
    assert all(by["ours"].what != "no JSON" for by in answers.values())


def test_the_table_shows_every_probe(answers: Answers) -> None:
    """With what each server said, and why."""
    lines = table(answers).splitlines()
    assert len(lines) == len(PROBES) + 1
    assert all(server in lines[0] for server in SERVERS)
    assert any("404 -32601" in line and "a stream without an end" in line for line in lines)
