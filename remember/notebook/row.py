"""What ranking and dedupe need of every note, small enough to read all of an owner's notes at once.

A leaf is a run of rows; one owner's rows lie in at most 64 leaves, by the beginning of the note's id. A leaf is sealed
whole, so the hashes in it need no key of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import blake2b
from struct import Struct, error
from typing import NamedTuple
from unicodedata import normalize

from remember.text.folding import folded
from remember.text.terms import term_hash

ID_BYTES = 12
LEAVES = 64
HASH_BYTES = 8
_TERM_BYTES = 4
_FORM = 1
_MOST_TERMS = 2_000  # of a note of 8,000 characters in a script that is read by pairs, the last ones are left out

# form, id, created, updated, category, model, sign bits, entity,
# content hashes, tags, bytes of the namespace, terms
_HEAD = Struct("<B12sqqB4s48sIBBHH")


class Row(NamedTuple):
    """One note without its text. Hashes are runs of bytes: `contents` 8 each, `tags` and `terms` 4 each."""

    id: str
    created_at: int
    updated_at: int
    category: int
    """Its place in `categories.CATEGORIES`."""
    model: bytes
    """Which model's sign bits these are (`model_tag`); zeros: there are none."""
    bits: bytes
    entity: int
    contents: bytes
    """Every text that this note says: its own, and those folded into it."""
    tags: bytes
    namespace: str
    terms: bytes
    """Repeats included, in the text's order."""

    @property
    def length(self) -> int:
        """How many terms the note has."""
        return len(self.terms) // _TERM_BYTES


_row: Callable[[tuple[object, ...]], Row] = partial(tuple.__new__, Row)
"""As `Row._make`, which is in Python and takes twice as long: all of an owner's rows are read for every question."""


def leaf_of(note_id: str) -> str:
    """The leaf that a note's row lies in."""
    return f"{int(note_id[:2], 16) * LEAVES // 256:02x}"


def pack_rows(rows: Iterable[Row]) -> bytes:
    """A leaf's bytes."""
    return b"".join(_pack(row) for row in rows)


def unpack_rows(leaf: bytes) -> Iterator[Row]:
    """The rows of a leaf.

    Raises:
        ValueError: it holds something else.
    """
    at, end, head, unpack_from = 0, len(leaf), _HEAD.size, _HEAD.unpack_from
    names: dict[bytes, str] = {}
    try:
        while at < end:
            (
                form, name, created, updated, category, model, bits, entity,
                contents, tags, namespace, terms,
            ) = unpack_from(leaf, at)  # fmt: skip
            one = at + head
            two = one + contents * HASH_BYTES
            three = two + tags * _TERM_BYTES
            four = three + namespace
            at = four + terms * _TERM_BYTES
            if form != _FORM or at > end:
                raise ValueError("not a row of this form")
            space = leaf[three:four]
            if space not in names:
                names[space] = space.decode()
            yield _row((
                name.hex(), created, updated, category, model, bits, entity,
                leaf[one:two], leaf[two:three], names[space], leaf[four:at],
            ))  # fmt: skip
    except error:
        raise ValueError("a row is cut off") from None


def _pack(row: Row) -> bytes:
    namespace = row.namespace.encode()
    head = _HEAD.pack(
        _FORM, bytes.fromhex(row.id), row.created_at, row.updated_at, row.category, row.model,
        row.bits, row.entity, len(row.contents) // HASH_BYTES,
        len(row.tags) // _TERM_BYTES, len(namespace), row.length,
    )  # fmt: skip
    return b"".join((head, row.contents, row.tags, namespace, row.terms))


def word_hash(word: str) -> int:
    """An entity or a tag as a row has it; how it is written (case, accents) does not count."""
    return term_hash(folded(word), _PERSON)


def hash_terms(terms: Iterable[str]) -> bytes:
    """Terms as a row has them."""
    known: dict[str, bytes] = {}
    hashes = []
    for term in terms:
        if term not in known:
            known[term] = term_hash(term, _PERSON).to_bytes(_TERM_BYTES, "little")
        hashes.append(known[term])
    return b"".join(hashes[:_MOST_TERMS])


def term_hashes(terms: bytes) -> list[bytes]:
    """A row's terms, one by one."""
    return [terms[at : at + _TERM_BYTES] for at in range(0, len(terms), _TERM_BYTES)]


def hash_words(words: Iterable[str]) -> bytes:
    """Tags as a row has them."""
    return b"".join(word_hash(word).to_bytes(_TERM_BYTES, "little") for word in words)


def content_hash(content: str) -> bytes:
    """A text as a row has it; white space and how its characters are encoded do not count, everything else does."""
    plain = " ".join(normalize("NFC", content).split())
    return blake2b(plain.encode(), digest_size=HASH_BYTES).digest()


def model_tag(model: str | None) -> bytes:
    """A model's id as a row has it."""
    return bytes(4) if model is None else blake2b(model.encode(), digest_size=4).digest()


_PERSON = b"remember"
