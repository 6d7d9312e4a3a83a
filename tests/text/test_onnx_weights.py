"""Tensors found in an ONNX file; the files here are written field by field, as `onnx.proto` numbers them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remember.text.onnx_weights import NotWeights, Tensor, read_weights

FLOAT, INT8, INT64 = 1, 3, 7


def varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def chunk(field: int, content: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(content)) + content


def tensor(name: str, kind: int, shape: Sequence[int], raw: bytes, *, packed: bool = False) -> bytes:
    dims = chunk(1, b"".join(map(varint, shape))) if packed else b"".join(number(1, length) for length in shape)
    return chunk(5, dims + number(2, kind) + chunk(8, name.encode()) + chunk(9, raw))


def node(operation: str, inputs: Sequence[str], output: str) -> bytes:
    names = b"".join(chunk(1, name.encode()) for name in inputs)
    return chunk(1, names + chunk(2, output.encode()) + chunk(4, operation.encode()))


def model(*graph: bytes) -> bytes:
    return number(1, 10) + chunk(2, b"by hand") + chunk(7, b"".join(graph))


BIAS = "inner.layer.0.query.bias"
MODEL = model(
    node("MatMul", ["x", "val_49"], "val_50"),
    node("Add", ["val_50", BIAS], "linear"),
    node("Add", ["linear", "x"], "sum"),
    tensor("val_49_q", INT8, [2, 3], b"abcdef"),
    tensor("val_49_scale", FLOAT, [1, 3], bytes(12)),
    tensor(BIAS, FLOAT, [3], bytes(range(12))),
    tensor("val_8", INT64, [1], bytes(8)),
)


def test_a_tensor_lies_where_it_is_said_to_lie() -> None:
    """Type and shape are the file's, and its elements begin at `start`."""
    bias = read_weights(MODEL)[BIAS]
    assert bias == Tensor("float32", (3,), bias.start)
    assert MODEL[bias.start : bias.start + 12] == bytes(range(12))


def test_a_matrix_is_called_after_its_bias() -> None:
    """Its own name says nothing; which bias is added to what it yields says what it is."""
    weights = read_weights(MODEL)
    matrix = weights["inner.layer.0.query.weight_q"]
    assert matrix == Tensor("int8", (2, 3), matrix.start)
    assert MODEL[matrix.start : matrix.start + 6] == b"abcdef"
    assert weights["inner.layer.0.query.weight_scale"].shape == (1, 3)
    assert not [name for name in weights if name.startswith("val_")]


def test_numbers_of_other_types_are_no_weights() -> None:
    """int64 constants belong to the graph's own arithmetic."""
    assert "val_8" not in read_weights(MODEL)


def test_a_shape_may_be_packed() -> None:
    """Writers of protobuf may put repeated numbers one by one or together."""
    data = model(tensor("t", INT8, [300, 2], bytes(600), packed=True))
    assert read_weights(data)["t"].shape == (300, 2)


def test_a_tensor_with_fewer_bytes_than_its_shape_is_left_out() -> None:
    """So that nothing is read beyond it; elements in another file come to the same."""
    assert read_weights(model(tensor("t", FLOAT, [4], bytes(12)))) == {}
    assert read_weights(model(tensor("t", FLOAT, [4], b""))) == {}


def test_fields_of_fixed_width_are_stepped_over() -> None:
    """A newer writer may add fields that nobody here knows."""
    unknown = varint(90 << 3 | 5) + bytes(4) + varint(91 << 3 | 1) + bytes(8)
    assert read_weights(model(unknown, tensor("t", INT8, [1], b"a")))["t"].shape == (1,)


def test_a_file_that_ends_early_is_refused_or_lacks_tensors() -> None:
    """Cut anywhere within the graph it is refused; cut before it, it has none."""
    graph = MODEL.index(chunk(2, b"by hand")) + len(chunk(2, b"by hand"))
    for length in range(graph + 1, len(MODEL)):
        with pytest.raises(NotWeights):
            read_weights(MODEL[:length])
    assert read_weights(MODEL[:graph]) == {}


@pytest.mark.parametrize("data", [b"\xff" * 20, b"PK\x03\x04 a zip file, no model", b"\x0f", b"\x80"])
def test_something_else_is_refused(data: bytes) -> None:
    """An endless number, an unknown wire type, a number without its end."""
    with pytest.raises(NotWeights):
        read_weights(data)


def test_an_empty_file_has_no_weights() -> None:
    """It is a valid message without fields."""
    assert read_weights(b"") == {}


@settings(deadline=None)  # the machine may be busy
@given(st.data())
def test_one_wrong_byte_gives_no_tensor_outside_the_file(data: st.DataObject) -> None:
    """Whatever a byte is changed to, what is found lies within the file, or the file is refused."""
    place = data.draw(st.integers(0, len(MODEL) - 1))
    changed = bytearray(MODEL)
    changed[place] = data.draw(st.integers(0, 255))
    try:
        found = read_weights(bytes(changed))
    except NotWeights:
        return
    for weights in found.values():
        size = 4 if weights.type == "float32" else 1
        for length in weights.shape:
            size *= length
        assert 0 <= weights.start <= weights.start + size <= len(MODEL)
