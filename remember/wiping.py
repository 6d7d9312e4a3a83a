"""Everything that one owner has: looked at first, and deleted as it was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from remember.caller import Owner
from remember.errors import RememberConflict
from remember.keys import shelf_of
from remember.notebook.index import Index
from remember.notebook.owned_notes import OwnedNotes
from remember.owned import Memory
from remember.stores.base import Charge

_BATCH = 500
"""Values that one request reads; a page is also bounded by its characters."""


@dataclass(frozen=True, slots=True)
class Contents:
    """How much there is; `mark` is another one as soon as any of it changes, and `index` knows the notes."""

    values: int
    notes: int
    mark: str
    index: Index | None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to delete."""
        return not self.values and not self.notes and not (self.index and self.index.unreadable)


class Wiping:
    """Looks at one owner's values, and with `notes` at their notes too, and deletes them all."""

    def __init__(self, memory: Memory, owner: Owner, *, notes: bool) -> None:
        self._store = memory.store
        self._shelf = shelf_of(memory.key_prefix, owner)
        self._notes = OwnedNotes(memory, owner) if notes else None

    async def look(self, *, charge: Charge | None) -> Contents:
        """What there is now: values that do not open are counted, notes that do not open only go along."""
        digest = blake2b(digest_size=16)
        values, after = 0, None
        while True:
            page = await self._store.page(self._shelf, after=after, pattern="*", limit=_BATCH, charge=charge)
            for item in page.items:
                digest.update(repr(item).encode())
            values += len(page.items)
            charge = None
            after = page.next
            if after is None:
                break
        index = await self._notes.index() if self._notes else None
        digest.update(repr(index and index.version).encode())
        return Contents(values, sum(1 for _ in index.rows()) if index else 0, digest.hexdigest(), index)

    async def wipe(self, contents: Contents) -> None:
        """Delete what `look` has found. Values that come between the two go with the others.

        Raises:
            RememberConflict: somebody wrote notes between the two, and nothing was deleted.
        """
        if self._notes and contents.index and contents.index.leaves:
            # First, because notes can be refused as a whole, and values cannot.
            ids = [row.id for row in contents.index.rows()]
            if not (await self._notes.commit(contents.index, (), ids)).done:
                raise RememberConflict("Somebody wrote notes at the same moment; nothing was deleted. Ask again.")
            if contents.index.unreadable:
                await self._notes.clear()
        await self._store.wipe(self._shelf)
