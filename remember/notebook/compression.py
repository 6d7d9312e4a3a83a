"""Notes and rows made small before they are sealed: sealed bytes are text in the store, and text is a third longer.

An owner's leaf is compressed whole, and nothing together with another owner's.
"""

from __future__ import annotations

import zlib

MOST_BYTES = 64_000_000
"""All rows of a leaf and the longest note are far below."""

_RAW = -zlib.MAX_WBITS  # without a header and a sum: a seal notices every change

# What most notes say besides their texts, the commonest last. It must never change: what was compressed with it could
# not be read any more.
_KNOWN = (
    b'"history":[["","folded"],["","superseded"]],"contexts":["],"unhelpful":1,"helpful":1,"guessed":["entity"],'
    b'"guessed":["category","entity"],"model":"minilm-int8:8199be6f","category":"outcome","category":"pattern",'
    b'"category":"decision","category":"fact","category":"preference","entity":"","tags":["","confidence":0.8,'
    b'"namespace":"default","createdAt":17,"updatedAt":17,"vector":"{"content":"'
)


def compressed(data: bytes) -> bytes:
    """The same in fewer bytes."""
    stream = zlib.compressobj(wbits=_RAW, zdict=_KNOWN)
    return stream.compress(data) + stream.flush()


def decompressed(data: bytes) -> bytes:
    """What `compressed` was given.

    Raises:
        ValueError: this is something else.
    """
    stream = zlib.decompressobj(_RAW, _KNOWN)
    try:
        plain = stream.decompress(data, MOST_BYTES)
    except zlib.error:
        raise ValueError("not compressed so") from None
    if not stream.eof or stream.unused_data:
        raise ValueError("cut off, too much, or more behind it")
    return plain
