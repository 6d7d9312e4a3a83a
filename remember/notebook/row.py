"""What ranking and dedupe need of a note: a row, without the text.

Rows lie in leaves (`leaf`), which are sealed whole, so the hashes in them need no key of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from hashlib import blake2b
from typing import NamedTuple
from unicodedata import normalize

from remember.text.folding import folded
from remember.text.terms import TERM_BYTES, term_hash

ID_BYTES = 12
CONTENT_BYTES = 8
MODEL_BYTES = 4
BITS_BYTES = 48
NO_ENTITY = bytes(TERM_BYTES)

_MOST_TERMS = 2_000  # of a note of 8,000 characters in a script that is read by pairs, the last ones are left out
_PERSON = b"remember"


class Row(NamedTuple):
    """One note without its text. Hashes are runs of bytes: `contents` 8 each, `tags` and `terms` 3 each."""

    id: str
    created_at: int
    updated_at: int
    category: int
    """Its place in `categories.CATEGORIES`."""
    namespace: str
    model: bytes
    """Which model's sign bits these are (`model_tag`); zeros: there are none."""
    bits: bytes
    entity: bytes
    contents: bytes
    """Every text that this note says: its own, and those folded into it."""
    tags: bytes
    terms: bytes
    """Repeats included, in the text's order."""


def word_hash(word: str) -> bytes:
    """An entity or a tag as a row has it; how it is written (case, accents) does not count."""
    return term_hash(folded(word), _PERSON)


def hash_words(words: Iterable[str]) -> bytes:
    """Tags as a row has them."""
    return b"".join(map(word_hash, words))


def hash_terms(terms: Iterable[str]) -> bytes:
    """Terms as a row has them."""
    known = cache(partial(term_hash, key=_PERSON))
    return b"".join(map(known, terms))[: _MOST_TERMS * TERM_BYTES]


def content_hash(content: str) -> bytes:
    """A text as a row has it; white space and how its characters are encoded do not count, everything else does."""
    plain = " ".join(normalize("NFC", content).split())
    return blake2b(plain.encode(), digest_size=CONTENT_BYTES).digest()


def model_tag(model: str | None) -> bytes:
    """A model's id as a row has it."""
    return bytes(MODEL_BYTES) if model is None else blake2b(model.encode(), digest_size=MODEL_BYTES).digest()
