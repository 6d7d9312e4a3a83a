"""Rows: what ranking needs of a note, in few bytes, and exactly that again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.notebook.note import Note, Version
from remember.notebook.row import (
    LEAVES,
    Row,
    content_hash,
    hash_terms,
    hash_words,
    leaf_of,
    model_tag,
    pack_rows,
    term_hashes,
    unpack_rows,
    word_hash,
)
from remember.notebook.rows_of_notes import row_of
from remember.text.terms import terms
from remember.text.vectors import pack, sign_bits, unpack

TIMES = st.integers(0, 2**62)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=64)
IDS = st.binary(min_size=12, max_size=12).map(bytes.hex)

ROWS = st.builds(
    Row,
    id=IDS,
    created_at=TIMES,
    updated_at=TIMES,
    category=st.integers(0, 4),
    model=st.binary(min_size=4, max_size=4),
    bits=st.binary(min_size=48, max_size=48),
    entity=st.integers(0, 2**32 - 1),
    contents=st.lists(st.binary(min_size=8, max_size=8), min_size=1, max_size=6).map(b"".join),
    tags=st.lists(st.binary(min_size=4, max_size=4), max_size=32).map(b"".join),
    namespace=NAMES,
    terms=st.lists(st.binary(min_size=4, max_size=4), max_size=300).map(b"".join),
)

NOTE = Note("00" * 12, "User likes tea", "preference", "tea", ("drinks",), 0.8, "default", 1, 2)


@given(st.lists(ROWS, max_size=8))
def test_a_leaf_comes_back(rows: list[Row]) -> None:
    """Every field of every row, in the leaf's order."""
    assert list(unpack_rows(pack_rows(rows))) == rows


@given(st.lists(ROWS, min_size=1, max_size=3), st.data())
def test_a_leaf_that_is_cut_off_is_no_leaf(rows: list[Row], data: st.DataObject) -> None:
    """Wherever it is cut but between two rows."""
    leaf = pack_rows(rows)
    whole = {len(pack_rows(rows[:count])) for count in range(len(rows) + 1)}
    cut = data.draw(st.integers(0, len(leaf)).filter(lambda at: at not in whole))
    with pytest.raises(ValueError, match="row"):
        list(unpack_rows(leaf[:cut]))


def test_rows_of_another_form_are_not_read() -> None:
    """What a later version writes is not taken for something else."""
    with pytest.raises(ValueError, match="form"):
        list(unpack_rows(b"\x09" + pack_rows([row_of(NOTE)])[1:]))


@pytest.mark.parametrize("namespace", ["😀" * 64, "語" * 64, "é" * 64, "x"])
@pytest.mark.promise("notes.namespace")
def test_the_longest_names_fit(namespace: str) -> None:
    """64 characters of whatever script, of up to four bytes each, and 32 such tags."""
    tags = tuple(f"{number:02}" + "😀" * 62 for number in range(32))
    note = Note("ff" * 12, "x " * 4_000, "fact", "😀" * 64, tags, 1.0, namespace, 1, 2)
    (row,) = unpack_rows(pack_rows([row_of(note)]))
    assert row == row_of(note)
    assert row.namespace == namespace


def test_a_row_says_what_its_note_says() -> None:
    """The text's terms with those of entity and tags, and a hash of every text that was folded in."""
    folded = Version("The user is fond of tea", 3, "folded")
    gone = Version("User likes coffee", 3, "superseded")
    note = Note("00" * 12, "User likes tea", "preference", "tea", ("Getränke",), 0.8, "default", 1, 2,
                helpful=300, unhelpful=4, history=(folded, gone))  # fmt: skip
    row = row_of(note)
    assert term_hashes(row.terms) == term_hashes(hash_terms(terms("User likes tea tea Getränke")))
    assert row.length == len(term_hashes(row.terms))
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


@given(IDS)
def test_leaves_are_few(note_id: str) -> None:
    """One owner's rows lie in at most 64 leaves, by the id alone."""
    assert 0 <= int(leaf_of(note_id), 16) < LEAVES
