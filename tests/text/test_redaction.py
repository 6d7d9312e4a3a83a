"""Redaction: secrets go, what only looks like one stays, and no text makes it slow."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remember.text.redaction import Found, redact, redact_json, scan
from remember.text.secret_looks import MARK
from tests.text.corpus import lookalikes, secrets

HALVES = ("tuned", "unseen", "later", "hostile")
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("half", HALVES)
def test_secrets_are_found_and_nothing_around_them_goes(half: str) -> None:
    """At least 95 % of the made-up secrets are found, to the character."""
    cases = [case for seed in range(5) for case in secrets(half, seed)]
    exact = [case for case in cases if [(s.start, s.end) for s in scan(case.text)] == [(case.start, case.end)]]
    assert len(exact) / len(cases) >= 0.95


@pytest.mark.parametrize("half", HALVES)
def test_what_only_looks_like_a_secret_stays(half: str) -> None:
    """At most 1 % of the look-alikes lose anything."""
    texts = [text for seed in range(5) for text in lookalikes(half, seed)]
    changed = [text for text in texts if redact(text).text != text]
    assert len(changed) / len(texts) <= 0.01


def test_the_corpus_is_large_and_its_lines_differ() -> None:
    """At least 150 secrets of 45 kinds and 300 look-alikes, none twice."""
    cases = [case for half in HALVES for case in secrets(half)]
    texts = [text for half in HALVES for text in lookalikes(half)]
    assert len({case.text for case in cases}) == len(cases) >= 150
    assert len({case.kind for case in cases}) >= 45
    assert len(set(texts)) == len(texts) >= 300


_PIECES = st.sampled_from(
    ("password", "token", "api_key", " is ", "=", ": ", '"', "'", "\\", MARK, "://", "@", ":", "a", "B7", " ", "\n",
     ";", "Authorization: Bearer ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "sk-", "\u200b", "ｋ",
     "İ", GITHUB, GITHUB[4:], "hunter2!", "x" * 40, "0123456789abcdef" * 2)
)  # fmt: skip


@given(st.lists(_PIECES, max_size=30).map("".join))
@example(f"password={MARK}{GITHUB}")
@example("password=" + "aB3$" * 300)
def test_redacting_twice_changes_nothing(text: str) -> None:
    """What has been redacted holds no secret any more, also where taking one out brought others side by side."""
    once = redact(text)
    assert redact(once.text) == (once.text, ())


@given(st.text(max_size=200))
def test_spans_lie_in_the_text_in_order(text: str) -> None:
    """No two overlap, none is empty, for any text at all."""
    ends = [0]
    for span in scan(text):
        assert ends[-1] <= span.start < span.end <= len(text)
        ends.append(span.end)


@pytest.mark.parametrize("seed", range(3))
def test_the_corpus_redacted_twice(seed: int) -> None:
    """The same on real shapes, and for all of the corpus in one text, where each secret must still be gone."""
    cases = [case for half in HALVES for case in secrets(half, seed) if case.kind != "private-key"]
    text = "\n".join(case.text for case in cases)
    once = redact(text)
    assert redact(once.text) == (once.text, ())
    left = [case for case in cases if case.text[case.start : case.end] in once.text]
    assert len(left) / len(cases) <= 0.05


def test_kinds_and_counts_are_all_that_is_told() -> None:
    """Two secrets of one kind count as two."""
    text, found = redact(f"{GITHUB} and {GITHUB[::-1]} and {GITHUB}")
    assert text == f"{MARK} and {GITHUB[::-1]} and {MARK}"
    assert found == (Found("github-token", 2),)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("postgres://admin:p@ss:w%40rd@db.internal:5432/prod", "postgres://admin:[REDACTED]@db.internal:5432/prod"),
        ("redis://:pw@h", "redis://:[REDACTED]@h"),
        ("https://u:a/b?c#d@h.example/x", "https://u:[REDACTED]@h.example/x"),
        ("a://u:s3cret@h,b://v:t0psecret@i", "a://u:[REDACTED]@h,b://v:[REDACTED]@i"),
        ("postgres://db.internal:5432/prod", "postgres://db.internal:5432/prod"),
        ("http://localhost:8080/@ana", "http://localhost:8080/@ana"),
        ("redis://default:${PASSWORD}@h", "redis://default:${PASSWORD}@h"),
    ],
)
def test_of_a_url_the_password_goes_alone(text: str, redacted: str) -> None:
    """With `@` in it or `%40`, and a URL without one is left as it is."""
    assert redact(text).text == redacted


def test_a_private_key_goes_whole() -> None:
    """To its END line; to the end of the text where that is missing; the sentence that names its first line stays."""
    body = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEF" * 2] * 3)
    begin, end = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
    assert redact(f"see {begin}\n{body}\n{end} there").text == f"see {MARK} there"
    assert redact(f"see {begin}\n{body}\nand more").text == f"see {MARK}"
    assert redact(f"It starts with {begin} and then base64.").found == ()
    assert "MIIE" not in redact(f"{begin}\n{MARK}\n{body}\n{end}").text


@pytest.mark.parametrize(
    "text",
    [
        "gh\u200bp_" + GITHUB[4:],
        "".join(chr(ord(char) + 0xFEE0) for char in GITHUB),
        "\u00ad".join(GITHUB),
        "İ" + " " + "\u2060".join(GITHUB),
    ],
)
def test_look_alike_letters_hide_nothing(text: str) -> None:
    """Full-width letters and invisible characters inside a secret go with it; what stands before stays."""
    assert redact(f"Özgür’s … token: {text} now").text.removeprefix("Özgür’s … token: ").lstrip("İ ") == f"{MARK} now"


class TestJson:
    """Values with structure."""

    def test_texts_anywhere_and_names_are_scanned(self) -> None:
        """In lists, in objects, in an object's names; numbers and truth values stay what they are."""
        value = {"a": [1, True, None, f"x {GITHUB}"], GITHUB: {"b": 2.5}}
        clean, found = redact_json(value)
        assert clean == {"a": [1, True, None, f"x {MARK}"], MARK: {"b": 2.5}}
        assert found == (Found("github-token", 2),)

    def test_a_name_tells_what_its_text_is(self) -> None:
        """Under `password` a text is a secret by itself, in a list too; what is kept under a name like that as well."""
        clean, found = redact_json({"db": {"password": "hunter2!", "user": "ana"}, "apiKeys": 3, "pwd": ["letme1n"]})
        assert clean == {"db": {"password": MARK, "user": "ana"}, "apiKeys": 3, "pwd": [MARK]}
        assert found == (Found("password", 2),)
        assert redact_json("hunter2!", "router:password")[0] == MARK
        assert redact_json("at least 12 characters", "password_policy") == ("at least 12 characters", ())

    def test_names_that_become_one_lose_no_value(self) -> None:
        """The later ones get a number, also where that is a name already."""
        value = {GITHUB: 1, f"{GITHUB}9": 2, f"{MARK} (2)": 3}
        clean, _ = redact_json(value)
        assert sorted(clean.values()) == [1, 2, 3]

    @given(
        st.recursive(
            st.none() | st.integers() | st.lists(_PIECES, max_size=6).map("".join),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_PIECES, inner, max_size=4),
            max_leaves=12,
        )
    )
    def test_twice_is_once(self, value: Any) -> None:
        """And the result is JSON of the same shape."""
        once, _ = redact_json(value)
        assert redact_json(once) == (once, ())
        json.dumps(once)


HOSTILE = {
    "letters": "a" * 1_000_000,
    "prefixes": "sk-" * 70_000,
    "nested": "(a+)+$" * 30_000,
    "dots": "." * 200_000,
    "assignments": "password=" * 20_000,
    "urls": "://" * 60_000,
    "begins": "-----BEGIN PRIVATE KEY-----\n" * 8_000,
    "jwts": "eyJaaaaaaaaaaaa." * 12_000,
    "quotes": 'secret="' * 25_000,
    "invisible": "\u200b" * 200_000,
    "wide": "ａ" * 200_000,
    "names": "token " * 30_000,
    "values": ("token=" + "aB3" * 10) * 6_000,
    "cookies": "cookie: " * 25_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_text_is_read_to_its_end(name: str) -> None:
    """A rule that looked at it in squared time would not come back; docs/quality.md has the times."""
    text = HOSTILE[name]
    once = redact(text).text
    assert redact(once).text == once
