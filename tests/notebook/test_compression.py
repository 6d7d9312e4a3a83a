"""Notes and rows are small before they are sealed, and nothing but what was compressed so is read."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.notebook import compression
from remember.notebook.compression import compressed, decompressed

NOTE = b'{"content":"The plants are watered on Mondays","category":"fact","confidence":0.8,"namespace":"default"}'
FIRST = "436697a42662716c2d00"


@given(st.binary(max_size=3_000))
def test_what_was_compressed_comes_back(data: bytes) -> None:
    """Any bytes at all."""
    assert decompressed(compressed(data)) == data


def test_a_short_note_gets_smaller() -> None:
    """What all notes say is known beforehand, so it takes no room."""
    assert len(compressed(NOTE)) < 0.6 * len(NOTE)


def test_a_note_of_the_first_day_is_read() -> None:
    """What is known beforehand must never change; made once with compressed(b'{"content":"tea","category":"fact"}')."""
    assert decompressed(bytes.fromhex(FIRST)) == b'{"content":"tea","category":"fact"}'


@pytest.mark.parametrize(
    "data", [b"", b"\xff", NOTE, compressed(NOTE)[:-1], compressed(NOTE) + b"x", zlib.compress(NOTE)]
)
def test_anything_else_is_refused(data: bytes) -> None:
    """Whatever lies in a store that is not sealed."""
    with pytest.raises(ValueError, match=r"compressed so|cut off"):
        decompressed(data)


def test_a_small_text_does_not_become_a_huge_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is not sealed could hold one that fills the memory."""
    monkeypatch.setattr(compression, "MOST_BYTES", 1_000)
    with pytest.raises(ValueError, match="too much"):
        decompressed(compressed(bytes(1_001)))
    assert decompressed(compressed(bytes(1_000))) == bytes(1_000)
