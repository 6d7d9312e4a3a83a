"""What a model can ask for: a name, words that say when to use it, two schemas, and a function."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, overload

from remember.errors import ToolError
from remember.schema import check_arguments, check_headers, conform, output_schema, serializer
from remember.tools.content import answers_in_blocks
from remember.tools.context import Context
from remember.tools.function import Written, described_by, read_function

log = logging.getLogger(__name__)

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")

Checked = tuple[dict[str, Any], list[str]]
"""Arguments that fit, and the names of those that had to be coerced."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `check` turns arguments into ones that fit the schema, `run` does the work.

    `annotations` are MCP's hints (readOnlyHint and so on).
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[[Context, dict[str, Any]], Awaitable[object]] = field(repr=False)
    title: str | None = None
    output_schema: Mapping[str, Any] | None = None
    annotations: Mapping[str, bool] = field(default_factory=dict)
    check: Callable[[object], Checked] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"A tool's name is 1 to 128 of A-Z a-z 0-9 _ . -; got {self.name!r:.150}.")
        check_headers(self.input_schema)

    @property
    def reads(self) -> bool:
        """Whether it says that it changes nothing, which is what a token that may only read is good for."""
        return self.annotations.get("readOnlyHint") is True

    def checked(self, arguments: object) -> Checked:
        """The arguments that fit, and which of them were coerced.

        Raises:
            RememberError: they do not fit.
        """
        return self.check(arguments) if self.check else check_arguments(dict(self.input_schema), arguments)


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
