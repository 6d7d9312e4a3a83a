"""The page's example: what is stored, as somebody with access to the store sees it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from remember import RememberPlugin, create_fetch_handler
from tests.seed.apps import vault
from tests.seed.served import SECRET, serve
from tests.standins.client import Client
from tests.standins.clock import START, MovingClock

NOTE = "the eagle lands at nine"


def rows(path: Path) -> dict[str, str]:
    """Everything in a SQLite store's file, by storage key."""
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT key, text FROM entries"))


@pytest.mark.promise("sealing.envelope", "stored.keys")
def test_a_stored_value_is_an_envelope_under_a_readable_key() -> None:
    """Whoever reads the store sees scope, caller and key, and no part of the value."""
    ana = serve(vault()).ana
    for scope in ("user", "session", "tool", "global"):
        ana.call("save_note", {"note": NOTE, "scope": scope})
    raw = ana.call("raw_store").data
    assert set(raw) == {
        "remember:v2:user:static%3Aana:note",
        "remember:v2:session:stateless-user%3Astatic%3Aana:note",
        "remember:v2:tool:vault%3Asave_note:stateless-user%3Astatic%3Aana:note",
        "remember:v2:global:note",
    }
    for envelope in raw.values():
        assert list(envelope) == ["alg", "kid", "iv", "tag", "data"]
        assert envelope["alg"] == "A256GCM"
    assert NOTE not in json.dumps(raw)


@pytest.mark.promise("stored.static-id", "accessor.user-id")
def test_a_bare_static_key_is_known_by_its_hash() -> None:
    """user scope then holds static: and the first 12 hex digits, as the page shows."""
    key = "a-key-without-any-name"
    handler = create_fetch_handler(vault(), environ={"REMEMBER_SECRET": SECRET, "REMEMBER_API_KEYS": key})
    caller = Client(handler, key)
    caller.call("save_note", {"note": NOTE, "scope": "user"})
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    assert set(caller.call("raw_store").data) == {f"remember:v2:user:static%3A{digest}:note"}


@pytest.mark.promise("sealing.fresh-iv")
def test_every_write_has_a_new_iv() -> None:
    """The same note, stored twice, is two different envelopes."""
    ana = serve(vault()).ana
    seen = []
    for _ in range(2):
        ana.call("save_note", {"note": NOTE, "scope": "user"})
        (envelope,) = ana.call("raw_store").data.values()
        seen.append((envelope["iv"], envelope["data"]))
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] != seen[1][1]


@pytest.mark.promise("sealing.off")
def test_without_encryption_the_store_holds_plain_json(clock: MovingClock) -> None:
    """The entry as it is: value and times."""
    ana = serve(vault((RememberPlugin.init(encryption={"enabled": False}),)), clock=clock).ana
    ana.call("save_note", {"note": NOTE, "scope": "user"})
    (entry,) = ana.call("raw_store").data.values()
    assert entry == {"value": NOTE, "createdAt": START, "updatedAt": START}


@pytest.mark.promise("stored.layout")
def test_a_lasting_store_records_its_layout(tmp_path: Path, clock: MovingClock) -> None:
    """<prefix>__layout__ says which layout it is and when it first reached the store; later starts leave it."""
    path = tmp_path / "memory.db"
    for _ in range(2):
        served = serve(vault((RememberPlugin.init(type="sqlite", path=str(path)),)), clock=clock)
        served.ana.call("save_note", {"note": NOTE, "scope": "user"})
        clock.advance(1000)
    assert json.loads(rows(path)["remember:__layout__"]) == {"version": 2, "since": START}


@pytest.mark.promise("stored.layout", "options.key-prefix")
def test_the_layout_is_recorded_under_the_plugins_own_prefix(tmp_path: Path) -> None:
    """Two plugins with two prefixes over one file each have their own record."""
    path = tmp_path / "memory.db"
    served = serve(vault((RememberPlugin.init(type="sqlite", path=str(path), key_prefix="acme:"),)))
    served.ana.call("save_note", {"note": NOTE, "scope": "user"})
    assert set(rows(path)) == {"acme:__layout__", "acme:v2:user:static%3Aana:note"}


@pytest.mark.promise("house.5")
def test_a_lasting_store_shows_keys_and_expiry_but_no_value(tmp_path: Path) -> None:
    """Not in the file, nor in what SQLite keeps beside it."""
    served = serve(vault((RememberPlugin.init(type="sqlite", path=str(tmp_path / "memory.db")),)))
    for scope in ("user", "session", "tool", "global"):
        served.ana.call("save_note", {"note": NOTE, "scope": scope})
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"static%3Aana" in written
    assert NOTE.encode() not in written
    assert SECRET.encode() not in written
