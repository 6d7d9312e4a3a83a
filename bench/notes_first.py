"""A first note of a fresh process: from its start to the answer, beside one whose first call stores a value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from bench.cold import Case
from bench.report import Cell, Target
from tests.standins.redis_server import RedisServer
from tests.standins.upstash_rest import UpstashRest

VALUE, NOTE, QUESTION = "remember_this", "engram_remember", "engram_recall"

MOST_MS = 400
"""Of CPU time more than a value costs: a model is loaded, and a text embedded."""
MOST_MB = 110


def measure(runs: int) -> Iterator[tuple[list[dict[str, Cell]], list[Target]]]:
    """Each of the three once a round. Every note contradicts those of the rounds before, so all that can be is done."""
    with _cases() as cases:
        rounds = [
            {tool: case.run(arguments=_arguments(tool, number)) for tool, case in cases.items()}
            for number in range(-2, runs)
        ][2:]  # the first ones write every .pyc, and what there is to find
    figures = {tool: {unit: median(one[tool][unit] for one in rounds) for unit in rounds[0][tool]} for tool in cases}
    value = figures[VALUE]["cpu_ms"]
    rows: list[dict[str, Cell]] = [
        {
            "what": f"first call: {tool}",
            "cpu_ms": spent["cpu_ms"],
            "more_ms": "–" if tool == VALUE else spent["cpu_ms"] - value,
            "rss_mb": spent["rss_mb"],
            "numpy": "loaded" if spent["numpy"] else "not loaded",
        }
        for tool, spent in figures.items()
    ]
    targets = [
        Target(f"first {tool}: CPU in ms over {VALUE}", figures[tool]["cpu_ms"] - value, MOST_MS)
        for tool in (NOTE, QUESTION)
    ]
    targets += [Target(f"first {tool}: RSS in MB", figures[tool]["rss_mb"], MOST_MB) for tool in (NOTE, QUESTION)]
    yield rows, [*targets, Target(f"first {VALUE}: numpy loaded", max(one[VALUE]["numpy"] for one in rounds), 0)]


def _arguments(tool: str, number: int) -> dict[str, str] | None:
    return {
        VALUE: None,
        NOTE: {"content": f"Release {number + 10} is planned for the last week of March, and Ana reviews the notes"},
        QUESTION: {"query": "Who reviews the notes of the release in March?"},
    }[tool]


@contextmanager
def _cases() -> Iterator[dict[str, Case]]:
    """By their tools, with a REST store before a real Redis behind them."""
    with RedisServer() as redis:
        rest = UpstashRest(redis).start()
        environ = {"KV_REST_API_URL": rest.url, "KV_REST_API_TOKEN": rest.token}
        try:
            yield {tool: Case(tool, "ours", environ, tool) for tool in (VALUE, NOTE, QUESTION)}
        finally:
            rest.stop()
