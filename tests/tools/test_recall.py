"""recall's cursor: one that was not given is refused, and what it says is true."""

from __future__ import annotations

import pytest

from remember.accessor import write_cursor
from tests.protocol.requests import ANA, memory_handler
from tests.standins.client import Client
from tests.standins.clock import START, MovingClock

SIZE = 50_000


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock()


@pytest.fixture
def ana(clock: MovingClock) -> Client:
    """With one value that is too long for one reply."""
    ana = Client(memory_handler(clock=clock), ANA)
    ana.call("remember_this", {"key": "k", "value": "x" * SIZE})
    return ana


def test_a_cursor_of_the_right_form_is_taken(ana: Client) -> None:
    """So that the refusals below rest on the number alone."""
    cursor = write_cursor("49000", "k", "session", START)
    assert ana.call("recall", {"key": "k", "cursor": cursor}).data["part"] == "x" * (SIZE + 1 - 49_000) + '"'


@pytest.mark.parametrize("number", ["abc", "-5", "²", "٣", "", "1_0", " 7", "+7", "1.0", str(SIZE + 2), "9" * 4_301])
def test_a_forged_number_is_refused_with_what_to_do(ana: Client, number: str) -> None:
    """The form is known and binds by nothing secret, so anything may stand in it."""
    reply = ana.call("recall", {"key": "k", "cursor": write_cursor(number, "k", "session", START)})
    assert (reply.failed, reply.code) == (True, "INVALID_INPUT")
    assert "leave it out" in reply.text


def test_a_value_that_changed_between_two_parts_is_what_the_refusal_tells(ana: Client, clock: MovingClock) -> None:
    """The cursor was good once, and the model is told since when it is not."""
    cursor = ana.call("recall", {"key": "k"}).data["next_cursor"]
    clock.advance(1)
    ana.call("remember_this", {"key": "k", "value": "y" * SIZE})
    reply = ana.call("recall", {"key": "k", "cursor": cursor})
    assert reply.code == "INVALID_INPUT"
    assert "since the value last changed" in reply.text


def test_a_cursor_of_another_list_is_told_by_scope_and_pattern(ana: Client) -> None:
    """list_memories has the same form of cursor, and its own words."""
    for number in range(3):
        ana.call("remember_this", {"key": f"k{number}", "value": 1})
    cursor = ana.call("list_memories", {"limit": 1, "pattern": "k*"}).data["next_cursor"]
    reply = ana.call("list_memories", {"limit": 1, "pattern": "*", "cursor": cursor})
    assert reply.code == "INVALID_INPUT"
    assert "for this scope and pattern" in reply.text
