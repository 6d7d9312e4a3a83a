"""One owner's notes in the store: from notes to sealed leaves and bodies, and back."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from remember.caller import Owner
from remember.keys import collection_of
from remember.notebook.index import Index
from remember.notebook.leaf import Leaf
from remember.notebook.note import Note
from remember.notebook.row import ID_BYTES
from remember.notebook.rows_of_notes import row_of
from remember.owned import Memory
from remember.sealing import Unreadable
from remember.stores.base import Changes, Charge

log = logging.getLogger(__name__)


class Kept(NamedTuple):
    """A note as it was read, and how often it has been found."""

    note: Note
    uses: int


@dataclass(frozen=True, slots=True)
class Commit:
    """Whether a commit was done, and the index after it; or the one to think again with."""

    done: bool
    index: Index


class OwnedNotes:
    """The notes that belong to one owner. A `charge` goes with the first request of an operation."""

    def __init__(self, memory: Memory, owner: Owner) -> None:
        self.owner = owner
        self._memory = memory
        self._seal = memory.sealer.of(owner)
        self._collection = collection_of(memory.key_prefix, owner)

    async def index(self, *, charge: Charge | None = None) -> Index:
        """All leaves; one request, for what this process has not read yet."""
        warm = self._memory.warm.get(self._collection.key)
        known = warm if isinstance(warm, Index) else Index()
        return self._keep(known, await self._memory.store.changes(self._collection, known.version, charge=charge))

    async def read(self, ids: Iterable[str], *, use: Iterable[str] = ()) -> dict[str, Kept]:
        """The notes of these ids that are there and open; one request, none for no ids. `use`: count these as found."""
        ids = tuple(ids)
        if not ids:
            return {}
        bodies = await self._memory.store.bodies(self._collection, ids, use=use)
        opened = {note_id: self._open(note_id, body.text) for note_id, body in bodies.items()}
        return {note_id: Kept(note, bodies[note_id].uses) for note_id, note in opened.items() if note is not None}

    async def commit(self, index: Index, put: Iterable[Note], remove: Iterable[str] = ()) -> Commit:
        """Write notes and take notes out, where nothing has changed since `index`; one request."""
        put, remove = tuple(put), tuple(remove)
        leaves = index.changed((row_of(note) for note in put), remove)
        written = {name: leaf for name, leaf in leaves.items() if leaf.total}
        sealed = {name: self._seal_leaf(name, leaf) if name in written else None for name, leaf in leaves.items()}
        bodies: Mapping[str, str | None] = {
            **dict.fromkeys(remove),
            **{note.id: self._seal_body(note) for note in put},
        }
        done = await self._memory.store.commit(self._collection, index.version, leaves=sealed, bodies=bodies)
        if done.missed is not None:
            return Commit(done=False, index=self._keep(index, done.missed))
        after = index.with_leaves(done.version, written, leaves.keys() - written.keys())
        self._memory.warm.put(self._collection.key, after, after.size)
        return Commit(done=True, index=after)

    async def clear(self, *, charge: Charge | None = None) -> int:
        """Remove every note. Returns how many there were."""
        return await self._memory.store.clear(self._collection, charge=charge)

    def new_id(self, namespace: str, content: str, copy: int = 0) -> str:
        """The same id for the same text, so that a repeated write is the same write; `copy` tells forced ones."""
        said = "\0".join((namespace, " ".join(content.split()), *([str(copy)] if copy else ())))
        return self._seal.name(said.encode(), ID_BYTES).hex()

    def _keep(self, known: Index, changes: Changes) -> Index:
        if changes.version == known.version and known.version is not None and not changes.leaves:
            return known
        index = known.after(changes, self._open_leaf)
        if index.unreadable:
            log.warning("%d leaves of notes do not open, and are left out", index.unreadable)
        self._memory.warm.put(self._collection.key, index, index.size)
        return index

    def _seal_leaf(self, name: str, leaf: Leaf) -> str:
        return self._seal.seal_bytes(leaf.to_bytes(), self._leaf_place(name))

    def _open_leaf(self, name: str, text: str) -> bytes:
        return self._seal.open_bytes(text, self._leaf_place(name))

    def _seal_body(self, note: Note) -> str:
        return self._seal.seal_bytes(note.to_bytes(), self._body_place(note.id))

    def _open(self, note_id: str, text: str) -> Note | None:
        try:
            return Note.from_bytes(note_id, self._seal.open_bytes(text, self._body_place(note_id)))
        except (Unreadable, ValueError):
            log.warning("A note does not open, and is left out")
            return None

    def _leaf_place(self, name: str) -> str:
        return f"{self._collection.part('leaves')}:{name}"

    def _body_place(self, note_id: str) -> str:
        return f"{self._collection.part('bodies')}:{note_id}"
