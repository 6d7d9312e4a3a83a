"""A real redis-server of the tests' own, on a free port of this machine."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from typing import Self

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry


class RedisServer:
    """Runs from `with` to its end, in a folder that goes away with it. `admin` is a direct connection."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        retry = Retry(ConstantBackoff(0.02), 500)  # the server needs a moment to come up
        self.admin = Redis(port=self.port, decode_responses=True, retry=retry, retry_on_error=[RedisConnectionError])

    def __enter__(self) -> Self:
        program = shutil.which("redis-server")
        if program is None:
            raise RuntimeError("redis-server is not installed; run .ci/services, or `apt-get install redis-server`")
        self._folder = tempfile.TemporaryDirectory()
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self._folder.name}
        arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        self._process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL)
        self.admin.ping()
        return self

    def __exit__(self, *failure: object) -> None:
        self.admin.close()
        self._process.terminate()
        self._process.wait(10)
        self._folder.cleanup()

    def pass_time(self, ms: int) -> None:
        """Bring every entry's end nearer, as if `ms` had gone by."""
        for key in self.admin.scan_iter():
            left = self.admin.pttl(key)
            if left >= 0:
                self.admin.pexpire(key, max(left - ms, 0))


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
