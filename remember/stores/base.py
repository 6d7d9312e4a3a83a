"""What a store promises: entries by place and collections with a version, each operation one request over REST.

A store moves text, and does the same on every kind. It knows nothing of callers, scopes, values, notes or encryption.
Times are milliseconds since 1970 on the clock that the store was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

from remember.errors import QuotaExceeded
from remember.keys import Collection, Place, Shelf
from remember.settings import MAX_ENTRIES

PAGE_CHARS = 1_000_000
"""A page stops once its texts exceed this together, so that a shelf of large values does not become one answer."""

SMALL_CHARS = 16_384
"""Texts up to this size are bounded by how many there may be; only larger ones are worth a sum."""


class Swap(NamedTuple):
    """How a compare-and-swap ended: `done`, or the text that lies there now (None: nothing)."""

    done: bool
    current: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a shelf in the order of its names. `next` is the name to go on after; None: nothing follows."""

    items: tuple[tuple[str, str], ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """A collection's leaves that changed since a version; a text of None: the leaf is gone.

    `complete`: these are all there are, whatever was known before. `version` None: nothing was ever there.
    """

    version: str | None
    complete: bool
    leaves: Mapping[str, str | None]


class Committed(NamedTuple):
    """How a commit ended. `version` is the collection's own now.

    `missed`: nothing was written, and this is what has changed since the version that the commit was for.
    """

    version: str | None
    missed: Changes | None = None


class Body(NamedTuple):
    """A collection's body, and how often it has been used."""

    text: str
    uses: int


@dataclass(frozen=True, slots=True)
class Charge:
    """One call to be counted under `key`, of which there may be `limit` until `expires_at`."""

    key: str
    limit: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class Quota:
    """How much one shelf may hold: entries, and characters of texts above SMALL_CHARS together.

    Redis counts bytes; what is sealed is ASCII, so they are the same.
    """

    entries: int = MAX_ENTRIES
    chars: int = 256_000_000

    def admit(self, text: str, old: str | None, *, entries: Callable[[], int], chars: Callable[[], int]) -> None:
        """Let `text` take the place of `old` on a shelf of so many entries and large texts; asked only as needed.

        Raises:
            QuotaExceeded: there would be more than may be, and more than before.
        """
        if old is None and entries() >= self.entries:
            raise QuotaExceeded("entries", self.entries)
        was, becomes = large(old), large(text)
        if becomes > was and chars() - was + becomes > self.chars:
            raise QuotaExceeded("chars", self.chars)


DEFAULT_QUOTA = Quota()


def large(text: str | None) -> int:
    """What a text adds to the sum of the large ones."""
    return len(text) if text is not None and len(text) > SMALL_CHARS else 0


@runtime_checkable
class Store(Protocol):
    """Entries by place, and collections. Every method raises StoreUnavailable when no answer can be had.

    `expires_at` None keeps an entry until it is removed. An entry whose time has come is not there any more:
    no method returns, counts or revives it.

    With a `charge` a method first counts the call, by the same request. It raises RateLimited, and does nothing
    else, where the count goes beyond the charge's limit.

    A store has a Quota for each shelf. Where a new entry or a larger text would go beyond it, nothing is stored and
    QuotaExceeded is raised. A store that is asked by many processes may look at a shelf only now and then, and let
    each of them put at most 16 entries more.

    A collection is a set of leaves, few and always read together, and of bodies, many and read by id. Every commit
    gives it a new version; versions are told apart, and nothing else can be read from them. It neither expires nor has
    a quota: whoever writes has read all leaves before, and knows how much there is.
    """

    name: ClassVar[str]
    lasting: ClassVar[bool]
    """Whether what is stored outlives the process."""

    @property
    def home(self) -> Path | None:
        """The folder of ours beside what is stored; None where that is not on this machine's disk."""

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:
        """The text under a storage key."""

    async def put(self, place: Place, text: str, expires_at: int | None, *, charge: Charge | None = None) -> bool:
        """Store text, whatever was there. Returns whether something was."""

    async def remove(self, place: Place, *, charge: Charge | None = None) -> str | None:
        """Take an entry out. Returns the text that was there."""

    async def swap(
        self, place: Place, expected: str | None, text: str, expires_at: int | None, *, charge: Charge | None = None
    ) -> Swap:
        """Store text only where exactly `expected` lies (None: only where nothing does)."""

    async def page(
        self, shelf: Shelf, *, after: str | None, pattern: str, limit: int, charge: Charge | None = None
    ) -> Page:
        """Up to `limit` names that fit `pattern` (`keys.fits`), after the name `after`, with their texts, in
        code point order. A page may be shorter than `limit` although more follows (PAGE_CHARS, or many names
        that do not fit); only `next` tells.
        """

    async def wipe(self, shelf: Shelf, *, charge: Charge | None = None) -> int:
        """Remove everything on a shelf, and nothing else. Returns how many entries that were."""

    async def changes(self, collection: Collection, since: str | None, *, charge: Charge | None = None) -> Changes:
        """The leaves that changed after `since`, a version that was given before, a leaf that is gone among them;
        all that are there for None, and wherever the collection's history does not reach back to `since`.
        """

    async def bodies(
        self, collection: Collection, ids: Iterable[str], *, use: Iterable[str] = (), charge: Charge | None = None
    ) -> Mapping[str, Body]:
        """The bodies that are there of those asked for. Those of them in `use` count as used once more, this time
        included.
        """

    async def commit(
        self,
        collection: Collection,
        version: str | None,
        *,
        leaves: Mapping[str, str | None],
        bodies: Mapping[str, str | None],
        charge: Charge | None = None,
    ) -> Committed:
        """Write leaves and bodies (None: remove) together, where the collection still has `version`; else nothing.
        None is the version of a collection that never was.

        A body that is removed takes its uses along; one that is written again keeps them. After a StoreUnavailable
        that is `maybe_applied`, `changes` tells by its leaves whether it was. A commit is one request: write much in
        several, for Upstash takes none above 10 MB.
        """

    async def clear(self, collection: Collection, *, charge: Charge | None = None) -> int:
        """Remove a whole collection, which has a version as before, a new one: whoever knew it learns so from
        `changes`. One that never was stays so. Returns how many bodies it had.
        """

    async def close(self) -> None:
        """Let go of connections and files. The store can be used again afterwards."""
