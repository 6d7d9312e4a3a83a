"""The index: all rows at one version, kept up to date leaf by leaf."""

from __future__ import annotations

import tracemalloc

import pytest

from remember.errors import InvalidInput
from remember.notebook.filters import Filters
from remember.notebook.index import Index
from remember.notebook.leaf import Leaf, leaf_of
from remember.notebook.note import Note
from remember.notebook.row import Row
from remember.notebook.rows_of_notes import row_of
from remember.sealing import Unreadable
from remember.stores.base import Changes


def row(note_id: str, content: str = "User likes tea") -> Row:
    return row_of(Note(note_id, content, "fact", None, (), 0.8, "default", 1, 1))


def id_of(beginning: str) -> str:
    return beginning.ljust(24, "0")


def open_leaf(name: str, text: str) -> bytes:
    """A seal that hides nothing; `damaged` does not open."""
    if text == "damaged":
        raise Unreadable("changed, or moved from another place")
    return bytes.fromhex(text)


def changed(index: Index, put: list[Row], remove: list[str]) -> dict[str, tuple[Row, ...]]:
    return {name: tuple(leaf.rows()) for name, leaf in index.changed(put, remove).items()}


def leaf(*rows: Row) -> str:
    return Leaf.of(rows).to_bytes().hex()


A, A2, B = row(id_of("00aa")), row(id_of("00bb")), row(id_of("ff00"))
"""Two of one leaf, and one of another."""


def index_of(version: str = "e:1", **leaves: str | None) -> Index:
    named = {name.removeprefix("leaf_"): text for name, text in leaves.items()}
    return Index().after(Changes(version, complete=True, leaves=named), open_leaf)


def test_leaves_give_their_rows() -> None:
    """All that open; the others are counted."""
    index = index_of(leaf_00=leaf(A, A2), leaf_3f=leaf(B), leaf_05="damaged", leaf_06="abcd")
    assert list(index.rows()) == [A, A2, B]
    assert index.columns() == Leaf.of([A, A2, B]).columns()
    assert (index.total, index.unreadable) == (3, 2)
    assert index.version == "e:1"


def test_filters_choose_the_notes() -> None:
    """In columns and row by row."""
    other = row(id_of("0011"))._replace(namespace="work", updated_at=9)
    index = index_of(leaf_00=leaf(A, A2), leaf_04=leaf(other), leaf_3f=leaf(B))
    for filters, rows in (
        (Filters(namespaces=("work",)), [other]),
        (Filters(namespaces=("default", "home")), [A, A2, B]),
        (Filters(span=(5, None)), [other]),
        (Filters(tags=("none",)), []),
    ):
        assert list(index.rows(filters)) == rows
        assert index.columns(filters) == Leaf.of(rows).columns()


def test_changes_touch_their_leaves_only() -> None:
    """A leaf that came, one that is other now, one that is gone; the rest stays as it was read."""
    index = index_of(leaf_00=leaf(A), leaf_05=leaf(row(id_of("14"))), leaf_3f=leaf(B))
    later = index.after(Changes("e:2", complete=False, leaves={"00": leaf(A, A2), "05": None}), open_leaf)
    assert set(later.rows()) == {A, A2, B}
    assert later.version == "e:2"
    assert list(index.rows()) != list(later.rows())


def test_complete_changes_forget_what_was_known() -> None:
    """A collection that was wiped or flushed and written anew shows nothing of its former life."""
    later = index_of(leaf_00=leaf(A)).after(Changes("f:1", complete=True, leaves={"3f": leaf(B)}), open_leaf)
    assert list(later.rows()) == [B]
    assert list(later.after(Changes(None, complete=True, leaves={}), open_leaf).rows()) == []


def test_a_damaged_leaf_that_is_written_again_opens() -> None:
    """Nothing is held against a name."""
    index = index_of(leaf_00="damaged")
    later = index.after(Changes("e:2", complete=False, leaves={"00": leaf(A)}), open_leaf)
    assert (list(later.rows()), later.unreadable) == ([A], 0)


@pytest.mark.promise("notes.forget")
def test_a_note_is_found_by_the_beginning_of_its_id() -> None:
    """Eight characters or more, in any case; the whole id as well."""
    index = index_of(leaf_00=leaf(A, A2), leaf_3f=leaf(B))
    assert index.find("00aa0000") == A.id
    assert index.find(" 00AA0000 ") == A.id
    assert index.find(B.id) == B.id
    assert index.find("00cc0000") is None


def test_a_beginning_of_several_ids_is_refused() -> None:
    """With all of them, so that one can be chosen."""
    one, other = row("0" * 8 + "1" * 16), row("0" * 8 + "2" * 16)
    with pytest.raises(InvalidInput, match=f"{one.id}, {other.id}"):
        index_of(leaf_00=leaf(one, other)).find("00000000")


@pytest.mark.parametrize("bad", ["", "00aa", "no-such-id", "0" * 25, None, 7, ["00aa0000"], "００aa0000"])
def test_what_is_no_id_is_refused(bad: object) -> None:
    """By the argument's name, with what an id looks like."""
    with pytest.raises(InvalidInput, match="memory_id must be a note's id, 24 characters of 0-9 a-f"):
        index_of(leaf_00=leaf(A)).find(bad)


def test_only_touched_leaves_are_written() -> None:
    """A row that is put, put again or removed; the rows beside it go along."""
    index = index_of(leaf_00=leaf(A, A2), leaf_3f=leaf(B))
    other = row(A.id, "User likes green tea")
    assert changed(index, [other], []) == {"00": (other, A2)}
    assert changed(index, [], [A.id]) == {"00": (A2,)}
    assert changed(index, [], [B.id]) == {"3f": ()}
    assert changed(index, [A], [B.id]) == {"00": (A, A2), "3f": ()}


def test_a_leaf_that_does_not_open_is_left_alone() -> None:
    """New rows go beside it, under a name of their own, and stay there while it does not open."""
    index = index_of(leaf_00="damaged")
    written = index.changed([A], [])
    assert written == {"00.1": Leaf.of([A])}
    index = index.with_leaves("e:2", written, [])
    assert changed(index, [A2], []) == {"00.1": (A, A2)}
    assert changed(index, [], [A.id]) == {"00.1": ()}
    assert index.has(A.id)
    assert index.find("00aa0000") == A.id


def test_a_leaf_that_opens_again_takes_the_others_in() -> None:
    """Once its secret is known again, one leaf is enough."""
    index = index_of(**{"leaf_00": leaf(A), "leaf_00.1": leaf(A2)})
    written = changed(index, [row(id_of("00cc"))], [])
    assert written == {"00.1": (), "00": (A, A2, row(id_of("00cc")))}
    assert {leaf_of(one.id) for one in index.rows()} == {"00"}


def test_what_a_commit_left_is_what_a_reader_finds() -> None:
    """The index after a commit equals the one that is read from the store."""
    index = index_of(leaf_00=leaf(A), leaf_3f=leaf(B))
    written = index.changed([A2], [B.id])
    after = index.with_leaves("e:2", {name: one for name, one in written.items() if one.total}, ["3f"])
    assert after == index_of("e:2", leaf_00=leaf(A, A2))


def test_the_size_grows_with_what_is_held() -> None:
    """Long notes take more than short ones, and an empty index still takes something: the cache is bounded by it."""
    short, long = index_of(leaf_00=leaf(A)), index_of(leaf_00=leaf(row(A.id, " ".join(map(str, range(1500))))))
    assert 0 < Index().size < short.size
    assert long.size > short.size + 4_000


def test_the_size_is_about_what_is_taken() -> None:
    """As Python itself counts the memory of a large index, to a tenth."""
    rows = [row(f"{number * 2_654_435_761 % 2**96:024x}", f"Fact {number} of the harbour") for number in range(2_000)]
    leaves: dict[str, list[Row]] = {}
    for one in rows:
        leaves.setdefault(leaf_of(one.id), []).append(one)
    texts = {name: leaf(*held) for name, held in leaves.items()}
    tracemalloc.start()
    try:
        index = Index().after(Changes("e:1", complete=True, leaves=texts), open_leaf)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.9 * taken < index.size < 1.3 * taken
