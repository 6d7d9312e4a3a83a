"""completion/complete: suggestions while a person fills in a prompt's argument or a template's variable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remember.app import Catalog, OfferedPrompt, OfferedResource
from remember.caller import Caller
from remember.errors import nearest
from remember.prompts import Prompt
from remember.protocol.failures import refusal_of
from remember.protocol.message import META_CAPABILITIES, Message
from remember.protocol.refusal import INVALID_PARAMS, Refusal
from remember.resources import Resource
from remember.tools import Context
from remember.tools.asking import Conversation

MOST = 100
"""As many values as the specification lets an answer have."""


async def complete_argument(message: Message, catalog: Catalog, caller: Caller) -> dict[str, Any]:
    """What the text so far may become, the best first; nothing where the author names nothing.

    Raises:
        Refusal: the request names no prompt, template or argument of ours, or the author's function failed.
    """
    offered, completed, place = _referred(message, catalog)
    name, value = _argument(message, completed.schema["properties"])
    complete = completed.completions.get(name)
    conversation = Conversation(message.meta[META_CAPABILITIES])
    context = Context(caller, offered.app_id, place, offered.memory, conversation)
    try:
        values = await complete(context, value, _others(message)) if complete else []
    except Exception as exc:  # noqa: BLE001  whatever an author's function raises must not reach the caller
        raise refusal_of(f"What completes {name}", exc, message) from None
    return {"completion": {"values": values[:MOST], "total": len(values), "hasMore": len(values) > MOST}}


def _referred(message: Message, catalog: Catalog) -> tuple[OfferedPrompt | OfferedResource, Prompt | Resource, str]:
    ref = message.params.get("ref")
    kind, name, uri = (ref.get("type"), ref.get("name"), ref.get("uri")) if isinstance(ref, Mapping) else (None,) * 3
    if kind == "ref/prompt" and isinstance(name, str):
        if (offered := catalog.prompts.get(name)) is not None:
            return offered, offered.prompt, f"prompts/{name}"
        raise _refused(message, f"There is no prompt {name!r:.150}{nearest(name, catalog.prompts)}")
    if kind == "ref/resource" and isinstance(uri, str):
        if (found := catalog.resources.get(uri)) is not None:
            return found, found.resource, f"resources/{found.resource.name}"
        raise _refused(message, f"There is no resource or template {uri!r:.150}.")
    raise _refused(message, "params.ref must name a prompt (ref/prompt, name) or a template (ref/resource, uri).")


def _argument(message: Message, properties: Mapping[str, Any]) -> tuple[str, str]:
    argument = message.params.get("argument")
    name, value = (argument.get("name"), argument.get("value")) if isinstance(argument, Mapping) else (None, None)
    if not isinstance(name, str) or not isinstance(value, str):
        raise _refused(message, "params.argument must be an object with name and value, both text.")
    if name not in properties:
        raise _refused(message, f"There is no argument {name!r:.150}{nearest(name, properties)}")
    return name, value


def _others(message: Message) -> dict[str, str]:
    context = message.params.get("context")
    arguments = context.get("arguments") if isinstance(context, Mapping) else None
    if not isinstance(arguments, Mapping):
        return {}
    return {name: value for name, value in arguments.items() if isinstance(value, str)}


def _refused(message: Message, sentence: str) -> Refusal:
    return Refusal(INVALID_PARAMS, sentence, id=message.id)
