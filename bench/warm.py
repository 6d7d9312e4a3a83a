"""One tools/call in a process that has answered many: CPU time through the whole ASGI path, values in memory."""

from __future__ import annotations

import json
from contextlib import ExitStack
from statistics import median

from bench.many_calls import CALLS
from bench.process import ask, start
from bench.report import Cell, Report, Target
from bench.tool_call import ARGUMENTS, VALUE

FLOOR, OURS, UNREAD, SDK = "floor", "ours", "ours, redaction off", "MCPServer"
PEERS = {FLOOR: "floor", OURS: "ours", UNREAD: "ours", SDK: "mcpserver"}
REDACTION = {UNREAD: "off"}  # neither the floor nor the SDK looks for secrets, so this is the like of them


def measure(runs: int) -> Report:
    """A process for each peer, which take turns."""
    with ExitStack() as running:
        processes = {
            name: running.enter_context(
                start(
                    "bench.many_calls",
                    peer,
                    environ={"REMEMBER_STORE": "memory", "REMEMBER_REDACTION": REDACTION.get(name, "redact")},
                )
            )
            for name, peer in PEERS.items()
        }
        rounds = [{name: json.loads(ask(process)) for name, process in processes.items()} for _ in range(runs)]
    cpu = {(name, tool): median(figures[name][tool] for figures in rounds) for tool in ARGUMENTS for name in PEERS}
    rows: list[dict[str, Cell]] = [
        {
            "what": f"{name}: {tool}",
            "cpu_ms": spent,
            "x_floor": spent / cpu[FLOOR, tool],
            "x_MCPServer": spent / cpu[SDK, tool],
        }
        for (name, tool), spent in cpu.items()
    ]
    targets = [
        target
        for tool in ARGUMENTS
        for ours in (OURS, UNREAD)
        for target in (
            Target(f"CPU of {ours} in ms, {tool}", cpu[ours, tool], 0.25),
            Target(f"CPU of {ours} / {SDK}, {tool}", cpu[ours, tool] / cpu[SDK, tool], 0.3),
        )
    ]
    return Report(
        f"Warm: one tools/call with a value of {len(VALUE)} bytes, mean of {CALLS}, median of {runs}", rows, targets
    )
