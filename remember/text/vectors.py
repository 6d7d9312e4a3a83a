"""Vectors as notes keep them, and how near two are; never across two models.

Every vector has length 1, so its direction says all: 384 bytes of int8 keep it to a cosine of 0.9999, 48 bytes of
signs tell roughly which of many are near.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

DIMENSIONS = 384
SIGN_BYTES = DIMENSIONS // 8


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text's vector, and the id of the model that made it."""

    model: str
    vector: Floats


def pack(vector: Floats) -> bytes:
    """384 numbers from -127 to 127, a byte each."""
    cells: NDArray[np.int8] = np.rint(vector * (127 / np.abs(vector).max())).astype(np.int8)
    return cells.tobytes()


def unpack(packed: bytes) -> Floats:
    """The vector that `pack` was given, nearly, and of length 1 again."""
    vector: Floats = _unpacked(packed)[0]
    return vector


def sign_bits(vector: Floats) -> bytes:
    """Which of the 384 numbers are above 0, eight a byte."""
    return np.packbits(vector > 0).tobytes()


def cosines(query: Embedded, others: Iterable[tuple[str | None, bytes]]) -> list[float | None]:
    """The cosine with each of (model id, packed vector); None where the model is another or there is none."""
    cells = [(cells or None) if model == query.model else None for model, cells in others]
    found = iter((_unpacked(b"".join(filter(None, cells))) @ query.vector).tolist())
    return [None if cell is None else next(found) for cell in cells]


def sign_cosines(vector: Floats, others: bytes) -> Floats:
    """The cosines reckoned from sign bits, 48 bytes each: of vectors at an angle of 60° a third of the signs differ.

    Whose model another one is, the caller must ask.
    """
    bits = np.frombuffer(sign_bits(vector), np.uint64)
    table = np.frombuffer(others, np.uint64).reshape(-1, SIGN_BYTES // 8)
    differing = np.bitwise_count(table ^ bits).sum(axis=1, dtype=np.int32)
    found: Floats = _COSINE_OF[differing]
    return found


_COSINE_OF: Floats = np.cos(np.arange(DIMENSIONS + 1, dtype=np.float32) * np.float32(np.pi / DIMENSIONS))


def _unpacked(packed: bytes) -> Floats:
    rows = np.frombuffer(packed, np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
    lengths: Floats = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return rows / lengths
