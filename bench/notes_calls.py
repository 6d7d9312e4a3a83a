"""A measured process of `bench notes`: for each line on its input it recalls or remembers once, and times that.

Vectors of texts are known beforehand, so all of it is what comes after the embedding.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from dataclasses import replace

from bench.notes_made import Made
from bench.notes_parts import SHOWN, parts_of_a_recall
from bench.process import SERVER
from remember.caller import Owner
from remember.clock import system_clock
from remember.notebook.asking import Asked
from remember.notebook.fields import Screen, draft
from remember.notebook.filters import Filters
from remember.notebook.meaning import Meaning
from remember.notebook.owned_notes import OwnedNotes
from remember.notebook.reading import Page, Reading
from remember.notebook.writing import Writing
from remember.owned import Memory
from remember.sealing import Secrets, SecretSealer
from remember.settings import Secret
from remember.stores.upstash import UpstashStore
from remember.text.vectors import Embedded
from remember.warm import WarmCache

PARTS = "parts"


class Known(Meaning):
    """Meaning whose texts have been embedded before."""

    def __init__(self, vectors: dict[str, Embedded]) -> None:
        super().__init__(None)
        self._vectors = vectors

    async def embedded(self, text: str) -> Embedded | None:
        return self._vectors[text]


def open_memory(url: str, token: str) -> Memory:
    """A memory at a REST store, with a deadline that large commits keep."""
    store = UpstashStore(url, Secret(token), clock=system_clock, deadline=60)
    secrets = Secrets(Secret(SERVER["REMEMBER_SECRET"]))
    return Memory(store, SecretSealer(secrets), system_clock, "remember:")


def owner_with(count: int) -> Owner:
    """Whose notes these are, in a store where each number of notes has an owner."""
    return Owner("user", f"with-{count}")


async def _recall(owned: OwnedNotes, memory: Memory, made: Made, number: int) -> None:
    question = made.question(number)
    reading = Reading(owned, Known({question: made.vector(number)}), memory.clock, Screen("redact"))
    page = Page(SHOWN, None, 1_000_000, (question, None, Asked()))
    found = await reading.recall(question, Filters(), page, threshold=None, why=False, charge=None)
    if not found.hits or found.mode != "minilm":
        raise RuntimeError(f"a question was answered with {len(found.hits)} notes, {found.mode}")


async def _remember(owned: OwnedNotes, memory: Memory, made: Made, number: int) -> None:
    text = made.text(number)
    nothing = dict.fromkeys(("category", "entity", "tags", "confidence", "namespace"))
    note = draft(text, **nothing, screen=Screen("redact"))
    writing = Writing(owned, Known({text: made.vector(number)}), memory.clock)
    answer = await writing.remember(note, force=False, supersedes=None, dry_run=False, charge=None)
    if answer.outcome != "created":
        raise RuntimeError(f"a new note was answered with {answer.outcome}")


CALLS = {"recall": _recall, "remember": _remember}


def main() -> None:
    """Each line: what to do (recall, remember, parts), cold or warm, the owner's number of notes, the call's own."""
    asyncio.run(_serve())


async def _serve() -> None:
    warm = open_memory(os.environ["KV_REST_API_URL"], os.environ["KV_REST_API_TOKEN"])
    model = await Meaning(None).model()
    if model is None:
        raise RuntimeError("there is no model to measure with")
    made = Made(model)
    for line in sys.stdin:
        what, warmth, count, number = json.loads(line)
        owner = owner_with(count)
        memory = replace(warm, warm=WarmCache())
        if warmth == "warm":
            memory = warm
            await OwnedNotes(memory, owner).index()
        print(end="\n", flush=True)  # from here on requests and bytes are counted
        sys.stdin.readline()
        figures = await _spend(what, memory, owner, made, number)
        print(json.dumps(figures), flush=True)
        if what == "remember":
            await _forget_again(OwnedNotes(warm, owner), made.text(number))


async def _spend(what: str, memory: Memory, owner: Owner, made: Made, number: int) -> dict[str, float]:
    """Milliseconds of CPU: of the whole call, or of each of its parts."""
    if what == PARTS:
        return await parts_of_a_recall(memory, owner, made.question(number), made.vector(number))
    made.vector(number)  # embeds
    start = time.process_time()
    await CALLS[what](OwnedNotes(memory, owner), memory, made, number)
    return {"cpu_ms": (time.process_time() - start) * 1000}


async def _forget_again(owned: OwnedNotes, text: str) -> None:
    """So that the next call meets as many notes."""
    await owned.commit(await owned.index(), (), [owned.new_id("default", text)])
