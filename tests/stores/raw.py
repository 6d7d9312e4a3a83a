"""What really lies in a store, read past it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from redis import Redis

from remember.keys import read_key, shelf_of

PREFIX = "remember:"


def names_in_redis(admin: Redis) -> set[str]:
    """The storage keys of all entries; each must stand on its owner's index, and nothing else on any index."""
    keys = {str(key) for key in admin.scan_iter()}
    indexes = {key for key in keys if key.startswith(f"{PREFIX}v2:index:")}
    entries = {key for key in keys - indexes if key.startswith(f"{PREFIX}v2:")}
    owned = {key: read_key(PREFIX, key) for key in entries}
    shelves = {shelf_of(PREFIX, owner) for owner, _ in owned.values()}
    assert indexes == {shelf.index for shelf in shelves}
    named = {shelf.place(str(name)).key for shelf in shelves for name in admin.zrange(shelf.index, 0, -1)}
    assert named == entries
    return entries


def names_in_sqlite(path: Path) -> set[str]:
    """The storage keys of all entries; each row must say the shelf and the name that its key is made of."""
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT key, shelf, name FROM entries WHERE shelf IS NOT NULL").fetchall()
    db.close()
    for key, shelf, name in rows:
        owner, read = read_key(PREFIX, key)
        assert (shelf_of(PREFIX, owner).index, read) == (shelf, name)
    return {key for key, _, _ in rows}
