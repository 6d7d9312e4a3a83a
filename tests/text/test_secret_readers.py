"""A quick look at a text leaves out nobody who would find something in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remember.text import secret_readers
from remember.text.gitleaks_rules import NAMED, SHAPED
from remember.text.redaction import Redacted, redact, scan
from remember.text.secret_readers import Span
from remember.text.secret_rules import AROUND, PREFIXED
from remember.text.secret_values import LITERALS
from tests.text.corpus import lookalikes, secrets

HALVES = ("tuned", "unseen", "later", "hostile")
TEXTS = [case.text for half in HALVES for case in secrets(half)] + [
    text for half in HALVES for text in lookalikes(half)
]
HINTS = tuple(secret_readers._BY_HINT)

_PIECES = st.sampled_from(
    ("a", " ", "\n", ".", "..", "-", "_", "=", ": ", '"', "\u200b", "\u00a0", "ü", "İ", "ｋ", "key", "xox")
)
_SURROUNDINGS = st.lists(_PIECES | st.text(max_size=3), max_size=6).map("".join)


def looked_at_by_all(text: str) -> tuple[list[Span], Redacted]:
    """What is found when the literals of all rules are looked for."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(secret_readers, "_has_long_word", lambda _: True)
        return scan(text), redact(text)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(TEXTS), st.integers(0, 300), st.integers(0, 300), _SURROUNDINGS, _SURROUNDINGS, _SURROUNDINGS)
@example("Contents ", 99, 99, "", "", "." * 90)
def test_the_quick_look_never_misses_what_the_full_scan_finds(
    text: str, to: int, on: int, before: str, between: str, behind: str
) -> None:
    """In the corpus's texts, whole, cut or with a part twice, among anything."""
    text = before + text[:to] + between + text[on:] + behind
    assert (scan(text), redact(text)) == looked_at_by_all(text)


def test_a_rule_without_a_hint_needs_a_long_word() -> None:
    """Whatever it matches, also where a secret that may hold dots or colons were made of them."""
    rules = [
        *((prefix, f"{re.escape(prefix)}(?:{tail})") for _, prefixes, tail, _ in PREFIXED for prefix in prefixes),
        *((literal, pattern) for _, literal, _, pattern in AROUND),
        *((keyword, rule[1]) for table in (SHAPED, NAMED) for keyword, found in table.items() for rule in found),
    ]
    worst = {
        (literal, pattern): _worst(re._parser.parse(pattern))  # type: ignore[attr-defined]
        for literal, pattern in rules
        if not literal.lower().startswith(HINTS)
    }
    assert len(worst) > 200
    assert {rule: text for rule, text in worst.items() if not secret_readers._has_long_word(text)} == {}


def test_what_names_give_away_has_hints() -> None:
    """A password may be as short as any word, and so may what stands in a URL or in a key's block."""
    assert all(literal.startswith(HINTS) for literal in (*LITERALS, "://", "-----begin "))


def _worst(items: Iterable[tuple[Any, Any]]) -> str:
    """The match of an expression that is hardest to see: the shortest, of spaces, colons and dots where it can be."""
    return "".join(_worst_of(str(kind), value) for kind, value in items)


def _worst_of(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind == "IN":
        return next((char for char in " :." if _is_in(char, value)), "a")
    if kind in ("ANY", "NOT_LITERAL"):
        return " "
    if kind in ("SUBPATTERN", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _worst(value[-1]) * (1 if kind == "SUBPATTERN" else int(value[0]))
    if kind == "BRANCH":
        return min(map(_worst, value[1]), key=_longest)
    assert kind in ("AT", "ASSERT", "ASSERT_NOT")
    return ""


def _longest(text: str) -> int:
    return max(map(len, text.replace("..", " ").replace(":", " ").split()), default=0)


def _is_in(char: str, members: Iterable[tuple[Any, Any]]) -> bool:
    negated = False
    for kind, value in members:
        match str(kind):
            case "NEGATE":
                negated = True
            case "LITERAL" if chr(value) == char:
                return not negated
            case "RANGE" if value[0] <= ord(char) <= value[1]:
                return not negated
            case "CATEGORY" if str(value) == "CATEGORY_SPACE" and char == " ":
                return not negated
            case _:
                assert str(value) not in ("CATEGORY_NOT_SPACE", "CATEGORY_NOT_WORD", "CATEGORY_NOT_DIGIT")
    return negated
