"""Static keys (cases F3, F10)."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.errors import ConfigurationError
from remember.identity import StaticKeys

ANA = "key-of-ana-0123456789"
BOB = "key-of-bob-0123456789"
BASE64 = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k="  # 32 bytes, as `openssl rand -base64 32` prints them


SIGNS = st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters=",;\"'")


def sha(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "token", "user_id"),
    [
        (f"ana={ANA}", ANA, "static:ana"),
        (f"ana=sha256:{sha(ANA)}", ANA, "static:ana"),
        (f"ana=sha256:{sha(ANA).upper()}", ANA, "static:ana"),
        (ANA, ANA, f"static:{sha(ANA)[:12]}"),
        (f"sha256:{sha(ANA)}", ANA, f"static:{sha(ANA)[:12]}"),
        (f"ana@example.com={ANA}", ANA, "static:ana@example.com"),
        (f"a.b_c+d-9={ANA}", ANA, "static:a.b_c+d-9"),
        (f"ana={BASE64}", BASE64, "static:ana"),
        (BASE64, BASE64, f"static:{sha(BASE64)[:12]}"),
        ("ana=has=several==equals=signs", "has=several==equals=signs", "static:ana"),
        ("ana=with:colon:and#%signs", "with:colon:and#%signs", "static:ana"),
        (f"  ana = {ANA}  ", ANA, "static:ana"),
        (f"ana='{ANA}'", ANA, "static:ana"),
        (f'"ana={ANA}"', ANA, "static:ana"),
        (f"0123456789AB={ANA}", ANA, "static:0123456789AB"),
        (f"0123456789abc={ANA}", ANA, "static:0123456789abc"),
    ],
)
def test_each_form_of_an_entry_lets_its_key_in(text: str, token: str, user_id: str) -> None:
    """Named or bare, as a key or as its digest, with base64's padding, white space and quotes around it."""
    assert StaticKeys.parse(text).find(token) == user_id


@pytest.mark.parametrize("between", [",", "\n", "\r\n", ", ", ",\n", "\n\n", ",,", " \n ,"])
def test_commas_and_line_breaks_divide_entries(between: str) -> None:
    """Both, mixed, with empty ones between them and a break at the end."""
    keys = StaticKeys.parse(between.join([f"ana={ANA}", f"bob={BOB}", ""]))
    assert (keys.find(ANA), keys.find(BOB)) == ("static:ana", "static:bob")


@pytest.mark.parametrize(
    "token",
    [
        "",
        "anything",
        ".",
        "a.b.c",
        ANA[:-1],
        ANA + "x",
        ANA.upper(),
        f"ana={ANA}",
        f"sha256:{sha(ANA)}",
        sha(ANA),
        "\ud83c",
    ],
)
def test_nothing_but_the_key_itself_is_let_in(token: str) -> None:
    """Not a part of it, not its digest, not the entry as written."""
    assert StaticKeys.parse(f"ana={ANA},sha256:{sha(BOB)}").find(token) is None


@pytest.mark.parametrize(
    ("text", "number", "says"),
    [
        (f"alice:{ANA}", 1, "'='"),
        (f"bob={BOB},alice:{ANA}", 2, "'='"),
        (f"al:ice={ANA}", 1, "name"),
        (f"al ice={ANA}", 1, "name"),
        (f"älice={ANA}", 1, "name"),
        (f"={ANA}", 1, "name"),
        (f"{'n' * 65}={ANA}", 1, "name"),
        (f"bob={BOB}\n0123456789ab={ANA}", 2, "12 hex digits"),
        ("alice=abc", 1, "3 characters"),
        ("alice=", 1, "key is missing"),
        ("alice-with-a-long-name-indeed=", 1, "key is missing"),
        ("Alice-of-twenty-letters=", 1, "key is missing"),
        ("Alice-of-20-characters=", 1, "key is missing"),
        ("abc", 1, "3 characters"),
        ("alice=sha256:1234", 1, "64 hex digits"),
        (f"alice=sha256:{sha(ANA)}0", 1, "64 hex digits"),
        ("SHA256:nothing-like-a-digest", 1, "64 hex digits"),
        ("alice=key with spaces in it", 1, "spaces"),
        ("alice=schlüssel-über-ascii", 1, "ASCII"),
    ],
)
def test_an_entry_that_does_not_fit_is_told_by_its_number(text: str, number: int, says: str) -> None:
    """The error names the variable, the entry's number and what is wrong, and holds no piece of a key."""
    with pytest.raises(ConfigurationError) as wrong:
        StaticKeys.parse(text)
    message = str(wrong.value)
    assert wrong.value.variable == "REMEMBER_API_KEYS"
    assert f"entry {number} " in message
    assert says in message
    assert not any(piece in message for piece in (ANA, BOB, "alice=", "1234", "schl", "spaces in it"))


@pytest.mark.parametrize("text", [f"ana={ANA};bob={BOB}", f"ana={ANA};", f"ana={ANA},bob={BOB};x", ";"])
def test_a_semicolon_between_entries_is_refused(text: str) -> None:
    """It would be part of ana's key, and lock both out; the message says what divides entries, and holds no key."""
    with pytest.raises(ConfigurationError, match="Commas or line breaks") as wrong:
        StaticKeys.parse(text)
    assert wrong.value.variable == "REMEMBER_API_KEYS"
    assert not any(key in str(wrong.value) for key in (ANA, BOB))
    with pytest.raises(ConfigurationError):
        StaticKeys.of({"ana": f"{ANA};x"})


@pytest.mark.parametrize(
    "text",
    [
        f"alice={ANA},bob={ANA}",
        f"alice={ANA},bob=sha256:{sha(ANA)}",
        f"alice={ANA},{ANA}",
        f"sha256:{sha(ANA)}\nbob={ANA}",
    ],
)
def test_one_key_for_two_names_is_refused(text: str) -> None:
    """Not the last one wins: nobody could say who is calling."""
    with pytest.raises(ConfigurationError, match="entry 2 has the same key as entry 1") as wrong:
        StaticKeys.parse(text)
    assert ANA not in str(wrong.value)


def test_one_name_may_have_several_keys_and_an_entry_may_stand_twice() -> None:
    """So a key can be changed without a moment in which none works."""
    keys = StaticKeys.parse(f"ana={ANA},ana={BOB},ana={ANA},ana=sha256:{sha(BOB)}")
    assert keys.find(ANA) == keys.find(BOB) == "static:ana"


@pytest.mark.parametrize("text", ["", " ", ",\n,"])
def test_no_entry_at_all_is_an_error(text: str) -> None:
    """A variable that is set and lets nobody in is a mistake."""
    with pytest.raises(ConfigurationError, match="holds no key"):
        StaticKeys.parse(text)


def test_from_python_names_and_keys_follow_the_same_rules() -> None:
    """A mapping of names to keys, or to their digests."""
    keys = StaticKeys.of({"ana": ANA, "bob": f"sha256:{sha(BOB)}"})
    assert (keys.find(ANA), keys.find(BOB)) == ("static:ana", "static:bob")
    for wrong in ({"a:b": ANA}, {"ana": "short"}, {"ana": ANA, "bob": ANA}, {"0123456789ab": ANA}, {}):
        with pytest.raises(ConfigurationError):
            StaticKeys.of(wrong)


def test_it_shows_neither_keys_nor_digests() -> None:
    """What is printed by accident tells how many there are."""
    shown = f"{StaticKeys.parse(f'ana={ANA},{BOB}')!r} {StaticKeys.parse(ANA)}"
    assert "2" in shown
    assert not any(part in shown for part in (ANA, sha(ANA)[:12], sha(BOB)[:12], "ana", "\\x"))


@given(st.text(max_size=80))
def test_no_text_whatever_ends_in_another_error(text: str) -> None:
    """Keys or a configuration error, nothing else."""
    try:
        keys = StaticKeys.parse(text)
    except ConfigurationError:
        return
    assert keys.find("never-a-key-in-here-0123456789") is None


@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z0-9._@+-]{1,64}", fullmatch=True).filter(lambda name: len(name) != 12),
        st.text(SIGNS, min_size=16, max_size=50).filter(lambda key: not key.lower().startswith("sha256:")),
        min_size=1,
        max_size=5,
    ).filter(lambda keys: len(set(keys.values())) == len(keys))
)
def test_what_is_written_as_name_and_key_is_read_back(keys: dict[str, str]) -> None:
    """Whatever signs the key is made of, padding and equals signs included."""
    read = StaticKeys.parse("\n".join(f"{name}={key}" for name, key in keys.items()))
    assert all(read.find(key) == f"static:{name}" for name, key in keys.items())
