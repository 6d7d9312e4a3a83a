"""What a person can ask for by name: `@prompt` makes a Prompt of an async function, as `@tool` makes a tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, overload

from remember.completions import Complete, completions_of
from remember.errors import ToolError
from remember.schema import check_arguments
from remember.tools.content import Block, Text
from remember.tools.context import Context
from remember.tools.function import Written, described_by, read_function
from remember.tools.tool import NAME


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt: text or a block of content, said by the user or by the assistant."""

    content: str | Block
    role: Literal["user", "assistant"] = "user"

    def to_json(self) -> dict[str, Any]:
        block = Text(self.content) if isinstance(self.content, str) else self.content
        return {"role": self.role, "content": block.to_json()}


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `schema` says what its arguments are; they arrive as texts. `completions` are by argument."""

    name: str
    description: str
    schema: Mapping[str, Any]
    run: Callable[[Context, Mapping[str, Any]], Awaitable[object]] = field(repr=False)
    title: str | None = None
    completions: Mapping[str, Complete] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"A prompt's name is 1 to 128 of A-Z a-z 0-9 _ . -; got {self.name!r:.150}.")

    async def messages(self, context: Context, arguments: object) -> list[PromptMessage]:
        """What the prompt says for these arguments.

        Raises:
            RememberError: they do not fit, or the function says so.
        """
        checked, _ = check_arguments(dict(self.schema), arguments)
        said = await self.run(context, checked)
        messages = [_message(one) for one in (said if isinstance(said, list | tuple) else [said])]
        if not messages:
            raise ToolError("The prompt failed: it said nothing.", code="PROMPT_FAILED")
        return messages


@overload
def prompt(function: Written, /) -> Prompt: ...
@overload
def prompt(
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    completions: Mapping[str, Written] | None = None,
) -> Callable[[Written], Prompt]: ...
def prompt(
    function: Written | None = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    completions: Mapping[str, Written] | None = None,
) -> Prompt | Callable[[Written], Prompt]:
    """Make a prompt of an async function.

    It returns text, a block of content (`Image`, `Embedded` and so on), a `PromptMessage`, or a list of these. Its
    parameters are the arguments that a person fills in: texts, numbers, booleans, `Literal` or an enum. What else it
    needs it is given by annotation, as a tool is. `completions` names async functions that suggest values for an
    argument: they take `value`, the text so far.
    """
    if function is None:
        return lambda written: prompt_of(written, name, title, description, completions or {})
    return prompt_of(function, None, None, None, {})


def prompt_of(
    function: Written,
    name: str | None,
    title: str | None,
    description: str | None,
    completions: Mapping[str, Written],
) -> Prompt:
    """The prompt that `prompt` makes of a function."""
    written = read_function(function, "prompt")
    properties = written.schema["properties"]
    for argument, schema in properties.items():
        if schema.get("type") not in ("string", "integer", "number", "boolean"):
            raise TypeError(f"Prompt {written.name}: {argument} must be a text, a number, a boolean or a choice.")
    return Prompt(
        name=name or written.name,
        description=described_by(description, written, "prompt"),
        schema=written.schema,
        run=written.call,
        title=title,
        completions=MappingProxyType(completions_of(completions, properties, f"Prompt {written.name}")),
    )


def _message(said: object) -> PromptMessage:
    if isinstance(said, PromptMessage):
        return said
    if isinstance(said, str | Block):
        return PromptMessage(said)
    raise ToolError("The prompt failed: it said something that is no message.", code="PROMPT_FAILED")
