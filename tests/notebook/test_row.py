"""Rows: what ranking and dedupe need of a note."""

from __future__ import annotations

import numpy as np
import pytest

from remember.notebook.note import Note, Version
from remember.notebook.row import content_hash, hash_terms, hash_words, model_tag, word_hash
from remember.notebook.rows_of_notes import row_of
from remember.text.terms import terms
from remember.text.vectors import pack, sign_bits, unpack


def test_a_row_says_what_its_note_says() -> None:
    """The text's terms with those of entity and tags, and a hash of every text that was folded in."""
    folded = Version("The user is fond of tea", 3, "folded")
    gone = Version("User likes coffee", 3, "superseded")
    note = Note("00" * 12, "User likes tea", "preference", "tea", ("Getränke",), 0.8, "default", 1, 2,
                helpful=300, unhelpful=4, history=(folded, gone))  # fmt: skip
    row = row_of(note)
    assert row.terms == hash_terms(terms("User likes tea tea Getränke"))
    assert len(row.terms) == 3 * len(terms("User likes tea tea Getränke"))
    assert row.contents == content_hash("User likes tea") + content_hash("The user is fond of tea")
    assert row.tags == hash_words(["getranke"])
    assert row.entity == word_hash("TEA")
    assert row.model == model_tag(None) == bytes(4)


def test_sign_bits_are_those_of_the_vector() -> None:
    """The quick way from a packed vector gives what numpy gives."""
    vector = pack(np.random.default_rng(7).standard_normal(384).astype(np.float32))
    note = Note("00" * 12, "tea", "fact", None, (), 0.8, "default", 1, 2, model="m", vector=vector)
    assert row_of(note).bits == sign_bits(unpack(vector))


@pytest.mark.parametrize(
    ("one", "other"),
    [("tea  and\tcake\r\n", "tea and cake"), ("café", "cafe\u0301"), (" tea", "tea ")],
)
def test_white_space_and_encoding_make_no_other_text(one: str, other: str) -> None:
    """I5, A7: what looks the same is the same."""
    assert content_hash(one) == content_hash(other)


@pytest.mark.parametrize(("one", "other"), [("FOO_bar", "foo_BAR"), ("tea", "tea."), ("a b", "ab")])
def test_everything_else_does(one: str, other: str) -> None:
    """I5: case means something inside identifiers."""
    assert content_hash(one) != content_hash(other)
