"""What one operation on a store at Upstash takes: requests, billable commands, CPU time, and time on the clock."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

from bench.process import ask, start
from bench.report import Cell, Report, Target
from bench.store_calls import ONE_COMMAND, OPERATIONS
from remember.caller import Owner
from remember.keys import shelf_of
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

OURS, SHIPPED = "ours", "upstash-redis"
PEERS = {OURS: "accessor", SHIPPED: "shipped"}

CALLS = 100
"""Of one operation, in one round."""

FOREIGN = 20_000
"""Keys of others, among which 20 are listed."""

SEED_REQUESTS = {"set": 2, "get, nothing there": 2, "update": 3, "forget": 3, "list 20 of 20,020": 2_014}
"""What the first seed's plugin sent, counted once on a running copy of it and not measured here: for `forget` its
tool, and for the list 20 keys among 100,000 others. The rest was not counted.
"""

MOST_REQUESTS = {**dict.fromkeys(OPERATIONS, 1), "update": 2}
MOST_COMMANDS = {"set": 2, "forget": 2, "get": 1, "knows": 1}

Process = subprocess.Popen[str]


def measure(runs: int) -> Report:
    """Every operation by every peer once a round, turn by turn; requests and commands are counted before."""
    with ExitStack() as running:
        rest = running.enter_context(_database())
        environ = {"KV_REST_API_URL": rest.url, "KV_REST_API_TOKEN": rest.token}
        processes = {
            name: running.enter_context(start("bench.store_calls", peer, environ=environ))
            for name, peer in PEERS.items()
        }
        for process in processes.values():  # each stores its names first, and no other may be counted meanwhile
            _spend(process, ONE_COMMAND, 1)
        turns = [(operation, peer) for operation in OPERATIONS for peer in PEERS]
        counts = {turn: _count(rest, processes[turn[1]], turn[0]) for turn in turns}
        rounds = [{turn: _spend(processes[turn[1]], turn[0], CALLS) for turn in turns} for _ in range(runs)]
    cpu, wall = (
        {turn: median(figures[turn][unit] for figures in rounds) for turn in turns} for unit in ("cpu_ms", "wall_ms")
    )
    rows: list[dict[str, Cell]] = [
        {
            "what": f"{peer}: {operation}",
            "requests": counts[operation, peer][0],
            "commands": counts[operation, peer][1],
            "cpu_ms": cpu[operation, peer],
            "x_shipped": cpu[operation, peer] / cpu[operation, SHIPPED],
            "wall_ms": wall[operation, peer],
            "seed_requests": SEED_REQUESTS.get(operation, "–"),
        }
        for operation, peer in turns
    ]
    one, shipped = cpu[ONE_COMMAND, OURS], cpu[ONE_COMMAND, SHIPPED]
    targets = [
        Target(f"CPU of {OURS} in ms, {ONE_COMMAND}", one, 0.35),
        Target(f"CPU of {OURS} / {SHIPPED}, {ONE_COMMAND}", one / shipped, 0.35 / 2.4),
        *(Target(f"requests, {name}", counts[name, OURS][0], most) for name, most in MOST_REQUESTS.items()),
        *(Target(f"commands, {name}", counts[name, OURS][1], most) for name, most in MOST_COMMANDS.items()),
    ]
    return Report(f"Store: one operation over REST, mean of {CALLS}, median of {runs}", rows, targets)


@contextmanager
def _database() -> Iterator[UpstashRest]:
    """A REST stand-in before a real Redis in which much of others lies."""
    with RedisServer() as redis:
        pipe = redis.admin.pipeline(transaction=False)
        for number in range(FOREIGN):
            place = shelf_of("remember:", Owner("user", f"other-{number % 500}")).place(f"name-{number}")
            pipe.set(place.key, "what somebody else keeps")
            pipe.zadd(place.shelf.index, {place.name: "inf"})
        pipe.execute()
        rest = UpstashRest(redis).start()
        try:
            yield rest
        finally:
            rest.stop()


def _count(rest: UpstashRest, process: Process, operation: str) -> tuple[int, int]:
    """Requests and billable commands of one call, after the first one, which opens a connection and loads a script.

    What Redis counted (INFO commandstats) without the EVAL or EVALSHA itself: the commands inside a script are billed.
    """
    _spend(process, operation, 1)
    ask(process, json.dumps(["prepare", operation, 1]))
    rest.reset()
    ask(process, json.dumps(["run", operation, 1]))
    return len(rest.requests), sum(rest.commands().values())


def _spend(process: Process, operation: str, calls: int) -> dict[str, float]:
    """Milliseconds of CPU and of the clock for one call."""
    ask(process, json.dumps(["prepare", operation, calls]))
    figures: dict[str, float] = json.loads(ask(process, json.dumps(["run", operation, calls])))
    return figures
