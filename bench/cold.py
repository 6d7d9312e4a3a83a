"""From process start to the first answered tools/call: CPU time and peak memory of a fresh process each time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from bench.process import ask, start
from bench.report import Cell, Report, Target
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

FLOOR, OURS, SDK = "floor", "ours, upstash", "MCPServer, upstash"


@dataclass(frozen=True, slots=True)
class Case:
    """What is started, how it is configured, and what it is asked first."""

    name: str
    peer: str
    environ: Mapping[str, str]
    tool: str = "recall"

    def run(self, tool: str | None = None, *, arguments: Mapping[str, str] | None = None) -> dict[str, float]:
        given = () if arguments is None else (json.dumps(arguments),)
        with start("bench.first_call", self.peer, tool or self.tool, *given, environ=self.environ) as process:
            figures: dict[str, float] = json.loads(ask(process))
            return figures


def measure(runs: int) -> Report:
    """Every case once a round, so that what else the machine does meets all of them alike."""
    with _cases() as cases:
        for case in cases:
            case.run("remember_this")  # there is something to recall then, and every .pyc is written
            case.run()
        rounds = [{case.name: case.run() for case in cases} for _ in range(runs)]
    cpu, rss = (
        {case.name: median(figures[case.name][unit] for figures in rounds) for case in cases}
        for unit in ("cpu_ms", "rss_mb")
    )
    rows: list[dict[str, Cell]] = [
        {
            "what": f"{case.name}: {case.tool}",
            "cpu_ms": cpu[case.name],
            "x_floor": cpu[case.name] / cpu[FLOOR],
            "x_MCPServer": cpu[case.name] / cpu[SDK],
            "rss_mb": rss[case.name],
        }
        for case in cases
    ]
    return Report(
        f"Cold: process start to the first answered tools/call, median of {runs}",
        rows,
        [
            Target(f"CPU of {OURS} / {FLOOR}", cpu[OURS] / cpu[FLOOR], 1.5),
            Target(f"CPU of {OURS} / {SDK}", cpu[OURS] / cpu[SDK], 0.35),
            Target(f"RSS of {OURS} in MB", rss[OURS], 50),
        ],
    )


@contextmanager
def _cases() -> Iterator[list[Case]]:
    """The cases, with a REST store before a real Redis behind them for as long as they are measured."""
    with tempfile.TemporaryDirectory() as folder, RedisServer() as redis:
        rest = UpstashRest(redis).start()
        upstash = {"KV_REST_API_URL": rest.url, "KV_REST_API_TOKEN": rest.token}
        try:
            yield [
                Case(FLOOR, "floor", {}),
                Case(OURS, "ours", upstash),
                Case(SDK, "mcpserver", upstash),
                Case("ours, sqlite", "ours", {"REMEMBER_STORE": f"sqlite:{folder}/memory.db"}),
                # A new process holds nothing in memory, and what finds nothing opens nothing: this one stores.
                Case("ours, memory", "ours", {"REMEMBER_STORE": "memory"}, "remember_this"),
            ]
        finally:
            rest.stop()
