"""MiniLM's forward pass in numpy, over int8 weights that stay where they lie in the file.

Each matrix becomes float32 only while it is multiplied by, in one buffer that fits the processor's cache. That takes
no longer than multiplying by float32 weights from memory, and spares 42 MB of them and the time to make them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, takewhile
from math import prod

import numpy as np
from numpy.typing import NDArray

from remember.text.onnx_weights import Data, NotWeights, Tensor

Floats = NDArray[np.float32]

WIDTH, WIDE = 384, 1536
HEADS = 12
PLACES = 512
EPSILON = np.float32(1e-12)
EMBEDDINGS = "inner.embeddings."
LAYER = "inner.encoder.layer.{}."


class Weights:
    """The tensors of a file by name, as numpy's views of it."""

    def __init__(self, data: Data, tensors: Mapping[str, Tensor]) -> None:
        self.data = data
        self.tensors = tensors

    def floats(self, name: str, *shape: int) -> Floats:
        tensor = self._tensor(name, "float32", shape)
        cells = np.frombuffer(self.data, "<f4", count=prod(shape), offset=tensor.start)
        return cells.astype(np.float32).reshape(shape)  # copied: in the file they may lie across boundaries

    def int8(self, name: str, *shape: int) -> NDArray[np.int8]:
        tensor = self._tensor(name, "int8", shape)
        return np.frombuffer(self.data, np.int8, count=prod(shape), offset=tensor.start).reshape(shape)

    def _tensor(self, name: str, kind: str, shape: tuple[int, ...]) -> Tensor:
        tensor = self.tensors.get(name)
        if tensor is None or (tensor.type, tensor.shape) != (kind, shape):
            raise NotWeights(f"it has no {name} of {' × '.join(map(str, shape))} {kind}")
        return tensor


@dataclass(frozen=True, slots=True)
class Table:
    """Vectors to look up by number, each with a scale of its own."""

    cells: NDArray[np.int8]
    scales: Floats

    @staticmethod
    def of(weights: Weights, name: str, rows: int) -> Table:
        return Table(weights.int8(name + ".weight_q", rows, WIDTH), weights.floats(name + ".weight_scale", rows, 1))

    def __getitem__(self, numbers: NDArray[np.intp]) -> Floats:
        return self.cells[numbers] * self.scales[numbers]


@dataclass(frozen=True, slots=True)
class Linear:
    """A matrix and a bias; the matrix has a scale for each column, which can wait until after the product."""

    matrix: NDArray[np.int8]
    scales: Floats
    bias: Floats

    @staticmethod
    def of(weights: Weights, name: str, rows: int = WIDTH, columns: int = WIDTH) -> Linear:
        return Linear(
            weights.int8(name + ".weight_q", rows, columns),
            weights.floats(name + ".weight_scale", 1, columns),
            weights.floats(name + ".bias", columns),
        )

    def __call__(self, rows: Floats, buffer: Floats) -> Floats:
        matrix = buffer[: self.matrix.size].reshape(self.matrix.shape)
        np.copyto(matrix, self.matrix)
        product: Floats = np.matmul(rows, matrix)
        product *= self.scales
        product += self.bias
        return product


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: each row to mean 0 and variance 1, then the learned weight and bias."""

    weight: Floats
    bias: Floats

    @staticmethod
    def of(weights: Weights, name: str) -> Norm:
        return Norm(weights.floats(name + ".weight", WIDTH), weights.floats(name + ".bias", WIDTH))

    def __call__(self, rows: Floats) -> Floats:
        rows = rows - rows.mean(axis=1, keepdims=True)
        variance = np.square(rows).mean(axis=1, keepdims=True)
        rows /= np.sqrt(variance + EPSILON)
        rows *= self.weight
        rows += self.bias
        return rows


@dataclass(frozen=True, slots=True)
class Layer:
    """One of the encoder's layers: attention, then two linear maps with GELU between, each added to what came in."""

    query: Linear
    key: Linear
    value: Linear
    attended: Linear
    attended_norm: Norm
    widen: Linear
    narrow: Linear
    norm: Norm

    @staticmethod
    def of(weights: Weights, name: str) -> Layer:
        return Layer(
            query=Linear.of(weights, name + "attention.self.query"),
            key=Linear.of(weights, name + "attention.self.key"),
            value=Linear.of(weights, name + "attention.self.value"),
            attended=Linear.of(weights, name + "attention.output.dense"),
            attended_norm=Norm.of(weights, name + "attention.output.LayerNorm"),
            widen=Linear.of(weights, name + "intermediate.dense", WIDTH, WIDE),
            narrow=Linear.of(weights, name + "output.dense", WIDE, WIDTH),
            norm=Norm.of(weights, name + "output.LayerNorm"),
        )

    def __call__(self, rows: Floats, texts: Sequence[slice], buffer: Floats) -> Floats:
        query, key, value = (part(rows, buffer) for part in (self.query, self.key, self.value))
        seen = np.concatenate([_attention(query[text], key[text], value[text]) for text in texts])
        rows = self.attended_norm(self.attended(seen, buffer) + rows)
        return self.norm(self.narrow(_gelu(self.widen(rows, buffer)), buffer) + rows)


class Transformer:
    """From the numbers of a text's pieces to one vector: the mean of its last layer, of length 1."""

    def __init__(self, data: Data, tensors: Mapping[str, Tensor], *, words: int) -> None:
        """Find every weight, for a vocabulary of so many words.

        Raises:
            NotWeights: one is missing, or of another type or shape.
        """
        weights = Weights(data, tensors)
        self.words = Table.of(weights, EMBEDDINGS + "word_embeddings", words)
        self.places = Table.of(weights, EMBEDDINGS + "position_embeddings", PLACES)
        self.first_type = weights.floats(EMBEDDINGS + "token_type_embeddings.weight", 2, WIDTH)[0]
        self.norm = Norm.of(weights, EMBEDDINGS + "LayerNorm")
        names = takewhile(lambda name: name + "output.dense.bias" in tensors, map(LAYER.format, count()))
        self.layers = [Layer.of(weights, name) for name in names]
        if not self.layers:
            raise NotWeights("it has no layers")

    def vectors(self, texts: Sequence[Sequence[int]]) -> Floats:
        """One row a text. All go through the matrices together, and attend each to itself alone."""
        ends = list(accumulate(map(len, texts)))
        slices = [slice(end - len(text), end) for end, text in zip(ends, texts, strict=True)]
        buffer = np.empty(WIDTH * WIDE, np.float32)
        rows = self.words[np.concatenate([np.asarray(text, np.intp) for text in texts])]
        rows += self.places[np.concatenate([np.arange(len(text)) for text in texts])]
        rows = self.norm(rows + self.first_type)
        for layer in self.layers:
            rows = layer(rows, slices, buffer)
        means: Floats = np.stack([rows[text].mean(axis=0, dtype=np.float32) for text in slices])
        means /= np.sqrt(np.square(means).sum(axis=1, keepdims=True))
        return means


def _attention(query: Floats, key: Floats, value: Floats) -> Floats:
    """What each piece of one text takes from the others, by twelve heads."""
    length = len(query)
    query, key, value = (part.reshape(length, HEADS, WIDTH // HEADS).transpose(1, 0, 2) for part in (query, key, value))
    weights: Floats = np.matmul(query, key.transpose(0, 2, 1))
    weights *= np.float32((WIDTH // HEADS) ** -0.5)
    weights -= weights.max(axis=2, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=2, keepdims=True)
    seen: Floats = np.matmul(weights, value)
    return seen.transpose(1, 0, 2).reshape(length, WIDTH)


# Abramowitz and Stegun 7.1.26: 1 - erf(x) for x ≥ 0, to 1.5e-7.
ERF_RATE = np.float32(0.3275911 / 2**0.5)
ERF_TERMS = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))


def _gelu(rows: Floats) -> Floats:
    """`x · Φ(x)`, the exact form: above 0 what is missing from x, below 0 what is left of it, is |x|·(1 - erf)/2."""
    size = np.abs(rows)
    rate = np.reciprocal(size * ERF_RATE + np.float32(1))
    tail = rate * ERF_TERMS[0]
    for term in ERF_TERMS[1:]:
        tail += term
        tail *= rate
    np.multiply(size, size, out=rate)
    rate *= np.float32(-0.5)
    tail *= np.exp(rate, out=rate)
    size *= np.float32(0.5)
    size *= tail
    return np.maximum(rows, 0) - size
