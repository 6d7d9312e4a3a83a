"""Starts a function that `vercel build --standalone` made, the way Vercel starts it: by its own bootstrap.

The bootstrap connects to a socket, imports the app, opens a port of its choice, and says so in a message. From then
on it takes requests there, many at once. Messages are JSON, each with a zero byte after it.
"""

from __future__ import annotations

import json
import socket
import tempfile
import threading
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from tests.standins.function_process import FunctionProcess

STARTS = {"VERCEL": "1", "VERCEL_ENV": "production", "AWS_LAMBDA_FUNCTION_NAME": "made-up"}
"""What Vercel sets. It runs on Lambda, and a function can see that."""


class VercelRuntime:
    """One instance, from `with` to its end. `port` is where it takes requests."""

    def __init__(self, function: Path, python: Path, environ: Mapping[str, str], *, watched: bool = True) -> None:
        self.root = function
        self.messages: list[dict[str, Any]] = []
        self._python = python
        self._environ = environ
        self._watched = watched
        self._said = threading.Event()

    def __enter__(self) -> Self:
        config = json.loads((self.root / ".vc-config.json").read_text())
        module = config["handler"].rpartition(".")[0]
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
            listening.bind(f"{folder}/ipc.sock")
            listening.listen(1)
            listening.settimeout(30)
            environ = {**STARTS, **config["environment"], "VERCEL_IPC_PATH": f"{folder}/ipc.sock", **self._environ}
            command = [str(self._python), "-c", f"import {module}"]
            self.process = FunctionProcess(command, root=self.root, environ=environ, watched=self._watched)
            self._talk, _ = listening.accept()
        threading.Thread(target=self._listen, daemon=True).start()
        if not self._said.wait(30) or self.messages[0]["type"] != "server-started":
            self.__exit__()
            raise RuntimeError(f"the function did not start: {self.messages[:1]} {self.process.printed}")
        self.port = int(self.messages[0]["payload"]["httpPort"])
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.end()
        self._talk.close()

    @property
    def log(self) -> str:
        """What the function logged and printed, as the dashboard shows it."""
        said = [message["payload"]["message"] for message in list(self.messages) if message["type"] == "log"]
        return "".join(b64decode(text).decode() for text in said)

    def _listen(self) -> None:
        rest = b""
        while chunk := self._talk.recv(65_536):
            *whole, rest = (rest + chunk).split(b"\0")
            self.messages += map(json.loads, whole)
            if self.messages:
                self._said.set()
        self._said.set()
