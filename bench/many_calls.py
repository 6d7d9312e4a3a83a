"""A measured process of `bench warm`: for each line on its input, a round of calls and their CPU time."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from importlib import import_module

from bench.tool_call import ARGUMENTS, App, ToolCall

CALLS = 300
"""Of each tool, in one round."""


def main() -> None:
    """Argument: a peer's name."""
    asyncio.run(_serve_rounds(sys.argv[1]))


async def _serve_rounds(peer: str) -> None:
    async with import_module(f"bench.peers.{peer}").serve() as app:
        await _round(app)  # the first one warms up
        for _ in sys.stdin:
            print(json.dumps(await _round(app)), flush=True)


async def _round(app: App) -> dict[str, float]:
    """Milliseconds of CPU for one call of each tool."""
    return {tool: await _cpu_ms(app, ToolCall(tool)) for tool in ARGUMENTS}


async def _cpu_ms(app: App, call: ToolCall) -> float:
    call.check(await call.send(app))
    start = time.process_time()
    for _ in range(CALLS):
        answer = await call.send(app)
        await asyncio.sleep(0)  # what a call leaves to the event loop is a part of its cost
    spent = time.process_time() - start
    call.check(answer)
    return spent * 1000 / CALLS
