"""Whether two similar texts say the same, so that one may be folded into the other.

Similar vectors nominate; this refuses. It knows nothing of meaning, so it goes the safe way: two texts are the same
where every difference between them is one that does not change what is said (spelling, case, articles, word form,
known synonyms, an adjunct's place). Everything else is a reason to keep both, and the reason is given in words.
"""

from __future__ import annotations

import re
import unicodedata

from remember.text.difference import leftover, unmatched
from remember.text.folding import kept_apart
from remember.text.guard_words import LIGHT, OPPOSITES, SUBJECTS, TURNING
from remember.text.order import says_the_same
from remember.text.reader import read_both
from remember.text.reading import Reading
from remember.text.turns import named, other_links, other_shapes, turned
from remember.text.unspaced import is_unspaced, one_form
from remember.text.word_forms import content

_DIGITS = re.compile(r"\d")


def same_text(old: str, new: str) -> bool:
    """Whether two texts differ in white space and in the encoding of their characters only."""
    return _plain(old) == _plain(new)


def fuller(old: str, new: str) -> str:
    """Of two texts that say the same (no `veto`), the one that says more of it; the old one where they are even."""
    if is_unspaced(old) or is_unspaced(new):
        here, there = one_form(kept_apart(old)), one_form(kept_apart(new))
        return new if len(there.text) > len(here.text) else old
    before, after = read_both(old, new)
    return new if len(after.words) > len(before.words) else old


def veto(old: str, new: str) -> str | None:
    """Why a similar text must not be folded into an older one; None where both say the same.

    The reason begins with its kind, then names what differs: "numbers differ: 30 / 90".
    """
    if same_text(old, new):
        return None
    if is_unspaced(old) or is_unspaced(new):
        return _unspaced_difference(old, new)
    before, after = read_both(old, new)
    return turned(before, after) or _other_words(before, after)


def _plain(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def _other_words(old: Reading, new: Reading) -> str | None:
    if old.words == new.words:
        return other_links(old, new)
    gone, come = leftover(old.words, new.words)
    if gone and come and "".join(old.plain(gone)) == "".join(new.plain(come)) and not _DIGITS.search("".join(gone)):
        gone, come = [], []
    gone, come = unmatched(gone, come, english=old.english)
    if gone and come:
        return named(_kind(gone, come, old, new), old.plain(gone), new.plain(come))
    return _one_says_more(gone, come, old, new)


def _one_says_more(gone: list[str], come: list[str], old: Reading, new: Reading) -> str | None:
    """Whether what only one of them says, if anything, adds nothing else than words."""
    extra = gone + come
    if not extra or _goes_without(extra, new if gone else old):
        here, there = _without(old, extra), _without(new, extra)
        if not says_the_same(here, there):
            return "order: the same words in another order"
        return other_links(here, there)
    if extra == ["by"] and says_the_same(old, new):
        return None
    return named("only one of them says this", old.plain(gone), new.plain(come))


def _goes_without(extra: list[str], other: Reading) -> bool:
    """Whether the other text means these words without saying them: "(user) prefers (to use) Vim"."""
    if extra == ["use"]:
        return "prefer" in other.words
    return LIGHT.issuperset(extra) or (SUBJECTS.issuperset(extra) and SUBJECTS.isdisjoint(other.words))


def _without(reading: Reading, dropped: list[str]) -> Reading:
    if not dropped:
        return reading
    kept = [at for at, word in enumerate(reading.words) if word not in dropped]
    return Reading(
        words=[reading.words[at] for at in kept],
        marks=[reading.marks[at] for at in kept],
        copulas=[sum(at < place for at in kept) for place in reading.copulas],
        perfect=reading.perfect,
        names=reading.names,
        english=reading.english,
        forms=reading.forms,
    )


def _kind(gone: list[str], come: list[str], old: Reading, new: Reading) -> str:
    """What sort of difference it is, for the reason."""
    for one, other in _OPPOSITE_WORDS:
        if (one in gone and other in come) or (other in gone and one in come):
            return "they say opposites"
    if not TURNING.isdisjoint((*gone, *come)):
        return "direction differs"
    if any(word in old.names for word in gone) and any(word in new.names for word in come):
        return "names differ"
    return "words differ"


def _form(word: str) -> str:
    """A word as readings have it."""
    return word if word in TURNING else content(word)


_OPPOSITE_WORDS = tuple((_form(one), _form(other)) for one, other in OPPOSITES)


def _unspaced_difference(old: str, new: str) -> str | None:
    """The same for scripts without spaces, where only politeness, stops and widths may differ."""
    here, there = one_form(kept_apart(old)), one_form(kept_apart(new))
    if here.asks != there.asks:
        return "question: one of them asks"
    if here.text == there.text:
        return other_shapes(*read_both(old, new))
    if here.negations != there.negations:
        return "negation: only one of them is negated"
    if here.numbers != there.numbers:
        return named("numbers, dates or versions differ", here.numbers, there.numbers)
    return named("words differ", *_parted(here.text, there.text))


def _parted(old: str, new: str) -> tuple[list[str], list[str]]:
    """Both without their common beginning and end."""
    start = next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
    end = next((at for at, (a, b) in enumerate(zip(old[:start:-1], new[:start:-1], strict=False)) if a != b), 0)
    return [old[start : len(old) - end]], [new[start : len(new) - end]]
