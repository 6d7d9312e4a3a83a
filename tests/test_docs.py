"""What the documents say is so: their code runs, their lists are complete, their commands are the real ones."""

from __future__ import annotations

import re
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from remember.cli.clients import connection_lines, first_call
from remember.settings import NAMES, REST_PAIRS, SECRET_NAMES
from tests.test_imports import FLOORS

HOME = Path(__file__).resolve().parents[1]
DOCUMENTS = [HOME / "README.md", HOME / "CHANGELOG.md", *sorted((HOME / "docs").glob("*.md"))]
README = DOCUMENTS[0].read_text()


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(), re.DOTALL | re.MULTILINE)


PYTHON = [
    pytest.param(source, id=f"{path.stem}-{number}")
    for path in DOCUMENTS
    for number, source in enumerate(blocks(path, "python"), 1)
]


@pytest.mark.parametrize("source", PYTHON)
def test_python_in_the_documents_runs(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block runs by itself, and prints what its `# ->` lines say."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REMEMBER_STORE", "memory")
    monkeypatch.setenv("REMEMBER_API_KEYS", "ana=ana-s-key-0123456789")
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(source, "block", "exec"), {"__name__": "__main__"})  # noqa: S102  what the document shows
    assert printed.getvalue().splitlines() == re.findall(r"^# -> (.*)$", source, re.MULTILINE)


def test_the_documents_have_code() -> None:
    """The test above has something to run, in the README first of all, and early in it."""
    assert len(PYTHON) >= 5
    assert README.splitlines().index("```python") < 14
    assert len(README.splitlines()) < 60


def test_the_readme_s_commands_are_real() -> None:
    """Its two shell blocks are the command that installs and serves, and the test script; all that they name exists."""
    run, test = blocks(HOME / "README.md", "sh")
    project = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]
    assert run == "python3 -m venv .venv && .venv/bin/pip install -q '.[serve]' && .venv/bin/remember serve\n"
    assert project["scripts"]["remember"] == "remember.cli:main"
    assert "serve" in project["optional-dependencies"]
    assert "`.venv/bin/remember keygen`" in README  # the shell does not find it without the folder
    assert not re.search(r"(?<!\.venv/bin/)\bremember (keygen|serve|doctor)", README)
    assert test == "sh .ci/test\n"
    assert (HOME / ".ci" / "test").read_text().startswith("#!/bin/sh\n")


def test_the_ci_run_ends_with_the_same_tests() -> None:
    """`.ci/run` stops at the first failure, and its last act is the README's own test command."""
    lines = (HOME / ".ci" / "run").read_text().splitlines()
    assert "set -euo pipefail" in lines
    assert lines[-1] == "exec sh .ci/test"


def test_every_setting_is_documented() -> None:
    """docs/settings.md describes each variable that is read, and no other."""
    documented = re.findall(r"^\| (`.*?`) \|", (HOME / "docs" / "settings.md").read_text(), re.MULTILINE)
    names = [name for cell in documented for name in re.findall(r"`(\w+)`", cell)]
    read = {*NAMES, *SECRET_NAMES, *(name for pair in REST_PAIRS for name in pair)}
    assert len(names) == len(set(names))
    assert set(names) == read


def test_every_variable_in_the_documents_exists() -> None:
    """No document names a REMEMBER_ variable that nothing reads; codes of errors are no variables."""
    codes = set(re.findall(r"REMEMBER_[A-Z_]+", (HOME / "remember" / "errors.py").read_text()))
    for path in DOCUMENTS:
        assert set(re.findall(r"REMEMBER_[A-Z_]+[A-Z]", path.read_text())) <= {*NAMES, *codes}, path.name


def test_the_clients_page_shows_what_serve_prints() -> None:
    """docs/clients.md holds the very lines that `remember serve` makes, with a variable for the key."""
    page = (HOME / "docs" / "clients.md").read_text()
    url, credential = "https://memory.example/mcp", "$MEMORY_KEY"
    lines = connection_lines(url, credential).split("\n\n")[1::2]
    assert len(lines) == 6
    for line in (*lines, first_call(url, credential, tool="remember_this", scope="user")):
        assert f"\n{line}\n" in page


def test_every_room_is_on_the_plan() -> None:
    """docs/architecture.md names each file and room of the house on its floor."""
    page = (HOME / "docs" / "architecture.md").read_text()
    drawn = {
        (name.rstrip("/"), int(floor))
        for floor, cell in re.findall(r"^\| (\d) \| (.*?) \|", page, re.MULTILINE)
        for name in re.findall(r"`(.*?)`", cell)
    }
    assert drawn == {
        (room.removeprefix("remember."), int(floor)) for room, floor in FLOORS.items() if room != "remember"
    }


def test_every_runtime_dependency_is_weighed() -> None:
    """docs/dependencies.md has a row for each."""
    page = (HOME / "docs" / "dependencies.md").read_text().lower()
    project = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]
    for requirement in project["dependencies"]:
        assert f"\n| {re.split('[<>=]', requirement)[0]} |" in page


def test_links_between_documents_lead_somewhere() -> None:
    """Every relative link names a file that is there."""
    for path in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
