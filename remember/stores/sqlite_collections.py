"""Collections in three tables, for the SQLite store. Whoever calls this has begun a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from remember.stores.base import Body, Changes, Committed
from remember.stores.versions import Version

if TYPE_CHECKING:
    import sqlite3

# A leaf that is gone keeps its row, without a text, so that whoever knew it hears so.
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS collections (collection TEXT PRIMARY KEY, epoch TEXT NOT NULL, n INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS leaves (
        collection TEXT, name TEXT, text TEXT, n INTEGER NOT NULL, PRIMARY KEY (collection, name))""",
    """CREATE TABLE IF NOT EXISTS bodies (
        collection TEXT, id TEXT, text TEXT NOT NULL, uses INTEGER NOT NULL, PRIMARY KEY (collection, id))""",
)
VERSION = "SELECT epoch, n FROM collections WHERE collection = ?"
SET_VERSION = "INSERT OR REPLACE INTO collections VALUES (?, ?, ?)"
LEAVES = "SELECT name, text FROM leaves WHERE collection = ? AND text IS NOT NULL"
CHANGED = "SELECT name, text FROM leaves WHERE collection = ? AND n > ?"
SET_LEAF = "INSERT OR REPLACE INTO leaves VALUES (?, ?, ?, ?)"
BODY = "SELECT text, uses FROM bodies WHERE collection = ? AND id = ?"
SET_BODY = "INSERT INTO bodies VALUES (?, ?, ?, 0) ON CONFLICT (collection, id) DO UPDATE SET text = excluded.text"
USE = "UPDATE bodies SET uses = uses + 1 WHERE collection = ? AND id = ?"
DELETE = "DELETE FROM bodies WHERE collection = ? AND id = ?"
CLEAR_LEAVES = "DELETE FROM leaves WHERE collection = ?"
CLEAR_BODIES = "DELETE FROM bodies WHERE collection = ?"


def changes(db: sqlite3.Connection, key: str, since: str | None) -> Changes:
    version = _version(db, key)
    if version is None:
        return Changes(None, complete=True, leaves={})
    known = version.reach(since)
    rows = db.execute(LEAVES, (key,)) if known is None else db.execute(CHANGED, (key, known))
    return Changes(version.text, complete=known is None, leaves=dict(rows.fetchall()))


def bodies(db: sqlite3.Connection, key: str, ids: Iterable[str], used: Iterable[str]) -> dict[str, Body]:
    db.executemany(USE, [(key, name) for name in used])
    rows = ((name, db.execute(BODY, (key, name)).fetchone()) for name in ids)
    return {name: Body(*row) for name, row in rows if row is not None}


def commit(
    db: sqlite3.Connection,
    key: str,
    version: str | None,
    *,
    leaves: Mapping[str, str | None],
    bodies: Mapping[str, str | None],
    epoch: str,
) -> Committed:
    current = _version(db, key)
    if version != (current and current.text):
        missed = changes(db, key, version)
        return Committed(missed.version, missed)
    becomes = (current or Version(epoch, 0)).next
    db.execute(SET_VERSION, (key, *becomes))
    db.executemany(SET_LEAF, [(key, name, text, becomes.n) for name, text in leaves.items()])
    db.executemany(SET_BODY, [(key, name, text) for name, text in bodies.items() if text is not None])
    db.executemany(DELETE, [(key, name) for name, text in bodies.items() if text is None])
    return Committed(becomes.text)


def clear(db: sqlite3.Connection, key: str, *, epoch: str) -> int:
    if _version(db, key) is None:
        return 0
    db.execute(CLEAR_LEAVES, (key,))
    db.execute(SET_VERSION, (key, epoch, 0))
    return db.execute(CLEAR_BODIES, (key,)).rowcount


def _version(db: sqlite3.Connection, key: str) -> Version | None:
    row = db.execute(VERSION, (key,)).fetchone()
    return None if row is None else Version(*row)
