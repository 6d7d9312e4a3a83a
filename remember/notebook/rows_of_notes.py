"""From a note to the row that stands for it."""

from __future__ import annotations

from remember.notebook.note import Note
from remember.notebook.row import BITS_BYTES, NO_ENTITY, Row, content_hash, hash_terms, hash_words, model_tag, word_hash
from remember.text.categories import CATEGORIES
from remember.text.terms import terms


def row_of(note: Note) -> Row:
    """The row of a note. Its entity and tags are found like words of its text."""
    said = [note.content, *(version.content for version in note.history if version.why == "folded")]
    return Row(
        id=note.id,
        created_at=note.created_at,
        updated_at=note.updated_at,
        category=CATEGORIES.index(note.category),
        namespace=note.namespace,
        model=model_tag(note.model),
        bits=bytes(BITS_BYTES) if note.vector is None else _sign_bits(note.vector),
        entity=NO_ENTITY if note.entity is None else word_hash(note.entity),
        contents=b"".join(dict.fromkeys(map(content_hash, said))),
        tags=hash_words(note.tags),
        terms=hash_terms(terms(" ".join((note.content, note.entity or "", *note.tags)))),
    )


def _sign_bits(vector: bytes) -> bytes:
    """As `vectors.sign_bits`, of the packed vector and without numpy: a vote on a note should not load it."""
    signs = "".join("1" if 0 < cell < 128 else "0" for cell in vector)
    return int(signs, 2).to_bytes(len(vector) // 8, "big")
