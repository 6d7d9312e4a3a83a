"""A leaf: many notes in few bytes, exactly the same again, and only what is asked of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.notebook.columns import Columns
from remember.notebook.leaf import LEAVES, Leaf, leaf_of
from remember.notebook.note import Note
from remember.notebook.row import Row
from remember.notebook.rows_of_notes import row_of

TIMES = st.integers(0, 2**62)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=64)
IDS = st.binary(min_size=12, max_size=12).map(bytes.hex)


def runs(size: int, most: int, least: int = 0) -> st.SearchStrategy[bytes]:
    one = st.binary(min_size=size, max_size=size)
    return st.lists(one, min_size=least, max_size=most).map(b"".join)


ROWS = st.builds(
    Row,
    id=IDS,
    created_at=TIMES,
    updated_at=TIMES,
    category=st.integers(0, 4),
    namespace=NAMES,
    model=runs(4, 1, 1),
    bits=runs(48, 1, 1),
    entity=runs(3, 1, 1),
    contents=runs(8, 6, 1),
    tags=runs(3, 32),
    terms=runs(3, 300),
)

NOTE = Note("00" * 12, "User likes tea", "preference", "tea", ("drinks",), 0.8, "default", 1, 2)


@given(st.lists(ROWS, max_size=8))
def test_a_leaf_comes_back(rows: list[Row]) -> None:
    """Every field of every note, in the leaf's order."""
    leaf = Leaf.of(rows)
    assert leaf.rows() == rows
    assert Leaf.from_bytes(leaf.to_bytes()) == leaf
    assert (leaf.total, leaf.note_ids()) == (len(rows), [row.id for row in rows])


@given(st.lists(ROWS, max_size=3), st.data())
def test_a_leaf_that_is_cut_off_is_no_leaf(rows: list[Row], data: st.DataObject) -> None:
    """Wherever it is cut, and whatever is put behind it."""
    leaf = Leaf.of(rows).to_bytes()
    cut = data.draw(st.integers(0, len(leaf) - 1))
    for damaged in (leaf[:cut], leaf + b"x"):
        with pytest.raises(ValueError, match="leaf"):
            Leaf.from_bytes(damaged)


@given(st.binary(max_size=200), st.lists(ROWS, min_size=1, max_size=2), st.data())
def test_what_is_damaged_is_a_value_error(head: bytes, rows: list[Row], data: st.DataObject) -> None:
    """Never another one, and never a leaf whose notes cannot be read."""
    leaf = bytearray(Leaf.of(rows).to_bytes())
    leaf[data.draw(st.integers(0, len(leaf) - 1))] ^= data.draw(st.integers(1, 255))
    for damaged in (bytes(leaf), b"\x02" + head):
        try:
            read = Leaf.from_bytes(damaged)
        except ValueError:
            continue
        assert len(read.rows()) == read.total


def test_a_leaf_of_another_form_is_not_read() -> None:
    """What a later version writes is not taken for something else."""
    with pytest.raises(ValueError, match="form"):
        Leaf.from_bytes(b"\x09" + Leaf.of([row_of(NOTE)]).to_bytes()[1:])


def test_a_note_in_a_namespace_that_has_no_name_is_no_note() -> None:
    """So that whoever reads the rows meets no surprise."""
    leaf = Leaf.of([row_of(NOTE)])._replace(spaces=b"\x01\x00")
    with pytest.raises(ValueError, match="namespace"):
        Leaf.from_bytes(leaf.to_bytes())


@pytest.mark.parametrize("namespace", ["😀" * 64, "語" * 64, "é" * 64, "x"])
@pytest.mark.promise("notes.namespace")
def test_the_longest_names_fit(namespace: str) -> None:
    """64 characters of whatever script, of up to four bytes each, and 32 such tags."""
    tags = tuple(f"{number:02}" + "😀" * 62 for number in range(32))
    note = Note("ff" * 12, "x " * 4_000, "fact", "😀" * 64, tags, 1.0, namespace, 1, 2)
    (row,) = Leaf.from_bytes(Leaf.of([row_of(note)]).to_bytes()).rows()
    assert row == row_of(note)
    assert row.namespace == namespace


def test_a_note_takes_few_bytes() -> None:
    """All leaves of an owner are read for a question: of 20 terms and two tags, 164 bytes, and the namespace once."""
    note = Note("00" * 12, " ".join(f"word{number}" for number in range(6)), "fact", None, ("a1", "b2"), 0.8, "n", 1, 2)
    one, two = (Leaf.of([row_of(note)] * count) for count in (1, 2))
    assert len(two.to_bytes()) - len(one.to_bytes()) == one.size == 104 + len(row_of(note).terms)


@given(st.lists(ROWS, max_size=8), st.data())
def test_columns_are_of_the_notes_that_were_asked_for(rows: list[Row], data: st.DataObject) -> None:
    """Those in the places that are named, or all; and several leaves' one after the other."""
    leaf = Leaf.of(rows)
    places = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1)))) if rows else []
    assert leaf.columns(places) == Leaf.of(rows[at] for at in places).columns()
    joined = Columns.joined([leaf.columns(), leaf.columns(places)])
    expected = [*rows, *(rows[at] for at in places)]
    assert joined.total == len(expected)
    assert [joined.id(at) for at in range(joined.total)] == [row.id for row in expected]
    assert (joined.model_of(), joined.terms_of()) == ([row.model for row in expected], [row.terms for row in expected])
    assert joined.bits == b"".join(row.bits for row in expected)
    assert joined.lengths() == tuple(len(row.terms) // 3 for row in expected)


def test_no_leaves_have_no_columns() -> None:
    """An owner without notes may ask all the same."""
    assert Columns.joined([]) == Columns()
    assert Columns().total == 0


@given(IDS)
def test_leaves_are_few(note_id: str) -> None:
    """One owner's rows lie in at most 64 leaves, by the id alone."""
    assert 0 <= int(leaf_of(note_id), 16) < LEAVES
