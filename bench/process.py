"""How measured processes are started: with this interpreter, an environment of their own, and .pyc files allowed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.tool_call import BEARER

ROOT = Path(__file__).parent.parent

SERVER = {
    "REMEMBER_API_KEYS": f"bench={BEARER}",
    "REMEMBER_SECRET": "made-up-secret-of-the-bench-0123456789",
    "REMEMBER_RATE_LIMIT": "0",  # no caller asks as often as a bench
}
"""What every peer's server is configured with."""


def start(module: str, *arguments: str, environ: Mapping[str, str]) -> subprocess.Popen[str]:
    """A process that runs a module's `main`, imported, as a script itself is compiled anew at each start."""
    return subprocess.Popen(
        [sys.executable, "-c", f"from {module} import main; main()", *arguments],
        env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), **SERVER, **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def ask(process: subprocess.Popen[str], line: str = "") -> str:
    """The next line that a process prints, after giving it one.

    Raises:
        RuntimeError: it ended instead; what went wrong stands on its standard error.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError(f"a measured process ended with {process.wait()} and no figure")
    return answer
