"""What turns a statement however alike its words are: sense, numbers, tense, case, owner, accent, preposition."""

from __future__ import annotations

import re

from remember.text.difference import leftover
from remember.text.folding import folded
from remember.text.guard_words import LINK_KINDS
from remember.text.reading import Reading

_TELLING_ACCENT = re.compile("[äöüñ]|[\u00c0-\u024f\u1e00-\u1eff]e?s?$")
"""Accents that make another word where they are: könnte, año, trabajó, fermée. Others are often just not typed."""
_YEARLESS = re.compile(r"^--(?=\d)")
"""How a date without a year is read begins so: --10-15."""


def turned(old: Reading, new: Reading) -> str | None:
    """Why one does not say what the other says, whatever their other words are; None where nothing turns it."""
    return (
        _other_sense(old, new)
        or _other_marks(old, new)
        or other_shapes(old, new)
        or _other_state(old, new)
        or _other_letters(old, new)
    )


def _other_sense(old: Reading, new: Reading) -> str | None:
    if old.negations != new.negations:
        return "negation: only one of them is negated"
    if old.questions != new.questions:
        return "question: one of them asks"
    if old.offers != new.offers:
        return "and / or: one of them gives a choice"
    if old.past != new.past or old.did & new.does or new.did & old.does:
        return "tense: one of them speaks of the past"
    doing, did = old.progressive - old.perfect, old.perfect - old.progressive
    if doing & (new.perfect - new.progressive) or did & (new.progressive - new.perfect):
        return "tense or voice: what is going on in one of them is done in the other"
    return None


def _other_marks(old: Reading, new: Reading) -> str | None:
    """Numbers have to be the same; code and quotations where both have some, as the marks may be left out."""
    for kind, here, there in (
        ("numbers, dates or versions differ", old.numbers, new.numbers),
        ("code differs", old.codes, new.codes),
        ("quoted words differ", old.quotes, new.quotes),
    ):
        counts = here is old.numbers or (here and there)
        if counts and sorted(here) != sorted(there):
            return named(kind, *leftover(here, there))
    return None


def other_shapes(old: Reading, new: Reading) -> str | None:
    """Capitals and underscores inside a word make another identifier; inside a product's name they are style."""
    for plain in old.shapes.keys() | new.shapes.keys():
        here, there = old.shapes.get(plain), new.shapes.get(plain)
        if here == there:
            continue
        if here and there:
            return named("identifiers differ in case", [here], [there])
        written = here or there or ""
        if plain in old.words and plain in new.words and ("_" in written or written[0].islower()):
            return named("identifiers differ in case", [written], [plain])
    return None


def _other_state(old: Reading, new: Reading) -> str | None:
    """Being something is not having it, and what is his is not hers."""
    here, there = _states(old), _states(new)
    for word in here.keys() & there.keys():
        if here[word].isdisjoint(there[word]) and word not in old.perfect | new.perfect:
            return named("being, having and becoming differ", sorted(here[word]), sorted(there[word]))
    if old.english and old.singles != new.singles and old.does != new.does and old.words == new.words:
        return "number: one of them speaks of several"
    return "whose it is differs" if _other_owners(old, new) else None


def _other_owners(old: Reading, new: Reading) -> bool:
    """Whether the possessives cannot be the same people's; the user speaks of themselves as "I" and as "the user"."""
    if len(old.owners) != len(new.owners):
        return False
    user = "user" in old.words and "user" in new.words
    owners = zip(old.owners, new.owners, strict=True)
    return any(set(whose).isdisjoint(others) and not (user and "1" in whose + others) for whose, others in owners)


def _states(reading: Reading) -> dict[str, set[str]]:
    """What each word is said to be: something that is, that somebody has, or that is coming."""
    found: dict[str, set[str]] = {}
    for place, state in reading.states:
        for word in reading.words[place : place + 1]:
            found.setdefault(word, set()).add(state)
    return found


def _other_letters(old: Reading, new: Reading) -> str | None:
    """Words that readings take for one, and that an accent or an "e" at the end makes two."""
    if len(old.accented) == len(new.accented):
        for here, there in zip(old.accented, new.accented, strict=True):
            if here != there and folded(here) == folded(there):
                return named("words differ", [here], [there])
    elif not old.english:
        for accented, others, words in (
            (old.accented, new.accented, new.words),
            (new.accented, old.accented, old.words),
        ):
            for word in leftover(accented, others)[0]:
                if _TELLING_ACCENT.search(word) and old.forms.get(folded(word)) in words:
                    return named("words differ", [word], [folded(word)])
    return _other_ending(old.forms)


def _other_ending(forms: dict[str, str]) -> str | None:
    """Readings cut an "e" off, and a plane is no plan."""
    for plain, form in forms.items():
        bare = plain.removesuffix("s")
        longer = next((word for word in (f"{bare}e", f"{bare}es") if word != plain and forms.get(word) == form), None)
        if longer is not None:
            return named("words differ", [plain], [longer])
    return None


def other_links(old: Reading, new: Reading) -> str | None:
    """A preposition of another kind before the same word makes another fact: moved to Monday, moved on Monday."""
    for here, there, word, other in zip(old.marks, new.marks, old.words, new.words, strict=False):
        kinds = LINK_KINDS.get(here), LINK_KINDS.get(there)
        bound = (here in LINK_KINDS) != (there in LINK_KINDS)
        if word == other and bound and word in old.perfect ^ new.perfect:  # in charge, charged
            return named("words differ", [here, word], [there, word])
        verb = word in old.progressive ^ new.progressive  # to install, for installing
        platform = word in old.names and {here, there} == {"in", "on"}  # in AWS, on AWS
        if word == other and None not in kinds and kinds[0] != kinds[1] and not (verb or platform):
            return named("prepositions differ", [here], [there])
    return None


def named(kind: str, gone: list[str], come: list[str]) -> str:
    """A reason: its kind, and what differs, shortened."""
    return f"{kind}: {_short(gone)} / {_short(come)}"


def _short(words: list[str]) -> str:
    text = " ".join(_YEARLESS.sub("", word) for word in words) or "–"
    return text if len(text) <= 40 else text[:39] + "…"
