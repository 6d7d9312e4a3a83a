"""A call that tells how far it is: one stream of events for one request, the answer last (MCP 2026-07-28, Progress)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from math import inf
from typing import Any

from remember.protocol.exchange import Response, event
from remember.protocol.message import Message
from remember.protocol.refusal import INTERNAL_ERROR, Refusal
from remember.tools.asking import Report

log = logging.getLogger(__name__)

EVENT_STREAM = (("content-type", "text/event-stream"), ("cache-control", "no-store"))

MOST_WAITING = 100
"""Reports that wait for a slow client; beyond them the older ones are worth nothing."""

Answer = dict[str, Any]


async def answer_or_stream(
    message: Message, token: str | int, run: Callable[[Report], Awaitable[Answer]]
) -> Answer | Response:
    """The answer, where the tool tells of no progress before it; else a response that streams.

    Raises:
        Refusal: as `run` does, before anything was told.
    """
    told: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
    working = asyncio.ensure_future(run(_reporting(token, told)))
    first = asyncio.ensure_future(told.get())
    try:
        await _either(working, first)
        if not first.done():
            return await working
    except asyncio.CancelledError:
        await _stop(working)
        raise
    finally:
        await _stop(first)
    events = _events(message, working, first.result(), told)
    await anext(events)  # it has begun, so that closing it stops the work
    return Response(200, EVENT_STREAM, stream=events)


def _reporting(token: str | int, told: asyncio.Queue[bytes]) -> Report:
    last = -inf

    async def report(done: float, total: float | None, words: str | None) -> None:
        nonlocal last
        if not last < done < inf:  # progress has to increase; what does not is no progress
            return
        last = done
        said = {"progressToken": token, "progress": done, "total": total, "message": words}
        params = {name: value for name, value in said.items() if value is not None}
        if told.full():
            told.get_nowait()
        told.put_nowait(event({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))

    return report


async def _events(
    message: Message, working: asyncio.Future[Answer], first: bytes, told: asyncio.Queue[bytes]
) -> AsyncGenerator[bytes]:
    """Nothing, what is told, and then the answer. Who closes this early, stops the work."""
    try:
        yield b""
        yield first
        while not working.done() or not told.empty():
            waiting = asyncio.ensure_future(told.get())
            try:
                await _either(working, waiting)
            finally:
                await _stop(waiting)
            if not waiting.cancelled():
                yield waiting.result()
        yield event(_last(message, working))
    finally:
        await _stop(working)


def _last(message: Message, working: asyncio.Future[Answer]) -> Answer:
    try:
        return working.result()
    except Refusal as refusal:
        refusal.id = message.id
        return refusal.body()
    except (Exception, asyncio.CancelledError) as exc:  # noqa: BLE001  the stream has begun: all becomes the answer
        log.error("A request failed with %s", type(exc).__name__)  # noqa: TRY400  a stack may hold content
        return Refusal(INTERNAL_ERROR, "The server failed; its log names the kind of failure.", id=message.id).body()


async def _either(one: asyncio.Future[Any], other: asyncio.Future[Any]) -> None:
    await asyncio.wait({one, other}, return_when=asyncio.FIRST_COMPLETED)


async def _stop(future: asyncio.Future[Any]) -> None:
    """Cancel what is not done; how it ends is nobody's business any more."""
    future.cancel()
    await asyncio.gather(future, return_exceptions=True)
