"""The envelope's form: one text for one envelope, and nothing else is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.sealing import Unreadable
from remember.sealing.envelope import Envelope

compact = json.JSONEncoder(separators=(",", ":")).encode
GOOD = {"alg": "A256GCM", "kid": "kid-kid1", "iv": "AAECAwQFBgcICQoL", "tag": "AAECAwQFBgcICQoLDA0ODw", "data": "aGk"}


@given(
    kid=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    iv=st.binary(min_size=12, max_size=12),
    tag=st.binary(min_size=16, max_size=16),
    data=st.binary(),
)
def test_an_envelope_reads_back_as_it_was_written(kid: str, iv: bytes, tag: bytes, data: bytes) -> None:
    """Compact JSON, no padding."""
    text = Envelope(kid, iv, tag, data).to_text()
    assert Envelope.from_text(text) == Envelope(kid, iv, tag, data)
    assert text == json.dumps(json.loads(text), separators=(",", ":"))
    assert "=" not in json.loads(text)["data"]


@pytest.mark.parametrize(
    "data",
    [
        "aGl=",  # trailing bits that decode to the same
        "aGk=",  # padding
        "aGl",  # trailing bits without padding
        "aG k",  # white space
        "aG\nk",
        "a.Gk",  # a character that Python's decoder skips
        "a+/k",  # the other alphabet
        "aGk====",
        "a",
        "äGk",
    ],
)
def test_base64_is_read_in_its_one_canonical_form(data: str) -> None:
    """Otherwise one envelope would have many texts, and a changed one would still open."""
    assert Envelope.from_text(json.dumps(GOOD)).data == b"hi"
    for text in (json.dumps({**GOOD, "data": data}), compact({**GOOD, "data": data})):
        with pytest.raises(Unreadable, match="bad base64"):
            Envelope.from_text(text)


@pytest.mark.parametrize("tag", ["AAECAwQFBgcICQoLDA0ODx", "AAECAwQFBgcICQoLDA0O+w", "AAECAwQFBgcICQoLDA0OD\u00e9"])
def test_so_is_the_tag(tag: str) -> None:
    """In an envelope of any spacing."""
    for text in (json.dumps({**GOOD, "tag": tag}), compact({**GOOD, "tag": tag})):
        with pytest.raises(Unreadable, match="bad base64"):
            Envelope.from_text(text)


def test_an_envelope_is_read_alike_in_its_own_form_and_in_other_json() -> None:
    """Spaces, another order and escapes change nothing; what follows it, or a second `data`, is seen in either form."""
    envelope = Envelope.from_text(compact(GOOD))
    assert envelope == Envelope("kid-kid1", bytes(range(12)), bytes(range(16)), b"hi")
    for text in (
        json.dumps(GOOD, indent=1),
        compact(dict(sorted(GOOD.items()))),
        compact(GOOD).replace("k", "\\u006b"),
    ):
        assert Envelope.from_text(text) == envelope
    for text in (compact(GOOD) + "}", compact(GOOD)[:-1], compact(GOOD)[:-3] + "}", compact({**GOOD, "more": "x"})):
        with pytest.raises(Unreadable):
            Envelope.from_text(text)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"alg": "A128GCM"}, "unknown algorithm"),
        ({"alg": None}, "unknown algorithm"),
        ({"kid": 5}, "unknown algorithm"),
        ({"iv": "AAEC"}, "wrong lengths"),
        ({"tag": "AAECAwQFBgcICQo"}, "wrong lengths"),
        ({"more": "x"}, "not an envelope"),
    ],
)
def test_what_is_no_envelope_says_why(change: dict[str, Any], reason: str) -> None:
    """For the log; outward it reads as missing."""
    with pytest.raises(Unreadable, match=reason):
        Envelope.from_text(json.dumps({**GOOD, **change}))


@pytest.mark.parametrize("missing", GOOD)
def test_every_part_is_needed(missing: str) -> None:
    """An envelope without key id is the first seed's form, and read only where that is asked for."""
    with pytest.raises(Unreadable):
        Envelope.from_text(json.dumps({name: part for name, part in GOOD.items() if name != missing}))


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '"text"', "5", "[" * 100_000, '{"value":1}'])
def test_anything_else_is_unreadable(text: str) -> None:
    """Never another error, however odd the text is."""
    with pytest.raises(Unreadable):
        Envelope.from_text(text)
    with pytest.raises(Unreadable):
        Envelope.from_seed_text(text)
