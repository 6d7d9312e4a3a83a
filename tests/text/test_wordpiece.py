"""The pieces of a text are those of the tokenizer that the model was trained with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remember.text.wordpiece import MAX_PIECES, WordPiece, bert_uncased, words

# `.ci/embedding-reference` made the numbers.
REFERENCE = json.loads((Path(__file__).parent / "data" / "embedding.json").read_text())

BEGIN, END, UNKNOWN = 101, 102, 100


@pytest.fixture(scope="module")
def pieces() -> WordPiece:
    return bert_uncased()


class Counted(Mapping[str, int]):
    """A vocabulary that counts how often it is asked."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.vocabulary = vocabulary
        self.asked = 0

    def __getitem__(self, piece: str) -> int:
        self.asked += 1
        return self.vocabulary[piece]

    def __iter__(self) -> Iterator[str]:
        return iter(self.vocabulary)

    def __len__(self) -> int:
        return len(self.vocabulary)


@pytest.mark.parametrize("entry", REFERENCE["plain"] + REFERENCE["odd"], ids=lambda entry: ascii(entry["text"][:20]))
def test_the_numbers_are_the_reference_s(pieces: WordPiece, entry: dict[str, object]) -> None:
    """Of texts in twenty languages, code, control characters, ligatures, spaces of all kinds, and too long ones."""
    assert pieces.numbers(str(entry["text"])) == entry["pieces"]


def test_the_vocabulary_is_whole(pieces: WordPiece) -> None:
    """30,522 pieces, numbered in their order from 0."""
    assert sorted(pieces.vocabulary.values()) == list(range(30_522))
    assert (pieces.begin, pieces.end, pieces.unknown) == (BEGIN, END, UNKNOWN)


def test_words_and_marks_stand_alone() -> None:
    """Punctuation, ASCII's signs and Chinese characters are words of their own; other signs are not."""
    assert list(words("Don't pay $5 (or €6)!")) == ["don", "'", "t", "pay", "$", "5", "(", "or", "€6", ")", "!"]
    assert list(words("我住3楼")) == ["我", "住", "3", "楼"]


def test_accents_case_and_invisible_characters_go() -> None:
    """Whatever way an accent is written; control and format characters leave no gap."""
    assert list(words("Ünïcode U\u0308ni\u0308code")) == ["unicode", "unicode"]
    assert list(words("a\u200bb\x00c\ufffd d\u2028e")) == ["abc", "d", "e"]


def test_a_capital_sigma_is_the_same_everywhere() -> None:
    """Lower case is made character by character, as there: no final sigma."""
    assert list(words("ΟΔΟΣ")) == ["οδοσ"]


def test_a_special_token_in_a_text_is_text(pieces: WordPiece) -> None:
    """Nobody ends a text, or masks a word of it, by writing so."""
    numbers = pieces.numbers("all [SEP] of [MASK] it [PAD]")
    assert numbers.count(END) == 1
    assert numbers.index(END) == len(numbers) - 1
    assert not {0, 103} & set(numbers)


def test_of_a_long_text_the_beginning_counts(pieces: WordPiece) -> None:
    """256 pieces with the two marks, the last of them the end."""
    numbers = pieces.numbers("one two three " * 500)
    assert len(numbers) == MAX_PIECES
    assert numbers[:4] == [BEGIN, *pieces.numbers("one two three")[1:-1]]
    assert numbers[-1] == END


def test_half_a_surrogate_is_no_error(pieces: WordPiece) -> None:
    """JSON may carry one."""
    assert pieces.numbers("a\ud800b") == pieces.numbers("ab")


def test_hostile_words_cost_no_more_than_their_length(pieces: WordPiece) -> None:
    """8,000 characters that match late or never: at most 18 questions, its longest piece, for each."""
    for text in ("a" * 8000, ("\u0e01" * 100 + " ") * 79, ("z" * 99 + "\u0e01 ") * 79, "ab" * 4000):
        counted = Counted(pieces.vocabulary)
        WordPiece(counted).numbers(text)
        assert counted.asked <= 18 * len(text) + 10


@settings(deadline=None)  # the machine may be busy
@given(st.text(max_size=300))
def test_any_text_has_numbers(text: str) -> None:
    """Between begin and end, each in the vocabulary."""
    numbers = SHARED.numbers(text)
    assert 2 <= len(numbers) <= MAX_PIECES
    assert (numbers[0], numbers[-1]) == (BEGIN, END)
    assert all(0 <= number < 30_522 for number in numbers)


SHARED = bert_uncased()
