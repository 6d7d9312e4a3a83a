"""The three lists of pins agree; `.ci/lock` writes them all from one resolution."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
RUNTIME = HOME / "requirements.txt"
DEVELOPMENT = HOME / ".ci" / "requirements-dev.txt"
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text())


def pins(path: Path) -> dict[str, str]:
    """Each pinned name with its version."""
    found = re.findall(r"^([a-z0-9-]+)==([^\s;]+)", path.read_text(), re.MULTILINE)
    assert len(found) == len(dict(found)), f"{path.name} pins one name twice"
    return dict(found)


def name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9-]", requirement)[0].lower()


def test_the_three_agree() -> None:
    """What SAM installs, what Vercel resolves to, and what the tests run on are the same versions."""
    runtime = pins(RUNTIME)
    constraints = dict(pin.split("==") for pin in PROJECT["tool"]["uv"]["constraint-dependencies"])
    assert constraints == runtime
    assert runtime.items() <= pins(DEVELOPMENT).items()


def test_every_direct_dependency_is_pinned() -> None:
    """Nothing that pyproject.toml names is missing: the runtime in both files, extras and groups in the second."""
    project = PROJECT["project"]
    groups = [entry for group in PROJECT["dependency-groups"].values() for entry in group if isinstance(entry, str)]
    extras = [entry for extra in project["optional-dependencies"].values() for entry in extra]
    assert {name(entry) for entry in project["dependencies"]} <= set(pins(RUNTIME))
    assert {name(entry) for entry in (*project["dependencies"], *extras, *groups)} <= set(pins(DEVELOPMENT))


def test_every_pin_has_its_hashes() -> None:
    """So that a package that was changed under its version does not install."""
    for path in (RUNTIME, DEVELOPMENT):
        for entry in re.split(r"\n(?=\S)", path.read_text().strip()):
            head, *hashes = entry.split("\\\n")
            assert "==" in head, head
            assert hashes, f"{head.strip()} has no hash"
            assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64} ?", line.rstrip("\n")) for line in hashes), head


def test_no_registry_is_named() -> None:
    """The next machine may use another one."""
    for path in (RUNTIME, DEVELOPMENT):
        assert not re.search(r"https?:|--(extra-)?index-url|--find-links", path.read_text())
    assert "index" not in PROJECT["tool"]["uv"]
