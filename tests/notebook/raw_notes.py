"""What really lies in a store of notes: read past the notebook, sealed and opened."""

from __future__ import annotations

from redis import Redis

from remember.stores.memory import MemoryStore
from tests.notebook.conftest import Book


def sealed(store: MemoryStore) -> str:
    """Everything that the store holds, as it holds it."""
    return repr([(key, held.leaves, held.bodies) for key, held in store._collections._held.items()])


def opened(store: MemoryStore, book: Book) -> str:
    """Everything that one owner has, unsealed: leaves as bytes, bodies as JSON with every field in it."""
    seal = book.memory.sealer.of(book.owner)
    held = store._collections._held.get(book.collection.key)
    if held is None:
        return ""
    leaves, bodies = (book.collection.part(name) for name in ("leaves", "bodies"))
    rows = {f"{leaves}:{name}": text for name, text in held.leaves.items() if text is not None}
    notes = {f"{bodies}:{name}": body.text for name, body in held.bodies.items()}
    texts = [repr(seal.open_bytes(text, place)) for place, text in rows.items()]
    return "\n".join(texts + [seal.open_bytes(text, place).decode(errors="replace") for place, text in notes.items()])


def dumped(admin: Redis) -> str:
    """Every key of a Redis, with all that lies under it."""
    return repr([(key, _read(admin, str(key))) for key in admin.scan_iter()])


def _read(admin: Redis, key: str) -> object:
    kind = admin.type(key)
    if kind == "hash":
        return admin.hgetall(key)
    return admin.zrange(key, 0, -1) if kind == "zset" else admin.get(key)
