"""How often a caller may ask: nothing for normal use, a charge beyond it, and an end that the process knows itself."""

from __future__ import annotations

import pytest

from remember.caller import Caller
from remember.errors import RateLimited
from remember.limits import MINUTE_MS, RateLimit
from remember.stores.base import Charge
from tests.standins.clock import START, MovingClock

ANA, BEN = Caller("ana"), Caller("ben")
ENDS = (START // MINUTE_MS + 1) * MINUTE_MS


def charges(limit: RateLimit, caller: Caller, calls: int) -> list[Charge | None]:
    return [limit.charge("remember:", caller) for _ in range(calls)]


def test_a_tenth_is_free_and_the_rest_is_counted_in_the_store(clock: MovingClock) -> None:
    """Of 300, 30 need no count there, and 270 are the most that there may be; then it ends without a request."""
    limit = RateLimit(300, clock)
    charge = Charge(f"remember:v2:rate:ana:{START // MINUTE_MS}", 270, ENDS)
    assert charges(limit, ANA, 300) == [None] * 30 + [charge] * 270
    with pytest.raises(RateLimited) as refused:
        limit.charge("remember:", ANA)
    assert refused.value.retry_after == (ENDS - START) // 1000


@pytest.mark.parametrize("per_minute", [1, 9])
def test_a_small_limit_has_nothing_free(clock: MovingClock, per_minute: int) -> None:
    """Each call is counted in the store, and as many may be as were set."""
    made = charges(RateLimit(per_minute, clock), ANA, per_minute)
    assert {charge.limit for charge in made if charge} == {per_minute}
    assert None not in made


def test_a_minute_of_the_clock_begins_anew(clock: MovingClock) -> None:
    """With nothing kept of the one before."""
    limit = RateLimit(10, clock)
    for number in range(500):
        charges(limit, Caller(f"user-{number}"), 10)
    clock.now = ENDS - 1
    with pytest.raises(RateLimited) as refused:
        limit.charge("remember:", Caller("user-7"))
    assert refused.value.retry_after == 1
    clock.now = ENDS
    assert charges(limit, ANA, 2) == [None, Charge(f"remember:v2:rate:ana:{ENDS // MINUTE_MS}", 9, ENDS + MINUTE_MS)]
    assert len(limit._counts) == 1


def test_callers_are_counted_apart_and_strangers_together(clock: MovingClock) -> None:
    """A stranger has a new name with each request, and would never be counted by it."""
    limit = RateLimit(1, clock)
    for caller in (ANA, BEN, Caller.unknown()):
        assert limit.charge("remember:", caller) is not None
    for caller in (ANA, BEN, Caller.unknown()):
        with pytest.raises(RateLimited):
            limit.charge("remember:", caller)


def test_no_user_shares_the_strangers_count(clock: MovingClock) -> None:
    """Whatever they are called; and no name reaches into another's."""
    limit = RateLimit(1, clock)
    names = ["anon", "a:b", "a%3Ab", "a", "anon%3A"]
    keys = [charge.key for name in names if (charge := limit.charge("remember:", Caller(name)))]
    stranger = limit.charge("remember:", Caller.unknown())
    assert stranger is not None
    assert len({*keys, stranger.key}) == 6
