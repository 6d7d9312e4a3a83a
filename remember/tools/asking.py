"""Asking the person in the middle of a tool, and telling how far it has come (MCP 2026-07-28: MRTR, Progress).

A tool that needs an answer raises `Ask`. The client puts the questions to its person, and calls the tool again with the
answers; nothing is kept here meanwhile.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Report = Callable[[float, float | None, str | None], Awaitable[None]]

CAPABLE: Mapping[str, Any] = {"elicitation": {}, "sampling": {}, "roots": {}}
"""What a client declares that can do all that a tool may ask for."""


class Ask(Exception):
    """Ask the client for what `requests` name, and be called again with the answers and `state`, which is any JSON.

    What the client carries is sealed: bound to the caller, the tool, its arguments and ten minutes. With `once`, the
    same answers are taken once only; without the plugin that is noted in the process alone.
    """

    def __init__(self, requests: Mapping[str, Question], state: object = None, *, once: bool = True) -> None:
        super().__init__("the tool asks")
        self.requests = dict(requests)
        self.state = state
        self.once = once

    def answered(self, answers: Mapping[str, Mapping[str, Any]]) -> Conversation:
        """What a call brings that answers these questions, for `create_direct` and tests."""
        return Conversation(CAPABLE, answers, self.state)


@dataclass(frozen=True, slots=True)
class Question:
    """One request to the client; `needs` is the capability that it must have declared for it."""

    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    needs: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"method": self.method, **({"params": dict(self.params)} if self.params else {})}


def elicit(message: str, schema: Mapping[str, Any]) -> Question:
    """A form for the person: `schema` is a flat object schema of what to fill in."""
    return Question("elicitation/create", {"message": message, "requestedSchema": dict(schema)}, "elicitation")


def sample(messages: Sequence[Mapping[str, Any]], *, max_tokens: int, **params: object) -> Question:
    """A question to the client's model."""
    asked = {"messages": [dict(message) for message in messages], "maxTokens": max_tokens, **params}
    return Question("sampling/createMessage", asked, "sampling")


def list_roots() -> Question:
    """Which folders the client works in."""
    return Question("roots/list", {}, "roots")


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a call brings besides its arguments.

    `capabilities` are what the client declared. `answers` are to the questions of an `Ask`, by its names, and `state`
    is the one that it was raised with; both only where this server really asked this caller. `unasked` are answers
    that came without any sign that it did.
    """

    capabilities: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    state: Any = None
    unasked: Mapping[str, Any] = field(default_factory=dict)
    report: Report | None = field(default=None, repr=False)

    def declares(self, capability: str) -> bool:
        """Whether the client can do this: elicitation (by a form), sampling, roots."""
        declared = self.capabilities.get(capability)
        if not isinstance(declared, Mapping):
            return False
        return capability != "elicitation" or "form" in declared or "url" not in declared

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell how far it is, where the client wants to know."""
        if self.report is not None:
            await self.report(done, total, message)
