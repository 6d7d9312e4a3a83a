"""What lexical search compares: a text's terms, and their hashes, which say nothing without the key.

Words of any script in one written form (`folding`), English ones stemmed; scripts that write without spaces as pairs of
characters; identifiers whole and in their parts. Documents and questions get the same terms, so `café` finds `cafe` and
`人工智能` is found in `人工智能技术`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b

from remember.text.folding import folded, seen
from remember.text.stem import stem
from remember.text.word_lists import words

TERM_BYTES = 3
"""Of a hash. Where notes have 30,000 different words, one word of 500 that stands in none of them seems to be there."""

# Scripts without spaces between words, and Hangul, whose particles stand on the word.
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HANGUL = "\u1100-\u11ff\uac00-\ud7af"
_RUNS = (
    f"[{_HAN}]+",
    f"[{_HANGUL}]+",
    "[\u3040-\u309f]+",  # Hiragana
    "[\u30a0-\u30ff\u31f0-\u31ff]+",  # Katakana
    "[\u0e00-\u0e7f]+",  # Thai
    "[\u0e80-\u0eff]+",  # Lao
    "[\u1000-\u109f\uaa60-\uaa7f]+",  # Myanmar
    "[\u1780-\u17ff]+",  # Khmer
)
_UNSPACED = re.compile("|".join(_RUNS))
_WHOLE_CHARACTERS = re.compile(f"[{_HAN}{_HANGUL}]")

# Python's \w leaves out the vowel signs of Indic scripts, which would cut words in pieces.
_LETTER = (
    "[\\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0df3\u0f00-\u0fff\u1b00-\u1c7f]"
)
_WORD = re.compile(f"{_LETTER}+(?:[.\\-_'’+#]+{_LETTER}+)*[+#]*")
_JOINT = re.compile("[.\\-_'’+#]+")
_HUMP = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_APOSTROPHE_S = re.compile("['’]s?$")

# Words that stand in every English text. Negations are not among them: they are what a question may be about.
STOP_WORDS = words(
    """
    a about after again all also am an and any are as at be because been before being between both but by can could
    did do does doing down during each for from further had has have having he her here hers him his how i if in
    into is it its itself just me more most my myself of off on once only or other our ours out over own same she
    should so some such than that the their theirs them then there these they this those through to too under until
    up very was we were what when where which while who whom whose why will with would you your yours
    """
)

# Words that ask, and are seldom what is asked about; a note may be about them.
_ASKING = words("get happen know many much recall remember remind tell use work")


def terms(text: str) -> list[str]:
    """The terms of a note, repeats included; stop words only where there is nothing else."""
    found = list(_terms(seen(text)))
    return [term for term in found if term not in _STOPPED] or found


def query_terms(text: str) -> list[str]:
    """The terms that a question looks for, each once, in the question's order.

    A lone character of a script without spaces is looked for as such; in longer runs the pairs say more.
    """
    text = seen(text)
    longer = {character for run in _UNSPACED.findall(text) if len(run) > 1 for character in run}
    wanted = dict.fromkeys(term for term in _terms(text) if term not in longer)
    told = [term for term in wanted if term not in _STOPPED]
    return [term for term in told if term not in _ASKED] or told or list(wanted)


def term_hash(term: str, key: bytes) -> bytes:
    """A term as 24 bits that only the holder of the key can make; the key has 1 to 64 bytes."""
    return blake2b(term.encode(), digest_size=TERM_BYTES, key=key).digest()


def _terms(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word.isascii():
            yield from _spaced(word)
        else:
            yield from _mixed(word)


def _mixed(word: str) -> Iterator[str]:
    """A word that may hold runs of scripts without spaces."""
    at = 0
    for run in _UNSPACED.finditer(word):
        yield from _spaced(word[at : run.start()])
        yield from _unspaced(folded(run[0]))
        at = run.end()
    yield from _spaced(word[at:])


def _unspaced(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
        return
    yield from (run[at : at + 2] for at in range(len(run) - 1))
    yield from _WHOLE_CHARACTERS.findall(run)


def _spaced(word: str) -> Iterator[str]:
    """A word, or an identifier whole and in parts: `getUserName`, `db-1.internal`, `FOO_BAR`."""
    word = _APOSTROPHE_S.sub("", word)
    if not word:
        return
    parts = [hump for part in _JOINT.split(word) if part for hump in _HUMP.split(part)]
    whole = folded(word)
    if len(parts) < 2:
        yield stem(whole)
        return
    yield whole
    yield from (stem(folded(part)) for part in parts)


_STOPPED = frozenset(stem(word) for word in STOP_WORDS)
_ASKED = frozenset(stem(word) for word in _ASKING)
