"""The folder `.remember/`: where it stands, who may look into it, and that no commit takes it along."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from remember.own_folder import folder_beside, keep_once, make_private


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("memory.db", ".remember"),
        (".remember/memory.db", ".remember"),
        ("/srv/kept/memory.db", "/srv/kept/.remember"),
        ("/srv/.remember/memory.db", "/srv/.remember"),
        ("/srv/.remember/inner/memory.db", "/srv/.remember/inner/.remember"),
    ],
)
def test_it_goes_with_a_file(file: str, folder: str) -> None:
    """The one that the file lies in, if that is ours, else one next to it."""
    assert folder_beside(Path(file)) == Path(folder)


def test_git_takes_nothing_of_it(tmp_path: Path) -> None:
    """It holds a `.gitignore` for all that is in it, for its owner alone; another folder gets none."""
    ours, other = tmp_path / ".remember", tmp_path / "kept"
    for folder in (ours, other):
        make_private(folder)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (ignore,) = ours.iterdir()
    assert (ignore.name, ignore.read_text().split()) == (".gitignore", ["*"])
    assert stat.S_IMODE(ignore.stat().st_mode) == 0o600
    assert not list(other.iterdir())


def test_an_ignore_file_that_is_there_stays(tmp_path: Path) -> None:
    """Its owner may want to keep something."""
    ignore = tmp_path / ".remember" / ".gitignore"
    ignore.parent.mkdir()
    ignore.write_text("!note\n")
    make_private(ignore.parent)
    assert ignore.read_text() == "!note\n"


def test_whatever_is_kept_first_makes_the_folder_so(tmp_path: Path) -> None:
    """A key is enough: no secret stands in a folder that git would take."""
    keep_once(tmp_path / ".remember" / "key.json", "key", "a-made-up-key")
    assert {file.name for file in (tmp_path / ".remember").iterdir()} == {"key.json", ".gitignore"}
