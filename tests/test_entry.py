"""Entries: how they are written and read, and what may be in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.entry import (
    BRANDS,
    MAX_TTL_SECONDS,
    MAX_VALUE_BYTES,
    Entry,
    check_brand,
    check_metadata,
    check_ttl,
    check_value,
)
from remember.errors import InvalidInput

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)
TIMES = st.integers(0, 10**14)
ENTRIES = st.builds(
    Entry,
    JSON,
    TIMES,
    TIMES,
    st.none() | TIMES,
    st.none() | st.sampled_from(BRANDS),
    st.none() | st.dictionaries(TEXT, JSON),
)


@given(entry=ENTRIES)
def test_an_entry_reads_back_as_it_was(entry: Entry) -> None:
    """Any JSON value, any brand and metadata; and no value that reads back is refused."""
    check_value(entry.value)
    assert Entry.from_json(entry.to_json()) == entry


def test_an_entry_is_written_as_the_seed_writes_it() -> None:
    """camelCase, compact, in this order; absent parts are left out."""
    whole = Entry({"ü": 1}, 1, 2, 3, "state", {"by": "me"})
    assert whole.to_json() == (
        '{"value":{"ü":1},"brand":"state","createdAt":1,"updatedAt":2,"expiresAt":3,"metadata":{"by":"me"}}'
    )
    assert Entry(None, 1, 2).to_json() == '{"value":null,"createdAt":1,"updatedAt":2}'


@pytest.mark.parametrize(
    "change",
    [
        {"value": ...},
        {"createdAt": ...},
        {"updatedAt": "2"},
        {"createdAt": 1.5},
        {"createdAt": True},
        {"expiresAt": "soon"},
        {"expiresAt": False},
        {"brand": "vip"},
        {"metadata": []},
    ],
)
def test_what_is_no_entry_is_not_read(change: dict[str, Any]) -> None:
    """ValueError, which reads as missing further up."""
    record = {"value": 1, "createdAt": 1, "updatedAt": 2, **change}
    with pytest.raises(ValueError, match=r"value|times|brand|metadata"):
        Entry.from_json(json.dumps({name: part for name, part in record.items() if part is not ...}))


def test_an_entry_ends_at_its_time() -> None:
    """At that millisecond, not after it; without one, never."""
    assert [Entry(1, 0, 0, 1000).expired(now) for now in (999, 1000, 1001)] == [False, True, True]
    assert Entry(1, 0, 0).expired(10**15) is False


class TestValues:
    """What can be read back exactly as it was given."""

    @pytest.mark.parametrize(
        ("value", "words"),
        [
            (float("nan"), "NaN"),
            ([float("-inf")], "Infinity"),
            ("\ud83c", "half of a character"),
            ({"\ud83c": 1}, "half of a character"),
            ((1,), "tuple"),
            ([{"a": {1}}], "set"),
            (b"x", "bytes"),
            ({1: "a"}, "key of type int"),
            ({None: "a"}, "key of type NoneType"),
        ],
    )
    def test_what_json_has_no_word_for_is_told_why(self, value: object, words: str) -> None:
        """Under the field's own name."""
        for field in ("value", "metadata"):
            with pytest.raises(InvalidInput, match=words) as refused:
                check_value(value, field)
            assert refused.value.field == field
            assert str(refused.value).startswith(field)

    def test_a_value_that_holds_itself_is_refused(self) -> None:
        """Rather than a stack overflow."""
        circle: list[object] = []
        circle.append(circle)
        with pytest.raises(InvalidInput, match="holds itself"):
            check_value(circle)

    @pytest.mark.parametrize("depth", [101, 100_000])
    def test_absurd_nesting_is_refused(self, depth: int) -> None:
        """Long before a JSON reader gives up."""
        value: object = 1
        for _ in range(depth):
            value = [value]
        with pytest.raises(InvalidInput, match="nested deeper than 100 levels"):
            check_value(value)

    def test_the_limit_counts_bytes_of_json(self) -> None:
        """Quotes included; the message names limit and size."""
        check_value("x" * (MAX_VALUE_BYTES - 2))
        check_value("é" * ((MAX_VALUE_BYTES - 2) // 2))
        with pytest.raises(InvalidInput, match=r"1,000,001 bytes of JSON; at most 1,000,000"):
            check_value("x" * (MAX_VALUE_BYTES - 1))

    @pytest.mark.parametrize("metadata", [[], "text", 5, None])
    def test_metadata_is_an_object(self, metadata: object) -> None:
        """And bounded like a value."""
        with pytest.raises(InvalidInput, match="metadata must be an object"):
            check_metadata(metadata)
        with pytest.raises(InvalidInput, match="metadata is 1,000,"):
            check_metadata({"a": "x" * MAX_VALUE_BYTES})
        check_metadata({"a": [1]})


class TestTtlAndBrand:
    """Lives in whole seconds, and six brands."""

    @pytest.mark.parametrize("ttl", [1, 60, MAX_TTL_SECONDS])
    def test_a_life_of_whole_seconds_is_taken(self, ttl: int) -> None:
        """One second to ten years."""
        assert check_ttl(ttl) == ttl

    @pytest.mark.parametrize("ttl", [0, -1, MAX_TTL_SECONDS + 1, 1.0, "1", True, None])
    def test_any_other_is_told_what_arrived(self, ttl: object) -> None:
        """And to leave it out for what should stay."""
        with pytest.raises(InvalidInput, match="from 1 to 315360000") as refused:
            check_ttl(ttl, "default_ttl")
        assert repr(ttl) in str(refused.value)
        assert refused.value.field == "default_ttl"

    def test_every_brand_is_taken_and_no_other(self) -> None:
        """A long wrong one is shortened in the message."""
        assert [check_brand(brand) for brand in BRANDS] == list(BRANDS)
        for wrong in ("vip", "State", None, 5, ["state"], "x" * 10_000):
            with pytest.raises(InvalidInput, match="brand must be one of approval, preference") as refused:
                check_brand(wrong)
            assert len(str(refused.value)) < 200
