"""Finds secrets in a text and takes them out.

Two layers and four readers look at a text: rules for secrets that have a shape (secret_rules.py), the rules of gitleaks
(gitleaks_rules.py), whole private keys, passwords in URLs, and values that their names give away. Every rule has a
literal that must be in the text before its expression is even compiled, and looks only where the literal stands: time
grows with the text, whatever it holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

from remember.text.gitleaks_rules import ALLOWED, ALLOWED_OF_ANY_KIND, NAMED, SHAPED, STOP_WORDS
from remember.text.late import Late
from remember.text.secret_blocks import private_blocks
from remember.text.secret_looks import MARK, entropy, is_hash, is_placeholder, is_random, is_uuid
from remember.text.secret_rules import AROUND, PREFIXED
from remember.text.secret_urls import url_passwords
from remember.text.secret_values import LITERALS, named_values, opens, opens_something
from remember.text.unmasked import unmasked

_BEFORE, _BEHIND = 128, 640  # how far around its literal a rule looks that does not begin with it
_ROUNDS = 8  # of redacting what came to stand side by side when something between was taken out


class Span(NamedTuple):
    """A secret's place in a text, and what kind it is."""

    kind: str
    start: int
    end: int


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
    spans = list(_spans(text))
    if plain := unmasked(text):
        shown, ways = plain
        spans += (Span(kind, ways[start], ways[end - 1] + 1) for kind, start, end in _spans(shown))
    return list(_outside_marks(text, _united(spans)))


def redact(text: str) -> Redacted:
    """The text with `[REDACTED]` for each secret. Doing it twice changes nothing."""
    counts: Counter[str] = Counter()
    text = _redact(text, counts)
    return Redacted(text, _found(counts))


def redact_json(value: Any, name: str = "") -> tuple[Any, tuple[Found, ...]]:
    """A JSON value without the secrets in its texts and its objects' names; `name` is what it is kept under.

    A text under a name like `password` is a secret as a whole. Of two names that become the same, the later one gets
    a number, so that no value is lost.
    """
    counts: Counter[str] = Counter()
    return _redact_json(value, name, counts), _found(counts)


def _found(counts: Counter[str]) -> tuple[Found, ...]:
    return tuple(Found(kind, count) for kind, count in sorted(counts.items()))


def _redact(text: str, counts: Counter[str]) -> str:
    for _ in range(_ROUNDS):
        spans = scan(text)
        if not spans:
            break
        parts: list[str] = []
        at = 0
        for kind, start, end in spans:
            parts += (text[at:start], MARK)
            counts[kind] += 1
            at = end
        text = "".join(parts) + text[at:]
    return text


def _redact_json(value: Any, name: str, counts: Counter[str]) -> Any:
    if isinstance(value, str):
        kind = opens_something(name) if name else None
        if kind and opens(kind, value):
            counts[kind] += 1
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


def _spans(text: str) -> Iterator[Span]:
    """Every reader's, the surest first; they may overlap."""
    lower = _lowered(text)
    for _, literal, read, rules in sorted(_openings(lower), key=_ORDER):
        yield from read(text, lower, literal, rules)


def _openings(lower: str) -> Iterator[Opening]:
    """Who has to read a text: those whose literal is in it. Three letters each tell nearly all of the others apart."""
    for letters in _TRIGRAMS.intersection(zip(lower, lower[1:], lower[2:], strict=False)):
        for opening in _OPENINGS[letters]:
            if opening[1] in lower:
                yield opening
    for opening in _SHORT:
        if opening[1] in lower:
            yield opening


def _lowered(text: str) -> str:
    # The one capital that becomes two characters: every place behind it would be another's.
    return text.replace("İ", "I").lower()


def _blocks(text: str, _lower: str, _literal: str, _rules: Any) -> Iterator[Span]:
    return (Span("private-key", *place) for place in private_blocks(text))


def _urls(text: str, _lower: str, _literal: str, _rules: Any) -> Iterator[Span]:
    return (Span("url-password", *place) for place in url_passwords(text))


def _values(text: str, lower: str, literal: str, _rules: Any) -> Iterator[Span]:
    return (Span(*found) for found in named_values(text, lower, literal))


def _prefixed(text: str, _lower: str, _literal: str, rules: tuple[tuple[str, str, str, float], ...]) -> Iterator[Span]:
    for kind, prefix, tail, least in rules:
        # The literal leads, since `re` leaps from one literal to the next; what must not stand before it comes second.
        written = re.escape(prefix)
        for found in _compiled(f"{written}(?<![A-Za-z0-9]{written})(?:{tail})").finditer(text):
            start, end = found.span(found.re.groups)
            secret = text[start:end]
            body = secret.removeprefix(prefix)
            if entropy(secret) >= least and is_random(body) and not is_placeholder(body):
                yield Span(kind, start, _word_end(text, end))


def _around(text: str, lower: str, literal: str, rules: tuple[tuple[str, int, str], ...]) -> Iterator[Span]:
    for kind, before, pattern in rules:
        for found in _windows(_compiled(pattern, re.ASCII | re.IGNORECASE), text, lower, literal, before):
            secret = found[found.re.groups]
            if is_random(secret, 3.0) and not is_placeholder(secret):
                yield Span(kind, *found.span(found.re.groups))


_HEAD = Late(r"[ \t\w.-]{0,30}[\s'\"]{0,3}(?:=>|=|>|:{1,3}=|\|\||:|\?=|,)[`'\"\s=]{0,5}([^`'\"\s;\\]{8,400})", re.ASCII)
_SECRETISH = Late(r"key|token|secret|api|auth|pass|pat|cred|pw", re.IGNORECASE)


def _named(text: str, lower: str, keyword: str, rules: tuple[tuple[str, str, float], ...]) -> Iterator[Span]:
    for at in _hits(lower, keyword):
        head = _HEAD.match(text, at)
        if head is None:
            continue
        secret = head[1]
        if (is_uuid(secret) or is_hash(secret)) and not _SECRETISH.search(text, max(0, at - 20), head.start(1)):
            continue
        for kind, pattern, least in rules:
            if _compiled(pattern).fullmatch(secret) and is_random(secret) and _counts(kind, secret, least):
                yield Span(kind, *head.span(1))
                break


def _shaped(text: str, lower: str, keyword: str, rules: tuple[tuple[str, str, float, bool], ...]) -> Iterator[Span]:
    for kind, pattern, least, anchored in rules:
        expression = _compiled(pattern)
        matches = (
            (found for at in _hits(lower, keyword) if (found := expression.match(text, at)))
            if anchored
            else _windows(expression, text, lower, keyword, _BEFORE)
        )
        for found in matches:
            group = 1 if found.re.groups else 0
            if _counts(kind, found[group] or "", least):
                yield Span(kind, *found.span(group))


def _counts(kind: str, secret: str, least: float) -> bool:
    """What gitleaks itself asks of a secret that fits a rule, and that it is no placeholder of ours."""
    return (
        entropy(secret) > least
        and not is_placeholder(secret)
        and not any(_compiled(pattern).search(secret) for pattern in (*ALLOWED.get(kind, ()), *ALLOWED_OF_ANY_KIND))
        and not any(word in secret.lower() for word in STOP_WORDS)
    )


def _hits(text: str, literal: str) -> Iterator[int]:
    at = text.find(literal)
    while at >= 0:
        yield at
        at = text.find(literal, at + len(literal))


def _windows(pattern: re.Pattern[str], text: str, lower: str, literal: str, before: int) -> Iterator[re.Match[str]]:
    """Matches around a literal. No part of the text is searched twice, and hits close together are one."""
    done, at = 0, lower.find(literal)
    while at >= 0:
        start, end = max(done, at - before), at + _BEHIND
        while (last := lower.rfind(literal, at + 1, end)) >= 0:
            at, end = last, last + _BEHIND
        yield from pattern.finditer(text, start, end)
        done, at = end, lower.find(literal, end)


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


def _word_end(text: str, end: int) -> int:
    """Where the word ends that a secret ends in: a longer kind of it is to go as a whole."""
    return _REST_OF_WORD.match(text, end).end()  # type: ignore[union-attr]  # it matches anything


_REST_OF_WORD = Late(r"[A-Za-z0-9_-]*")


@cache
def _compiled(pattern: str, flags: int = re.ASCII) -> re.Pattern[str]:
    return re.compile(pattern, flags)


Opening = tuple[int, str, Callable[[str, str, str, Any], Iterable[Span]], Any]
"""How sure, the literal in lower case, who reads where it stands, and the rules for that."""

_ORDER = itemgetter(0)


def _all_openings() -> Iterator[Opening]:
    yield 0, "-----begin ", _blocks, None
    prefixes: dict[str, list[tuple[str, str, str, float]]] = {}
    for kind, literals, tail, least in PREFIXED:
        for literal in literals:
            prefixes.setdefault(literal.lower(), []).append((kind, literal, tail, least))
    for number, (literal, rules) in enumerate(prefixes.items(), 1):
        yield number, literal, _prefixed, tuple(rules)
    for kind, literal, before, pattern in AROUND:
        yield 1000, literal, _around, ((kind, before, pattern),)
    yield 2000, "://", _urls, None
    for literal in LITERALS:
        yield 3000, literal, _values, None
    for keyword, shaped in SHAPED.items():
        yield 4000, keyword, _shaped, shaped
    for keyword, named in NAMED.items():
        yield 5000, keyword, _named, named


def _by_letters(openings: Iterable[Opening]) -> dict[tuple[str, ...], list[Opening]]:
    """The openings by the first three letters of their literals, or by all where there are fewer."""
    table: dict[tuple[str, ...], list[Opening]] = {}
    for opening in openings:
        table.setdefault(tuple(opening[1][:3]), []).append(opening)
    return table


_OPENINGS = _by_letters(_all_openings())
_TRIGRAMS = frozenset(letters for letters in _OPENINGS if len(letters) == 3)
_SHORT = tuple(opening for letters in _OPENINGS.keys() - _TRIGRAMS for opening in _OPENINGS[letters])
