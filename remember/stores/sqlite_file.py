"""A SQLite file that several processes use: its transactions, its log, and what its refusals mean."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

# What SQLite's primary result codes mean for whoever calls the store; every other one is `failed`.
REASONS = {
    "SQLITE_BUSY": ("timeout", "The SQLite store stayed locked by another process; try again."),
    "SQLITE_LOCKED": ("timeout", "The SQLite store stayed locked by another process; try again."),
    "SQLITE_READONLY": (
        "read-only",
        "The SQLite store cannot be written; check the permissions of its file and folder.",
    ),
    "SQLITE_CANTOPEN": (
        "refused",
        "The SQLite store cannot be opened; check the path in REMEMBER_STORE and its permissions.",
    ),
    "SQLITE_CORRUPT": ("garbled", "The SQLite store's file is damaged; restore it from a copy, or move it away."),
    "SQLITE_NOTADB": ("garbled", "The SQLite store's file is no SQLite database; check the path in REMEMBER_STORE."),
    "SQLITE_FULL": ("failed", "The disk that holds the SQLite store is full."),
}


def inode(path: Path) -> int | None:
    """What tells a file from another of the same name; None where there is none."""
    try:
        return os.stat(path).st_ino  # noqa: PTH116  a third of Path.stat's time
    except FileNotFoundError:
        return None


def reading(db: sqlite3.Connection) -> AbstractContextManager[None]:
    """One transaction that sees the file as it was at its first look, whatever others write meanwhile."""
    return _transaction(db, "DEFERRED")


def writing(db: sqlite3.Connection) -> AbstractContextManager[None]:
    """One transaction that holds the write lock from its beginning, so that what it reads stays true."""
    return _transaction(db, "IMMEDIATE")


@contextmanager
def _transaction(db: sqlite3.Connection, kind: str) -> Iterator[None]:
    db.execute(f"BEGIN {kind}")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def use_wal(db: sqlite3.Connection) -> None:
    """Let readers and a writer work side by side; the file remembers it.

    Processes that switch a new file at the same moment each hold what the other wants. SQLite refuses them at once
    then, without its usual waiting, so the waiting is done by asking for the write lock.
    """
    import sqlite3  # noqa: PLC0415  lazy: most deployments never need it

    for _ in range(10):
        with suppress(sqlite3.OperationalError):
            db.execute("PRAGMA journal_mode = WAL")
            return
        with writing(db):
            pass
    db.execute("PRAGMA journal_mode = WAL")


def reason_of(error: Exception) -> tuple[str, str]:
    """A StoreUnavailable's reason and message for what SQLite or the file system said."""
    if isinstance(error, OSError):
        return REASONS["SQLITE_CANTOPEN"]
    import sqlite3  # noqa: PLC0415  lazy: most deployments never need it

    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest of it is detail
    named = {getattr(sqlite3, name): reason for name, reason in REASONS.items()}
    return named.get(code, ("failed", "The SQLite store refused the operation."))
