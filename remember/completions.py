"""Suggestions for a prompt's arguments and a resource's variables, while a person types them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from remember.errors import ToolError
from remember.tools.context import Context
from remember.tools.function import Written, read_function

Complete = Callable[[Context, str, Mapping[str, str]], Awaitable[list[str]]]
"""From what was typed so far, and from what the other arguments hold already, to what it may become."""


def completions_of(written: Mapping[str, Written], properties: Mapping[str, Any], where: str) -> dict[str, Complete]:
    """What completes each argument: the author's function for it, else the choices of a `Literal`, an enum or a bool.

    Such a function is async, and takes `value`, the text so far, and any of the other arguments by their names, ""
    where one is not chosen yet. It gives texts, the best first.

    Raises:
        TypeError: a function for no argument, or one that takes what is none.
    """
    unknown = written.keys() - properties.keys()
    if unknown:
        raise TypeError(f"{where} has no argument {min(unknown)!r} to complete.")
    completions = {name: _among(choices) for name, schema in properties.items() if (choices := _choices(schema))}
    return completions | {name: _asked(function, properties, name, where) for name, function in written.items()}


def _choices(schema: Mapping[str, Any]) -> list[str]:
    if schema["type"] == "boolean":
        return ["true", "false"]
    return [str(choice) for choice in schema.get("enum", ())]


def _among(texts: list[str]) -> Complete:
    async def complete(context: Context, value: str, others: Mapping[str, str]) -> list[str]:  # noqa: ARG001  as all
        typed = value.casefold()
        return [text for text in texts if text.casefold().startswith(typed)]

    return complete


def _asked(function: Written, properties: Mapping[str, Any], name: str, where: str) -> Complete:
    suggest = read_function(function, "completion")
    wanted = suggest.schema["properties"]
    wrong = wanted.keys() - properties.keys() - {"value"} | wanted.keys() & {name}
    if "value" not in wanted or wrong:
        raise TypeError(
            f"{where}: what completes {name} takes `value: str`, and others of "
            f"{', '.join(properties)} by their names; got ({', '.join(wanted)})."
        )

    async def complete(context: Context, value: str, others: Mapping[str, str]) -> list[str]:
        given = {"value": value, **{other: others.get(other, "") for other in wanted if other != "value"}}
        found = await suggest.call(context, given)
        if not isinstance(found, list | tuple) or not all(isinstance(text, str) for text in found):
            raise ToolError(f"What completes {name} failed: it gave something other than texts.", code="TOOL_FAILED")
        return list(found)

    return complete
