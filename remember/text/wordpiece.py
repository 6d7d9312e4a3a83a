"""BERT's uncased WordPiece: from a text to the numbers that the model's table of words goes by.

The order of things is that of the tokenizer which the model was trained with: control characters go, accents go, all
is lower case, Chinese characters and punctuation stand alone, and each word is cut into the longest pieces known.
A special token that a text spells out (`[SEP]`) is text here, so that nobody can write one into a note.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

MAX_PIECES = 256  # with the two that mark begin and end; the model was trained with no more
MAX_WORD = 100  # characters; a longer word is unknown as a whole

CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
VOCABULARY = Path(__file__).with_name("data") / "bert-uncased.txt.gz"


class WordPiece:
    """Cuts texts by a vocabulary: each piece with its number, those within a word written `##piece`."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.vocabulary = vocabulary
        self.begin, self.end, self.unknown = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        self.longest = max(map(len, vocabulary))

    def numbers(self, text: str) -> list[int]:
        """The pieces of `text` between begin and end, at most `MAX_PIECES`; what comes after is not seen."""
        numbers = [self.begin]
        for word in words(text):
            numbers += self._cut(word)
            if len(numbers) >= MAX_PIECES:
                break
        return [*numbers[: MAX_PIECES - 1], self.end]

    def _cut(self, word: str) -> list[int]:
        if len(word) > MAX_WORD:
            return [self.unknown]
        pieces: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self.longest), start, -1):
                piece = self.vocabulary.get(mark + word[start:end])
                if piece is not None:
                    break
            else:
                return [self.unknown]
            pieces.append(piece)
            start, mark = end, "##"
        return pieces


def bert_uncased() -> WordPiece:
    """The tokenizer of all-MiniLM-L6-v2, from the vocabulary in this package."""
    # 16 + 15: gzip's header; the gzip module itself costs ten times the reading.
    pieces = zlib.decompress(VOCABULARY.read_bytes(), 31).decode().split("\n")
    return WordPiece(dict(zip(pieces, range(len(pieces)), strict=True)))


def words(text: str) -> Iterator[str]:
    """The words and punctuation marks of a text, lower case and without accents."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text)
    # A capital sigma ends a word as σ there too; Python would make it ς.
    return iter(text.translate(SPACING).replace("Σ", "σ").lower().split())


class _Spacing(dict[int, str]):
    """What becomes of a character: itself, nothing, a space, or itself between spaces. Only ASCII is kept at hand."""

    def __missing__(self, code: int) -> str:
        return _spaced(chr(code))


def _spaced(char: str) -> str:
    if char in "\t\n\r":
        return " "
    category = unicodedata.category(char)
    if category[0] == "C" or category == "Mn" or char == "\ufffd":
        return ""
    if category[0] == "Z":
        return " "
    if category[0] == "P" or (char.isascii() and category[0] == "S") or _is_chinese(ord(char)):
        return f" {char} "
    return char


def _is_chinese(code: int) -> bool:
    return any(first <= code <= last for first, last in CHINESE)


SPACING = _Spacing({code: _spaced(chr(code)) for code in range(128)})
