"""A time filter in words as milliseconds: ISO dates, "yesterday", "last week", "past 2 hours", "since 2026-01-01".

Days, weeks and months are those of the time zone given; a week begins on Monday. A span includes the moment it begins
with and not the one it ends with, so "yesterday" and "today" never share a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

Span = tuple[int | None, int | None]
"""(after_ms, before_ms): from this moment on, up to but without that one; None leaves the side open."""

ALLOWED = (
    'an ISO date or time ("2026-01-31", "2026-01", "2026-01-31T18:00"), "today", "yesterday", "this week", '
    '"last month", "3 days ago", "past 2 hours", "last monday", "march 2026", or "since", "before", "after", "until" '
    'or "between … and …" with one of them'
)

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple of": 2, "a couple of": 2, "few": 3,
            "a few": 3}  # fmt: skip
_UNITS = {"s": "second", "sec": "second", "m": "minute", "min": "minute", "h": "hour", "hr": "hour", "d": "day",
          "w": "week", "mo": "month", "y": "year"}  # fmt: skip
_COUNT = rf"(?P<count>\d{{1,6}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|mo|quarters?|years?|y)"
_MONTH = rf"(?P<month>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)})\.?"
_EXACT = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}

_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[t ](?P<time>\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?(?:z| ?[+-]\d\d:?\d\d)?))?)?)?$"
)
_PAST = re.compile(rf"(?:in |over |within |during )?(?:the )?(?:past|last|previous) {_COUNT} ?{_UNIT}$")
_AGO = re.compile(rf"{_COUNT} ?{_UNIT} ago$")
_NAMED = re.compile(
    r"(?:the )?(?P<which>this|current|last|previous|past) (?P<unit>minute|hour|day|week|month|quarter|year|weekend)$"
)
_WEEKDAY = re.compile(
    rf"(?:on )?(?:last |this )?(?P<weekday>{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _WEEKDAYS)})$"
)
_MONTH_YEAR = re.compile(rf"(?:in )?{_MONTH}(?:,? (?P<year>\d{{4}}))?$")
_LAST_MONTH = re.compile(rf"last {_MONTH}$")
_DAY_MONTH = re.compile(
    rf"(?:on )?(?:{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<first>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH.replace('<month>', '<after>')})(?:,? (?P<year>\d{{4}}))?$"
)
_OPEN = re.compile(r"(?P<side>since|after|from|before|until|till|up to|by|older than|newer than|within) (?P<rest>.+)$")
_BETWEEN = re.compile(
    r"(?:between|from) (?P<start>.+?) (?:and|to|until|till) (?P<end>.+)$"
    r"|(?P<one>.+?) (?:to|until|\.\.|–) (?P<other>.+)$"
)


def time_span(words: str, now_ms: int, zone: str = "UTC") -> Span:
    """The span that the words mean at `now_ms` in an IANA time zone.

    Raises:
        ValueError: the words or the zone are unknown; the message says what is allowed.
    """
    now = datetime.fromtimestamp(now_ms / 1000, _zone(zone))
    plain = " ".join(words.lower().replace("’", "'").split()).strip(" .!?")
    span = _span(plain, now)
    if span is None:
        raise ValueError(f"{words[:60]!r} is no time that can be filtered by. Allowed: {ALLOWED}.")
    after, before = (_milliseconds(moment) for moment in span)
    if after is not None and before is not None and after >= before:
        raise ValueError(f"{words[:60]!r} ends before it begins; give the earlier time first.")
    return after, before


Moments = tuple[datetime | None, datetime | None]


def _zone(name: str) -> tzinfo:
    """The zone of that name; UTC needs no time zone data, which a small image may not have."""
    if name.upper() in ("UTC", "Z", "ETC/UTC"):
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(f'{name[:60]!r} is no IANA time zone; give one such as "Europe/Berlin" or "UTC".') from None


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def _span(words: str, now: datetime) -> Moments | None:
    """The first reading that fits; an impossible date (31 February) fits none."""
    for reading in (_closed, _between, _opened):
        try:
            found = reading(words, now)
        except (ValueError, OverflowError):
            continue
        if found:
            return found
    return None


def _between(words: str, now: datetime) -> Moments | None:
    found = _BETWEEN.match(words)
    if not found:
        return None
    start = _closed(found["start"] or found["one"], now)
    end = _closed(found["end"] or found["other"], now)
    return (start[0], end[1]) if start and end else None


def _opened(words: str, now: datetime) -> Moments | None:
    """A side left open. What ends with a span includes it ("until March"), what leaves one begins behind it."""
    found = _OPEN.match(words)
    if not found:
        return None
    side, rest = found["side"], found["rest"]
    if side in ("older than", "newer than", "within"):
        ago = _ago(f"{rest.removeprefix('the ').removeprefix('last ').removeprefix('past ')} ago", now)
        return ago and ((None, ago[0]) if side == "older than" else (ago[0], None))
    span = _moment(rest, now) or _closed(rest, now)
    if span is None:
        return None
    if side in ("since", "from"):
        return span[0], None
    if side == "after":
        return span[1] or span[0], None
    return None, span[0] if side == "before" else span[1]


def _moment(words: str, now: datetime) -> Moments | None:
    """A point in time as a span of no length, where the words mean one."""
    ago = _AGO.match(words)
    if ago and _unit(ago["unit"]) in _EXACT:
        moment = _back(now, _count(ago["count"]), _unit(ago["unit"]))
        return moment, moment
    return (now, now) if words == "now" else None


def _closed(words: str, now: datetime) -> Moments | None:
    for reading in _READINGS:
        found = reading(words, now)
        if found:
            return found
    return None


def _iso(words: str, now: datetime) -> Moments | None:
    found = _ISO.match(words)
    if not found:
        return None
    if found["time"]:
        return _iso_time(
            f"{found['year']}-{found['month']}-{found['day']}T{found['time'].replace(' ', '').upper()}", now
        )
    first = date(int(found["year"]), int(found["month"] or 1), int(found["day"] or 1))
    return _days(first, "day" if found["day"] else "month" if found["month"] else "year", now)


def _iso_time(words: str, now: datetime) -> Moments:
    """A time of a day: the hour, minute or second that it names."""
    moment = datetime.fromisoformat(words)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    colons = re.sub(r"Z|[+-]\d\d:?\d\d$", "", words[11:]).count(":")
    return moment, moment + (timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1))[colons]


def _day_word(words: str, now: datetime) -> Moments | None:
    back = {"today": 0, "yesterday": 1, "the day before yesterday": 2, "day before yesterday": 2}.get(words)
    if back is not None:
        return _days(now.date() - timedelta(days=back), "day", now)
    if words in ("tonight", "last night"):
        start = now.date() - timedelta(days=words == "last night")
        return _at(start, 18, now), _at(start + timedelta(days=1), 6, now)
    return None


def _past(words: str, now: datetime) -> Moments | None:
    """The time up to now: "past 2 hours", "last 7 days"."""
    found = _PAST.match(words)
    return (_back(now, _count(found["count"]), _unit(found["unit"])), now) if found else None


def _ago(words: str, now: datetime) -> Moments | None:
    """The day that lies so far back; for hours and minutes, the time since then."""
    found = _AGO.match(words)
    if not found:
        return None
    moment = _back(now, _count(found["count"]), _unit(found["unit"]))
    if _unit(found["unit"]) in _EXACT:
        return moment, now
    return _days(moment.date(), "day", now)


def _named(words: str, now: datetime) -> Moments | None:
    found = _NAMED.match(words)
    if not found:
        return None
    unit, last = found["unit"], found["which"] in ("last", "previous", "past")
    if unit in _EXACT:
        return _back(now, 1, unit), now
    if unit == "weekend":
        saturday = now.date() - timedelta(days=now.weekday()) + timedelta(days=-2 if last else 5)
        return _at(saturday, 0, now), _at(saturday + timedelta(days=2), 0, now)
    first = _first_day(now.date(), unit)
    return _days(_first_day(first - timedelta(days=1), unit) if last else first, unit, now)


def _weekday(words: str, now: datetime) -> Moments | None:
    """The last day of that name before today; without "last", today too."""
    found = _WEEKDAY.match(words)
    if not found:
        return None
    wanted = next(at for at, name in enumerate(_WEEKDAYS) if name.startswith(found["weekday"]))
    back = (now.weekday() - wanted) % 7
    return _days(now.date() - timedelta(days=back or (7 if "last " in words else 0)), "day", now)


def _month(words: str, now: datetime) -> Moments | None:
    """A month by its name; without a year, the last one that has begun."""
    found = _LAST_MONTH.match(words) or _MONTH_YEAR.match(words)
    if not found:
        return None
    month = _month_number(found["month"])
    year = found.groupdict().get("year")
    begun = month < now.month if words.startswith("last ") else month <= now.month
    return _days(date(int(year) if year else now.year - (not begun), month, 1), "month", now)


def _day(words: str, now: datetime) -> Moments | None:
    """A day of a month; without a year, the last one that has begun."""
    found = _DAY_MONTH.match(words)
    if not found:
        return None
    month, day = _month_number(found["month"] or found["after"]), int(found["day"] or found["first"])
    if found["year"]:
        return _days(date(int(found["year"]), month, day), "day", now)
    return _days(date(now.year - ((month, day) > (now.month, now.day)), month, day), "day", now)


_READINGS: tuple[Callable[[str, datetime], Moments | None], ...] = (
    _iso,
    _day_word,
    _past,
    _ago,
    _named,
    _weekday,
    _month,
    _day,
)


def _count(words: str) -> int:
    return int(words) if words.isdigit() else _NUMBERS[words]


def _unit(words: str) -> str:
    return _UNITS.get(words) or _UNITS.get(words.removesuffix("s")) or words.removesuffix("s")


def _month_number(words: str) -> int:
    return next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(words[:3]))


def _at(day: date, hour: int, now: datetime) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=now.tzinfo)


def _days(first: date, unit: str, now: datetime) -> Moments:
    """From a day's midnight to the midnight after the unit that begins with it."""
    return _at(first, 0, now), _at(_next(first, unit), 0, now)


def _next(first: date, unit: str) -> date:
    if unit in ("day", "week"):
        return first + timedelta(days=7 if unit == "week" else 1)
    return _months_on(first, {"month": 1, "quarter": 3, "year": 12}[unit])


def _first_day(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "day":
        return day
    return day.replace(day=1, month={"month": day.month, "quarter": (day.month - 1) // 3 * 3 + 1, "year": 1}[unit])


def _months_on(day: date, months: int) -> date:
    """So many months later, or the month's last day where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for back in range(4):
        try:
            return date(year, month + 1, day.day - back)
        except ValueError:
            continue
    raise ValueError("no such month")


def _back(now: datetime, count: int, unit: str) -> datetime:
    """So long before now. Hours are exact; days and longer keep the clock's time, whatever summer time does."""
    if unit in _EXACT:
        return datetime.fromtimestamp(now.timestamp() - count * _EXACT[unit].total_seconds(), now.tzinfo)
    if unit in ("day", "week"):
        return now - timedelta(days=count * (7 if unit == "week" else 1))
    day = _months_on(now.date(), -count * {"month": 1, "quarter": 3, "year": 12}[unit])
    return datetime.combine(day, now.timetz())
