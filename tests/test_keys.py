"""Storage keys: written part by part, read back, and never two things under one name."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from remember.caller import Owner
from remember.errors import InvalidInput
from remember.keys import (
    MAX_KEY_BYTES,
    encode,
    fits,
    layout_key,
    literal_prefix,
    normal_key,
    normal_pattern,
    read_key,
    seed_key,
    shelf_of,
)

# No surrogates, and a liking for what could be mistaken for something else.
TEXT = st.text(st.one_of(st.sampled_from(":*?%/[]\\. anA~-_é"), st.characters(exclude_categories=["Cs"])), max_size=20)
ID = TEXT.filter(bool)
OWNERS = st.one_of(
    st.just(Owner("global")),
    st.builds(Owner, st.sampled_from(["user", "session"]), ID),
    st.builds(Owner, st.just("tool"), ID, ID),
)
PREFIXES = st.sampled_from(["remember:", "", "a:b:", "v2:"])


def storage_key(prefix: str, owner: Owner, key: str) -> str:
    return shelf_of(prefix, owner).place(key).key


@given(prefix=PREFIXES, owner=OWNERS, key=ID)
def test_a_storage_key_reads_back(prefix: str, owner: Owner, key: str) -> None:
    """The owner and the key that it was written for, whatever they are called."""
    assert read_key(prefix, storage_key(prefix, owner, key)) == (owner, key)


@given(one=st.tuples(OWNERS, ID), other=st.tuples(OWNERS, ID))
@example(one=(Owner("user", "a"), "b:c"), other=(Owner("user", "a:b"), "c"))
@example(one=(Owner("tool", "c", "a:b"), "k"), other=(Owner("tool", "b:c", "a"), "k"))
@example(one=(Owner("user", "%3A"), "k"), other=(Owner("user", ":"), "k"))
@example(one=(Owner("user", "global"), "k"), other=(Owner("global"), "k"))
def test_two_different_things_never_share_a_name(one: tuple[Owner, str], other: tuple[Owner, str]) -> None:
    """Nor do an entry and an index, nor anything and the layout's record."""
    assume(one != other)
    assert storage_key("remember:", *one) != storage_key("remember:", *other)
    indexes = [shelf_of("remember:", owner).index for owner, _ in (one, other)]
    assert (indexes[0] == indexes[1]) is (one[0] == other[0])
    for name in (*indexes, layout_key("remember:")):
        assert name not in (storage_key("remember:", *one), storage_key("remember:", *other))


@given(one=OWNERS, other=OWNERS, key=ID)
def test_no_shelf_begins_with_another(one: Owner, other: Owner, key: str) -> None:
    """So what goes by the beginning of a key never meets another owner's."""
    assume(one != other)
    assert not storage_key("remember:", one, key).startswith(shelf_of("remember:", other).prefix)


@given(part=TEXT)
def test_an_encoded_part_holds_nothing_that_means_something(part: str) -> None:
    """Letters, digits, - _ . ~ and % alone; ASCII."""
    assert re.fullmatch(r"(?:[A-Za-z0-9_.~-]|%[0-9A-F]{2})*", encode(part))


@pytest.mark.parametrize(
    ("owner", "key", "written"),
    [
        (Owner("user", "nour"), "language", "remember:v2:user:nour:language"),
        (Owner("user", "*"), "*", "remember:v2:user:%2A:%2A"),
        (Owner("session", "stateless-user:nour"), "k", "remember:v2:session:stateless-user%3Anour:k"),
        (Owner("tool", "s", "app:tool"), "é", "remember:v2:tool:app%3Atool:s:%C3%A9"),
        (Owner("global"), "a b", "remember:v2:global:a%20b"),
    ],
)
def test_keys_are_written_as_the_design_says(owner: Owner, key: str, written: str) -> None:
    """The table of the design, with its encoding."""
    assert storage_key("remember:", owner, key) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "remember:",
        "remember:v2",
        "remember:v1:user:nour:k",
        "remember:v2:team:nour:k",
        "remember:v2:user:nour",
        "remember:v2:user:nour:a:b",
        "remember:v2:global:a:b",
        "remember:v2:index:user:nour",
        "remember:v2:user:*:k",
        "remember:v2:user:%6eour:k",
        "remember:v2:user:n%6Fur:k",
        "remember:v2:user:%ff:k",
        "remember:v2:user:nour:a b",
        "remember:__layout__",
        "other:v2:user:nour:k",
        "v2:user:nour:k",
    ],
)
def test_what_this_layout_did_not_write_is_not_read(text: str) -> None:
    """Another prefix, layout, scope or encoding; an index; parts missing or too many."""
    with pytest.raises(ValueError, match=r"not |decode"):
        read_key("remember:", text)


@pytest.mark.parametrize(
    ("owner", "written"),
    [
        (Owner("user", "static:0123456789ab"), "remember:v2:user:static%3A0123456789ab:a b:*"),
        (Owner("user", "*"), "remember:v2:user:*:a b:*"),
        (Owner("tool", "s", "app:tool"), "remember:v2:tool:app%3Atool:s:a b:*"),
        (Owner("global"), "remember:global:a b:*"),
    ],
)
def test_the_seeds_own_keys_are_raw(owner: Owner, written: str) -> None:
    """And its global scope has no layout's name."""
    assert seed_key("remember:", owner, "a b:*") == written


class TestNames:
    """What may be a key, and the one form it is kept in."""

    @given(key=TEXT)
    def test_a_key_is_kept_in_one_form(self, key: str) -> None:
        """NFC: what looks the same is the same, and its form is its own form."""
        try:
            normal = normal_key(key)
        except InvalidInput:
            return
        assert normal == normal_key(unicodedata.normalize("NFD", key)) == normal_key(normal)

    @pytest.mark.parametrize(
        ("key", "words"),
        [
            ("", "1 to 512 bytes of UTF-8; got 0"),
            ("k" * (MAX_KEY_BYTES + 1), "got 513"),
            ("é" * 257, "got 514"),
            ("a\nb", "control characters"),
            ("a\x00", "control characters"),
            ("a\x85", "control characters"),
            ("\ud83c", "half of a character"),
            (5, "must be text; got int"),
            (None, "must be text; got NoneType"),
        ],
    )
    def test_what_is_no_key_is_told_why(self, key: object, words: str) -> None:
        """As a key and as a pattern, each under its own name."""
        for check, field in ((normal_key, "key"), (normal_pattern, "pattern")):
            with pytest.raises(InvalidInput, match=words) as refused:
                check(key)
            assert refused.value.field == field
            assert str(refused.value).startswith(field)

    @pytest.mark.parametrize(
        "key", ["k", "k" * MAX_KEY_BYTES, "é" * 256, "e\u0301" * 256, "*", " ", "a b", "\U0001f600"]
    )
    def test_everything_else_is_a_key(self, key: str) -> None:
        """The limit counts bytes after NFC."""
        assert normal_key(key) == unicodedata.normalize("NFC", key)


def reference(name: str, pattern: str) -> bool:
    """What `fits` means, in the fewest words."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(reference(name[cut:], pattern[1:]) for cut in range(len(name) + 1))
    return bool(name) and pattern[0] in ("?", name[0]) and reference(name[1:], pattern[1:])


SHORT = st.text("ab*?é", max_size=8)


class TestPatterns:
    """`*` and `?`, and nothing else."""

    @given(name=SHORT, pattern=SHORT)
    def test_fits_is_what_its_meaning_says(self, name: str, pattern: str) -> None:
        """The same as a plain recursion, for any name and pattern."""
        assert fits(name, pattern) is reference(name, pattern)

    @given(name=TEXT, pattern=SHORT)
    def test_the_forms_that_stores_use_agree(self, name: str, pattern: str) -> None:
        """A name that fits begins with the literal prefix; a row of stars is one star."""
        if fits(name, pattern):
            assert name.startswith(literal_prefix(pattern))
        assert fits(name, re.sub(r"\*+", "*", pattern)) is fits(name, pattern)

    @given(name=ID)
    def test_a_name_without_wildcards_fits_itself_alone(self, name: str) -> None:
        """Brackets, dots and backslashes are only themselves."""
        assume("*" not in name)
        assume("?" not in name)
        assert fits(name, name)
        assert not fits(name + "x", name)
        assert fits(name, "*")
        assert fits(name, "?" * len(name))

    def test_no_pattern_takes_long(self) -> None:
        """Steps grow with name times pattern, where a backtracking match would not end in our lifetime."""
        assert not fits("a" * 500, "*a" * 250 + "b")
