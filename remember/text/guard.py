"""Whether two similar texts say the same, so that one may be folded into the other.

Similar vectors nominate; this refuses. It knows nothing of meaning, so it goes the safe way: two texts are the same
where every difference between them is one that does not change what is said (spelling, case, articles, word form,
known synonyms, an adjunct's place). Everything else is a reason to keep both, and the reason is given in words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TypeVar

from remember.text.folding import seen
from remember.text.guard_words import ADVERBS, LISTED_AFTER, OPPOSITES, ROLES, SAFE_EXTENSIONS, SEQUENCE, SUBJECTS, Role
from remember.text.reading import Reading, content, read_both
from remember.text.unspaced import is_unspaced, one_form

Part = TypeVar("Part")

_INFLECTIONS = frozenset({"", "s", "es", "e", "en", "n", "er", "em", "r", "t", "te", "ten", "st"})
# Beyond so many differing words two texts are not one, and comparing each with each would cost.
_COMPARED_AT_MOST = 40
_LISTING = frozenset({"and", ","})
_DIGITS = re.compile(r"\d")


def same_text(old: str, new: str) -> bool:
    """Whether two texts differ in white space and in the encoding of their characters only."""
    return _plain(old) == _plain(new)


def contains(old: str, new: str) -> bool:
    """Whether one of the texts stands in the other, between whole words and without regard to white space."""
    shorter, longer = sorted((_plain(old), _plain(new)), key=len)
    shorter = shorter.rstrip(".!,; ")
    return re.search(rf"(?<!\w){re.escape(shorter)}(?!\w)", longer) is not None if shorter else True


def merge_texts(old: str, new: str) -> str:
    """One text that says what both say: the fuller one where the guard lets them be one, else both, a line each."""
    old, new = old.strip(), new.strip()
    if veto(old, new) is not None:
        return f"{old}\n{new}"
    if is_unspaced(old) or is_unspaced(new):
        return new
    before, after = read_both(old, new)
    return new if len(after.words) >= len(before.words) else old


def veto(old: str, new: str) -> str | None:
    """Why a similar text must not be folded into an older one; None where both say the same.

    The reason begins with its kind, then names what differs: "numbers differ: 30 / 90".
    """
    if same_text(old, new):
        return None
    if is_unspaced(old) or is_unspaced(new):
        return _unspaced_difference(old, new)
    before, after = read_both(old, new)
    return _turned(before, after) or _other_words(before, after)


def _plain(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def _turned(old: Reading, new: Reading) -> str | None:
    """What changes a statement however alike its words are."""
    return _other_sense(old, new) or _other_marks(old, new) or _other_shapes(old, new)


def _other_sense(old: Reading, new: Reading) -> str | None:
    if old.negations != new.negations:
        return "negation: only one of them is negated"
    if old.questions != new.questions:
        return "question: one of them asks"
    if old.offers != new.offers:
        return "and / or: one of them gives a choice"
    if old.past != new.past:
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
            return _named(kind, *_leftover(here, there))
    return None


def _other_shapes(old: Reading, new: Reading) -> str | None:
    """Capitals and underscores inside a word make another identifier; inside a product's name they are style."""
    for plain in old.shapes.keys() | new.shapes.keys():
        here, there = old.shapes.get(plain), new.shapes.get(plain)
        if here == there:
            continue
        if here and there:
            return _named("identifiers differ in case", [here], [there])
        written = here or there or ""
        if plain in old.words and plain in new.words and ("_" in written or written[0].islower()):
            return _named("identifiers differ in case", [written], [plain])
    return None


def _other_words(old: Reading, new: Reading) -> str | None:
    if old.words == new.words:
        return None
    gone, come = _unmatched(*_leftover(old.words, new.words))
    if gone and come:
        return _named(_kind(gone, come, old, new), old.plain(gone), new.plain(come))
    extra = gone or come
    if not extra or _goes_without(extra, new if gone else old):
        return _moved(_without(old, extra), _without(new, extra))
    if _goes_on(old, new, shorter_is_new=bool(gone)):
        return None
    return _named("only one of them says this", old.plain(gone), new.plain(come))


def _goes_without(extra: list[str], other: Reading) -> bool:
    """Whether the other text means these words without saying them: "(user) prefers (to use) Vim"."""
    if extra == ["use"]:
        return "prefer" in other.words
    return SUBJECTS.issuperset(extra) and SUBJECTS.isdisjoint(other.words)


def _leftover(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
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


def _unmatched(gone: list[str], come: list[str]) -> tuple[list[str], list[str]]:
    """The same without what is another form of one word, or the same letters with other gaps."""
    if not gone or not come or len(gone) + len(come) > _COMPARED_AT_MOST:
        return gone, come
    if "".join(gone) == "".join(come) and not _DIGITS.search("".join(gone)):
        return [], []
    left = []
    come = list(come)
    for word in gone:
        match = next((other for other in come if _alike(word, other)), None)
        if match is None:
            left.append(word)
        else:
            come.remove(match)
    return left, come


def _alike(one: str, other: str) -> bool:
    """Whether two words are forms of one, or one of them a slip of the pen."""
    if not one.isalpha() or not other.isalpha() or one[0] != other[0]:
        return False
    if {one, other} == {"they", "user"}:
        return True
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    if shared >= 4 and one[shared:] in _INFLECTIONS and other[shared:] in _INFLECTIONS:
        return not one.isascii() or not other.isascii() or min(len(one), len(other)) >= 4
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


def _kind(gone: list[str], come: list[str], old: Reading, new: Reading) -> str:
    """What sort of difference it is, for the reason."""
    for one, other in _OPPOSITE_WORDS:
        if (one in gone and other in come) or (other in gone and one in come):
            return "they say opposites"
    if any(ROLES.get(word) is Role.POINTS for word in (*gone, *come)):
        return "direction differs"
    if any(word in old.names for word in gone) and any(word in new.names for word in come):
        return "names differ"
    return "words differ"


def _form(word: str) -> str:
    """A word as readings have it."""
    return word if word in ROLES else content(word)


_OPPOSITE_WORDS = tuple((_form(one), _form(other)) for one, other in OPPOSITES)


def _without(reading: Reading, dropped: list[str]) -> Reading:
    kept = [(word, mark) for word, mark in zip(reading.words, reading.marks, strict=True) if word not in dropped]
    return Reading(words=[word for word, _ in kept], marks=[mark for _, mark in kept])


def _goes_on(old: Reading, new: Reading, *, shorter_is_new: bool) -> bool:
    """Whether the longer text is the shorter one and then, behind "and" or "because", something more."""
    shorter, longer = (new, old) if shorter_is_new else (old, new)
    length = len(shorter.words)
    if not length or longer.words[:length] != shorter.words:
        return False
    mark, word = longer.marks[length], longer.words[length]
    more = longer.words[length:]
    return (mark in _SAFE or word in _SAFE) and not any(ROLES.get(one) is Role.POINTS for one in more)


def _moved(old: Reading, new: Reading) -> str | None:
    """None where the same words stand in another order that says the same."""
    if (
        old.words == new.words
        or _phrase_moved(old, new)
        or _list_turned(old, new)
        or _compound(old, new)
        or _adverb_moved(old, new)
    ):
        return None
    aligned = _aligned(old, new)
    if aligned is not None and (aligned.words == new.words or _phrase_moved(aligned, new)):
        return None
    return "order: the same words in another order"


def _aligned(old: Reading, new: Reading) -> Reading | None:
    """The old text with its words in the new one's forms, where they were only alike."""
    gone, come = _leftover(old.words, new.words)
    if not gone:
        return None
    if "".join(gone) == "".join(come):
        return Reading(words=new.words, marks=new.marks) if "".join(old.words) == "".join(new.words) else None
    forms = {word: next((other for other in come if _alike(word, other)), word) for word in gone}
    return Reading(words=[forms.get(word, word) for word in old.words], marks=old.marks)


def _phrases(reading: Reading) -> list[tuple[str, ...]]:
    """The text cut before prepositions, articles and stops; a phrase carries the preposition that heads it."""
    phrases: list[list[str]] = []
    for word, mark in zip(reading.words, reading.marks, strict=True):
        if mark or not phrases:
            phrases.append(["" if mark in ("|", ",") else mark])
        phrases[-1].append(word)
    return [tuple(phrase) for phrase in phrases]


def _phrase_moved(old: Reading, new: Reading) -> bool:
    """Whether one run of prepositional phrases went to another place as a whole."""
    here, there = _between(_phrases(old), _phrases(new))
    if len(here) != len(there) or len(here) < 2:
        return False
    for cut in range(1, len(here)):
        if here[cut:] + here[:cut] == there:
            return any(all(_heads(phrase[0]) for phrase in block) for block in (here[:cut], here[cut:]))
    return False


def _heads(mark: str) -> bool:
    return mark not in ("", "and", ",and")


def _between(old: list[Part], new: list[Part]) -> tuple[list[Part], list[Part]]:
    """What is left of both without their common beginning and end."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _list_turned(old: Reading, new: Reading) -> bool:
    """Whether a list with "and" or "or" names the same things in another order that does not count."""
    here, there = _between(old.words, new.words)
    start = next((at for at, (a, b) in enumerate(zip(old.words, new.words, strict=True)) if a != b), 0)
    stop = start + len(here)
    marks = old.marks[start + 1 : stop] + new.marks[start + 1 : stop]
    rest = [old.marks[stop:], new.marks[stop:]]
    if any(_DIGITS.search(word) or word in SEQUENCE for word in old.words):
        return False
    if old.marks[start] == "" and start and old.words[start - 1] not in _LISTED_AFTER:
        return False
    if "and" not in marks and not any("and" in mark for mark in rest[0][:1]):
        return False
    if any(mark in ("|", "") for marks_left in rest for mark in marks_left[:1]):
        return False
    return sorted(_items(here, old.marks[start:stop])) == sorted(_items(there, new.marks[start:stop]))


_SAFE = SAFE_EXTENSIONS | {content(word) for word in SAFE_EXTENSIONS}
_LISTED_AFTER = frozenset(content(verb) for verb in LISTED_AFTER)
_ADVERBS = frozenset(content(word) for word in ADVERBS)


def _adverb_moved(old: Reading, new: Reading) -> bool:
    """Whether the sentence's one adverb went elsewhere; at the front it may draw the verb behind it, as in German."""
    adverbs = [word for word in old.words if word in _ADVERBS]
    if len(adverbs) != 1:
        return False
    here, there = ([word for word in reading.words if word not in _ADVERBS] for reading in (old, new))
    if adverbs[0] in (old.words[0], new.words[0]) and len(here) > 1 and here[:2] == there[1::-1]:
        return here[2:] == there[2:]
    return here == there


def _items(words: list[str], marks: list[str]) -> list[list[str]]:
    items: list[list[str]] = []
    for word, mark in zip(words, marks, strict=True):
        if not items or mark in _LISTING:
            items.append([])
        items[-1].append(word)
    return items


def _compound(old: Reading, new: Reading) -> bool:
    """Whether "deadline of the project" became "project deadline", or the other way."""
    here, there = _between(old.words, new.words)
    if len(here) != 2 or here != there[::-1]:
        return False
    at = old.words.index(here[0], max(0, _first_difference(old.words, new.words)))
    return {_heads(old.marks[at + 1]), _heads(new.marks[at + 1])} == {True, False} and "" in (
        old.marks[at + 1],
        new.marks[at + 1],
    )


def _first_difference(old: list[str], new: list[str]) -> int:
    return next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)


def _named(kind: str, gone: list[str], come: list[str]) -> str:
    return f"{kind}: {_short(gone)} / {_short(come)}"


def _short(words: list[str]) -> str:
    text = " ".join(words) or "–"
    return text if len(text) <= 40 else text[:39] + "…"


def _unspaced_difference(old: str, new: str) -> str | None:
    """The same for scripts without spaces, where only politeness, stops and widths may differ."""
    here, there = one_form(seen(old)), one_form(seen(new))
    if here.text == there.text:
        return _other_shapes(*read_both(old, new))
    if here.negations != there.negations:
        return "negation: only one of them is negated"
    if here.numbers != there.numbers:
        return _named("numbers, dates or versions differ", here.numbers, there.numbers)
    return _named("words differ", *_parted(here.text, there.text))


def _parted(old: str, new: str) -> tuple[list[str], list[str]]:
    here, there = _between(list(old), list(new))
    return ["".join(here)], ["".join(there)]
