"""The one form of what people write in several: spellings, tenses, synonyms, times of the day, dates."""

from __future__ import annotations

import re

from remember.text.folding import kept_apart
from remember.text.guard_words import SYNONYMS
from remember.text.stem import uninflected

_APOSTROPHES = str.maketrans("’‘ʼ", "'''")
_NOT = re.compile(r"\b(?:(?P<verb>ca|wo|sha|can)(?:n't|not)|(?<=[a-z])n't)\b|(?<=[a-z])n't\b", re.IGNORECASE)
# From whoever stores what was just recalled.
_STUTTER = re.compile(r"\s*(?:(?:the )?user\s+)+(?=(?:the )?user\b)", re.IGNORECASE)
_WHOLE_VERBS = {"ca": "can", "can": "can", "wo": "will", "sha": "shall"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DATE = re.compile(
    rf"\b(?:(?P<first>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<after>{_MONTH})"
    rf"|(?P<before>{_MONTH})\.? (?P<second>\d{{1,2}})(?:st|nd|rd|th)?)\b(?:,? (?P<year>\d{{4}})\b)?",
    re.IGNORECASE,
)
_DIGIT = re.compile("[0-9]")


def plainly(text: str) -> str:
    """A text with contractions, dates and raised digits written out, and without the stutter of what was recalled."""
    text = kept_apart(text).translate(_APOSTROPHES)
    if stutter := _STUTTER.match(text):
        text = text[stutter.end() :]
    if "n" in text and ("n't" in text or "nnot" in text):
        text = _NOT.sub(_not_apart, text)
    return _DATE.sub(_iso, text) if _DIGIT.search(text) else text


def content(plain: str) -> str:
    """The one form of a folded word that carries content."""
    word = one_spelling(uninflected(_PAST.get(plain, plain)))
    return STANDS_FOR.get(word, word)


def one_spelling(word: str) -> str:
    """British and American spellings of an uninflected word in one form, which is neither's."""
    if len(word) < 5 or not word.isascii():
        return word
    word = word.replace("our", "or")
    for british, american in _SPELLINGS:
        if word.endswith(british):
            return word[: -len(british)] + american
    return word


_SPELLINGS = (("is", "iz"), ("ys", "yz"), ("tr", "ter"), ("ogu", "og"), ("ll", "l"), ("enc", "ens"))
_PAST = {"got": "get", "made": "make",
         "chose": "choose", "chosen": "choose", "bought": "buy", "built": "build", "sent": "send",
         "written": "write", "wrote": "write", "began": "begin", "ran": "run", "drove": "drive", "knew": "know",
         "taught": "teach", "spoke": "speak", "led": "lead", "kept": "keep", "ate": "eat", "drank": "drink",
         "stood": "stand", "paid": "pay", "wore": "wear", "held": "hold", "sold": "sell", "met": "meet"}  # fmt: skip


def _synonyms() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in SYNONYMS.strip().splitlines():
        first, *others = line.split()
        for word in (first, *others):
            found.setdefault(one_spelling(uninflected(word)), one_spelling(uninflected(first)))
    found.update(dict.fromkeys(("i", "me", "user"), "user"))
    return found


STANDS_FOR = _synonyms()
"""The first of its synonyms for each word that has some."""


def _not_apart(found: re.Match[str]) -> str:
    """Write "don't" as "do not", so that the negation is a word."""
    verb = found["verb"]
    return f"{_WHOLE_VERBS[verb.lower()]} not" if verb else " not"


def clock(written: str) -> str:
    """A time of the day as hours and minutes of a day with 24: "5 pm" as 17:00."""
    digits = written.lower().replace(".", "").replace(" ", "").removesuffix("m")
    half = digits[-1] if digits[-1] in "ap" else ""
    hour, *rest = digits.rstrip("ap").split(":")
    hours = int(hour) % 12 + (12 if half == "p" else 0) if half else int(hour)
    return ":".join([f"{hours:02}", *(rest or ["00"])])


def _iso(found: re.Match[str]) -> str:
    """An English date, however ordered, as ISO writes it; `--06-30` where it names no year."""
    month = _MONTHS.index((found["after"] or found["before"])[:3].lower()) // 4 + 1
    day = int(found["first"] or found["second"])
    return f" {found['year'] or '-'}-{month:02}-{day:02}"
