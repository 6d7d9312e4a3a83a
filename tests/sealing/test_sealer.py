"""Sealing and opening: the published vectors, and everything that must not open."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import assume, given
from hypothesis import strategies as st

from remember.caller import Owner
from remember.sealing import PlainSealer, Secrets, SecretSealer, Unreadable
from remember.sealing.sealer import derive_key
from remember.sealing.secrets import key_id
from remember.settings import Secret

SECRET = Secret("bench-secret-0123456789")
NOUR = Owner("user", "nour")
KEY = "remember:v2:user:nour:language"
SEALER = SecretSealer(Secrets(SECRET), random_bytes=lambda size: bytes(range(size)))
"""With one IV for ever, so that a property's failure can be had again."""

OWNERS = st.one_of(
    st.just(Owner("global")),
    st.builds(Owner, st.sampled_from(["user", "session"]), st.text(min_size=1)),
    st.builds(Owner, st.just("tool"), st.text(min_size=1), st.text(min_size=1)),
)
# Surrogates are no text: the accessor refuses them before anything is sealed.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.promise("sealing.derivation")
@pytest.mark.parametrize(
    ("owner", "key"),
    [
        (NOUR, "4c5b47f6027c007e0f520bdcd63acfd282a1429051d2db7abf96c3dd3b39b591"),
        (
            Owner("user", "static:0123456789ab"),
            "fb592f9198575fe246b9568edee70c62cde7a9b8d89a159da784ef1a81a56cbb",
        ),
        (
            Owner("session", "stateless-user:nour"),
            "b7f055cdd48daa5cb9471533d441b25b5aa526f3243844d528b9e3f74060808a",
        ),
        (
            Owner("tool", "stateless-user:nour", "assistant:recall"),
            "59bf233b3253e217fb51546778932f4a7a453bb3cf75150b2b6df93d94dd77d8",
        ),
        (Owner("global"), "1eb4cfb718fa45177228c33bf9e229c8be088e5e219f4978198c490248e53424"),
    ],
)
def test_keys_are_derived_as_the_first_seed_derives_them(owner: Owner, key: str) -> None:
    """The vectors of the first seed's own plugin, one for each scope and kind of caller."""
    assert derive_key(SECRET, owner).hex() == key


@pytest.mark.promise("sealing.envelope")
def test_a_sealed_text_is_what_the_algorithm_says(sealer: SecretSealer) -> None:
    """Opened here by hand: key, IV, tag, and the storage key as associated data."""
    envelope = json.loads(sealer.of(NOUR).seal("text", KEY))
    assert list(envelope) == ["alg", "kid", "iv", "tag", "data"]
    assert (envelope["alg"], envelope["kid"]) == ("A256GCM", key_id(SECRET))
    iv, tag, data = (_bytes(envelope[name]) for name in ("iv", "tag", "data"))
    assert (len(iv), len(tag)) == (12, 16)
    assert AESGCM(derive_key(SECRET, NOUR)).decrypt(iv, data + tag, KEY.encode()) == b"text"


def test_randomness_comes_in_through_the_door() -> None:
    """With the same IV the same text is the same envelope; each write asks for twelve bytes."""
    asked: list[int] = []

    def counting(size: int) -> bytes:
        asked.append(size)
        return bytes(range(size))

    seal = SecretSealer(Secrets(SECRET), random_bytes=counting).of(NOUR)
    assert seal.seal("text", KEY) == seal.seal("text", KEY)
    assert asked == [12, 12]
    assert json.loads(seal.seal("text", KEY))["iv"] == "AAECAwQFBgcICQoL"


@given(owner=OWNERS, text=TEXT, key=TEXT)
def test_what_is_sealed_opens_at_its_place(owner: Owner, text: str, key: str) -> None:
    """Any text, for any owner, under any key; on another instance with the same secret."""
    owner = Owner(owner.scope, _whole(owner.id), _whole(owner.tool))
    assert SecretSealer(Secrets(SECRET)).of(owner).open(SEALER.of(owner).seal(text, key), key) == text


@given(data=st.data(), text=TEXT)
def test_any_changed_character_does_not_open(data: st.DataObject, text: str) -> None:
    """Wherever in the envelope it stands, and whatever takes its place."""
    sealed = SEALER.of(NOUR).seal(text, KEY)
    at = data.draw(st.integers(0, len(sealed) - 1))
    other = data.draw(st.characters(exclude_characters=sealed[at], exclude_categories=["Cs"]))
    with pytest.raises(Unreadable):
        SEALER.of(NOUR).open(sealed[:at] + other + sealed[at + 1 :], KEY)


@pytest.mark.promise("house.5", "sealing.moved")
@given(data=st.data(), part=st.sampled_from(["iv", "tag", "data"]))
def test_any_flipped_bit_does_not_open(data: st.DataObject, part: str) -> None:
    """Of the IV, the tag and the ciphertext, in an envelope that is otherwise well-formed."""
    envelope = json.loads(SEALER.of(NOUR).seal("a text of some length", KEY))
    raw = bytearray(_bytes(envelope[part]))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    envelope[part] = urlsafe_b64encode(raw).decode().rstrip("=")
    with pytest.raises(Unreadable, match="changed, or moved"):
        SEALER.of(NOUR).open(json.dumps(envelope), KEY)


@pytest.mark.promise("house.5", "sealing.moved")
@given(key=TEXT, other=TEXT)
def test_a_moved_envelope_does_not_open(key: str, other: str) -> None:
    """At another storage key of the same owner."""
    assume(key != other)
    with pytest.raises(Unreadable, match="changed, or moved"):
        SEALER.of(NOUR).open(SEALER.of(NOUR).seal("text", key), other)


@pytest.mark.promise("sealing.derivation")
@pytest.mark.parametrize(
    "other", [Owner("user", "sam"), Owner("session", "nour"), Owner("global"), Owner("tool", "nour", "a:b")]
)
def test_another_owners_seal_does_not_open_it(other: Owner) -> None:
    """Even at the same storage key: the owner's identity is in the key."""
    with pytest.raises(Unreadable):
        SEALER.of(other).open(SEALER.of(NOUR).seal("text", KEY), KEY)


@pytest.mark.promise("sealing.other-secret")
def test_an_unknown_secret_is_told_by_its_key_id() -> None:
    """So that an owner can learn which secret is missing; the reason holds no content."""
    sealed = SecretSealer(Secrets(Secret("the-secret-of-last-year"))).of(NOUR).seal("text", KEY)
    with pytest.raises(Unreadable, match="sealed under an unknown secret") as unreadable:
        SEALER.of(NOUR).open(sealed, KEY)
    assert unreadable.value.kid == key_id(Secret("the-secret-of-last-year"))


@pytest.mark.promise("sealing.previous")
def test_a_previous_secret_opens_and_never_seals() -> None:
    """Several previous ones, told apart by key id."""
    old, older = Secret("the-secret-of-last-year"), Secret("the-secret-before-that")
    rotated = SecretSealer(Secrets(SECRET, (old, older))).of(NOUR)
    for secret in (SECRET, old, older):
        assert rotated.open(SecretSealer(Secrets(secret)).of(NOUR).seal("text", KEY), KEY) == "text"
    assert json.loads(rotated.seal("text", KEY))["kid"] == key_id(SECRET)


def test_a_key_id_names_a_secret_and_holds_no_part_of_it() -> None:
    """Eight characters; another for the smallest change."""
    ids = {key_id(Secret(text)) for text in ("a-secret-of-mine", "a-secret-of-mine ", "A-secret-of-mine")}
    assert len(ids) == 3
    assert all(len(kid) == 8 for kid in ids)


@pytest.mark.promise("sealing.off")
def test_the_plain_sealer_stores_the_text_itself() -> None:
    """And reads it back, whoever asks."""
    seal = PlainSealer().of(NOUR)
    assert seal.seal("text", KEY) == "text"
    assert seal.open("text", KEY) == "text"


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
