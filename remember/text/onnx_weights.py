"""Find the weights in an ONNX file: protobuf's wire format by hand, as far as a file of int8 weights needs it.

Field numbers are those of `onnx.proto`. Nothing is copied: a tensor says where in the file its elements lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from mmap import mmap
from typing import Literal

Data = bytes | mmap
Type = Literal["float32", "int8"]

TYPES: Mapping[int, tuple[Type, int]] = {1: ("float32", 4), 3: ("int8", 1)}  # TensorProto.DataType, bytes an element
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # wire types


class NotWeights(ValueError):
    """The file is no ONNX model, ends within one, or lacks what was looked for."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where one tensor's elements lie: row after row from `start`, lowest byte first."""

    type: Type
    shape: tuple[int, ...]
    start: int


def read_weights(data: Data) -> dict[str, Tensor]:
    """Every float32 and int8 tensor by its name.

    An exported matrix has no name that says what it is (`val_49_q`, `val_49_scale`); it is called here after the
    bias that is added to what it yields, `….query.bias` giving `….query.weight_q` and `….query.weight_scale`.

    Raises:
        NotWeights: `data` is no ONNX model, or only a part of one.
    """
    tensors: dict[str, Tensor] = {}
    multiplied: dict[str, str] = {}  # what a matrix yields → the matrix
    titles: dict[str, str] = {}  # the matrix → what it is
    try:
        for number, start, end in _graph_fields(data):
            if number == 1:
                _note_node(data, start, end, multiplied, titles)
            elif number == 5:
                tensors.update(_read_tensor(data, start, end))
    except (IndexError, UnicodeDecodeError) as exc:
        raise NotWeights("it is no ONNX model") from exc
    return {_full_name(name, titles): tensor for name, tensor in tensors.items()}


def _graph_fields(data: Data) -> Iterator[tuple[int, int, int]]:
    for number, start, end in _fields(data, 0, len(data)):
        if number == 7:
            yield from _fields(data, start, end)


def _note_node(data: Data, start: int, end: int, multiplied: dict[str, str], titles: dict[str, str]) -> None:
    """Remember which matrix a node multiplies by, or that it adds a bias to what a matrix yields."""
    inputs: list[str] = []
    output = operation = ""
    for number, first, last in _fields(data, start, end):
        if number == 1:
            inputs.append(_text(data, first, last))
        elif number == 2:
            output = _text(data, first, last)
        elif number == 4:
            operation = _text(data, first, last)
    if operation == "MatMul" and len(inputs) == 2:
        multiplied[output] = inputs[1]
    elif operation == "Add" and len(inputs) == 2 and inputs[0] in multiplied and inputs[1].endswith(".bias"):
        titles[multiplied[inputs[0]]] = inputs[1].removesuffix("bias") + "weight"


def _full_name(name: str, titles: Mapping[str, str]) -> str:
    matrix, _, part = name.rpartition("_")
    return f"{titles[matrix]}_{part}" if matrix in titles else name


def _read_tensor(data: Data, start: int, end: int) -> dict[str, Tensor]:
    """One tensor under its name; nothing for another type, or for elements that lie elsewhere."""
    shape: list[int] = []
    name, kind, first, last = "", 0, 0, 0
    for number, value, stop in _fields(data, start, end):
        if number == 1:
            shape += _numbers(data, value, stop)
        elif number == 2:
            kind = value
        elif number == 8:
            name = _text(data, value, stop)
        elif number == 9:
            first, last = value, stop
    if kind not in TYPES or last - first != prod(shape) * TYPES[kind][1]:
        return {}
    return {name: Tensor(TYPES[kind][0], tuple(shape), first)}


def _numbers(data: Data, value: int, stop: int) -> list[int]:
    """A repeated number's share of one field: itself, or several packed together."""
    if stop < 0:
        return [value]
    numbers: list[int] = []
    while value < stop:
        number, value = _varint(data, value)
        numbers.append(number)
    return numbers


def _text(data: Data, start: int, end: int) -> str:
    return data[start:end].decode()


def _fields(data: Data, place: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Each field's number, and where its bytes begin and end; of a plain number itself and -1."""
    while place < end:
        key, place = _varint(data, place)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, place = _varint(data, place)
            yield number, value, -1
            continue
        if wire == BYTES:
            size, place = _varint(data, place)
        elif wire in (FIXED32, FIXED64):
            size = 4 if wire == FIXED32 else 8
        else:
            raise NotWeights("it is no ONNX model")
        if place + size > end:
            raise NotWeights("it ends too early")
        yield number, place, place + size
        place += size


def _varint(data: Data, place: int) -> tuple[int, int]:
    """A number in sevens of bits, lowest first, and where the next thing begins."""
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, place
        shift += 7
        if shift > 63:
            raise NotWeights("it is no ONNX model")
