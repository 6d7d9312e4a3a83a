"""A text as the guard reads it: what carries content in one written form, and what turns the sentence's meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from remember.text.folding import folded, seen
from remember.text.guard_words import (
    NUMBERS,
    PARTICIPLE_AFTER,
    PAST_STATES,
    PHRASE_ENDS,
    PHRASES,
    ROLES,
    SUBJECTS,
    SYNONYMS,
    Role,
)
from remember.text.stem import uninflected

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
    r"|(?P<stop>[,;:.!?()\n–—&+])"
    r"|(?P<sign>[=-]>|<=|>=|!=|[<>=%$]|[^\x00-\x7f\w\s“”„‚‘’«»…·•。、¿¡])"
)
_WORDLIKE = frozenset({"word", "part"})
_QUOTED = re.compile(r"\"([^\"]{1,200})\"|“([^“”]{1,200})”|„([^„“”]{1,200})[“”]|«([^«»]{1,200})»|「([^「」]{1,200})」")
_APOSTROPHES = str.maketrans("’‘ʼ", "'''")
_NOT = re.compile(r"\b(?:(?P<verb>ca|wo|sha|can)(?:n't|not)|(?<=[a-z])n't)\b|(?<=[a-z])n't\b", re.IGNORECASE)
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
_ORDINAL = re.compile("(?:st|nd|rd|th)$", re.IGNORECASE)
_HUMP = re.compile("[a-z][A-Z]|[A-Z]{2}[a-z]")
_BRANDS = frozenset({"iphone", "ipad", "ios", "macos", "ebay", "npm", "pnpm", "github", "gitlab"})


@dataclass(slots=True)
class Reading:
    """One text's content, in order, and around it what may turn it."""

    words: list[str] = field(default_factory=list)
    """Content in one written form: stems, numbers, names, turning prepositions."""
    marks: list[str] = field(default_factory=list)
    """What stood before each word: "" nothing, "|" a phrase's beginning, "," a stop, "and", or a preposition."""
    negations: int = 0
    offers: int = 0
    questions: bool = False
    numbers: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    shapes: dict[str, str] = field(default_factory=dict)
    """Words with capitals or underscores inside, as written, under their plain form."""
    names: set[str] = field(default_factory=set)
    """Which of the words are hosts, paths, versions, identifiers or written with a capital."""
    past: bool = False
    progressive: set[str] = field(default_factory=set)
    perfect: set[str] = field(default_factory=set)
    forms: dict[str, str] = field(default_factory=dict)
    """The one form of each plain word of content."""

    def plain(self, words: list[str]) -> list[str]:
        """Words of the reading as people write them."""
        written = {form: plain for plain, form in self.forms.items()}
        return [written.get(word, word) for word in words]


def read_both(old: str, new: str) -> tuple[Reading, Reading]:
    """Read two similar texts; what their words come to is worked out once."""
    forms: dict[str, str] = {}
    return read(old, forms), read(new, forms)


def read(text: str, forms: dict[str, str]) -> Reading:
    """Read a text in any of the guard's languages that puts spaces between words; `forms` fills with its words."""
    text = seen(text).translate(_APOSTROPHES)
    if "n" in text and ("n't" in text or "nnot" in text):
        text = _NOT.sub(_not_apart, text)
    if _DIGIT.search(text):
        text = _DATE.sub(_iso, text)
    reading = Reading(forms=forms)
    if '"' in text or not text.isascii():
        reading.quotes = ["".join(groups).strip() for groups in _QUOTED.findall(text)]
    _Reader(reading, forms).take(text)
    return reading


class _Reader:
    """Walks over the tokens; remembers the mark that the next word gets, and the word before."""

    def __init__(self, reading: Reading, forms: dict[str, str]) -> None:
        self._reading = reading
        self._forms = forms
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
        self._before = ""

    def _other(self, kind: str, written: str) -> None:
        reading = self._reading
        self._before = ""
        if kind == "code":
            reading.codes.append(written[1:-1])
            self.take(written[1:-1])
            return
        if kind == "clock":
            written = _clock(written)
        elif kind == "version":
            written = written.lower().removeprefix("v")
        if kind in ("date", "clock", "version"):
            reading.numbers.append(written)
            self._add(written)
            return
        if kind == "name":
            plain = folded(written)
            self._shape(written, plain, always="_" in written)
            written = plain
        reading.names.add(written)
        self._add("percent" if written == "%" else written)

    def _shape(self, written: str, plain: str, *, always: bool = False) -> None:
        if always or _HUMP.search(written):
            self._reading.shapes[plain] = written

    def _word(self, written: str) -> None:
        plain = written.lower() if written.isascii() else folded(written)
        before, self._before = self._before, plain
        if plain in PHRASE_ENDS and (joined := PHRASES.get((before, plain))):
            self._phrase(before, joined)
            return
        if written.isupper() and self._is_name(plain):
            self._add(written)
            return
        role = ROLES.get(plain)
        if role is None:
            self._content(written, plain, before)
        else:
            self._role(role, plain, before)

    def _is_name(self, plain: str) -> bool:
        """Whether a small word in capitals is one: the US, IT, vitamin C."""
        if len(plain) == 1:
            return bool(self._reading.words) and plain != "i"
        return plain in _ALSO_NAMES

    def _phrase(self, before: str, joined: str) -> None:
        reading = self._reading
        if ROLES.get(before) is None and reading.words:
            reading.words.pop()
            self._mark = reading.marks.pop() or self._mark
        elif before == "not" or ROLES.get(before) is Role.POINTS:
            reading.words.pop()
            reading.marks.pop()
        self._add(content(joined))

    def _role(self, role: Role, plain: str, before: str) -> None:
        reading = self._reading
        if role is Role.DROPPED:
            if plain in PAST_STATES and before not in PARTICIPLE_AFTER:
                reading.past = True
        elif role is Role.STARTS:
            self._mark = self._mark or "|"
        elif role is Role.LINKS:
            if plain == "to" and self._prefers and len(reading.words) > self._prefers:
                self._add("over")
                self._prefers = 0
            self._mark = plain
        elif role is Role.POINTS:
            self._mark = plain
            self._add(plain)
        elif role is Role.LISTS:
            self._mark = ",and" if self._mark == "," else "and"
        elif role is Role.OFFERS:
            reading.offers += 1
            self._mark = "and"
        elif role is Role.NEGATES:
            reading.negations += 1
            self._add("not")
        else:
            reading.numbers.append(NUMBERS[plain])
            self._add(NUMBERS[plain])

    def _content(self, written: str, plain: str, before: str) -> None:
        reading = self._reading
        word = self._forms.get(plain)
        if word is None:
            word = self._forms[plain] = content(plain)
        if plain in PAST_STATES:
            reading.past = reading.past or before not in PARTICIPLE_AFTER
        elif plain.endswith("ing"):
            reading.progressive.add(word)
        elif plain.endswith("ed"):
            reading.perfect.add(word)
        if not written.islower():
            if _HUMP.search(written):
                reading.shapes[word] = written
            if written[0].isupper():
                reading.names.add(word)
        if word in SUBJECTS:
            self._mark = self._mark or "|"
        elif word == "prefer":
            self._prefers = len(reading.words) + 1
        reading.words.append(word)
        reading.marks.append(self._mark)
        self._mark = ""


def content(plain: str) -> str:
    """The one form of a folded word that carries content."""
    word = one_spelling(uninflected(_PAST.get(plain, plain)))
    return _STANDS_FOR.get(word, word)


def one_spelling(word: str) -> str:
    """British and American spellings of an uninflected word in one form, which is neither's."""
    if len(word) < 5 or not word.isascii():
        return word
    word = word.replace("our", "or")
    for british, american in _SPELLINGS:
        if word.endswith(british):
            return word[: -len(british)] + american
    return word


_SPELLINGS = (("is", "iz"), ("ys", "yz"), ("tr", "ter"), ("ogu", "og"), ("ll", "l"), ("enc", "ens"), ("is", "iz"))
_PAST = {"made": "make", "chose": "choose", "chosen": "choose", "bought": "buy", "built": "build", "sent": "send",
         "written": "write", "wrote": "write", "began": "begin", "ran": "run", "drove": "drive", "knew": "know",
         "taught": "teach", "spoke": "speak", "led": "lead", "kept": "keep", "ate": "eat", "drank": "drink",
         "stood": "stand", "paid": "pay", "wore": "wear", "held": "hold", "sold": "sell", "met": "meet"}  # fmt: skip
_ALSO_NAMES = frozenset({"us", "it", "or", "os", "am", "as", "is", "in", "die", "on", "do", "no", "me", "so"})


def _synonyms() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in SYNONYMS.strip().splitlines():
        first, *others = line.split()
        for word in (first, *others):
            found.setdefault(one_spelling(uninflected(word)), one_spelling(uninflected(first)))
    found.update(dict.fromkeys(("i", "me", "user"), "user"))
    found.update({"they": "they"})
    return found


_STANDS_FOR = _synonyms()


def _not_apart(found: re.Match[str]) -> str:
    """Write "don't" as "do not", so that the negation is a word."""
    verb = found["verb"]
    return f"{_WHOLE_VERBS[verb.lower()]} not" if verb else " not"


def _clock(written: str) -> str:
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
