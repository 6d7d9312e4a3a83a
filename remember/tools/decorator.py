"""`@tool`: an author's async function becomes a tool. The memory server's own are written out and need none of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, overload

from remember.errors import ToolError
from remember.schema import conform
from remember.schema.build import serializer
from remember.schema.derive import output_schema
from remember.tools.content import answers_in_blocks
from remember.tools.context import Context
from remember.tools.function import Written, described_by, read_function
from remember.tools.tool import Tool

log = logging.getLogger(__name__)


@overload
def tool(function: Written, /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
) -> Callable[[Written], Tool]: ...
def tool(
    function: Written | None = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
) -> Tool | Callable[[Written], Tool]:
    """Make a tool of an async function.

    Its name and docstring are the tool's, unless given; its annotations become the input schema, and the return
    annotation (a TypedDict, dataclass, pydantic model or dict) the output schema. A parameter annotated `Remember`
    receives the caller's accessor, one annotated `Notebook` the caller's notes, one annotated `Store` the raw store,
    one annotated `Context` the call; with `| None` they receive None in an app without the plugin. None of them
    appears in the schema.
    """
    if function is None:
        return lambda f: tool_of(
            f,
            name,
            title,
            description,
            _hints(readOnlyHint=read_only, destructiveHint=destructive, idempotentHint=idempotent),
        )
    return tool_of(function, None, None, None, {})


def tool_of(
    function: Written,
    name: str | None,
    title: str | None,
    description: str | None,
    annotations: Mapping[str, bool],
) -> Tool:
    """The tool that `tool` makes of a function."""
    written = read_function(function, "tool")
    returned = None if answers_in_blocks(written.returned) else written.returned
    outward = serializer(returned)
    schema = output_schema(returned)

    async def run(context: Context, arguments: dict[str, Any]) -> object:
        result = await written.call(context, arguments)
        result = outward(result) if outward and result is not None else result
        if schema is not None:
            _check_result(name or written.name, schema, result)
        return result

    return Tool(
        name=name or written.name,
        title=title,
        description=described_by(description, written, "tool"),
        input_schema=written.schema,
        output_schema=schema,
        annotations=annotations,
        run=run,
    )


def _check_result(tool_name: str, schema: dict[str, Any], result: object) -> None:
    """A client checks a result against the schema that it was shown, so a wrong one must not leave."""
    try:
        conform(schema, result)
    except ValueError:
        log.error("Tool %s returned what its own output schema does not allow", tool_name)  # noqa: TRY400  no content
        raise ToolError("The tool failed: its result is not what it promises.", code="TOOL_FAILED") from None


def _hints(**hints: bool | None) -> dict[str, bool]:
    return {name: value for name, value in hints.items() if value is not None}
