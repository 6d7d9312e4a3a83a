"""A deployed function's process: started where its files lie, stopped and let go on as platforms do between calls."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

READ_ONLY_DISK = Path(__file__).parent / "read_only_disk"
NO_HOME = "/nonexistent"


class FunctionProcess:
    """What it prints goes to a file, which `printed` reads: a pipe that nobody empties would stop it."""

    def __init__(self, command: Sequence[str], *, root: Path, environ: Mapping[str, str], watched: bool = True) -> None:
        """`watched` False leaves the disk as it is, which costs less time: for a measurement."""
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  closed by `end`
        search = [environ.get("PYTHONPATH", ""), str(READ_ONLY_DISK) if watched else ""]
        self._process = subprocess.Popen(
            command,
            cwd=root,
            env={
                "PATH": os.defpath,
                "HOME": NO_HOME,
                "TZ": ":UTC",
                **environ,
                "PYTHONPATH": os.pathsep.join(filter(None, search)),
            },
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def cpu_ms(self) -> float:
        """User and system, of every thread that it has or had."""
        # How Linux names another process's CPU clock: see clock_getcpuclockid(3).
        return time.clock_gettime((~self._process.pid << 3) | 2) * 1000

    @property
    def peak_mb(self) -> float:
        """The most memory that it ever had, shared libraries too."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024

    @property
    def printed(self) -> str:
        """On standard output and standard error, so far; or until its end."""
        if not self._output.closed:
            self._output.seek(0)
            self._printed = self._output.read().decode(errors="replace")
        return self._printed

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """At once and without a word, as a platform takes a function away."""
        self._process.kill()
        self._process.wait(10)
        _ = self.printed
        self._output.close()
