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
    texts = [repr(seal.open_bytes(text, f"{leaves}:{name}")) for name, text in held.leaves.items() if text is not None]
    return "\n".join(texts + [seal.open(body.text, f"{bodies}:{name}") for name, body in held.bodies.items()])


def dumped(admin: Redis) -> str:
    """Every key of a Redis, with all that lies under it."""
    read = {
        "string": admin.get,
        "hash": admin.hgetall,
        "zset": lambda key: admin.zrange(key, 0, -1, withscores=True),
    }
    return repr([(key, read[admin.type(key)](key)) for key in admin.scan_iter()])
