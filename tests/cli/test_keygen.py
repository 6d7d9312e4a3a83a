"""`remember keygen`, and the command itself."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from remember import Settings, StaticKeys
from remember.cli import main
from tests.cli.command import HOME, remember


def pasted(output: str) -> dict[str, str]:
    """The lines as a shell or an env file reads them: comments left out."""
    return dict(line.split("=", 1) for line in output.splitlines() if not line.startswith("#"))


def test_what_it_prints_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    """The lines configure a server without a problem or a warning, and the key lets its owner in."""
    assert main(["keygen", "--name", "ana"]) == 0
    output = capsys.readouterr().out
    environ = pasted(output)
    settings = Settings.read(environ)
    assert (settings.problems, settings.warnings) == ((), ())
    assert settings.secret is not None
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", settings.secret.reveal())
    key = environ["REMEMBER_API_KEYS"].removeprefix("ana=")
    assert re.fullmatch(r"rmb_[A-Za-z0-9_-]{43}", key)
    assert StaticKeys.parse(environ["REMEMBER_API_KEYS"]).find(key) == "static:ana"


def test_the_digest_is_the_same_key(capsys: pytest.CaptureFixture[str]) -> None:
    """The line for a server that should not hold the key lets the same key in."""
    main(["keygen"])
    output = capsys.readouterr().out
    digest = re.search(r"^# REMEMBER_API_KEYS=(me=sha256:\w+)$", output, re.MULTILINE)
    assert digest is not None
    key = pasted(output)["REMEMBER_API_KEYS"].removeprefix("me=")
    assert StaticKeys.parse(digest[1]).find(key) == "static:me"


def test_each_one_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    """No two runs print the same secret or key."""
    printed = []
    for _ in range(3):
        main(["keygen"])
        printed.append(pasted(capsys.readouterr().out))
    assert len({value for environ in printed for value in environ.values()}) == 6


def test_a_name_that_does_not_fit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence that says what a name may be; no key is printed."""
    assert main(["keygen", "--name", "ana, bob"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "A name has 1 to 64 characters" in output.err


def test_the_version_is_the_project_s(tmp_path: Path) -> None:
    """`remember --version` says what pyproject.toml says."""
    version = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]["version"]
    assert remember("--version", cwd=tmp_path).stdout == f"remember {version}\n"


def test_the_help_names_every_command(tmp_path: Path) -> None:
    """Each file of the room that can run is listed, and has a help of its own."""
    commands = {path.stem for path in (HOME / "remember" / "cli").glob("*.py") if "\ndef run(" in path.read_text()}
    listed = remember("--help", cwd=tmp_path).stdout
    assert commands >= {"serve", "keygen"}
    for command in commands:
        assert re.search(rf"^  {command} +\w", listed, re.MULTILINE)
        assert remember(command, "--help", cwd=tmp_path).stdout.startswith(f"usage: remember {command}")


def test_an_unknown_command_is_named(tmp_path: Path) -> None:
    """The known ones stand beside it; exit code 2."""
    done = remember("sevre", cwd=tmp_path)
    assert done.returncode == 2
    assert "invalid choice: 'sevre' (choose from" in done.stderr
