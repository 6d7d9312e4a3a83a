"""What the methods share that run an author's function: the call's Context, and its questions to the client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from remember.caller import Caller
from remember.owned import Memory
from remember.protocol.message import META_CAPABILITIES, Message
from remember.protocol.refusal import INVALID_PARAMS, Refusal
from remember.tools import Context
from remember.tools.asking import Ask, Conversation, Report

if TYPE_CHECKING:
    from remember.protocol.states import States

TTL_MS = 300_000
"""How long a client may keep a list: it changes only with a deployment."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What an answer may need besides the message: how to tell of progress, and what keeps questions to the client."""

    states: Callable[[], States]
    report: Report | None = None


class Offer(Protocol):
    """A tool, a prompt or a resource as the catalog has it."""

    @property
    def app_id(self) -> str: ...

    @property
    def memory(self) -> Memory | None: ...


async def converse(
    message: Message,
    caller: Caller,
    serving: Serving,
    offer: Offer,
    place: str,
    run: Callable[[Context], Awaitable[dict[str, Any]]],
) -> dict[str, Any]:
    """What `run` gives; where it asks the client first, the questions.

    Raises:
        Refusal: what the request brings from an earlier question is not ours, or the client cannot be asked.
    """
    conversation = await _conversation(message, caller, offer.memory, serving)
    try:
        return await run(Context(caller, offer.app_id, place, offer.memory, conversation))
    except Ask as ask:
        return serving.states().asked(ask, message, caller)


async def _conversation(message: Message, caller: Caller, memory: Memory | None, serving: Serving) -> Conversation:
    if "requestState" in message.params or "inputResponses" in message.params:
        opened = await serving.states().conversation(message, caller, memory)
        return replace(opened, report=serving.report)
    return Conversation(message.meta[META_CAPABILITIES], report=serving.report)


def whole_list(message: Message, name: str, listed: list[dict[str, Any]]) -> dict[str, Any]:
    """The result of a method that lists: all at once.

    Raises:
        Refusal: the request goes on from a page, and there are none.
    """
    if message.params.get("cursor") is not None:
        raise Refusal(INVALID_PARAMS, "cursor is not one that this server gave: all come at once.", id=message.id)
    return {name: listed, "ttlMs": TTL_MS, "cacheScope": "private"}
