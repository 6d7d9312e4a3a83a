"""One written form for letters that readers take for the same: widths, case, accents, ligatures."""

from __future__ import annotations

import re
import unicodedata

# Combining accents of Latin, Greek and Cyrillic; points of Hebrew; vowel signs, hamzas and the stretching sign of
# Arabic. Marks of Indic and South-East Asian scripts are parts of letters and stay, as do Japanese voicing marks.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_RUN_ON = re.compile(f"(?<![{_RAISED}])[{_RAISED}]|(?<=[0-9])[¼-¾⅐-⅞]")
_LIGATURES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})


def seen(text: str) -> str:
    """The text in NFKC, without characters that nobody sees."""
    if text.isascii():
        return text
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text))


def kept_apart(text: str) -> str:
    """`seen` text in which raised digits and fractions do not run into the number before them: 10² is not 102."""
    return seen(text if text.isascii() else _RUN_ON.sub(_apart, text))


def _apart(found: re.Match[str]) -> str:
    return f"^{found[0]}" if found[0] in _RAISED else f" {found[0]}"


def folded(text: str) -> str:
    """`seen` text without case and accents: `Café` and `CAFE` are one, `が` and `か` are two."""
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", seen(text).casefold()))
    return unicodedata.normalize("NFC", bare.translate(_LIGATURES))
