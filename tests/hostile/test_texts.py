"""Texts made to cost much: as long as a note may be, each is read in a part of a second."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from remember.notebook.fields import MAX_CONTENT, MAX_QUERY
from remember.stores.memory import MemoryStore
from remember.text.classification import classify
from remember.text.guard import same_text, veto
from remember.text.redaction import redact
from remember.text.terms import terms
from remember.text.time_words import time_span
from remember.text.visible import visible
from tests.hostile.planted import plant
from tests.identity.issuer import NOW, MovedClock
from tests.standins.client import Client

SECONDS = 0.5
PIECES = [
    "a", " ", "\n", "0", "-", ".", "=", "'", '"', "\\", "(", "[", "{", "<", "@", ":", "/", "%", "\u0301", "漢",
    "\u202e", "a ", "a.", "a-", "a=", "aA", "a1", "1.", "1 ", "1-", "://", "a@", "a:b@", "=a", "key=", "key ",
    "token: ", "password=", "password is ", "password for ", "bearer ", "curl -u a:", "sk-", "sk-ant-api03-", "ghp_",
    "AKIA", "eyJ", "eyJhbGciOi.", "-----BEGIN PRIVATE KEY-----", "postgres://a:", "http://", "not ", "never not ",
    "no longer ", "from 1 to 2 ", "30 days ", "1.2.3.4 ", "2026-01-01 ", "last week ", "between monday and ",
    "january ", "in 9 ", "prefers a over b ", "because ", "decided to ", "the ", "The Big ", "of ", "O'", "--a ",
    "login ", "\\\"", "&#x41;",
    "É", "ÀÁ ", "I ", "we use ", "instead of ", "é́", "👩‍👩‍👧",
]  # fmt: skip

DEAREST = ["a-", "sk-", "key=", "password is ", '\\"', "\u202e", "é\u0301", "ÀÁ ", "1 ", "漢", "://", "a ", "."]
"""Those that cost most, by one reader or another."""


def _veto(text: str) -> object:
    """Against the same with a word more in the middle, which the words on both sides are held against."""
    half = len(text) // 2
    return veto(text, f"{text[:half]} other {text[half:]}"), same_text(text, text + " ")


READERS: dict[str, Callable[[str], object]] = {
    "redaction": redact,
    "guard": _veto,
    "classification": classify,
    "terms": terms,
    "visible": visible,
    "time words": lambda text: _time(text[:1_000]),
}


def _time(words: str) -> object:
    try:
        return time_span(words, NOW * 1_000)
    except ValueError:
        return None


def long(piece: str, size: int = MAX_CONTENT) -> str:
    return (piece * (size // len(piece) + 1))[:size]


@pytest.mark.parametrize("name", list(READERS))
def test_a_text_of_one_piece_over_and_over_is_read_at_once(name: str) -> None:
    """Whatever the piece is; its plain end makes an expression that would go back go back over all of it."""
    spent = {}
    for piece in PIECES:
        text = long(piece, MAX_CONTENT - 4) + " end"
        began = time.process_time()
        READERS[name](text)
        spent[piece] = time.process_time() - began
    assert {piece: seconds for piece, seconds in spent.items() if seconds > SECONDS} == {}


@pytest.fixture(scope="module")
def client() -> Client:
    return plant(MemoryStore(MovedClock()), MovedClock()).attacker


@pytest.mark.parametrize("piece", DEAREST, ids=ascii)
def test_a_note_of_one_piece_is_kept_and_found_at_once(client: Client, piece: str) -> None:
    """Through the tools: kept twice, asked for, and shown in a block; refused or not, under a second of work each."""
    text, query = long(piece), long(piece, MAX_QUERY)
    for tool, arguments in (
        ("engram_remember", {"content": text}),
        ("engram_remember", {"content": text[:-7] + " other"}),
        ("engram_recall", {"query": query}),
        ("engram_context", {"query": query, "format": "markdown"}),
    ):
        began = time.process_time()
        assert client.call(tool, arguments).status == 200
        assert time.process_time() - began < 1
