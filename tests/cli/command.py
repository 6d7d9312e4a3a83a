"""The `remember` command in a process of its own, as a person runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

HOME = Path(__file__).resolve().parents[2]

_SETTINGS = ("REMEMBER_", "KV_REST_API_", "UPSTASH_", "MCP_", "VERCEL", "AWS_LAMBDA_", "NODE_ENV")


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """This process's environment without any setting of ours, and `extra`."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
    return {**plain, "PYTHONPATH": str(HOME), "PYTHONWARNINGS": "error", **extra}


def remember(*arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command that ends by itself."""
    command = [sys.executable, "-m", "remember", *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment(environ), capture_output=True, text=True, timeout=30, check=False
    )


class Serving:
    """`remember serve` on a free port, from `with` to its end. `printed` is what it told its owner."""

    def __init__(self, *arguments: str, cwd: Path, **environ: str) -> None:
        self._command = [sys.executable, "-m", "remember", "serve", "--port", "0", *arguments]
        self._cwd = cwd
        self._environ = environment(environ)
        self.printed = ""
        self.stderr = ""
        self.exit_code: int | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, cwd=self._cwd, env=self._environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.printed += line
            if line.startswith("npx "):
                return self
        raise AssertionError(f"it did not start: {self._process.communicate()[1]}")

    def __exit__(self, *failure: object) -> None:
        self.interrupt()

    def interrupt(self) -> None:
        """Ctrl-C, and wait for the end."""
        if self.exit_code is None:
            self._process.send_signal(signal.SIGINT)
            self.stderr = self._process.communicate(timeout=15)[1]
            self.exit_code = self._process.returncode

    @property
    def curl(self) -> str:
        """The first call, as printed."""
        return re.search(r"^curl .*?\n\n", self.printed, re.DOTALL | re.MULTILINE)[0]  # type: ignore[index]

    @property
    def url(self) -> str:
        return re.search(r"^URL: (\S+)", self.printed, re.MULTILINE)[1]  # type: ignore[index]

    def bash(self, script: str, **environ: str) -> Any:
        """What a shell line answers, read as JSON."""
        done = subprocess.run(
            ["bash", "-euc", script],
            env=self._environ | environ,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
        return json.loads(done.stdout)

    def recall(self, key: str, *, scope: str = "user", **environ: str) -> Any:
        """What the printed call's own caller gets when it recalls `key`."""
        curl = self.curl.replace("remember_this", "recall").replace('"key": "greeting"', f'"key": "{key}"')
        curl = curl.replace('"value": "hello", ', "").replace('"scope": "user"', f'"scope": "{scope}"')
        return self.bash(curl, **environ)["result"]["structuredContent"]
