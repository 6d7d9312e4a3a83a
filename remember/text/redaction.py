"""Finds secrets in a text and takes them out.

Who looks for them is in secret_readers.py; here is what becomes of what they find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple

from remember.text.secret_looks import MARK
from remember.text.secret_readers import Span, spans_of
from remember.text.secret_values import opens, opens_something
from remember.text.unmasked import unmasked

_SHORTEST = 6  # characters: no name of a secret and its value together have fewer
_ROUNDS = 8  # of redacting what came to stand side by side when something between was taken out


@dataclass(frozen=True, slots=True)
class Found:
    """How many secrets of a kind there were; all that may be said about them."""

    kind: str
    count: int


class Redacted(NamedTuple):
    """A text without its secrets."""

    text: str
    found: tuple[Found, ...]


def scan(text: str) -> list[Span]:
    """The secrets in `text`, from left to right, none touching another; also those written in look-alike letters."""
    if len(text) < _SHORTEST:
        return []
    spans = spans_of(text)
    if plain := unmasked(text):
        shown, ways = plain
        spans += (Span(kind, ways[start], ways[end - 1] + 1) for kind, start, end in spans_of(shown))
    return list(_outside_marks(text, _united(spans))) if spans else spans


def redact(text: str) -> Redacted:
    """The text with `[REDACTED]` for each secret. Doing it twice changes nothing."""
    counts: dict[str, int] = {}
    text = _redact(text, counts)
    return Redacted(text, _found(counts))


def redact_json(value: Any, name: str = "") -> tuple[Any, tuple[Found, ...]]:
    """A JSON value without the secrets in its texts and its objects' names; `name` is what it is kept under.

    A text under a name like `password` is a secret as a whole. Of two names that become the same, the later one gets
    a number, so that no value is lost.
    """
    counts: dict[str, int] = {}
    return _redact_json(value, name, counts), _found(counts)


def _found(counts: dict[str, int]) -> tuple[Found, ...]:
    return tuple(starmap(Found, sorted(counts.items())))


def _redact(text: str, counts: dict[str, int]) -> str:
    for _ in range(_ROUNDS):
        spans = scan(text)
        if not spans:
            break
        parts: list[str] = []
        at = 0
        for kind, start, end in spans:
            parts += (text[at:start], MARK)
            counts[kind] = counts.get(kind, 0) + 1
            at = end
        text = "".join(parts) + text[at:]
    return text


def _redact_json(value: Any, name: str, counts: dict[str, int]) -> Any:
    if isinstance(value, str):
        kind = opens_something(name) if name else None
        if kind and opens(kind, value):
            counts[kind] = counts.get(kind, 0) + 1
            return MARK
        return _redact(value, counts)
    if isinstance(value, list):
        return [_redact_json(inner, name, counts) for inner in value]
    if isinstance(value, dict):
        result: dict[str, Any] = {}
        for key, inner in value.items():
            clean = _redact(key, counts)
            result[_unused(clean, value if clean != key else {}, result)] = _redact_json(inner, key, counts)
        return result
    return value


def _unused(name: str, *taken: dict[str, Any]) -> str:
    number, free = 1, name
    while any(free in names for names in taken):
        number += 1
        free = f"{name} ({number})"
    return free


def _united(spans: list[Span]) -> Iterator[Span]:
    """The spans from left to right; those that overlap become one, of the kind of whoever was surest."""
    rank = {id(span): number for number, span in enumerate(spans)}
    last: Span | None = None
    best = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if last is None or span.start >= last.end:
            if last:
                yield last
            last, best = span, rank[id(span)]
        else:
            kind = span.kind if rank[id(span)] < best else last.kind
            best = min(best, rank[id(span)])
            last = Span(kind, last.start, max(last.end, span.end))
    if last:
        yield last


def _outside_marks(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The parts of each span that are not redacted yet."""
    for kind, start, end in spans:
        at = start
        while (mark := text.find(MARK, at, end)) >= 0:
            if mark > at:
                yield Span(kind, at, mark)
            at = mark + len(MARK)
        if end > at:
            yield Span(kind, at, end)
