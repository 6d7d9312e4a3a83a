"""Asking the person before much is deleted: in the client's own form where it has one, else by a second call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remember.scope import Scope
from remember.tools.asking import Ask, elicit
from remember.tools.context import Context

NOT_AGREED = "The person did not agree, so nothing was deleted. Do not try again unless they ask for it."

WHOSE: Mapping[Scope, str] = {
    "session": "that you keep for this session",
    "user": "that you keep",
    "tool": "that the memory tools keep for you alone",
    "global": "that everybody here shares",
}
"""Behind a number of things that would be deleted, for a person to read."""

_QUESTION = "delete"
_FORM: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "delete": {
            "type": "boolean",
            "title": "Delete for good",
            "description": "It cannot be brought back.",
            "default": False,
        }
    },
    "required": ["delete"],
}


def ask_person(context: Context, message: str, confirmation: str) -> None:
    """Ask whether to do what `confirmation` stands for; nothing where the client cannot ask its person.

    Raises:
        Ask: the client can, and comes back with the answer.
    """
    if context.declares("elicitation"):
        raise Ask({_QUESTION: elicit(message, _FORM)}, confirmation)


def confirmed(context: Context, arguments: Mapping[str, Any]) -> str | None:
    """The confirmation for what the person agreed to, by the form or by a second call; None where they did not yet."""
    if _QUESTION not in context.answers:
        return arguments.get("confirmation")
    return None if declined(context) else str(context.state)


def declined(context: Context) -> bool:
    """Whether the person was asked, and did anything but agree."""
    answer = context.answers.get(_QUESTION)
    if answer is None:
        return False
    content = answer.get("content")
    return not (answer.get("action") == "accept" and isinstance(content, Mapping) and content.get("delete") is True)
