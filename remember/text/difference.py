"""Which words two readings do not share, and which of those are forms of one word."""

from __future__ import annotations

import re
from collections import Counter

# Beyond so many words looking each one up pays; beyond so many differing ones two texts are not one anyway.
_COMPARED_AT_MOST = 40
_INFLECTIONS = frozenset({"", "s", "es", "e", "en", "n", "er", "em", "r", "t", "st"})
_DIGITS = re.compile(r"\d")


def leftover(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """What each has beyond the other, in its order, repeats counted."""
    if len(old) + len(new) > _COMPARED_AT_MOST:
        return _beyond(old, new), _beyond(new, old)
    come = list(new)
    gone = []
    for word in old:
        if word in come:
            come.remove(word)
        else:
            gone.append(word)
    return gone, come


def _beyond(mine: list[str], theirs: list[str]) -> list[str]:
    """One side of it, for long texts, where looking each word up pays."""
    left = Counter(theirs)
    beyond = []
    for word in mine:
        if left[word]:
            left[word] -= 1
        else:
            beyond.append(word)
    return beyond


def unmatched(gone: list[str], come: list[str], *, english: bool) -> tuple[list[str], list[str]]:
    """The same without what is another form of one word, or the same letters with other gaps."""
    if not gone or not come or len(gone) + len(come) > _COMPARED_AT_MOST:
        return gone, come
    if "".join(gone) == "".join(come) and not _DIGITS.search("".join(gone)):
        return [], []
    left = []
    come = list(come)
    for word in gone:
        match = next((other for other in come if alike(word, other, english=english)), None)
        if match is None:
            left.append(word)
        else:
            come.remove(match)
    return left, come


def alike(one: str, other: str, *, english: bool) -> bool:
    """Whether two words are forms of one, or one of them a slip of the pen.

    English words have lost their endings already, and what else differs makes another: a driver is no drive.
    """
    if not one.isalpha() or not other.isalpha() or one[0] != other[0]:
        return False
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    if not english and shared >= 4 and one[shared:] in _INFLECTIONS and other[shared:] in _INFLECTIONS:
        return True
    return (len(one) > 6 or one[shared : shared + 2] in ("ie", "ei")) and _slip(one, other, shared)


def _slip(one: str, other: str, shared: int) -> bool:
    """Two neighbours exchanged, or a letter doubled in one of them only."""
    if len(one) == len(other):
        return one[shared : shared + 2] == other[shared : shared + 2][::-1] and one[shared + 2 :] == other[shared + 2 :]
    shorter, longer = sorted((one, other), key=len)
    return (
        len(longer) - len(shorter) == 1
        and longer[shared] == longer[shared - 1]
        and shorter[shared:] == longer[shared + 1 :]
    )
