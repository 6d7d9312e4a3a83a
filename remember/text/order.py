"""Whether the same words in another order still say the same: an adjunct's place, a list, a compound, a passive."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeVar

from remember.text.difference import alike, leftover
from remember.text.guard_words import ADVERBS, LISTED_AFTER, SEQUENCE
from remember.text.reading import Reading
from remember.text.word_forms import content

Part = TypeVar("Part")

_LISTING = frozenset({"and", ","})
_CLAUSE = frozenset({",", "and", ",and"})
_DIGITS = re.compile(r"\d")
_LISTED_AFTER = frozenset(content(verb) for verb in LISTED_AFTER)
_ADVERBS = frozenset(content(word) for word in ADVERBS)


class Phrase(NamedTuple):
    """Words up to the next preposition, article or stop, and the preposition that heads them ("" for none)."""

    head: str
    words: tuple[str, ...]


def says_the_same(old: Reading, new: Reading) -> bool:
    """Whether two readings of the same words, or of forms of them, differ in an order that does not count."""
    aligned = _aligned(old, new)
    return aligned.words == new.words or any(rule(aligned, new) for rule in _RULES)


def _aligned(old: Reading, new: Reading) -> Reading:
    """The old text with its words in the new one's forms, where they were only alike or had other gaps."""
    gone, come = leftover(old.words, new.words)
    if not gone:
        return old
    if "".join(old.plain(old.words)) == "".join(new.plain(new.words)):
        return new
    english = old.english
    forms = {word: next((other for other in come if alike(word, other, english=english)), word) for word in gone}
    words = [forms.get(word, word) for word in old.words]
    return Reading(words=words, marks=old.marks, copulas=old.copulas, perfect=old.perfect)


def _phrase_moved(old: Reading, new: Reading) -> bool:
    """Whether one run of prepositional phrases went to another place of its clause as a whole."""
    before, after = _phrases(old), _phrases(new)
    here, there = _between(before, after)
    if len(here) != len(there) or len(here) < 2:
        return False
    start = next(at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    for cut in range(1, len(here)):
        if here[cut:] + here[:cut] == there:
            return _adjunct(here, cut, start, old, new) or _adjunct(there, len(here) - cut, start, new, old)
    return False


def _adjunct(run: list[Phrase], cut: int, start: int, text: Reading, other: Reading) -> bool:
    """Whether what stands before the cut is an adjunct that passed over one clause, from the front or inside it."""
    passed = range(start + cut, start + len(run))
    breaks, others = _breaks(text), _breaks(other)
    if not all(phrase.head for phrase in run[:cut]) or any(phrase.head == "and" for phrase in run):
        return False
    fronted = start == 0
    return not any(breaks[at] for at in passed if not (fronted and at == passed[0])) and not any(
        others[at - cut] for at in passed if at > cut
    )


def _phrases(reading: Reading) -> list[Phrase]:
    return [Phrase(_head(marks[0]), tuple(words)) for words, marks in _cut(reading)]


def _breaks(reading: Reading) -> list[bool]:
    """Which phrases begin behind a stop or an "and"."""
    return [marks[0] in _CLAUSE for _, marks in _cut(reading)]


def _cut(reading: Reading) -> list[tuple[list[str], list[str]]]:
    phrases: list[tuple[list[str], list[str]]] = []
    for word, mark in zip(reading.words, reading.marks, strict=True):
        if mark or not phrases:
            phrases.append(([], []))
        phrases[-1][0].append(word)
        phrases[-1][1].append(mark)
    return phrases


def _head(mark: str) -> str:
    if mark in ("|", ","):
        return ""
    return "and" if mark == ",and" else mark


def _between(old: list[Part], new: list[Part]) -> tuple[list[Part], list[Part]]:
    """What is left of both without their common beginning and end."""
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _list_turned(old: Reading, new: Reading) -> bool:
    """Whether a list with "and" or "or" names the same things in another order that does not count."""
    here, there = _between(old.words, new.words)
    if len(here) != len(there) or any(_DIGITS.search(word) or word in SEQUENCE for word in old.words):
        return False
    start = _first_difference(old.words, new.words)
    stop = start + len(here)
    if old.marks[start] == "" and start and old.words[start - 1] not in _LISTED_AFTER:
        return False
    following = old.marks[stop : stop + 1] + new.marks[stop : stop + 1]
    joints = old.marks[start + 1 : stop] + new.marks[start + 1 : stop] + [mark for mark in following if "and" in mark]
    if not {"and", ",and"}.intersection(joints) or (joints and set(joints) == {",and"}):
        return False
    if "|" in following or ("" in following and not _both_do(old, start, stop)):
        return False
    return sorted(_items(here, old.marks[start:stop])) == sorted(_items(there, new.marks[start:stop]))


def _both_do(text: Reading, start: int, stop: int) -> bool:
    """Whether the list is who does it, by names: "Ben and Carla review" says the same of both."""
    behind = text.words[stop : stop + 1]
    return start == 0 and text.names.issuperset(text.words[:stop]) and text.names.isdisjoint(behind)


def _items(words: list[str], marks: list[str]) -> list[list[str]]:
    items: list[list[str]] = []
    for word, mark in zip(words, marks, strict=True):
        if not items or mark in _LISTING:
            items.append([])
        items[-1].append(word)
    return items


def _adverb_moved(old: Reading, new: Reading) -> bool:
    """Whether the clause's one adverb went elsewhere; at the front it may draw the verb behind it, as in German."""
    adverbs = [word for word in old.words if word in _ADVERBS]
    if len(adverbs) != 1 or any(mark in _CLAUSE for marks in (old.marks, new.marks) for mark in marks[2:]):
        return False
    here, there = ([word for word in reading.words if word not in _ADVERBS] for reading in (old, new))
    if adverbs[0] in (old.words[0], new.words[0]) and len(here) > 1 and here[:2] == there[1::-1]:
        return here[2:] == there[2:]
    return here == there


def _compound(old: Reading, new: Reading) -> bool:
    """Whether "deadline of the project" became "project deadline", or the other way."""
    here, there = _between(old.words, new.words)
    start = _first_difference(old.words, new.words)
    for cut in range(1, len(here)):
        if here[cut:] + here[:cut] == there:
            first, second = old.marks[start + cut], new.marks[start + len(here) - cut]
            plain = len(here) == 2 and old.names.isdisjoint(here)
            return (_joins(first, plain) and second == "") or (_joins(second, plain) and first == "")
    return False


def _joins(mark: str, plain: bool) -> bool:
    """Whether a preposition ties two nouns: most tie plain ones, "of" also longer ones and names, as "'s" does."""
    return mark == "of" or (plain and mark not in ("", "|") and mark not in _CLAUSE)


def _turned_about(old: Reading, new: Reading) -> bool:
    """Whether both sides of the one "is" changed places: "Vim is the user's editor", "the user's editor is Vim"."""
    if len(old.copulas) != 1 or len(new.copulas) != 1 or _CLAUSE.intersection((*old.marks, *new.marks)):
        return False
    here, there = old.copulas[0], new.copulas[0]
    return old.words[:here] == new.words[there:] and old.words[here:] == new.words[:there]


def _passive(old: Reading, new: Reading) -> bool:
    """Whether one is the other's passive: "the team uses Jira", "Jira is used by the team"."""
    return _is_passive_of(old, new) or _is_passive_of(new, old)


def _is_passive_of(active: Reading, passive: Reading) -> bool:
    if len(passive.copulas) != 1 or not 0 < passive.copulas[0] < len(passive.words):
        return False
    at = passive.copulas[0]
    patient, verb, rest = passive.words[:at], passive.words[at], passive.words[at + 1 :]
    if active.words.count(verb) != 1 or (verb not in passive.perfect and "by" not in rest):
        return False
    agent, behind = active.words[: active.words.index(verb)], active.words[active.words.index(verb) + 1 :]
    if behind[: len(patient)] != patient:
        return False
    more, by = behind[len(patient) :], ["by", *agent] if agent else []
    return rest in (by + more, more + by)


def _first_difference(old: list[str], new: list[str]) -> int:
    return next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)


_RULES = (_phrase_moved, _list_turned, _compound, _adverb_moved, _turned_about, _passive)
