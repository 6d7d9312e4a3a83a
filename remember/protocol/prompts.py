"""prompts/list and prompts/get (MCP 2026-07-28, Prompts)."""

from __future__ import annotations

from typing import Any

from remember.app import Catalog
from remember.caller import Caller
from remember.errors import nearest
from remember.prompts import Prompt
from remember.protocol.failures import refusal_of
from remember.protocol.message import Message
from remember.protocol.refusal import INVALID_PARAMS, Refusal
from remember.protocol.serving import Serving, converse, whole_list
from remember.tools import Context


def list_prompts(message: Message, catalog: Catalog) -> dict[str, Any]:
    """Every prompt.

    Raises:
        Refusal: as for every list.
    """
    return whole_list(message, "prompts", [_described(offered.prompt) for offered in catalog.prompts.values()])


async def get_prompt(message: Message, catalog: Catalog, caller: Caller, serving: Serving) -> dict[str, Any]:
    """What one prompt says, or what it has to ask first.

    Raises:
        Refusal: there is none of this name, its arguments do not fit, or it failed.
    """
    name = message.params["name"]
    offered = catalog.prompts.get(name)
    if offered is None:
        raise Refusal(
            INVALID_PARAMS, f"There is no prompt {name!r:.150}{nearest(name, catalog.prompts)}", id=message.id
        )

    async def run(context: Context) -> dict[str, Any]:
        return await said(offered.prompt, message.params.get("arguments"), context)

    try:
        return await converse(message, caller, serving, offered, f"prompts/{name}", run)
    except Exception as exc:  # noqa: BLE001  whatever an author's prompt raises must not reach the caller
        raise refusal_of(f"The prompt {name}", exc, message) from None


async def said(prompt: Prompt, arguments: object, context: Context) -> dict[str, Any]:
    """What a prompt says, as a client reads it."""
    messages = await prompt.messages(context, arguments)
    return {"description": prompt.description, "messages": [one.to_json() for one in messages]}


def _described(prompt: Prompt) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": prompt.name}
    if prompt.title is not None:
        shown["title"] = prompt.title
    shown["description"] = prompt.description
    required = prompt.schema["required"]
    arguments = [
        {"name": name, **_words(schema), "required": name in required}
        for name, schema in prompt.schema["properties"].items()
    ]
    return shown | ({"arguments": arguments} if arguments else {})


def _words(schema: dict[str, Any]) -> dict[str, str]:
    return {"description": schema["description"]} if "description" in schema else {}
