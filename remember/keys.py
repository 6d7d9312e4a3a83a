"""The name a thing has in the store: written part by part, and readable back.

    <prefix>v2:user:<e(id)>:<e(key)>            <prefix>v2:index:user:<e(id)>
    <prefix>v2:session:<e(id)>:<e(key)>         <prefix>v2:index:session:<e(id)>
    <prefix>v2:tool:<e(tool)>:<e(id)>:<e(key)>  <prefix>v2:index:tool:<e(tool)>:<e(id)>
    <prefix>v2:global:<e(key)>                  <prefix>v2:index:global
    <prefix>v2:rate:<e(id)>:<minute>            <an index's name>:sizes
    <prefix>v2:notes:<scope and ids as above>:<part>  an owner's notes; parts: leaves, bodies, uses, log, state
    <prefix>v2:once:<nonce>                     that an answer to a question of ours was taken
    <prefix>__layout__                          which layout this is, and since when

`e` percent-encodes every byte outside `A-Z a-z 0-9 - _ . ~`, so that no part can hold a separator or a glob
character: two different things never share a name, whatever anybody is called.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import cast
from urllib.parse import quote, unquote

from remember.caller import ANONYMOUS_PREFIX, Caller, Owner
from remember.errors import InvalidInput
from remember.scope import Scope

LAYOUT = "v2"
MAX_KEY_BYTES = 512
MAX_ID_BYTES = 512


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where one owner's entries stand: the index that names them, and what their storage keys begin with."""

    index: str
    prefix: str

    @property
    def sizes(self) -> str:
        """Where a store may note how large its large texts are; no index has as many parts."""
        return f"{self.index}:sizes"

    def place(self, name: str) -> Place:
        return Place(self, name, self.prefix + encode(name))


@dataclass(frozen=True, slots=True)
class Place:
    """Where one entry lies: its shelf, its name there, and its storage key."""

    shelf: Shelf
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Where one owner's notes stand; every part of it has a key of its own."""

    key: str

    def part(self, name: str) -> str:
        return f"{self.key}:{name}"


_PLAIN = re.compile(r"[A-Za-z0-9_.~-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # Unicode's category Cc


def encode(part: str) -> str:
    """One part of a storage key, with nothing in it that a store or a pattern could read as its own."""
    return part if _PLAIN.fullmatch(part) else quote(part, safe="-_.~")


@lru_cache(maxsize=256)
def shelf_of(prefix: str, owner: Owner) -> Shelf:
    """The shelf that belongs to `owner`, under the configured key prefix."""
    parts = [owner.scope, *(encode(part) for part in (owner.tool, owner.id) if part)]
    return Shelf(":".join([f"{prefix}{LAYOUT}", "index", *parts]), ":".join([f"{prefix}{LAYOUT}", *parts, ""]))


@lru_cache(maxsize=256)
def collection_of(prefix: str, owner: Owner) -> Collection:
    """The collection that holds `owner`'s notes."""
    parts = (owner.scope, *(encode(part) for part in (owner.tool, owner.id) if part))
    return Collection(":".join((f"{prefix}{LAYOUT}", "notes", *parts)))


def rate_key(prefix: str, caller: Caller, minute: int) -> str:
    """Where a caller's calls of one minute are counted. All who are unknown share one name, that of no user."""
    who = ANONYMOUS_PREFIX if caller.anonymous else caller.user_id
    return f"{prefix}{LAYOUT}:rate:{encode(who)}:{minute}"


def once_key(prefix: str, nonce: str) -> str:
    """Where it is noted that something which may be used once has been."""
    return f"{prefix}{LAYOUT}:once:{encode(nonce)}"


def layout_key(prefix: str) -> str:
    """Where the layout's version is recorded; no owner and no key can produce this name."""
    return f"{prefix}__layout__"


def read_key(prefix: str, text: str) -> tuple[Owner, str]:
    """The owner and the key that a storage key was written for.

    Raises:
        ValueError: this layout did not write it.
    """
    layout, scope, *parts = text.removeprefix(prefix).split(":")
    owned = {"global": 0, "user": 1, "session": 1, "tool": 2}.get(scope)
    if not text.startswith(prefix) or layout != LAYOUT or owned is None or len(parts) != owned + 1:
        raise ValueError("not a key of this layout")
    *ids, key = (unquote(part, errors="strict") for part in parts)
    owner = Owner(cast(Scope, scope), ids[-1] if ids else "", ids[0] if owned == 2 else "")
    if shelf_of(prefix, owner).place(key).key != text:
        raise ValueError("not encoded as this layout encodes")
    return owner, key


def is_key(prefix: str, text: str) -> bool:
    """Whether this layout could have written `text`."""
    try:
        read_key(prefix, text)
    except ValueError:
        return False
    return True


def seed_key(prefix: str, owner: Owner, key: str) -> str:
    """Where the first seed's own plugin keeps the same thing: its key raw, and global without the layout's name.

    Its encoder leaves `! ~ * ' ( )` alone, as encodeURIComponent does.
    """
    ids = [quote(part, safe="-_.!~*'()") for part in (owner.tool, owner.id) if part]
    where = [owner.scope] if owner.scope == "global" else [LAYOUT, owner.scope]
    return prefix + ":".join([*where, *ids, key])


def normal_key(key: object) -> str:
    """A memory key in the one form it is stored under: NFC, so that what looks the same is the same.

    Raises:
        InvalidInput: empty, too long, not text, or with control characters.
    """
    if not isinstance(key, str):
        raise InvalidInput("key", f"key must be text; got {type(key).__name__}.")
    return _normal_name(key, "key", MAX_KEY_BYTES)


def check_user_id(user_id: object) -> None:
    """A user's id is bounded text without control characters, whoever names it.

    Raises:
        InvalidInput: it is not.
    """
    if not isinstance(user_id, str):
        raise InvalidInput("user_id", f"user_id must be text; got {type(user_id).__name__}.")
    _normal_name(user_id, "user_id", MAX_ID_BYTES)


def normal_pattern(pattern: object) -> str:
    """A list pattern in the same form as the keys it is held against.

    Raises:
        InvalidInput: as for a key.
    """
    if not isinstance(pattern, str):
        raise InvalidInput("pattern", f"pattern must be text; got {type(pattern).__name__}.")
    return re.sub(r"\*+", "*", _normal_name(pattern, "pattern", MAX_KEY_BYTES))


def _normal_name(text: str, field: str, most: int) -> str:
    normal = unicodedata.normalize("NFC", text)
    try:
        size = len(normal.encode())
    except UnicodeEncodeError:
        raise InvalidInput(field, f"{field} holds half of a character (a lone surrogate); send whole ones.") from None
    if not 1 <= size <= most:
        raise InvalidInput(field, f"{field} must be 1 to {most} bytes of UTF-8; got {size}.")
    if _CONTROL.search(normal):
        raise InvalidInput(field, f"{field} must not contain control characters such as line breaks, tabs or NUL.")
    return normal


def literal_prefix(pattern: str) -> str:
    """What every key that fits `pattern` begins with."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0]


def fits(name: str, pattern: str) -> bool:
    """Whether `name` fits `pattern`: `*` is any text, `?` any one character, all else itself.

    Takes at most len(name) × len(pattern) steps, whatever the pattern (no backtracking regex).
    """
    at = here = mark = 0
    star = None
    while here < len(name):
        if at < len(pattern) and pattern[at] == "*":
            at += 1
            star, mark = at, here
        elif at < len(pattern) and pattern[at] in ("?", name[here]):
            at += 1
            here += 1
        elif star is not None:
            mark += 1
            at, here = star, mark
        else:
            return False
    return pattern[at:].strip("*") == ""
