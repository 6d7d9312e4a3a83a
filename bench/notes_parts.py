"""Where the CPU time of a cold recall goes: the same steps as `Reading.recall`, one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from remember.caller import Owner
from remember.keys import collection_of
from remember.notebook.index import Index
from remember.notebook.note import Note
from remember.notebook.owned_notes import Kept
from remember.notebook.question import make_question
from remember.notebook.ranking import rank, shortlist
from remember.owned import Memory
from remember.text.vectors import Embedded

SHOWN = 5


class Watch:
    """Milliseconds of CPU time by the name of what they were spent on."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.spent[name] = self.spent.get(name, 0.0) + (time.process_time() - start) * 1000


async def parts_of_a_recall(memory: Memory, owner: Owner, question: str, vector: Embedded) -> dict[str, float]:
    """Milliseconds by part."""
    watch = Watch()
    seal, collection = memory.sealer.of(owner), collection_of(memory.key_prefix, owner)

    def open_leaf(name: str, text: str) -> bytes:
        with watch.on("unseal leaves"):
            return seal.open_bytes(text, f"{collection.part('leaves')}:{name}")

    with watch.on("request for leaves"):
        changes = await memory.store.changes(collection, None)
    with watch.on("leaves"):
        index = Index().after(changes, open_leaf)
    watch.spent["leaves"] -= watch.spent["unseal leaves"]
    with watch.on("shortlist"):
        asked = make_question(question, vector)
        listed = shortlist(index.columns(), asked)
    with watch.on("request for notes"):
        ids = [one.id for one in listed]
        bodies = await memory.store.bodies(collection, ids, use=ids[:SHOWN])
    with watch.on("unseal notes"):
        sealed = {
            name: seal.open_bytes(one.text, f"{collection.part('bodies')}:{name}") for name, one in bodies.items()
        }
    with watch.on("notes"):
        notes = {name: Kept(Note.from_bytes(name, data), 0) for name, data in sealed.items()}
    with watch.on("rank"):
        hits = rank(listed, notes, asked, now=memory.clock())
    if not hits:
        raise RuntimeError("a question found nothing")
    return watch.spent
