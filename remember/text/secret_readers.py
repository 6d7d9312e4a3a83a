"""Who looks for secrets in a text, and where.

Two layers and four readers look at a text: rules for secrets that have a shape (secret_rules.py), the rules of gitleaks
(gitleaks_rules.py), whole private keys, passwords in URLs, and values that their names give away. Every rule has a
literal that must be in the text before its expression is even compiled, and looks only where the literal stands: time
grows with the text, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from remember.text.gitleaks_rules import ALLOWED, ALLOWED_OF_ANY_KIND, NAMED, SHAPED, STOP_WORDS
from remember.text.late import Late
from remember.text.secret_blocks import private_blocks
from remember.text.secret_looks import entropy, is_hash, is_placeholder, is_random, is_uuid
from remember.text.secret_rules import AROUND, PREFIXED
from remember.text.secret_urls import url_passwords
from remember.text.secret_values import LITERALS, named_values

_BEFORE, _BEHIND = 128, 640  # how far around its literal a rule looks that does not begin with it


class Span(NamedTuple):
    """A secret's place in a text, and what kind it is."""

    kind: str
    start: int
    end: int


def spans_of(text: str) -> list[Span]:
    """Every reader's, the surest first; they may overlap."""
    lower = _lowered(text)
    openings = sorted(_openings(lower))
    return [span for _, literal, read, rules in openings for span in read(text, lower, literal, rules)]


def _openings(lower: str) -> list[Opening]:
    """Who has to read a text: those whose literal is in it.

    Few rules find a secret in short words, and the literals of those begin with a hint. Where a word is long, three
    letters each tell nearly all literals apart.
    """
    if _has_long_word(lower):
        found = _TRIGRAMS.intersection(zip(lower, lower[1:], lower[2:], strict=False))
        lists = [_SHORT, *(_BY_LETTERS[letters] for letters in found)]
    else:
        lists = [_BY_HINT[hint] for hint in _HINTS if hint in lower]
    return [opening for openings in lists for opening in openings if opening[1] in lower]


def _has_long_word(lower: str) -> bool:
    """Whether a word is as long as a secret; a time is none, nor a row of dots as between a title and its page."""
    return len(max(lower.replace("..", " ").replace(":", " ").split(), key=len, default="")) >= _LONG


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


def _word_end(text: str, end: int) -> int:
    """Where the word ends that a secret ends in: a longer kind of it is to go as a whole."""
    return _REST_OF_WORD.match(text, end).end()  # type: ignore[union-attr]  # it matches anything


_REST_OF_WORD = Late(r"[A-Za-z0-9_-]*")


@cache
def _compiled(pattern: str, flags: int = re.ASCII) -> re.Pattern[str]:
    return re.compile(pattern, flags)


Reader = Callable[[str, str, str, Any], Iterable[Span]]
"""Of a text, the same in lower case, a literal that is in it, and the rules for that."""

Opening = tuple[int, str, Reader, Any]
"""Its place among all, the surest first; the literal in lower case, who reads where it stands, and the rules."""


def _all_openings() -> Iterator[tuple[str, Reader, Any]]:
    yield "-----begin ", _blocks, None
    prefixes: dict[str, list[tuple[str, str, str, float]]] = {}
    for kind, literals, tail, least in PREFIXED:
        for literal in literals:
            prefixes.setdefault(literal.lower(), []).append((kind, literal, tail, least))
    for literal, rules in prefixes.items():
        yield literal, _prefixed, rules
    for kind, literal, before, pattern in AROUND:
        yield literal, _around, ((kind, before, pattern),)
    yield "://", _urls, None
    for literal in LITERALS:
        yield literal, _values, None
    for keyword, shaped in SHAPED.items():
        yield keyword, _shaped, shaped
    for keyword, named in NAMED.items():
        yield keyword, _named, named


def _by_letters() -> dict[tuple[str, ...], list[Opening]]:
    """The openings by the first three letters of their literals, or by all where there are fewer."""
    table: dict[tuple[str, ...], list[Opening]] = {}
    for place, (literal, read, rules) in enumerate(_all_openings()):
        table.setdefault(tuple(literal[:3]), []).append((place, literal, read, rules))
    return table


_LONG = 15
"""No rule without a hint finds anything that has no word of so many characters."""

_HINTS = (
    *(name for name in LITERALS if not name.startswith(tuple(other for other in LITERALS if other != name))),
    *("://", "-----begin ", "xox", "xapp", "sg.", "q~", "ya29.", "tfp_", "pscale_", "gems.", "enterprise."),
)
"""How the literals of the other rules begin: their secrets may be short, or hold a colon or dots side by side."""

_BY_LETTERS = _by_letters()
_TRIGRAMS = frozenset(letters for letters in _BY_LETTERS if len(letters) == 3)
_SHORT = [opening for letters, openings in _BY_LETTERS.items() if len(letters) < 3 for opening in openings]
_BY_HINT = {
    hint: [opening for opening in _BY_LETTERS[tuple(hint[:3])] if opening[1].startswith(hint)] for hint in _HINTS
}
