"""The measured process of `bench cold`: start, answer one call, say what that took, end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from importlib import import_module

from bench.tool_call import ToolCall


def main() -> None:
    """Arguments: a peer's name and a tool's; the call's own arguments as JSON, where they are not the usual ones."""
    peer, tool, *arguments = sys.argv[1:]
    asyncio.run(_answer_one(peer, ToolCall(tool, *map(json.loads, arguments))))


async def _answer_one(peer: str, call: ToolCall) -> None:
    async with import_module(f"bench.peers.{peer}").serve() as app:
        answer = await call.send(app)
        spent = time.process_time()  # user and system, of every thread, since the process began
        call.check(answer)
        figures = {"cpu_ms": spent * 1000, "rss_mb": _peak_rss_mb(), "numpy": "numpy" in sys.modules}
        print(json.dumps(figures), flush=True)
        os._exit(0)  # taking an interpreter down is no part of a first answer


def _peak_rss_mb() -> float:
    # Not ru_maxrss: Linux carries the parent's over into it.
    with open("/proc/self/status") as status:  # noqa: PTH123  pathlib is an import that a peer may not have
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
