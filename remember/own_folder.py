"""The folder `.remember/`, where a machine without settings keeps its memory, its secret and its key."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from remember.errors import ConfigurationError

FOLDER = ".remember"


def folder_beside(path: Path) -> Path:
    """The folder that goes with a file: the one it lies in, if that is ours, else one next to it."""
    return path.parent if path.parent.name == FOLDER else path.parent / FOLDER


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can look into. Ours is also kept out of version control."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.name == FOLDER:
        with contextlib.suppress(FileExistsError):
            _write_new(folder / ".gitignore", "*\n")


def keep_once(path: Path, name: str, fresh: str) -> str:
    """What `path` holds under `name`, after storing `fresh` there if it holds nothing yet; the file is 0600.

    Two processes that start at once agree: the file appears whole, and the first to place it wins.

    Raises:
        ConfigurationError: the file is there and holds something else, or cannot be written.
    """
    try:
        if not path.exists():
            _place(path, json.dumps({name: fresh}))
        kept = json.loads(path.read_text())
    except OSError as exc:
        raise ConfigurationError(str(path), f"{path} cannot be used: {exc.strerror}.") from exc
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or not isinstance(kept.get(name), str) or not kept[name]:
        raise ConfigurationError(str(path), f"{path} does not hold a {name}. Put back the file that was there.")
    return str(kept[name])


def _place(path: Path, text: str) -> None:
    make_private(path.parent)
    written = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    _write_new(written, text)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(written, path)  # unlike a rename, never replaces what another process placed
    finally:
        written.unlink()


def _write_new(path: Path, text: str) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123  a descriptor
        file.write(text)
