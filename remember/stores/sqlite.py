"""A store in one SQLite file: for a machine whose disk lasts, without another service."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from remember.clock import Clock
from remember.errors import RateLimited, StoreUnavailable
from remember.keys import Collection, Place, Shelf, layout_key, literal_prefix
from remember.own_folder import folder_beside, make_private
from remember.stores import sqlite_collections
from remember.stores.base import DEFAULT_QUOTA, SMALL_CHARS, Body, Changes, Charge, Committed, Page, Quota, Swap
from remember.stores.paging import cut_page
from remember.stores.sqlite_file import inode, reading, reason_of, use_wal, writing
from remember.stores.versions import new_epoch

if TYPE_CHECKING:
    import sqlite3

Answer = TypeVar("Answer")

BUSY_SECONDS = 10.0
"""How long an operation waits while another process writes."""

SWEEP = 100
"""How many expired rows of its shelf a write takes away with it."""

FOREVER = 2**63 - 1
"""The end of an entry without one, so that every row compares with the clock alike."""

SIDES = ("-wal", "-shm")
"""What SQLite calls the files beside its own."""

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS entries (
        key TEXT PRIMARY KEY, shelf TEXT, name TEXT, text TEXT NOT NULL, expires_at INTEGER NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS entries_by_name ON entries (shelf, name)",
    "CREATE INDEX IF NOT EXISTS entries_by_end ON entries (shelf, expires_at)",
    f"""CREATE INDEX IF NOT EXISTS large_entries ON entries (shelf, expires_at, length(text))
        WHERE length(text) > {SMALL_CHARS}""",
    "CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, count INTEGER NOT NULL, expires_at INTEGER NOT NULL)",
    *sqlite_collections.SCHEMA,
)
LAYOUT = "INSERT OR IGNORE INTO entries (key, text, expires_at) VALUES (?, ?, ?)"
READ = "SELECT text FROM entries WHERE key = ? AND expires_at > ?"
NAMES = "SELECT name FROM entries WHERE shelf = ? AND name > ? AND name >= ? AND expires_at > ? ORDER BY name"
COUNT = "SELECT count(*) FROM entries WHERE shelf = ? AND expires_at > ?"
CHARS = f"""SELECT total(length(text)) FROM entries
    WHERE shelf = ? AND expires_at > ? AND length(text) > {SMALL_CHARS}"""
WRITE = "INSERT OR REPLACE INTO entries (key, shelf, name, text, expires_at) VALUES (?, ?, ?, ?, ?)"
DELETE = "DELETE FROM entries WHERE key = ?"
WIPE = "DELETE FROM entries WHERE shelf = ?"
CALLS = "SELECT count FROM calls WHERE key = ?"
CALL = "INSERT INTO calls VALUES (?, 1, ?) ON CONFLICT (key) DO UPDATE SET count = count + 1"
ENDED = "DELETE FROM calls WHERE expires_at <= ?"
EXPIRED = "DELETE FROM entries WHERE key IN (SELECT key FROM entries WHERE shelf = ? AND expires_at <= ? LIMIT ?)"


class _Row(NamedTuple):
    place: Place
    text: str
    expires_at: int | None


class SqliteStore:
    """Entries in one table, collections in three. Several processes, threads and event loops may use the file at once.

    The file is made at the first operation, readable by its owner only.
    """

    name: ClassVar[str] = "sqlite"
    lasting: ClassVar[bool] = True

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Clock,
        prefix: str = "remember:",
        quota: Quota = DEFAULT_QUOTA,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._path = Path(path)
        self._clock = clock
        self._quota = quota
        self._prefix = prefix
        self._random_bytes = random_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._file: int | None = None
        self._sides: dict[str, int | None] = {}

    @property
    def home(self) -> Path:
        return folder_beside(self._path)

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:
        return await self._run(lambda db: self._text(db, key), charge)

    async def put(self, place: Place, text: str, expires_at: int | None, *, charge: Charge | None = None) -> bool:
        def put(db: sqlite3.Connection) -> bool:
            old = self._text(db, place.key)
            self._store(db, _Row(place, text, expires_at), old)
            return old is not None

        return await self._run(put, charge, writes=True)

    async def remove(self, place: Place, *, charge: Charge | None = None) -> str | None:
        def remove(db: sqlite3.Connection) -> str | None:
            text = self._text(db, place.key)
            db.execute(DELETE, (place.key,))
            return text

        return await self._run(remove, charge, writes=True)

    async def swap(
        self, place: Place, expected: str | None, text: str, expires_at: int | None, *, charge: Charge | None = None
    ) -> Swap:
        def swap(db: sqlite3.Connection) -> Swap:
            current = self._text(db, place.key)
            if current != expected:
                return Swap(done=False, current=current)
            self._store(db, _Row(place, text, expires_at), current)
            return Swap(done=True)

        return await self._run(swap, charge, writes=True)

    async def page(
        self, shelf: Shelf, *, after: str | None, pattern: str, limit: int, charge: Charge | None = None
    ) -> Page:
        begin = literal_prefix(pattern)

        def page(db: sqlite3.Connection) -> Page:
            rows = db.execute(NAMES, (shelf.index, after or "", begin, self._clock()))
            names = while_beginning((name for (name,) in rows), begin)
            return cut_page(names, lambda name: self._text(db, shelf.place(name).key), pattern=pattern, limit=limit)

        return await self._run(page, charge)

    async def wipe(self, shelf: Shelf, *, charge: Charge | None = None) -> int:
        def wipe(db: sqlite3.Connection) -> int:
            count = self._sum(db, COUNT, shelf)
            db.execute(WIPE, (shelf.index,))
            return count

        return await self._run(wipe, charge, writes=True)

    async def changes(self, collection: Collection, since: str | None, *, charge: Charge | None = None) -> Changes:
        return await self._run(lambda db: sqlite_collections.changes(db, collection.key, since), charge)

    async def bodies(
        self, collection: Collection, ids: Iterable[str], *, use: Iterable[str] = (), charge: Charge | None = None
    ) -> Mapping[str, Body]:
        asked = dict.fromkeys(ids)
        used = asked.keys() & set(use)

        def bodies(db: sqlite3.Connection) -> Mapping[str, Body]:
            return sqlite_collections.bodies(db, collection.key, asked, used)

        return await self._run(bodies, charge, writes=bool(used))

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        def commit(db: sqlite3.Connection) -> Committed:
            epoch = new_epoch(self._random_bytes)
            return sqlite_collections.commit(db, collection.key, version, leaves=leaves, bodies=bodies, epoch=epoch)

        return await self._run(commit, charge, writes=True)

    async def clear(self, collection: Collection, *, charge: Charge | None = None) -> int:
        def clear(db: sqlite3.Connection) -> int:
            return sqlite_collections.clear(db, collection.key, epoch=new_epoch(self._random_bytes))

        return await self._run(clear, charge, writes=True)

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        """Close the file. Where it has lost its name, its log must not be played into the one that took its place."""
        if self._connection is None:
            return
        gone = self._is_gone()
        self._connection.close()
        self._connection = None
        for side in SIDES if gone else ():
            path = Path(f"{self._path}{side}")
            if inode(path) == self._sides[side]:  # else another process's, of the new file
                path.unlink(missing_ok=True)

    async def _run(
        self, work: Callable[[sqlite3.Connection], Answer], charge: Charge | None, *, writes: bool = False
    ) -> Answer:
        """Do `work` off the event loop, one at a time in this process, in one transaction."""

        def charged(db: sqlite3.Connection) -> Answer:
            with writing(db) if writes or charge else reading(db):
                if charge is not None:
                    self._count(db, charge)
                return work(db)

        return await asyncio.to_thread(self._work, charged)

    def _work(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        import sqlite3  # noqa: PLC0415  lazy: most deployments never need it

        try:
            with self._lock:
                if self._is_gone():
                    self._let_go()
                if self._connection is None:
                    self._connection = self._open()
                return work(self._connection)
        except (sqlite3.Error, OSError) as error:
            raise StoreUnavailable(*reason_of(error)) from None

    def _open(self) -> sqlite3.Connection:
        import sqlite3  # noqa: PLC0415  lazy: most deployments never need it

        make_private(self._path.parent)
        # SQLite gives its side files the rights of this one, and would make it for everybody to read.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = inode(self._path)
        db = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            use_wal(db)
            with writing(db):
                for statement in SCHEMA:
                    db.execute(statement)
                layout = json.dumps({"version": 2, "since": self._clock()}, separators=(",", ":"))
                db.execute(LAYOUT, (layout_key(self._prefix), layout, FOREVER))
        except BaseException:
            db.close()
            raise
        self._sides = {side: inode(Path(f"{self._path}{side}")) for side in SIDES}
        return db

    def _is_gone(self) -> bool:
        """Whether the file was removed, or another put in its place, since it was opened."""
        return inode(self._path) != self._file

    def _text(self, db: sqlite3.Connection, key: str) -> str | None:
        row = db.execute(READ, (key, self._clock())).fetchone()
        return None if row is None else str(row[0])

    def _sum(self, db: sqlite3.Connection, query: str, shelf: Shelf) -> int:
        (number,) = db.execute(query, (shelf.index, self._clock())).fetchone()
        return int(number)

    def _count(self, db: sqlite3.Connection, charge: Charge) -> None:
        now = self._clock()
        db.execute(ENDED, (now,))
        row = db.execute(CALLS, (charge.key,)).fetchone()
        if row is not None and row[0] >= charge.limit:
            raise RateLimited(charge.expires_at - now)
        db.execute(CALL, (charge.key, charge.expires_at))

    def _store(self, db: sqlite3.Connection, row: _Row, old: str | None) -> None:
        shelf, now = row.place.shelf, self._clock()
        db.execute(EXPIRED, (shelf.index, now, SWEEP))
        end = FOREVER if row.expires_at is None else row.expires_at
        if end > now:
            self._quota.admit(
                row.text,
                old,
                entries=lambda: self._sum(db, COUNT, shelf),
                chars=lambda: self._sum(db, CHARS, shelf),
            )
        db.execute(WRITE, (row.place.key, shelf.index, row.place.name, row.text, end))


def while_beginning(names: Iterator[Any], begin: str) -> Iterator[str]:
    """Ordered names up to the first that does not begin with `begin`."""
    for name in names:
        if not name.startswith(begin):
            return
        yield name
