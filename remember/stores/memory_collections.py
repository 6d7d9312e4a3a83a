"""Collections in dictionaries, for the memory store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from remember.stores.base import Body, Changes, Committed
from remember.stores.versions import Version, new_epoch


@dataclass(slots=True)
class _Held:
    """One collection. A leaf that is gone keeps its name, so that whoever knew it hears so."""

    version: Version
    leaves: dict[str, str | None] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    """The commit that each leaf was last changed by."""

    bodies: dict[str, Body] = field(default_factory=dict)


class MemoryCollections:
    """All collections of a store, by their keys. Whoever calls it lets one caller in at a time."""

    def __init__(self, random_bytes: Callable[[int], bytes]) -> None:
        self._random_bytes = random_bytes
        self._held: dict[str, _Held] = {}

    def changes(self, key: str, since: str | None) -> Changes:
        held = self._held.get(key)
        if held is None:
            return Changes(None, complete=True, leaves={})
        known = held.version.reach(since)
        leaves = {
            name: text
            for name, text in held.leaves.items()
            if (text is not None if known is None else held.changed[name] > known)
        }
        return Changes(held.version.text, complete=known is None, leaves=leaves)

    def bodies(self, key: str, ids: Iterable[str], use: Iterable[str]) -> dict[str, Body]:
        stored = self._held[key].bodies if key in self._held else {}
        used = set(use)
        found = {}
        for name in dict.fromkeys(ids):
            if name in stored:
                body = stored[name]
                found[name] = stored[name] = Body(body.text, body.uses + (name in used))
        return found

    def commit(
        self, key: str, version: str | None, leaves: Mapping[str, str | None], bodies: Mapping[str, str | None]
    ) -> Committed:
        held = self._held.get(key)
        if version != (held and held.version.text):
            missed = self.changes(key, version)
            return Committed(missed.version, missed)
        if held is None:
            held = self._held[key] = _Held(self._new_version())
        held.version = held.version.next
        held.leaves |= leaves
        held.changed |= dict.fromkeys(leaves, held.version.n)
        for name, text in bodies.items():
            if text is None:
                held.bodies.pop(name, None)
            else:
                held.bodies[name] = Body(text, held.bodies[name].uses if name in held.bodies else 0)
        return Committed(held.version.text)

    def clear(self, key: str) -> int:
        held = self._held.get(key)
        if held is None:
            return 0
        self._held[key] = _Held(self._new_version())
        return len(held.bodies)

    def _new_version(self) -> Version:
        return Version(new_epoch(self._random_bytes), 0)
