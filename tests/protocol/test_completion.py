"""completion/complete: what an argument or a variable may become."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from mcp_types.methods import validate_client_request

from tests.protocol.authored import PRIVATE, fetch
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import BOB, rpc
from tests.standins.client import VERSION

PLAN = {"type": "ref/prompt", "name": "plan"}
MONTH = {"type": "ref/resource", "uri": "notes://{year}/{month}"}


def complete(ref: object, name: object, value: object, **more: object) -> dict[str, Any]:
    return rpc("completion/complete", {"ref": ref, "argument": {"name": name, "value": value}, **more})


def values(message: dict[str, Any]) -> list[str]:
    found: list[str] = result_of(fetch(message), "completion/complete")["completion"]["values"]
    return found


def test_the_requests_of_these_tests_are_good_ones() -> None:
    """The official models read what we send."""
    for message in (complete(PLAN, "city", "B", context={"arguments": {"country": "de"}}), complete(MONTH, "year", "")):
        validate_client_request("completion/complete", VERSION, message["params"])


@pytest.mark.parametrize(
    ("value", "found"), [("", ["de", "dk"]), ("D", ["de", "dk"]), ("dk", ["dk"]), ("x", [])], ids=repr
)
def test_choices_complete_themselves(value: str, found: list[str]) -> None:
    """Whatever the case of what was typed."""
    assert values(complete(PLAN, "country", value)) == found


def test_a_function_sees_what_is_chosen_already() -> None:
    """And nothing where nothing is."""
    assert values(complete(PLAN, "city", "B", context={"arguments": {"country": "de"}})) == ["Berlin", "Bonn", "Bremen"]
    assert values(complete(PLAN, "city", "Bo", context={"arguments": {"country": "de", "nights": "3"}})) == ["Bonn"]


@pytest.mark.parametrize("context", [None, [], {}, {"arguments": None}, {"arguments": {"country": 7}}], ids=repr)
def test_a_context_that_says_nothing_is_none(context: object) -> None:
    """The specification has it optional."""
    assert values(complete(PLAN, "city", "B7", context=context))[0] == "B7"


def test_at_most_a_hundred_are_sent() -> None:
    """With how many there are."""
    completion = result_of(fetch(complete(PLAN, "city", "")), "completion/complete")["completion"]
    assert (len(completion["values"]), completion["total"], completion["hasMore"]) == (100, 250, True)


def test_an_argument_that_nobody_completes_has_no_suggestions() -> None:
    """No error: a client asks at every letter."""
    assert values(complete(PLAN, "nights", "1")) == []
    assert values(complete({"type": "ref/resource", "uri": "failing://{how}"}, "how", "")) == []


def test_a_variable_is_completed_as_an_argument_is() -> None:
    """With the memory of whoever asks."""
    assert values(complete(MONTH, "month", "")) == ["07", "08"]
    response = fetch(complete(MONTH, "year", "20"), BOB)
    found = result_of(response, "completion/complete")["completion"]["values"]
    assert found == ["static:bob-resources/month_notes-20"]


@pytest.mark.parametrize(
    "message",
    [
        complete({"type": "ref/prompt", "name": "plna"}, "city", ""),
        complete({"type": "ref/resource", "uri": "notes://{x}"}, "x", ""),
        complete({"type": "ref/resource", "uri": "notes://2026/07"}, "year", ""),
        complete({"type": "ref/tool", "name": "plan"}, "city", ""),
        complete({"type": "ref/prompt", "uri": "plan"}, "city", ""),
        complete({"type": "ref/prompt", "name": ["plan"]}, "city", ""),
        complete({}, "city", ""),
        complete(None, "city", ""),
        complete(PLAN, "ctiy", ""),
        complete(PLAN, "city", None),
        complete(PLAN, "city", 7),
        complete(PLAN, None, ""),
        rpc("completion/complete"),
        rpc("completion/complete", {"ref": PLAN}),
        rpc("completion/complete", {"ref": PLAN, "argument": "city"}),
    ],
    ids=lambda message: str({name: value for name, value in message["params"].items() if name != "_meta"}),
)
def test_what_names_nothing_of_ours_is_refused(message: dict[str, Any]) -> None:
    """With what was wrong."""
    error_of(fetch(message), 400, -32602)


@pytest.mark.parametrize(("name", "status"), [("month", 500), ("day", 200)], ids=["raises", "gives numbers"])
def test_a_function_that_fails_says_nothing(name: str, status: int, caplog: pytest.LogCaptureFixture) -> None:
    """As a prompt that fails."""
    with caplog.at_level(logging.DEBUG):
        error = error_of(fetch(complete(PLAN, name, "")), status, -32603)
    assert PRIVATE not in caplog.text + str(error)
