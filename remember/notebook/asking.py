"""From the filters that a caller names to the ones that notes are held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remember.errors import InvalidInput
from remember.notebook.fields import check_category, check_tags, check_word
from remember.notebook.filters import Filters

if TYPE_CHECKING:
    from remember.text.time_words import Span


@dataclass(frozen=True, slots=True)
class Asked:
    """Which notes somebody asks for, in their words; what is None lets every note through."""

    category: str | Sequence[str] | None = None
    namespaces: str | Sequence[str] | None = None
    tags: Sequence[str] | None = None
    entity: str | None = None
    after: str | None = None
    before: str | None = None
    period: str | None = None
    zone: str = "UTC"

    def filters(self, now: int) -> Filters:
        """What notes are held against; `now` is milliseconds since 1970.

        Raises:
            InvalidInput: a filter that does not fit, named, with what is allowed.
        """
        names = (self.namespaces,) if isinstance(self.namespaces, str) else self.namespaces
        categories = (self.category,) if isinstance(self.category, str) else self.category
        return Filters(
            categories=None if categories is None else tuple(map(check_category, categories)),
            tags=check_tags(self.tags),
            entity=None if self.entity is None else check_word("entity", self.entity),
            namespaces=None if names is None else tuple(check_word("namespace", name) for name in names),
            span=_span(self.after, self.before, self.period, self.zone, now),
        )


def _span(after: str | None, before: str | None, period: str | None, zone: str, now: int) -> Span:
    """What the three say together: from the latest beginning up to the earliest end."""
    if zone != "UTC":
        _read("timezone", "today", zone, now)
    first = None if after is None else _begin(_read("after", after, zone, now))
    last = None if before is None else _begin(_read("before", before, zone, now))
    begin, end = (None, None) if period is None else _read("period", period, zone, now)
    begins = [moment for moment in (first, begin) if moment is not None]
    ends = [moment for moment in (last, end) if moment is not None]
    if begins and ends and max(begins) >= min(ends):
        raise InvalidInput(
            "before", "No time lies between what after and period begin with, and what before and period end with."
        )
    return max(begins, default=None), min(ends, default=None)


def _begin(span: Span) -> int | None:
    """The moment that a bound means: a day is meant by its beginning."""
    return span[1] if span[0] is None else span[0]


def _read(field: str, words: str, zone: str, now: int) -> Span:
    if not isinstance(words, str):
        raise InvalidInput(field, f"{field} must be text; got {type(words).__name__}.")
    from remember.text.time_words import time_span  # noqa: PLC0415  lazy: 20 ms, and few questions name a time

    try:
        return time_span(words, now, zone)
    except ValueError as exc:
        where = "timezone" if "time zone" in str(exc) else field
        raise InvalidInput(where, f"{where}: {exc}") from None
