"""Remember: what a tool holds in its hand. One accessor serves one call of one tool, for one caller."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from remember.caller import Caller, check_may_write, owner_of
from remember.entry import Brand, Entry, check_brand, check_metadata, check_ttl, check_value, dump_json
from remember.errors import InvalidInput, RememberConflict
from remember.keys import normal_pattern
from remember.owned import Memory, OwnedMemory
from remember.scope import DEFAULT_SCOPE, Scope, parse_scope
from remember.stores.base import Charge

MAX_PAGE = 100
_MAX_TRIES = 500  # of a compare-and-swap; each lost one means that another writer got through
_MAX_STORE_PAGES = 5  # that one list page may take where most of what it meets is expired or unreadable


Keys = list[str]  # inside the class, `list` is the method


class Stored(NamedTuple):
    """What `set` did: the entry's expiry in milliseconds since 1970, and whether something was there before."""

    expires_at: int | None
    replaced: bool


class KeyPage(NamedTuple):
    """Part of a list: keys in code point order, the cursor to go on with, and how many entries did not open."""

    keys: Keys
    next_cursor: str | None
    unreadable: int


class Remember:
    """One caller's memory, in one tool (first seed, `this.remember`).

    Every method takes `scope`, `session` unless given. All of them raise InvalidInput for arguments that do
    not fit, RememberIdentityError where the scope needs a caller that is not there, StoreUnavailable when the
    store gives no answer, RateLimited when the caller asks too often, QuotaExceeded when a new or larger value
    would be too much, InsufficientScope when a token for reading is to change something.
    """

    def __init__(self, memory: Memory, caller: Caller, tool: str) -> None:
        self._memory = memory
        self._caller = caller
        self._tool = tool

    @property
    def user_id(self) -> str:
        """The token's `sub`, `static:…` for a static key, `anon:…` for somebody unknown."""
        return self._caller.user_id

    @property
    def session_id(self) -> str | None:
        """The session that the server itself opened (`create_direct`); None under MCP 2026-07-28."""
        return self._caller.session_id

    async def set(
        self,
        key: str,
        value: Any,
        *,
        scope: Scope = DEFAULT_SCOPE,
        ttl: int | None = None,
        brand: Brand | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Stored:
        """Remember a JSON value, whatever was there. `ttl` is in seconds; without it the plugin's default holds."""
        owned = self._owned(scope, writes=True)
        place = owned.place(key)
        check_value(value)
        if brand is not None:
            check_brand(brand)
        if metadata is not None:
            check_metadata(metadata)
        ttl = self._memory.default_ttl if ttl is None else check_ttl(ttl)
        now = self._memory.clock()
        entry = Entry(value, now, now, None if ttl is None else now + ttl * 1000, brand, metadata)
        return Stored(entry.expires_at, await owned.put(place, entry, charge=self._charge()))

    async def get(self, key: str, *, scope: Scope = DEFAULT_SCOPE, default_value: Any = None) -> Any:
        """The value, or `default_value` where there is none to read: missing, expired, unreadable.

        A stored None is a value.
        """
        entry = await self.get_entry(key, scope=scope)
        return default_value if entry is None else entry.value

    async def get_entry(self, key: str, *, scope: Scope = DEFAULT_SCOPE) -> Entry | None:
        """The value with its times, brand and metadata; None where `get` would give its default."""
        owned = self._owned(scope)
        found = await owned.find(owned.place(key), charge=self._charge())
        return None if found is None else found.entry

    async def knows(self, key: str, *, scope: Scope = DEFAULT_SCOPE) -> bool:
        """Whether `get` would return a value rather than its default."""
        return await self.get_entry(key, scope=scope) is not None

    async def update(self, key: str, value: Any, *, scope: Scope = DEFAULT_SCOPE, ttl: int | None = None) -> bool:
        """Change the value of a readable entry; False where there is none, and then nothing is written.

        `value` may be a function of the old value, sync or async; it may run several times. Creation time,
        brand and metadata stay, and so does the expiry unless `ttl` is given. An entry that expired or was
        forgotten meanwhile is never revived.

        Raises:
            RememberConflict: other writers came first on every try.
        """
        owned = self._owned(scope, writes=True)
        if ttl is not None:
            check_ttl(ttl)
        found = await owned.find(owned.place(key), charge=self._charge())
        for tries in range(_MAX_TRIES):
            if found is None:
                return False
            changed = value(found.entry.value) if callable(value) else value
            if isinstance(changed, Awaitable):
                changed = await changed
            check_value(changed)
            now = self._memory.clock()
            if found.entry.expired(now):
                return False
            expires_at = found.entry.expires_at if ttl is None else now + ttl * 1000
            entry = replace(found.entry, value=changed, updated_at=now, expires_at=expires_at)
            swap = await owned.swap(found, entry)
            if swap.done:
                return True
            await _step_aside(tries)
            found = owned.read(swap.current, found.place)
        raise RememberConflict("Others kept changing this entry at the same time; nothing was written. Try again.")

    async def forget(self, key: str, *, scope: Scope = DEFAULT_SCOPE) -> bool:
        """Remove an entry. Returns whether there was one that `get` would have returned."""
        owned = self._owned(scope, writes=True)
        return await owned.remove(owned.place(key), charge=self._charge())

    async def forget_all(self, *, scope: Scope = DEFAULT_SCOPE) -> int:
        """Remove everything that this caller has in one scope. Returns how many entries that were."""
        return await self._memory.store.wipe(self._owned(scope, writes=True).shelf, charge=self._charge())

    async def list(self, *, scope: Scope = DEFAULT_SCOPE, pattern: str = "*") -> Keys:
        """The keys that fit `pattern` and can be read, in code point order; `*` is any text, `?` one character."""
        page = await self.list_page(scope=scope, pattern=pattern, limit=MAX_PAGE)
        keys = page.keys
        while page.next_cursor is not None:
            page = await self.list_page(scope=scope, pattern=pattern, limit=MAX_PAGE, cursor=page.next_cursor)
            keys += page.keys
        return keys

    async def list_page(
        self,
        *,
        scope: Scope = DEFAULT_SCOPE,
        pattern: str = "*",
        limit: int = 50,
        cursor: str | None = None,
        max_chars: int = 1_000_000,
    ) -> KeyPage:
        """Up to `limit` (1–100) of those keys, after where `cursor` stopped; only `next_cursor` tells of more.

        `max_chars` also ends a page, counted as a reply's text carries the keys: as JSON in JSON.
        """
        if type(limit) is not int or not 1 <= limit <= MAX_PAGE:
            raise InvalidInput("limit", f"limit must be a whole number from 1 to {MAX_PAGE}; got {limit!r:.60}.")
        owned = self._owned(scope)
        pattern = normal_pattern(pattern)
        after = (
            None if cursor is None else read_cursor(cursor, owned.owner, pattern, since="for this scope and pattern")
        )
        page = _PageInTheMaking(limit, max_chars)
        charge = self._charge()
        for _ in range(_MAX_STORE_PAGES):
            part = await self._memory.store.page(
                owned.shelf, after=after, pattern=pattern, limit=page.room, charge=charge
            )
            charge = None
            for name, text in part.items:
                if not page.take(name, readable=owned.readable(name, text)):
                    return page.finish(write_cursor(page.keys[-1], owned.owner, pattern))
            after = part.next
            if after is None or not page.room:
                break
        return page.finish(None if after is None else write_cursor(after, owned.owner, pattern))

    def _charge(self) -> Charge | None:
        return self._memory.charge(self._caller)

    def _owned(self, scope: Scope, *, writes: bool = False) -> OwnedMemory:
        if writes:
            check_may_write(self._caller)
        return OwnedMemory(self._memory, owner_of(self._caller, parse_scope(scope), self._tool))


class _PageInTheMaking:
    """Keys gathered until there are enough of them, or enough of their characters."""

    def __init__(self, limit: int, max_chars: int) -> None:
        self.keys: Keys = []
        self._limit = limit
        self._chars = max_chars
        self._unreadable = 0

    @property
    def room(self) -> int:
        return self._limit - len(self.keys)

    def take(self, name: str, *, readable: bool | None) -> bool:
        """Take a name in, if it is readable (None: expired). False: it did not fit any more."""
        if readable is False:
            self._unreadable += 1
        if not readable:
            return True
        self._chars -= len(dump_json(dump_json(name)))
        if self._chars < 0 and self.keys:
            return False
        self.keys.append(name)
        return True

    def finish(self, next_cursor: str | None) -> KeyPage:
        return KeyPage(self.keys, next_cursor, self._unreadable)


async def _step_aside(tries: int) -> None:
    """Let the other writers get through, each for another while, so that they do not meet again at once."""
    from random import random  # noqa: PLC0415  lazy: only a lost race needs it

    await asyncio.sleep(random() * min(tries, 20) / 1000)  # noqa: S311  nobody profits from foreseeing it


def write_cursor(after: str, *bound: object) -> str:
    """A cursor to go on after `after`, good only for what it is bound to: an owner and a pattern."""
    return urlsafe_b64encode(_binding(bound) + after.encode()).decode().rstrip("=")


def read_cursor(cursor: object, *bound: object, since: str) -> str:
    """What `write_cursor` was given, where it was bound to the same; `since` says what the same is, for a refusal.

    Raises:
        InvalidInput: it is no cursor, or is bound to something else.
    """
    try:
        raw = urlsafe_b64decode(str(cursor) + "=" * (-len(str(cursor)) % 4))
        if raw[:_BINDING_BYTES] == _binding(bound):
            return raw[_BINDING_BYTES:].decode()
    except ValueError:
        pass
    raise InvalidInput(
        "cursor",
        f"cursor is not one that was given here {since}; pass next_cursor as it came, or leave it out to begin.",
    )


_BINDING_BYTES = 9


def _binding(bound: tuple[object, ...]) -> bytes:
    return sha256(repr(bound).encode()).digest()[:_BINDING_BYTES]
