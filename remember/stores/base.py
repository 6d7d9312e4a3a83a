"""What a store promises: entries by place, each operation one request over REST, the same on every store.

A store moves text. It knows nothing of callers, scopes, values or encryption. Times are milliseconds since
1970 on the clock that the store was given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

from remember.keys import Place, Shelf

PAGE_CHARS = 1_000_000
"""A page stops once its texts exceed this together, so that a shelf of large values does not become one answer."""


class Swap(NamedTuple):
    """How a compare-and-swap ended: `done`, or the text that lies there now (None: nothing)."""

    done: bool
    current: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a shelf in the order of its names. `next` is the name to go on after; None: nothing follows."""

    items: tuple[tuple[str, str], ...]
    next: str | None = None


@runtime_checkable
class Store(Protocol):
    """Entries by place. Every method raises StoreUnavailable when no answer can be had.

    `expires_at` None keeps an entry until it is removed. An entry whose time has come is not there any more:
    no method returns, counts or revives it.
    """

    name: ClassVar[str]
    lasting: ClassVar[bool]
    """Whether what is stored outlives the process."""

    async def get(self, key: str) -> str | None:
        """The text under a storage key."""

    async def put(self, place: Place, text: str, expires_at: int | None) -> bool:
        """Store text, whatever was there. Returns whether something was."""

    async def remove(self, place: Place) -> str | None:
        """Take an entry out. Returns the text that was there."""

    async def swap(self, place: Place, expected: str | None, text: str, expires_at: int | None) -> Swap:
        """Store text only where exactly `expected` lies (None: only where nothing does)."""

    async def page(self, shelf: Shelf, *, after: str | None, pattern: str, limit: int) -> Page:
        """Up to `limit` names that fit `pattern` (`keys.fits`), after the name `after`, with their texts, in
        code point order. A page may be shorter than `limit` although more follows (PAGE_CHARS, or many names
        that do not fit); only `next` tells.
        """

    async def wipe(self, shelf: Shelf) -> int:
        """Remove everything on a shelf, and nothing else. Returns how many entries that were."""

    async def close(self) -> None:
        """Let go of connections and files. The store can be used again afterwards."""
