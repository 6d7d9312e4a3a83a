"""A text as a reader sees it: full-width letters made plain, invisible ones gone; with the way back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_INVISIBLE = "Cf"  # the category: soft hyphen, zero-width space, joiners, direction marks
_KEPT = "…"  # it would become three dots, says nothing about a secret, and stands in much prose


def unmasked(text: str) -> tuple[str, Sequence[int]] | None:
    """The plain text, and for each place between its characters the place in `text`; None where nothing differs.

    Each character is made plain by itself (NFKC), so that the way back is exact; what composes across characters is
    in no secret's alphabet.
    """
    if text.isascii():
        return None
    plain = {char: made for char in set(text) if char > "\x7f" and (made := _plain(char)) != char}
    if not plain:
        return None
    if all(len(made) == 1 for made in plain.values()):
        return text.translate({ord(char): made for char, made in plain.items()}), range(len(text) + 1)
    parts: list[str] = []
    ways: list[int] = []
    at = 0
    for run in re.finditer("[" + re.escape("".join(plain)) + "]+", text):
        ways += range(at, run.start())
        parts.append(text[at : run.start()])
        for place, char in enumerate(run[0], run.start()):
            if made := plain[char]:
                parts.append(made)
                ways += [place] * len(made)
        at = run.end()
    ways += range(at, len(text) + 1)
    return "".join(parts) + text[at:], ways


def _plain(char: str) -> str:
    if char == _KEPT:
        return char
    return "" if unicodedata.category(char) == _INVISIBLE else unicodedata.normalize("NFKC", char)
