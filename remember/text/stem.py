"""English words without their endings: light rules, for words in lower case.

`uninflected` takes off what grammar puts on (plural, tense), so that two forms with one result say the same.
`stem` also takes off what makes another word of the same family (deploy, deployment), which is right for search
and too much for telling texts apart.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")
_NOT_PLURAL = ("ss", "us", "is")
_FAMILY = (("ational", "at"), ("ization", "iz"), ("iveness", "iv"), ("fulness", "ful"), ("ation", "at"))


def uninflected(word: str) -> str:
    """The word without plural and tense; words of other scripts, and short ones, stay as they are."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _tenseless(_singular(word))
    if word[-1] == "e" and len(word) > 3:
        return word[:-1]
    return word[:-1] + "i" if word[-1] == "y" and word[-2] not in _VOWELS else word


def stem(word: str) -> str:
    """The common part of a family of words."""
    word = uninflected(word)
    if len(word) < 6 or not word.isascii():
        return word
    for ending, kept in _FAMILY:
        if word.endswith(ending):
            return word[: -len(ending)] + kept
    if word.endswith(("tion", "sion")):
        return word[:-3]
    if word.endswith(("ment", "ness")) and len(word) > 7:
        return word[:-4].removesuffix("e")
    if word.endswith("li"):
        return word[:-2].removesuffix("al")
    return word.removesuffix("al") if len(word) > 7 else word


def _singular(word: str) -> str:
    if word[-1] != "s" or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    return word[:-2] if word.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")) else word[:-1]


def _tenseless(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    ending = 3 if word.endswith("ing") else 2 if word.endswith("ed") and not word.endswith("eed") else 0
    base = word[:-ending] if ending else word
    if not ending or len(base) < 2 or _VOWELS.isdisjoint(base):
        return word
    if len(base) == 2 and base[-1] not in _VOWELS:
        return base + "e"
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in _KEPT_DOUBLE:
        return base[:-1]
    return base
