"""The disk of a deployed function, in a process that is started with this folder on its PYTHONPATH.

Whoever would write gets the platform's own error, and a line on standard error says what it was. Permissions would
not do: the tests may run as root.
"""

from __future__ import annotations

import errno
import os
import sys

CHANGES = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate", "sqlite3.connect"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


def refuse(event: str, details: tuple[object, ...]) -> None:
    if event not in CHANGES and not (event == "open" and _writes(details)):
        return
    where = str(details[0])
    if where.startswith("/dev/") or isinstance(details[0], int):
        return
    os.write(2, f"read-only disk: {event} {where}\n".encode())
    raise OSError(errno.EROFS, os.strerror(errno.EROFS), where)


def _writes(details: tuple[object, ...]) -> bool:
    flags = details[2]
    return isinstance(flags, int) and bool(flags & WRITING)


sys.addaudithook(refuse)
