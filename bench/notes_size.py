"""What a recall and a note cost beside so many others, over REST: requests, bytes from the store, and CPU time."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Any

from bench.notes_calls import CALLS, PARTS, open_memory, owner_with
from bench.notes_made import Made, fill
from bench.process import ask, start
from bench.report import Cell, Target
from remember.notebook.owned_notes import OwnedNotes
from remember.text.embedding import load_model
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

MOST_BYTES = {1_000: 300_000, 10_000: 3_000_000}
MOST_MS = {1_000: 10, 10_000: 80}

Process = subprocess.Popen[str]
Rows = list[dict[str, Cell]]
Turn = tuple[str, str, int]
"""What is done, cold or warm, and how many notes there are."""
Figures = dict[Turn, dict[str, float]]


class Counted(UpstashRest):
    """The stand-in, which also counts the bytes of its answers."""

    sent = 0

    async def answer(self, headers: dict[bytes, bytes], body: bytes, redis: Any) -> tuple[int, object]:
        status, said = await super().answer(headers, body, redis)
        self.sent += len(json.dumps(said))
        return status, said


def measure(sizes: Sequence[int], runs: int) -> Iterator[tuple[Rows, list[Target]]]:
    """What calls cost with so many notes, and then where the CPU time of a cold recall goes."""
    turns = [(what, warmth, size) for size in sizes for what in CALLS for warmth in ("cold", "warm")]
    turns += [(PARTS, "cold", size) for size in sizes]
    with ExitStack() as running:
        rest = running.enter_context(_filled(sizes))
        environ = {"KV_REST_API_URL": rest.url, "KV_REST_API_TOKEN": rest.token, "OPENBLAS_NUM_THREADS": "1"}
        process = running.enter_context(start("bench.notes_calls", environ=environ))
        for turn in turns:
            _call(rest, process, turn, 0)  # opens a connection, loads scripts and what is imported late
        rounds = [{turn: _call(rest, process, turn, number) for turn in turns} for number in range(1, runs + 1)]
    figures = {turn: {unit: median(one[turn][unit] for one in rounds) for unit in rounds[0][turn]} for turn in turns}
    yield _costs(figures)
    yield [_parts(figures[PARTS, "cold", size], size) for size in sizes], []


def _call(rest: Counted, process: Process, turn: Turn, number: int) -> dict[str, float]:
    """Milliseconds of CPU, requests and bytes of one call."""
    what, warmth, size = turn
    of_text = size + number if what == "remember" else number * 37 % (size - 1)  # one that has an answer
    ask(process, json.dumps([what, warmth, size, of_text]))
    rest.reset()
    rest.sent = 0
    figures: dict[str, float] = json.loads(ask(process))
    return figures if what == PARTS else figures | {"requests": len(rest.requests), "bytes": rest.sent}


def _costs(figures: Figures) -> tuple[Rows, list[Target]]:
    rows: Rows = []
    targets = []
    for (what, warmth, size), spent in figures.items():
        if what == PARTS:
            continue
        requests, sent = int(spent["requests"]), int(spent["bytes"])
        called = f"{what}, {warmth}, of {size}"
        rows.append({"what": called, "requests": requests, "bytes": sent, "cpu_ms": spent["cpu_ms"]})
        if what == "recall":
            targets.append(Target(f"requests, {called}", requests, 2))
        if (what, warmth) == ("recall", "cold") and size in MOST_MS:
            targets.append(Target(f"bytes, {called}", sent, MOST_BYTES[size]))
            targets.append(Target(f"CPU in ms, {called}", spent["cpu_ms"], MOST_MS[size]))
    return rows, targets


def _parts(spent: dict[str, float], size: int) -> dict[str, Cell]:
    return {"what": f"parts of a cold recall of {size}, in ms", **spent}


@contextmanager
def _filled(sizes: Sequence[int]) -> Iterator[Counted]:
    """A REST store before a real Redis, in which an owner has as many notes as each of the sizes."""
    with RedisServer() as redis:
        rest = Counted(redis)
        rest.start()
        try:
            asyncio.run(_fill(rest, sizes))
            yield rest
        finally:
            rest.stop()


async def _fill(rest: Counted, sizes: Sequence[int]) -> None:
    model = load_model()
    if model is None:
        raise RuntimeError("there is no model to measure with")
    memory, made = open_memory(rest.url, rest.token), Made(model)
    for size in sizes:
        await fill(OwnedNotes(memory, owner_with(size)), made, size - 1)  # there must be room for one more
    await memory.store.close()
