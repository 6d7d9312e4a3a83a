"""A function's process can be stopped and measured, and its disk is one that may only be read."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.standins.function_process import FunctionProcess

WRITES = {
    "a file": "open('new', 'w')",
    "a file beside an old one": "import os; os.rename('old', 'new')",
    "a folder": "import os; os.mkdir('new')",
    "a database": "import sqlite3; sqlite3.connect('new')",
}


def run(source: str, root: Path) -> str:
    """What a process prints from its start to its end."""
    process = FunctionProcess([sys.executable, "-c", source], root=root, environ={})
    end = time.monotonic() + 20
    while process.alive and time.monotonic() < end:
        time.sleep(0.01)
    process.end()
    return process.printed


@pytest.mark.parametrize("source", WRITES.values(), ids=list(WRITES))
def test_a_write_is_refused_and_told(source: str, tmp_path: Path) -> None:
    """With the error of a read-only disk, and nothing is changed."""
    (tmp_path / "old").write_text("old")
    printed = run(source, tmp_path)
    assert "read-only disk: " in printed
    assert "Read-only file system" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_reading_goes_on_as_ever(tmp_path: Path) -> None:
    """And so does what is no file of the disk."""
    (tmp_path / "old").write_text("old")
    assert run("print(open('old').read()); open('/dev/null', 'w').write('x')", tmp_path) == "old\n"


def test_a_frozen_process_uses_no_time(tmp_path: Path) -> None:
    """Until it is let go on."""
    process = FunctionProcess([sys.executable, "-c", "while True: pass"], root=tmp_path, environ={})
    end = time.monotonic() + 20
    try:
        while process.cpu_ms < 100 and time.monotonic() < end:
            time.sleep(0.01)
        process.freeze()
        time.sleep(0.05)  # until the signal has come
        before = process.cpu_ms
        time.sleep(0.1)
        assert process.cpu_ms == before > 100
        process.thaw()
        while process.cpu_ms == before and time.monotonic() < end:
            time.sleep(0.01)
        assert process.cpu_ms > before
    finally:
        process.end()
    assert not process.alive


def test_the_most_memory_is_told_when_it_is_given_back(tmp_path: Path) -> None:
    """60 MB were there for a moment."""
    source = "print('before', flush=True); x = b'x' * 60_000_000; del x; print('after', flush=True)\nwhile True: pass"
    process = FunctionProcess([sys.executable, "-c", source], root=tmp_path, environ={})
    end = time.monotonic() + 20
    try:
        while "after" not in process.printed and time.monotonic() < end:
            time.sleep(0.01)
        assert 60 < process.peak_mb < 100
    finally:
        process.end()
