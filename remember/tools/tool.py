"""What a model can ask for: a name, words that say when to use it, two schemas, and a function."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args, overload

from remember.accessor import Remember
from remember.caller import Caller
from remember.errors import InvalidInput, RememberNotInstalled
from remember.owned import Memory
from remember.schema import check_arguments, converter, input_schema, output_schema, serializer, type_hints
from remember.stores.base import Store

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")

Checked = tuple[dict[str, Any], list[str]]
"""Arguments that fit, and the names of those that had to be coerced."""


@dataclass(frozen=True, slots=True)
class Context:
    """One call: who calls which tool of which app, and the memory that the app was given."""

    caller: Caller
    app_id: str
    tool_name: str
    memory: Memory | None = field(repr=False)

    @property
    def remember(self) -> Remember:
        """The caller's accessor.

        Raises:
            RememberNotInstalled: neither the app nor the handler has the plugin.
        """
        if self.memory is None:
            raise RememberNotInstalled
        return Remember(self.memory, self.caller, f"{self.app_id}:{self.tool_name}")

    @property
    def store(self) -> Store:
        """The plugin's raw store: what lies there is sealed.

        Raises:
            RememberNotInstalled: as for `remember`.
        """
        if self.memory is None:
            raise RememberNotInstalled
        return self.memory.store


def get_remember(context: Context) -> Remember:
    """The call's accessor; RememberNotInstalled where there is none."""
    return context.remember


def try_get_remember(context: Context) -> Remember | None:
    """The call's accessor, or None where there is none."""
    return None if context.memory is None else context.remember


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

    def checked(self, arguments: object) -> Checked:
        """The arguments that fit, and which of them were coerced.

        Raises:
            RememberError: they do not fit.
        """
        return self.check(arguments) if self.check else check_arguments(dict(self.input_schema), arguments)


@overload
def tool(function: Callable[..., Awaitable[object]], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
) -> Callable[[Callable[..., Awaitable[object]]], Tool]: ...
def tool(
    function: Callable[..., Awaitable[object]] | None = None,
    /,
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
) -> Tool | Callable[[Callable[..., Awaitable[object]]], Tool]:
    """Make a tool of an async function.

    Its name and docstring are the tool's, unless given; its annotations become the input schema, and the return
    annotation (a TypedDict, dataclass, pydantic model or dict) the output schema. A parameter annotated `Remember`
    receives the caller's accessor, one annotated `Store` the raw store, one annotated `Context` the call; with
    `| None` they receive None in an app without the plugin. None of them appears in the schema.
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
    function: Callable[..., Awaitable[object]],
    name: str | None,
    title: str | None,
    description: str | None,
    annotations: Mapping[str, bool],
) -> Tool:
    """The tool that `tool` makes of a function."""
    hints = type_hints(function)
    returned = hints.pop("return", None)
    injected = {parameter: hint for parameter, hint in hints.items() if _injected(hint)}
    inward = {name: convert for name, hint in hints.items() if name not in injected and (convert := converter(hint))}
    outward = serializer(returned)

    async def run(context: Context, arguments: dict[str, Any]) -> object:
        values = {name: _converted(name, value, inward) for name, value in arguments.items()}
        result = await function(**values, **{name: _inject(context, hint) for name, hint in injected.items()})
        return outward(result) if outward and result is not None else result

    return Tool(
        name=name or function.__name__,
        title=title,
        description=description or _docstring(function),
        input_schema=MappingProxyType(input_schema(function, skip=_injected)),
        output_schema=output_schema(returned),
        annotations=annotations,
        run=run,
    )


def _converted(name: str, value: object, inward: Mapping[str, Callable[[object], object]]) -> object:
    try:
        return inward[name](value) if name in inward else value
    except ValueError as exc:
        raise InvalidInput(name, f"{name} does not fit: {exc}") from None


def _hints(**hints: bool | None) -> dict[str, bool]:
    return {name: value for name, value in hints.items() if value is not None}


def _docstring(function: Callable[..., object]) -> str:
    lines = [line.strip() for line in (function.__doc__ or "").strip().splitlines()]
    if not lines:
        raise TypeError(f"Tool {function.__name__} needs a docstring or a description: the model reads it.")
    return "\n".join(lines)


_INJECTED = (Remember, Store, Context)


def _injected(hint: object) -> bool:
    return any(part in _INJECTED for part in (hint, *get_args(hint)))


def _inject(context: Context, hint: object) -> object:
    if context.memory is None and type(None) in get_args(hint):
        return None
    parts = (hint, *get_args(hint))
    if Context in parts:
        return context
    return context.remember if Remember in parts else context.store
