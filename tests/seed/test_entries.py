"""The page's examples: working with entries, and codes that expire."""

from __future__ import annotations

import pytest

from remember import RememberPlugin
from tests.seed.apps import drafts, otp
from tests.seed.served import serve
from tests.standins.clock import MovingClock

SECONDS = 1000


@pytest.mark.promise(
    "usage.draft-tour", "accessor.get-entry", "accessor.update-keeps", "accessor.update-missing", "accessor.list"
)
def test_the_tour_of_an_entry(clock: MovingClock) -> None:
    """An entry expires, carries a brand and metadata, is updated in place and is listed by pattern."""
    assert serve(drafts(), clock=clock).anonymous.call("draft_tour").data == {
        "updated": True,
        "updated_missing": False,
        "value": "Thanks, fixed in 2.1.",
        "brand": "state",
        "metadata": {"ticket": "T-1"},
        "lives_seconds": 3600,
        "same_expiry": True,
        "drafts": ["draft:T-1", "draft:T-2"],
        "knows_t2": True,
        "missing": "(none)",
        "has_accessor": True,
    }


@pytest.mark.promise("usage.forget-draft", "accessor.forget")
def test_a_forgotten_draft_is_gone_for_the_next_request() -> None:
    """forget says that something was there, once; knows is False from then on."""
    caller = serve(drafts()).anonymous
    caller.call("draft_tour")
    assert caller.call("forget_draft").data == {"forgotten": True, "knows_t2": False}
    assert caller.call("forget_draft").data == {"forgotten": False, "knows_t2": False}


LEFT = {"knows": True, "listed": True, "code": "482913"}
GONE = {"knows": False, "listed": False, "code": None}


@pytest.mark.promise("usage.otp", "caveat.ttl", "accessor.knows")
def test_a_code_lives_as_long_as_its_ttl(clock: MovingClock) -> None:
    """At 300 seconds, not before, get gives the default, knows is False, and list leaves it out."""
    caller = serve(otp(), clock=clock).anonymous
    caller.call("start_otp")
    clock.advance(300 * SECONDS - 1)
    assert caller.call("check_otp").data == LEFT
    clock.advance(1)
    assert caller.call("check_otp").data == GONE


@pytest.mark.promise("usage.otp", "caveat.update-keeps-expiry")
def test_a_resent_code_keeps_the_expiry(clock: MovingClock) -> None:
    """update without ttl changes the value alone: it ends when the first one would have."""
    caller = serve(otp(), clock=clock).anonymous
    caller.call("start_otp")
    clock.advance(200 * SECONDS)
    assert caller.call("resend_otp").data == {"resent": True}
    assert caller.call("check_otp").data == {**LEFT, "code": "551204"}
    clock.advance(100 * SECONDS)
    assert caller.call("check_otp").data == GONE


@pytest.mark.promise("usage.otp", "accessor.update-never-revives")
def test_an_expired_code_cannot_be_resent(clock: MovingClock) -> None:
    """update fails once the expiry has passed, and brings nothing back."""
    caller = serve(otp(), clock=clock).anonymous
    caller.call("start_otp")
    clock.advance(300 * SECONDS)
    assert caller.call("resend_otp").data == {"resent": False}
    assert caller.call("check_otp").data == GONE


@pytest.mark.promise("options.default-ttl")
def test_a_value_without_ttl_lives_for_the_default_ttl(clock: MovingClock) -> None:
    """default_ttl=60 holds for set without ttl; a ttl of its own still counts."""
    plugins = (RememberPlugin.init(default_ttl=60),)
    served = serve(drafts(plugins), otp(plugins), clock=clock)
    served.anonymous.call("draft_tour")
    served.anonymous.call("start_otp")
    clock.advance(60 * SECONDS)
    assert served.anonymous.call("forget_draft").data == {"forgotten": False, "knows_t2": False}
    assert served.anonymous.call("check_otp").data == LEFT


@pytest.mark.promise("caveat.stays")
@pytest.mark.parametrize("plugin", [RememberPlugin.init(), RememberPlugin.init(default_ttl=0)])
def test_a_value_without_any_ttl_stays(clock: MovingClock, plugin: RememberPlugin) -> None:
    """Without ttl and default_ttl, or with default_ttl 0, a value stays until it is forgotten."""
    caller = serve(drafts((plugin,)), clock=clock).anonymous
    caller.call("draft_tour")
    clock.advance(20 * 365 * 86_400 * SECONDS)
    assert caller.call("forget_draft").data == {"forgotten": True, "knows_t2": False}
