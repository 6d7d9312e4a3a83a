"""Vectors as notes keep them, and how near two are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remember.text.vectors import DIMENSIONS, Embedded, Floats, cosines, pack, sign_bits, sign_cosines, unpack


def vector(seed: int) -> Floats:
    drawn = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    return drawn / np.float32(np.linalg.norm(drawn))


def near(to: Floats, cosine: float) -> Floats:
    """A vector with that cosine to `to`."""
    other = vector(99)
    other -= (other @ to) * to
    other /= np.linalg.norm(other)
    return np.float32(cosine) * to + np.float32((1 - cosine**2) ** 0.5) * other


@settings(deadline=None)  # the machine may be busy
@given(st.integers(0, 2**32))
def test_a_packed_vector_comes_back(seed: int) -> None:
    """Of 384 bytes, with length 1, and to a cosine of 0.9999."""
    packed = pack(vector(seed))
    back = unpack(packed)
    assert len(packed) == 384
    assert back.dtype == np.float32
    assert abs(float(np.linalg.norm(back)) - 1) < 1e-6
    assert float(back @ vector(seed)) > 0.9999


def test_packing_again_changes_nothing() -> None:
    """A vector that is read and written back stays as it is."""
    packed = pack(vector(1))
    assert pack(unpack(packed)) == packed


def test_signs_are_a_bit_each() -> None:
    """384 bits in 48 bytes, the first number's first; of the opposite vector the opposite."""
    bits = sign_bits(vector(1))
    assert len(bits) == 48
    assert [bool(bits[i // 8] & 128 >> i % 8) for i in range(DIMENSIONS)] == (vector(1) > 0).tolist()
    assert bytes(255 - byte for byte in bits) == sign_bits(-vector(1))


@pytest.mark.parametrize("cosine", [-0.3, 0.0, 0.5, 0.85, 0.92, 0.95, 0.99])
def test_a_cosine_is_exact_to_a_thousandth(cosine: float) -> None:
    """Also between packed vectors: thresholds differ by hundredths."""
    query = vector(1)
    found = cosines(Embedded("m", query), [("m", pack(near(query, cosine)))])
    assert found == [pytest.approx(cosine, abs=1e-3)]


def test_another_model_s_vector_is_not_compared() -> None:
    """None stands in its place, and each other answer in its own."""
    query = vector(1)
    others = [("n", pack(query)), ("m", pack(query)), (None, b""), ("m", pack(-query)), ("n", b"")]
    found = cosines(Embedded("m", query), others)
    assert found == [None, pytest.approx(1, abs=1e-4), None, pytest.approx(-1, abs=1e-4), None]


def test_nothing_to_compare_with() -> None:
    """No notes, or none of this model."""
    query = Embedded("m", vector(1))
    assert cosines(query, []) == sign_cosines(query.vector, b"").tolist() == []
    assert cosines(query, [("n", b"")]) == [None]
    assert cosines(query, [("m", b""), ("m", pack(query.vector))]) == [None, pytest.approx(1, abs=1e-4)]


def test_signs_tell_near_from_far() -> None:
    """Reckoned from signs, a cosine errs by a few hundredths to a tenth, and keeps the order of clear cases."""
    query = vector(1)
    wanted = [0.95, 0.8, 0.6, 0.3, 0.0]
    found = sign_cosines(query, b"".join(sign_bits(near(query, cosine)) for cosine in wanted)).tolist()
    assert found == sorted(found, reverse=True)
    assert found == [pytest.approx(cosine, abs=0.15) for cosine in wanted]
    assert sign_cosines(query, sign_bits(query) + sign_bits(-query)).tolist() == [1.0, -1.0]
