"""What really lies in a store, read past it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from redis import Redis

from remember.keys import read_key, shelf_of

LAYOUT = "remember:v2:"


def keys_in_redis(admin: Redis) -> set[str]:
    """The storage keys of all entries. Each must stand on its owner's index, and nothing else on any index."""
    names = [str(key) for key in admin.scan_iter(f"{LAYOUT}*") if not str(key).startswith(f"{LAYOUT}notes:")]
    kinds = {key: admin.type(key) for key in names}
    indexes = {key for key, kind in kinds.items() if kind == "zset"}
    entries = {key for key, kind in kinds.items() if kind == "string" and not key.startswith(f"{LAYOUT}rate:")}
    shelves = {shelf_of("remember:", read_key("remember:", key)[0]) for key in entries}
    assert indexes == {shelf.index for shelf in shelves}
    assert {shelf.place(str(name)).key for shelf in shelves for name in admin.zrange(shelf.index, 0, -1)} == entries
    return entries


def keys_in_sqlite(path: Path) -> set[str]:
    """The storage keys of all entries. Each row must say the shelf and the name that its key is made of."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT key, shelf, name FROM entries WHERE shelf IS NOT NULL").fetchall()
    for key, shelf, name in rows:
        owner, read = read_key("remember:", key)
        assert (shelf_of("remember:", owner).index, read) == (shelf, name)
    return {key for key, _, _ in rows}
