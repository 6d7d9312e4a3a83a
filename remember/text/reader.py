"""Reads texts for the guard, in any of its languages that puts spaces between words."""

from __future__ import annotations

import re
from typing import ClassVar

from remember.text.folding import folded
from remember.text.guard_words import (
    ALL,
    ENGLISH,
    ENGLISH_SIGNS,
    NUMBERS,
    OTHERS,
    PARTICIPLE_AFTER,
    PAST_STATES,
    PHRASE_ENDS,
    PHRASES,
    STATES,
    SUBJECTS,
    WHO,
    Role,
)
from remember.text.reading import Reading
from remember.text.word_forms import STANDS_FOR, clock, content, plainly

_TOKEN = re.compile(
    # A word with nothing joined to it; most tokens are, so it is tried first.
    r"(?P<word>[^\W\d_]+(?=[\s,;!?)]|[.:](?:\s|$)|$))"
    r"|(?P<code>`[^`]+`)"
    r"|(?P<place>[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s<>\"'`]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"
    r"|(?:~|\.{1,2}|(?<![\w/]))/[\w./@*-]*\w/?)"
    r"|(?P<date>(?:\d{4}|-)-\d{1,2}-\d{1,2}(?:T[\d:.]+Z?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
    r"|(?P<clock>\d{1,2}(?::\d\d(?::\d\d)?)?\s?[AaPp]\.?[Mm]\b\.?|\d{1,2}:\d\d(?::\d\d)?)"
    r"|(?P<version>[vV]?\d+(?:\.\d+){2,}[\w.+-]*\w|[vV]\d+(?:\.\d+)*\b)"
    r"|(?P<number>(?:(?<![\w)])[-−])?\d+(?:[,.]\d+)*(?![\w-]{0,64}\d)(?=[^\W\d_]{0,5}(?!\w))(?:(?:st|nd|rd|th)\b)?)"
    r"|(?P<flag>(?<!\w)--?[A-Za-z][\w-]*)"
    r"|(?P<name>(?=[\w.-]{0,128}[\d_.])\w+(?:[.-]+\w+)+|\w*[\d_]\w*|\$[A-Za-z_]\w*"
    r"|[^\W\d_]+(?:\+\+|#)|\b[A-F][+-](?![\w+-]))"
    r"|(?P<part>[^\W\d_]+)"
    r"|(?P<sign>(?<=\d)[*^/:](?=\d)|(?<=[\d*/]\s)\*|(?<=[^\W_])[*+](?=[\s$.,;)]|$)"
    r"|[=-]>|<=|>=|!=|[<>=%$]|[^\x00-\x7f\w\s“”„‚‘’«»…·•。、¿¡–—])"
    r"|(?P<stop>[,;:.!?()\n–—&+])"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDLIKE = frozenset({"word", "part"})
_QUOTED = re.compile(r"\"([^\"]{1,200})\"|“([^“”]{1,200})”|„([^„“”]{1,200})[“”]|«([^«»]{1,200})»|「([^「」]{1,200})」")
_ORDINAL = re.compile("(?:st|nd|rd|th)$", re.IGNORECASE)
_HUMP = re.compile("[a-z][A-Z]|[A-Z]{2}[a-z]")
_LIBRARY = re.compile("(?<=node|next|nuxt)[.]js$")
_COPULAS = frozenset(word for word, state in STATES.items() if state == "is")
_DISLIKES = frozenset({"dislike", "dislikes", "disliked"})
_TELLING = _DISLIKES | {"using"}
_EACH = "everi"
_AMOUNT = "0"
_UNITS = frozenset("cdjmnst")  # days and months, tonnes and metres, that are small words elsewhere
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_ALSO_NAMES = frozenset({"us", "me", "or"})
_SMALL = frozenset({Role.DROPPED, Role.STARTS, Role.LINKS})


def read_both(old: str, new: str) -> tuple[Reading, Reading]:
    """Read two similar texts, in any of the guard's languages that puts spaces between words."""
    old, new = plainly(old), plainly(new)
    both = f"{old} {new}"
    roles, sure = _roles_of(folded(both))
    forms: dict[str, str] = {}
    english = roles is ENGLISH and (sure or both.isascii())
    return _read(old, roles, forms, english=english), _read(new, roles, forms, english=english)


def _roles_of(plain: str) -> tuple[dict[str, Role], bool]:
    """The roles of the language that the texts are in: English, unless more words speak for the others; and whether
    any word does.
    """
    if " the " in plain:
        return ENGLISH, True
    found = _LETTERS.findall(plain)
    english = sum(word in ENGLISH_SIGNS for word in found)
    others = sum(word in OTHERS for word in found)
    return ALL if others > english else ENGLISH, others + english > 0


def _read(text: str, roles: dict[str, Role], forms: dict[str, str], *, english: bool) -> Reading:
    reading = Reading(forms=forms, english=english)
    if '"' in text or not text.isascii():
        reading.quotes = ["".join(groups).strip() for groups in _QUOTED.findall(text)]
    _Reader(reading, roles).take(text)
    return reading


class _Reader:
    """Walks over the tokens; remembers the mark that the next word gets, and the word before."""

    def __init__(self, reading: Reading, roles: dict[str, Role]) -> None:
        self._reading = reading
        self._roles = roles
        self._forms = reading.forms
        self._mark = ""
        self._before = ""
        self._prefers = 0

    def take(self, text: str) -> None:
        for token in _TOKEN.finditer(text):
            kind = token.lastgroup
            if kind in _WORDLIKE:
                self._word(token[0])
            elif kind == "stop":
                self._stop(token[0])
            elif kind == "number":
                self._number(token[0])
            else:
                self._other(str(kind), token[0])

    def _add(self, word: str) -> None:
        self._reading.words.append(word)
        self._reading.marks.append(self._mark)
        self._mark = ""

    def _stop(self, sign: str) -> None:
        self._mark = "and" if sign in "&+" else ","
        if sign == "?":
            self._reading.questions = True

    def _number(self, written: str) -> None:
        number = _ORDINAL.sub(".", written.replace("−", "-"))
        if "," in number and all(len(group) == 3 for group in number.split(",")[1:]):
            number = number.replace(",", "")
        self._reading.numbers.append(number)
        self._add(number)
        self._before = _AMOUNT

    def _other(self, kind: str, written: str) -> None:
        reading = self._reading
        self._before = ""
        if kind == "code":
            reading.codes.append(written[1:-1])
            self.take(written[1:-1])
            return
        if kind == "clock":
            written = clock(written)
        elif kind == "version":
            written = written.lower().removeprefix("v")
        if kind in ("date", "clock", "version"):
            reading.numbers.append(written)
            self._add(written)
            return
        if kind == "name":
            plain = _LIBRARY.sub("", folded(written))
            self._shape(written, plain, always="_" in written)
            written = STANDS_FOR.get(plain, plain)
        reading.names.add(written)
        self._add("percent" if written == "%" else written)

    def _shape(self, written: str, plain: str, *, always: bool = False) -> None:
        if always or _HUMP.search(written):
            self._reading.shapes[plain] = written

    def _word(self, written: str) -> None:
        plain = written.lower() if written.isascii() else self._folded(written)
        role = None if self._before == _AMOUNT and plain in _UNITS else self._roles.get(plain)
        if role is Role.DROPPED or role is Role.STARTS or plain == "a":
            self._small("has" if plain == written == "a" and self._roles is ALL else STATES.get(plain), WHO.get(plain))
        if plain in PHRASE_ENDS and (joined := PHRASES.get((self._before, plain))) is not None:
            self._phrase(joined)
        elif written.isupper() and self._is_name(plain, role):
            self._add(written)
        elif role is None:
            self._content(written, plain)
        else:
            self._BY_ROLE[role](self, plain)
        self._before = plain

    def _folded(self, written: str) -> str:
        written = written.lower().replace("ß", "ss")
        if _ACCENTED.search(written):
            self._reading.accented.append(written)
        # "è" is a verb, "e" is "and".
        return "es" if written in ("è", "é") and self._roles is ALL else folded(written)

    def _small(self, state: str | None, owner: str | None) -> None:
        """Note what a small word says of the next one: what becomes of it, or whose it is."""
        if state is not None:
            self._reading.states.append((len(self._reading.words), state))
        if owner is not None:
            self._reading.owners.append(owner)

    def _is_name(self, plain: str, role: Role | None) -> bool:
        """Whether a small word in capitals is one: the US, IT, CI, vitamin C. What negates may be shouted."""
        if len(plain) == 1:
            return bool(self._reading.words) and plain != "i"
        return role in _SMALL or plain in _ALSO_NAMES

    def _phrase(self, joined: str) -> None:
        """Put the one word of a phrase where its first word stands, if that left one."""
        reading, role = self._reading, self._roles.get(self._before)
        if reading.words and (role is None or role is Role.POINTS):
            reading.words.pop()
            self._mark = reading.marks.pop() or self._mark
        if joined:
            self._add(content(joined))

    def _dropped(self, plain: str) -> None:
        if plain in _COPULAS:
            self._reading.copulas.append(len(self._reading.words))
        if plain in PAST_STATES and self._before not in PARTICIPLE_AFTER:
            self._reading.past = True

    def _starts(self, plain: str) -> None:
        self._mark = self._mark or "|"
        self._reading.singles += plain in ("a", "an")

    def _links(self, plain: str) -> None:
        """A preposition; "to" is "over" behind "prefer", and stays where it makes a range."""
        words = self._reading.words
        if plain == "to" and self._prefers and len(words) > self._prefers:
            self._add("over")
            self._prefers = 0
        elif plain == "to" and words and words[-1][-1].isdigit():
            self._add("to")
        if plain != "about" or not self._mark:  # "in about a week" is "in a week"
            self._mark = plain

    def _points(self, plain: str) -> None:
        self._mark = plain
        self._add(plain)

    def _lists(self, _plain: str) -> None:
        self._mark = ",and" if self._mark == "," else "and"

    def _offers(self, _plain: str) -> None:
        self._reading.offers += 1
        self._mark = "and"

    def _negates(self, _plain: str) -> None:
        self._reading.negations += 1
        self._add("not")

    def _counts(self, plain: str) -> None:
        self._reading.numbers.append(NUMBERS[plain])
        self._add(NUMBERS[plain])

    _BY_ROLE: ClassVar = {
        Role.DROPPED: _dropped,
        Role.STARTS: _starts,
        Role.LINKS: _links,
        Role.POINTS: _points,
        Role.LISTS: _lists,
        Role.OFFERS: _offers,
        Role.NEGATES: _negates,
        Role.COUNTS: _counts,
    }

    def _content(self, written: str, plain: str) -> None:
        reading = self._reading
        if plain in _TELLING:
            if plain == "using" and self._before not in _COPULAS and reading.words:
                self._mark = "with"
                return
            if plain in _DISLIKES:
                self._negates(plain)
                plain = "likes"
        word = self._forms.get(plain)
        if word is None:
            word = self._forms[plain] = content(plain)
        self._form(word, plain)
        if not written.islower():
            self._capitals(word, written)
        if word == _EACH and self._mark in ("", "|", ","):
            self._mark = _EACH
        elif word in SUBJECTS:
            self._mark = self._mark or "|"
        elif word == "prefer":
            self._prefers = len(reading.words) + 1
        reading.words.append(word)
        reading.marks.append(self._mark)
        self._mark = ""

    def _form(self, word: str, plain: str) -> None:
        """Note what the word's ending says of the time."""
        if plain in PAST_STATES:
            self._reading.past = self._reading.past or self._before not in PARTICIPLE_AFTER
        elif plain.endswith("ing"):
            self._reading.progressive.add(word)
        elif plain.endswith("ed"):
            self._reading.perfect.add(word)
            if self._before not in PARTICIPLE_AFTER:
                self._reading.did.add(word)
        elif plain.endswith("s"):
            self._reading.does.add(word)

    def _capitals(self, word: str, written: str) -> None:
        if _HUMP.search(written):
            self._reading.shapes[word] = written
        if written[0].isupper():
            self._reading.names.add(word)
