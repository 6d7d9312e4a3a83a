"""BM25 over hashed terms: what it weighs, and that both ways of reckoning it agree."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remember.text import bm25 as plain
from remember.text import bm25_arrays as arrays
from remember.text.bm25 import Words

RARE, COMMON, OTHER = "rare", "common", "other"


def run(*terms: object) -> bytes:
    """Terms as hashes that look like real ones: three bytes with nothing in common."""
    return b"".join(random.Random(repr(term)).randbytes(3) for term in terms)  # noqa: S311  a sample, no secret


def bm25(notes: Sequence[bytes], question: bytes) -> dict[int, Words]:
    return plain.bm25(b"".join(notes), [len(note) // 3 for note in notes], question)


def bm25_arrays(notes: Sequence[bytes], question: bytes) -> arrays.WordArrays:
    lengths = np.array([len(note) // 3 for note in notes], np.uint16)
    return arrays.bm25_arrays(b"".join(notes), lengths, question)


def scores(notes: Sequence[bytes], question: bytes) -> dict[int, float]:
    return {note: words.score for note, words in bm25(notes, question).items()}


def test_the_rarer_word_the_shorter_note_and_more_repeats_count_more() -> None:
    """The three things that BM25 weighs."""
    notes = [run(RARE, OTHER), run(COMMON, OTHER), run(COMMON, OTHER), run(COMMON, OTHER, OTHER, OTHER), run(OTHER)]
    found = scores(notes, run(RARE, COMMON, COMMON))
    assert found[0] > found[1] == found[2] > found[3]
    assert 4 not in found
    twice = scores([run(RARE, RARE, OTHER), run(RARE, OTHER, OTHER)], run(RARE))
    assert twice[0] > twice[1] > 0


def test_it_is_the_textbook_formula_as_a_share_of_the_best() -> None:
    """Robertson's, with k1 = 1.2 and b = 0.75: one term twice in a note of three terms, where five thirds are usual."""
    found = scores([run(RARE, RARE, OTHER), run(OTHER), run(COMMON)], run(RARE))
    assert found == {0: pytest.approx(2 * 1.3 / (2 + 1.2 * (0.25 + 0.75 * 3 / (5 / 3))))}


def test_a_word_that_no_note_has_leaves_its_share_unanswered() -> None:
    """Half of a question answers less than half of it: the word that is missing would be the rarest."""
    note = [run(RARE)] * 3
    assert bm25(note, run(RARE, OTHER))[0].score < bm25(note, run(RARE))[0].score / 2
    assert bm25(note, run(RARE, OTHER))[0].found == 0.5


def test_no_notes_and_no_terms_answer_nothing() -> None:
    """No division by nothing."""
    for notes, question in (([], run(RARE)), ([b""], run(RARE)), ([run(RARE)], b""), ([run(RARE)], run(OTHER))):
        assert bm25(notes, question) == {}
        assert not bm25_arrays(notes, question).score.any()


def test_bytes_across_two_terms_are_no_term() -> None:
    """Only what begins where a term begins counts."""
    assert bm25([b"abcdef"], b"cde") == bm25([b"abcdef"], b"bcd") == {}
    assert bm25([b"abcdefcde"], b"cde").keys() == {0}
    assert not bm25_arrays([b"abcdef"], b"cde").found.any()


TEXTS = st.lists(st.integers(0, 12), max_size=9).map(lambda terms: run(*terms))


@settings(deadline=None)  # the machine may be busy
@given(st.lists(TEXTS, max_size=12), TEXTS)
def test_both_ways_of_reckoning_agree(notes: list[bytes], question: bytes) -> None:
    """In plain Python and in arrays, to what a float32 holds."""
    one, other = bm25(notes, question), bm25_arrays(notes, question)
    for at in range(len(notes)):
        assert other.score[at] == pytest.approx(one.get(at, Words(0, 0)).score, abs=1e-6)
        assert other.found[at] == pytest.approx(one.get(at, Words(0, 0)).found, abs=1e-6)


def test_the_commonest_words_of_a_large_memory_are_left_out() -> None:
    """In plain Python, where each place costs; the rare word decides all the same."""
    notes = [run(COMMON, number) for number in range(6_000)] + [run(COMMON, RARE)]
    assert bm25(notes, run(COMMON, RARE)).keys() == {6_000}
    assert len(bm25(notes, run(COMMON))) == 6_001
