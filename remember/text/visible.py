"""Characters that act on a reader instead of being read: controls, bidi, invisible ones; written out as escapes."""

from __future__ import annotations

import unicodedata

_ACTING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # which Persian, Hindi and emoji are written with
_NO_CHARACTERS = "\ufffe\uffff"  # which XML does not have


def visible(text: str) -> str:
    r"""The text with acting characters written out: `\u202e`, as JSON has it. Line breaks are `\n`, tabs stay."""
    if text.isprintable():
        return text
    return "".join(map(shown, text.replace("\r\n", "\n").replace("\r", "\n")))


def shown(char: str) -> str:
    """One character, or the escape that stands for it."""
    if char in "\n\t" or char in _JOINERS:
        return char
    return escape(char) if unicodedata.category(char) in _ACTING or char in _NO_CHARACTERS else char


def escape(char: str) -> str:
    r"""A character as JSON escapes it; one beyond the first plane as two of them."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
