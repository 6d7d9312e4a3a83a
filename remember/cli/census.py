"""How many entries the store holds in each scope, and which of them do not open. Names no owner and no key."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from remember.app import HANDLER_ID
from remember.caller import Caller, Owner, owner_of
from remember.entry import Entry
from remember.keys import shelf_of
from remember.owned import Memory
from remember.scope import Scope
from remember.sealing import Seal, Unreadable
from remember.sealing.envelope import Envelope

MOST = 10_000
"""Entries looked at for one owner: each is fetched whole, and the owner pays for the traffic."""

_PAGE = 500
_KEY_ID = re.compile(r"[A-Za-z0-9_-]{8}")


@dataclass(slots=True)
class Count:
    """One scope's entries. `unreadable` counts by key id, "" where a text carries none; `cut`: there are more."""

    scope: Scope
    owners: int = 0
    readable: int = 0
    unreadable: Counter[str] = field(default_factory=Counter)
    cut: bool = False


def owners_of(users: Iterable[str], tool_prefix: str) -> Iterator[Owner]:
    """Whose memory there can be: everybody's, and in each scope that of each user."""
    yield Owner("global")
    for user in users:
        for scope in ("user", "session", "tool"):
            # Of the four tools, only this one stores something.
            yield owner_of(Caller(user), scope, f"{HANDLER_ID}:{tool_prefix}remember_this")


async def take_census(memory: Memory, owners: Iterable[Owner]) -> tuple[Count, ...]:
    """A count for each scope, in the order of the owners. Raises StoreUnavailable."""
    counts: dict[Scope, Count] = {}
    for owner in owners:
        count = counts.setdefault(owner.scope, Count(owner.scope))
        count.owners += 1
        await _count(memory, owner, count)
    return tuple(counts.values())


async def _count(memory: Memory, owner: Owner, count: Count) -> None:
    shelf, seal = shelf_of(memory.key_prefix, owner), memory.sealer.of(owner)
    seen, after = 0, None
    while True:
        page = await memory.store.page(shelf, after=after, pattern="*", limit=_PAGE)
        for name, stored in page.items:
            if _opens(seal, stored, shelf.place(name).key):
                count.readable += 1
            else:
                count.unreadable[_key_id(stored)] += 1
        seen, after = seen + len(page.items), page.next
        if after is None or seen >= MOST:
            count.cut = count.cut or after is not None
            return


def _opens(seal: Seal, stored: str, key: str) -> bool:
    try:
        Entry.from_json(seal.open(stored, key))
    except (Unreadable, ValueError, RecursionError):
        return False
    return True


def _key_id(stored: str) -> str:
    try:
        kid = Envelope.from_text(stored).kid or ""
    except Unreadable as exc:
        kid = exc.kid or ""
    return kid if _KEY_ID.fullmatch(kid) else ""  # anybody with the store's token may have put it there
