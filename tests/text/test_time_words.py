"""Time words: what they mean at a given moment, in a time zone, and what is said of words that mean nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from remember.text.time_words import time_span

BERLIN = ZoneInfo("Europe/Berlin")
# A Wednesday, three days after summer time began there.
NOW = datetime(2026, 4, 1, 12, 30, tzinfo=BERLIN)


def milliseconds(*moment: int) -> int:
    return round(datetime(*moment, tzinfo=BERLIN).timestamp() * 1000)  # type: ignore[arg-type,misc]


def span(words: str) -> tuple[int | None, int | None]:
    return time_span(words, round(NOW.timestamp() * 1000), "Europe/Berlin")


@pytest.mark.parametrize(
    ("words", "after", "before"),
    [
        ("today", (2026, 4, 1), (2026, 4, 2)),
        ("Yesterday", (2026, 3, 31), (2026, 4, 1)),
        ("the day before yesterday", (2026, 3, 30), (2026, 3, 31)),
        ("this week", (2026, 3, 30), (2026, 4, 6)),
        ("last week", (2026, 3, 23), (2026, 3, 30)),
        ("last weekend", (2026, 3, 28), (2026, 3, 30)),
        ("this month", (2026, 4, 1), (2026, 5, 1)),
        ("last month", (2026, 3, 1), (2026, 4, 1)),
        ("last quarter", (2026, 1, 1), (2026, 4, 1)),
        ("last year", (2025, 1, 1), (2026, 1, 1)),
        ("last monday", (2026, 3, 30), (2026, 3, 31)),
        ("wednesday", (2026, 4, 1), (2026, 4, 2)),
        ("last wednesday", (2026, 3, 25), (2026, 3, 26)),
        ("last night", (2026, 3, 31, 18), (2026, 4, 1, 6)),
        ("3 days ago", (2026, 3, 29), (2026, 3, 30)),
        ("two weeks ago", (2026, 3, 18), (2026, 3, 19)),
        ("a month ago", (2026, 3, 1), (2026, 3, 2)),
        ("past 2 hours", (2026, 4, 1, 10, 30), (2026, 4, 1, 12, 30)),
        ("in the last 90 minutes", (2026, 4, 1, 11), (2026, 4, 1, 12, 30)),
        ("last 7 days", (2026, 3, 25, 12, 30), (2026, 4, 1, 12, 30)),
        ("2 hours ago", (2026, 4, 1, 10, 30), (2026, 4, 1, 12, 30)),
        ("2026-03-29", (2026, 3, 29), (2026, 3, 30)),
        ("2026-02", (2026, 2, 1), (2026, 3, 1)),
        ("2025", (2025, 1, 1), (2026, 1, 1)),
        ("2026-03-31T18:00", (2026, 3, 31, 18), (2026, 3, 31, 18, 1)),
        ("2026-03-31 18", (2026, 3, 31, 18), (2026, 3, 31, 19)),
        ("2026-03-31T16:00Z", (2026, 3, 31, 18), (2026, 3, 31, 18, 1)),
        ("2026-03-31T16:00:05+00:00", (2026, 3, 31, 18, 0, 5), (2026, 3, 31, 18, 0, 6)),
        ("march", (2026, 3, 1), (2026, 4, 1)),
        ("May", (2025, 5, 1), (2025, 6, 1)),
        ("in march 2024", (2024, 3, 1), (2024, 4, 1)),
        ("last april", (2025, 4, 1), (2025, 5, 1)),
        ("March 5th", (2026, 3, 5), (2026, 3, 6)),
        ("5 december 2024", (2024, 12, 5), (2024, 12, 6)),
        ("between march 1 and march 15", (2026, 3, 1), (2026, 3, 16)),
        ("from monday to tuesday", (2026, 3, 30), (2026, 4, 1)),
    ],
)
def test_a_span_is_read_in_the_time_zone(words: str, after: tuple[int, ...], before: tuple[int, ...]) -> None:
    """Days begin at the zone's midnight, summer time included; weeks begin on Monday."""
    assert span(words) == (milliseconds(*after), milliseconds(*before))


@pytest.mark.parametrize(
    ("words", "after", "before"),
    [
        ("since 2026-01-01", (2026, 1, 1), None),
        ("since yesterday", (2026, 3, 31), None),
        ("since 2 hours ago", (2026, 4, 1, 10, 30), None),
        ("from last monday", (2026, 3, 30), None),
        ("after 2026-01-01", (2026, 1, 2), None),
        ("before March", None, (2026, 3, 1)),
        ("until March", None, (2026, 4, 1)),
        ("before 2026-03-31T18:00", None, (2026, 3, 31, 18)),
        ("before now", None, (2026, 4, 1, 12, 30)),
        ("older than 30 days", None, (2026, 3, 2)),
        ("within 2 days", (2026, 3, 30), None),
    ],
)
def test_one_side_may_be_open(words: str, after: tuple[int, ...] | None, before: tuple[int, ...] | None) -> None:
    """`before` ends where the span begins, `until` where it ends; `since` takes it in, `after` does not."""
    assert span(words) == (after and milliseconds(*after), before and milliseconds(*before))


def test_days_follow_each_other_without_gap_or_overlap() -> None:
    """What belongs to yesterday does not belong to today."""
    assert span("yesterday")[1] == span("today")[0]


def test_the_day_that_loses_an_hour_has_23() -> None:
    """Summer time began on 29 March 2026 in Berlin."""
    after, before = span("2026-03-29")
    assert after is not None
    assert before is not None
    assert before - after == 23 * 3_600_000


def test_hours_are_exact_over_the_change_to_summer_time() -> None:
    """Two hours before 04:00 summer time are 01:00 winter time."""
    now = datetime(2026, 3, 29, 4, tzinfo=BERLIN)
    after, _ = time_span("past 2 hours", round(now.timestamp() * 1000), "Europe/Berlin")
    assert after == round(now.timestamp() * 1000) - 2 * 3_600_000


def test_a_month_back_from_its_31st_is_the_last_day_of_a_shorter_one() -> None:
    """31 March minus one month is 28 February."""
    now = round(datetime(2026, 3, 31, 12, tzinfo=UTC).timestamp() * 1000)
    assert time_span("1 month ago", now) == time_span("2026-02-28", now)


@pytest.mark.parametrize(
    "words",
    ["soon", "", "2026-02-30", "2026-13", "3 days from now", "since the beginning", "31 june", "'; DROP", "9" * 400],
)
def test_other_words_get_a_sentence_that_says_what_is_allowed(words: str) -> None:
    """The answer names what arrived, shortened, and the forms that are understood."""
    with pytest.raises(ValueError, match=r"is no time that can be filtered by\. Allowed: an ISO date") as refused:
        span(words)
    assert len(str(refused.value)) < 500


def test_a_span_that_ends_before_it_begins_is_refused() -> None:
    """It would find nothing and nobody would know why."""
    with pytest.raises(ValueError, match="ends before it begins"):
        span("between 2026-03-01 and 2026-02-01")


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd"])
def test_an_unknown_zone_gets_a_sentence(zone: str) -> None:
    """It names an example."""
    with pytest.raises(ValueError, match=r'is no IANA time zone; give one such as "Europe/Berlin"'):
        time_span("today", 0, zone)


def test_times_far_away_are_refused_rather_than_failing() -> None:
    """A count that leaves the calendar is no time to filter by."""
    with pytest.raises(ValueError, match="is no time"):
        span("999999 years ago")
