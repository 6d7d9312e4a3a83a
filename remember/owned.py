"""One owner's entries: from keys to places, from entries to sealed text, and back."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import NamedTuple

from remember.caller import Caller, Owner
from remember.clock import Clock
from remember.entry import Entry
from remember.keys import Place, Shelf, is_key, normal_key, seed_key, shelf_of
from remember.limits import RateLimit
from remember.sealing import Sealer, Unreadable
from remember.settings import Redaction
from remember.stores.base import Charge, Store, Swap
from remember.warm import WarmCache

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Memory:
    """What all accessors of one plugin share. `default_ttl` is in seconds.

    `read_seed` also reads what the first seed's own plugin stored, where it stored it (moving house). Without
    `rate_limit` nobody's calls are counted. `redaction` says what the notebook does about secrets; `model` names a file
    of weights in place of the installed ones, for notes to be compared by.
    """

    store: Store
    sealer: Sealer
    clock: Clock
    key_prefix: str
    default_ttl: int | None = None
    read_seed: bool = False
    rate_limit: RateLimit | None = None
    redaction: Redaction = "redact"
    model: str | None = None
    warm: WarmCache = field(default_factory=WarmCache, repr=False, compare=False)

    def charge(self, caller: Caller) -> Charge | None:
        """Count one call of a caller; what the store is to count it under."""
        return None if self.rate_limit is None else self.rate_limit.charge(self.key_prefix, caller)


class Found(NamedTuple):
    """A readable, unexpired entry, the text that it was read from, and where that lies."""

    entry: Entry
    stored: str
    place: Place


class OwnedMemory:
    """The part of a memory that belongs to one owner. A `charge` goes with the first request of an operation."""

    def __init__(self, memory: Memory, owner: Owner) -> None:
        self.owner = owner
        self.shelf = shelf_of(memory.key_prefix, owner)
        self._memory = memory
        self._seal = memory.sealer.of(owner)

    def place(self, key: str) -> Place:
        """Where `key` lies; refuses what is no key (InvalidInput)."""
        return self.shelf.place(normal_key(key))

    async def put(self, place: Place, entry: Entry, *, charge: Charge | None = None) -> bool:
        """Store an entry, whatever was there. Returns whether something was."""
        replaced = await self._memory.store.put(place, self._write(entry, place), entry.expires_at, charge=charge)
        return await self._move_in(place) or replaced

    async def swap(self, found: Found, entry: Entry) -> Swap:
        """Store an entry in the place of `found`, if that still lies there."""
        text = self._write(entry, found.place)
        return await self._memory.store.swap(found.place, found.stored, text, entry.expires_at)

    async def find(self, place: Place, *, charge: Charge | None = None) -> Found | None:
        """What lies at a place, if it opens and has not expired."""
        stored = await self._memory.store.get(place.key, charge=charge)
        elsewhere = self._seed_place(place)
        if stored is None and elsewhere is not None:
            place, stored = elsewhere, await self._memory.store.get(elsewhere.key)
        return self.read(stored, place)

    async def remove(self, place: Place, *, charge: Charge | None = None) -> bool:
        """Take an entry out. Returns whether `find` would have found one."""
        found = self.read(await self._memory.store.remove(place, charge=charge), place)
        return await self._move_in(place) or found is not None

    def read(self, stored: str | None, place: Place) -> Found | None:
        """The entry in a stored text; None for nothing, expired and unreadable (the reason goes to the log)."""
        if stored is None:
            return None
        entry = self._open(stored, place)
        return None if entry is None or entry.expired(self._memory.clock()) else Found(entry, stored, place)

    def readable(self, name: str, stored: str) -> bool | None:
        """Whether a listed text opens; None where it opens and has expired."""
        entry = self._open(stored, self.shelf.place(name))
        if entry is None:
            return False
        return None if entry.expired(self._memory.clock()) else True

    def _open(self, stored: str, place: Place) -> Entry | None:
        try:
            return Entry.from_json(self._seal.open(stored, place.key))
        except Unreadable as exc:
            reason, kid = exc.reason, exc.kid
        except (ValueError, RecursionError):
            reason, kid = "not an entry", None
        log.warning("An entry in %s scope does not open: %s (key id %s)", self.owner.scope, reason, kid)
        return None

    async def _move_in(self, place: Place) -> bool:
        """Take away what the seed's own plugin left for this key, so that it is not found again later.

        Returns whether there was something readable.
        """
        elsewhere = self._seed_place(place)
        if elsewhere is None:
            return False
        return self.read(await self._memory.store.remove(elsewhere), elsewhere) is not None

    def _write(self, entry: Entry, place: Place) -> str:
        return self._seal.seal(entry.to_json(), place.key)

    def _seed_place(self, place: Place) -> Place | None:
        if not self._memory.read_seed:
            return None
        key = seed_key(self._memory.key_prefix, self.owner, place.name)
        if is_key(self._memory.key_prefix, key):
            return None  # where a thing of our own lies or could lie, this one or another
        shelf = Shelf(f"{self.shelf.index}:seed", self.shelf.prefix)  # it has no index; ours must keep the name
        return Place(shelf, place.name, key)
