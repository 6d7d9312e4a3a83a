"""What the builders made: small, compiled, and nothing in it that is not needed."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.deploy.builders import VercelArtefact
from tests.deploy.conftest import Artefact
from tests.deploy.over_http import send
from tests.protocol.oracle import result_of
from tests.protocol.requests import call, post

pytestmark = pytest.mark.deploy

MB = 1_000_000

# The platforms allow 250 MB and more; every megabyte is fetched and unpacked before a cold start, though. Two thirds
# of what is there is cryptography's one library (12 MB), which seals. The rest is source and bytecode of ours and of
# the packages in docs/dependencies.md, and on Vercel its own bootstrap (2 MB, 4 compiled). A tenth may be added
# before somebody has to look: a second copy of the package, pip, or another dependency is more than that.
BUDGET = {"vercel": 29 * MB, "lambda": 24 * MB}
BUDGET_ZIPPED = {"vercel": 10 * MB, "lambda": 8.5 * MB}


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
        assert 10 * MB < whole < BUDGET[name]
        assert zipped.tell() < BUDGET_ZIPPED[name]


def test_nothing_is_inside_that_is_not_needed(parts: dict[str, list[Path]]) -> None:
    """No test, bench, document, setting or version control, no installer, and no second copy of ours."""
    for name, files in parts.items():
        top = {path.parts[0] for path in files} | {path.parts[1] for path in files if path.parts[0] == "_vendor"}
        unwanted = {"tests", "bench", "docs", ".ci", ".git", ".venv", ".vercel", "pip", "README.md", "template.yaml"}
        assert not top & unwanted, name
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
    ours = list(artefact.root.rglob("remember/**/*.py"))
    assert len(ours) > 40
    for path in ours:
        compiled = path.parent / "__pycache__" / f"{path.stem}.cpython-312.pyc"
        flags = int.from_bytes(compiled.read_bytes()[4:8], "little")
        assert flags == 1, compiled


def test_what_is_imported_comes_from_bytecode(artefact: Artefact, settings: dict[str, str]) -> None:
    """Up to the first answer, of the function's own files only the doors may have been compiled on the spot."""
    doors = {"vc__handler__python", "index", "_aws"}
    with artefact.start(settings, PYTHONVERBOSE="1") as function:
        result_of(send(function.port, post(call("recall", key="k", scope="user"))), "tools/call")
        printed = function.process.printed + "\n" + function.log
    root = re.escape(str(artefact.root))
    loaded = set(re.findall(rf"^# code object from '?{root}/([^'\n]+)", printed, re.MULTILINE))
    compiled = {path for path in loaded if path.endswith(".pyc")}
    assert len(compiled) > 60
    assert {Path(path).stem for path in loaded - compiled} <= doors
