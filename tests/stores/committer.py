"""One of several processes that write to one collection: `… -m tests.stores.committer <store> <where> <token> <n>`.

Commits bodies of its own, lists them in leaves that all share, and removes some again; what was missed is learned, and
the commit made anew from it. Prints, as JSON, the ids that were acknowledged and are to be there, and how often it used
the one body that all use.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Mapping

from remember.caller import Owner
from remember.keys import collection_of
from remember.stores.base import Changes, Store
from tests.stores.writer import store_named

NOTES = collection_of("remember:", Owner("user", "shared"))
LEAVES = 4
COMMITS = 60
SHARED = "shared"


class Notebook:
    """What a process knows of the collection: each leaf is the ids that stand on it, by commas."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.version: str | None = None
        self.leaves: dict[str, set[str]] = {}

    def learn(self, told: Changes) -> None:
        if told.complete:
            self.leaves = {}
        self.leaves |= {name: set((text or "").split(",")) - {""} for name, text in told.leaves.items()}
        self.version = told.version

    async def change(self, leaf: str, note: str, text: str | None) -> None:
        """Put a body and its name on a leaf, or take both away, whoever else writes meanwhile."""
        while True:
            held = self.leaves.get(leaf, set())
            becomes = held - {note} if text is None else held | {note}
            leaves: Mapping[str, str | None] = {leaf: ",".join(sorted(becomes)) or None}
            done = await self.store.commit(NOTES, self.version, leaves=leaves, bodies={note: text})
            if done.missed is None:
                self.learn(Changes(done.version, complete=False, leaves=leaves))
                return
            self.learn(done.missed)


async def work(store: Store, number: str) -> tuple[list[str], int]:
    chance = random.Random(number)  # noqa: S311  the same run every time
    notebook, kept, used = Notebook(store), dict[str, str](), 0
    for step in range(COMMITS):
        if kept and chance.random() < 0.3:
            note, leaf = kept.popitem()
            await notebook.change(leaf, note, None)
        else:
            note, leaf = f"{number}-{step}", f"leaf-{chance.randrange(LEAVES)}"
            await notebook.change(leaf, note, f"body of {note}")
            kept[note] = leaf
        used += len(await store.bodies(NOTES, [SHARED], use=[SHARED]))
        if chance.random() < 0.2:
            notebook.learn(await store.changes(NOTES, notebook.version))
    await store.close()
    return sorted(kept), used


if __name__ == "__main__":
    kind, where, token, number = sys.argv[1:]
    print(json.dumps(asyncio.run(work(store_named(kind, where, token), number))))  # noqa: T201  its answer
