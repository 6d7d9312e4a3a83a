"""The SQLite store's file: who may read it, what is in it, and what it says when it cannot be used."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from remember.caller import Owner
from remember.errors import StoreUnavailable
from remember.keys import collection_of, shelf_of
from remember.stores import sqlite
from remember.stores.base import Body, Changes
from remember.stores.sqlite import SqliteStore
from tests.standins.clock import START, MovingClock

SHELF = shelf_of("remember:", Owner("user", "somebody-private"))
PLACE = SHELF.place("private-name")
NOTES = collection_of("remember:", Owner("user", "somebody-private"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "folder" / "memory.db"


@pytest.fixture
def store(path: Path, clock: MovingClock) -> Iterator[SqliteStore]:
    store = SqliteStore(path, clock=clock)
    yield store
    asyncio.run(store.close())


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


def refusal(store: SqliteStore) -> StoreUnavailable:
    """What a put ends in; it must name nothing private."""
    with pytest.raises(StoreUnavailable) as caught:
        asyncio.run(store.put(PLACE, "private-text", None))
    assert "private" not in str(caught.value)
    assert str(store._path) not in str(caught.value)
    assert not caught.value.maybe_applied
    return caught.value


def test_only_its_owner_may_read_the_file(store: SqliteStore, path: Path) -> None:
    """Folder 0700; the file and the ones that SQLite puts beside it 0600."""
    assert not path.parent.exists()
    asyncio.run(store.put(PLACE, "text", None))
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert files == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


def test_nothing_is_made_before_the_first_operation(store: SqliteStore, path: Path) -> None:
    """Making a store and closing it leaves no file."""
    asyncio.run(store.close())
    assert not path.parent.exists()


def test_the_layout_is_recorded_once(path: Path, clock: MovingClock) -> None:
    """The first opening writes the layout's version and the time, later ones leave it, and no list shows it."""
    for _ in range(2):
        store = SqliteStore(path, clock=clock, prefix="mine:")
        assert asyncio.run(store.get("mine:__layout__")) == json.dumps(
            {"version": 2, "since": START}, separators=(",", ":")
        )
        asyncio.run(store.close())
        clock.advance(1_000)
    assert rows(path, "SELECT key, shelf FROM entries") == [("mine:__layout__", None)]


def test_a_file_from_before_collections_gains_them(path: Path, store: SqliteStore) -> None:
    """Its entries stay, and collections work as in a new file."""
    asyncio.run(store.put(PLACE, "text", None))
    asyncio.run(store.close())
    with closing(sqlite3.connect(path)) as db:
        for table in ("collections", "leaves", "bodies"):
            db.execute(f"DROP TABLE {table}")
    done = asyncio.run(store.commit(NOTES, None, leaves={"a": "1"}, bodies={"x": "1"}))
    assert asyncio.run(store.changes(NOTES, None)) == Changes(done.version, complete=True, leaves={"a": "1"})
    assert asyncio.run(store.bodies(NOTES, ["x"], use=["x"])) == {"x": Body("1", 1)}
    assert asyncio.run(store.get(PLACE.key)) == "text"


def test_a_cleared_collection_leaves_its_version_alone(path: Path, store: SqliteStore) -> None:
    """No leaf and no body has a row any more, those that were removed before included."""
    done = asyncio.run(store.commit(NOTES, None, leaves={"a": "1", "b": "1"}, bodies={"x": "1"}))
    asyncio.run(store.commit(NOTES, done.version, leaves={"b": None}, bodies={}))
    assert asyncio.run(store.clear(NOTES)) == 1
    told = asyncio.run(store.changes(NOTES, None))
    assert rows(path, "SELECT * FROM leaves") == rows(path, "SELECT * FROM bodies") == []
    assert rows(path, "SELECT epoch || ':' || n FROM collections") == [(told.version,)]


def test_changes_are_of_one_moment(path: Path, store: SqliteStore) -> None:
    """What another process commits between two looks at the file is not mixed with what was seen before."""
    done = asyncio.run(store.commit(NOTES, None, leaves={"a": "1"}, bodies={}))
    looks = []

    def look(statement: str) -> None:
        looks.append(statement)
        if statement.startswith("SELECT name, text FROM leaves"):
            with closing(sqlite3.connect(path)) as other, other:
                other.execute("UPDATE leaves SET text = 'late', n = 2")
                other.execute("UPDATE collections SET n = 2")

    assert store._connection is not None
    store._connection.set_trace_callback(look)
    assert asyncio.run(store.changes(NOTES, None)) == Changes(done.version, complete=True, leaves={"a": "1"})
    store._connection.set_trace_callback(None)
    assert asyncio.run(store.changes(NOTES, done.version)).leaves == {"a": "late"}
    assert len(looks) == 4


def test_what_has_expired_leaves_the_file(
    store: SqliteStore, path: Path, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write takes expired rows of its shelf with it, no more at once than the bound, and no living ones."""
    monkeypatch.setattr(sqlite, "SWEEP", 3)

    async def story() -> None:
        for number in range(5):
            await store.put(SHELF.place(f"old-{number}"), "text", clock() + 1)
        await store.put(SHELF.place("living"), "text", clock() + 10_000)
        clock.advance(1)
        await store.put(PLACE, "one", None)

    asyncio.run(story())
    left = "SELECT count(*) FROM entries WHERE name LIKE 'old-%'"
    assert rows(path, left) == [(2,)]
    asyncio.run(store.put(PLACE, "two", None))
    assert rows(path, left) == [(0,)]
    assert rows(path, "SELECT name FROM entries WHERE shelf IS NOT NULL ORDER BY name") == [
        ("living",),
        (PLACE.name,),
    ]


def test_the_event_loop_is_never_kept_waiting(store: SqliteStore, path: Path) -> None:
    """While another process holds the write lock, a write waits and the loop goes on."""

    async def story() -> None:
        await store.put(PLACE, "one", None)
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            write = asyncio.create_task(store.put(PLACE, "two", None))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not write.done()
            other.execute("COMMIT")
            assert await write is True

    asyncio.run(story())


def test_a_lock_that_stays_is_a_timeout(
    path: Path, clock: MovingClock, monkeypatch: pytest.MonkeyPatch, store: SqliteStore
) -> None:
    """Waiting for another process has an end, and nothing was written then."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    asyncio.run(store.get("k"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert refusal(store).reason == "timeout"
    assert asyncio.run(store.get(PLACE.key)) is None


def test_threads_share_one_store(store: SqliteStore) -> None:
    """Event loops in several threads use one store at once and lose nothing."""

    async def story(number: int) -> None:
        for step in range(20):
            await store.put(SHELF.place(f"{number}-{step:02}"), "text", None)

    threads = [threading.Thread(target=lambda number=number: asyncio.run(story(number))) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asyncio.run(store.page(SHELF, after=None, pattern="*", limit=200)).items) == 100


def test_a_file_that_is_no_database_is_told(path: Path, store: SqliteStore) -> None:
    """Somebody else's file is refused and left as it is."""
    path.parent.mkdir(parents=True)
    path.write_text("private-text " * 1_000)
    assert refusal(store).reason == "garbled"
    assert path.read_text() == "private-text " * 1_000


def test_a_path_that_cannot_be_used_is_told(tmp_path: Path, clock: MovingClock) -> None:
    """A folder in the file's place, and a file in the folder's place."""
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "memory.db"):
        assert refusal(SqliteStore(path, clock=clock)).reason == "refused"


def test_a_file_that_may_only_be_read_is_told(path: Path, store: SqliteStore, clock: MovingClock) -> None:
    """SQLite's own word for it becomes ours, with what to do."""
    asyncio.run(store.put(PLACE, "text", None))
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TRIGGER no BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'private-text'); END")
    assert refusal(store).reason == "failed"
    assert asyncio.run(store.get(PLACE.key)) == "text"
    assert store._connection is not None
    store._connection.execute("PRAGMA query_only = ON")
    assert refusal(store).reason == "read-only"


@pytest.mark.parametrize("taken", ["file", "files", "folder"])
def test_after_the_file_was_removed_a_write_lands_in_a_new_one(store: SqliteStore, path: Path, taken: str) -> None:
    """Not in the old one, which nobody can open any more; and what was removed is not read."""
    asyncio.run(store.put(PLACE, "old", None))
    if taken == "folder":
        shutil.rmtree(path.parent)
    else:
        for name in ("memory.db",) if taken == "file" else ("memory.db", "memory.db-wal", "memory.db-shm"):
            (path.parent / name).unlink()
    assert asyncio.run(store.get(PLACE.key)) is None
    assert asyncio.run(store.put(PLACE, "new", None)) is False
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    asyncio.run(store.close())
    assert rows(path, "SELECT text FROM entries WHERE shelf IS NOT NULL") == [("new",)]


def copy_with(path: Path, text: str, clock: MovingClock) -> None:
    """A closed database in one file, as a backup is."""
    other = SqliteStore(path, clock=clock)
    asyncio.run(other.put(PLACE, text, None))
    asyncio.run(other.close())
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_after_another_file_took_its_place_that_one_is_used(
    store: SqliteStore, path: Path, tmp_path: Path, clock: MovingClock
) -> None:
    """What it holds is read, and a write lands in it."""
    copy_with(tmp_path / "copies" / "copy.db", "of the copy", clock)
    asyncio.run(store.put(PLACE, "old", None))
    for name in ("memory.db-wal", "memory.db-shm"):
        (path.parent / name).unlink()
    (tmp_path / "copies" / "copy.db").replace(path)
    assert asyncio.run(store.get(PLACE.key)) == "of the copy"
    asyncio.run(store.put(SHELF.place("new"), "new", None))
    asyncio.run(store.close())
    assert rows(path, "SELECT text FROM entries WHERE shelf IS NOT NULL ORDER BY name") == [("new",), ("of the copy",)]


def test_the_log_of_the_old_file_is_not_read_into_the_one_that_took_its_place(
    store: SqliteStore, path: Path, tmp_path: Path, clock: MovingClock
) -> None:
    """Who moves a backup there leaves the side files lying; played over it, they would take what it holds away."""
    copy_with(tmp_path / "copies" / "copy.db", "of the copy", clock)
    asyncio.run(store.put(PLACE, "old", None))
    (tmp_path / "copies" / "copy.db").replace(path)
    assert asyncio.run(store.get(PLACE.key)) == "of the copy"
    asyncio.run(store.put(SHELF.place("new"), "new", None))
    asyncio.run(store.close())
    assert rows(path, "SELECT text FROM entries WHERE shelf IS NOT NULL ORDER BY name") == [("new",), ("of the copy",)]


def test_two_processes_find_the_same_new_file(path: Path, clock: MovingClock) -> None:
    """Both had the old one open; each sees what the other writes since."""
    stores = [SqliteStore(path, clock=clock) for _ in range(2)]

    async def story() -> None:
        for store in stores:
            await store.put(PLACE, "old", None)
        for file in list(path.parent.iterdir()):
            file.unlink()
        for number, store in enumerate(stores):
            await store.put(SHELF.place(str(number)), "new", None)
        for store in stores:
            assert [name for name, _ in (await store.page(SHELF, after=None, pattern="*", limit=9)).items] == ["0", "1"]
            await store.close()

    asyncio.run(story())


def test_our_folder_goes_with_the_file(clock: MovingClock) -> None:
    """So that a secret that was made for it is found again, whatever folder the process was started in."""
    assert SqliteStore("/srv/kept/memory.db", clock=clock).home == Path("/srv/kept/.remember")
    assert SqliteStore(".remember/memory.db", clock=clock).home == Path(".remember")


def test_a_log_is_not_left_beside_a_copy_that_was_moved_there_before_the_end(
    store: SqliteStore, path: Path, tmp_path: Path, clock: MovingClock
) -> None:
    """Closing is all that comes after the move, and the next process must find the copy as it is."""
    copy_with(tmp_path / "copies" / "copy.db", "of the copy", clock)
    asyncio.run(store.put(PLACE, "old", None))
    (tmp_path / "copies" / "copy.db").replace(path)
    asyncio.run(store.close())
    assert rows(path, "SELECT text FROM entries WHERE shelf IS NOT NULL") == [("of the copy",)]
