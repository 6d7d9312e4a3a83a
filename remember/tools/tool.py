"""What a model can ask for: a name, words that say when to use it, two schemas, and a function."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, overload

from remember.accessor import Remember
from remember.caller import Caller
from remember.errors import InvalidInput, RememberNotInstalled, ToolError
from remember.owned import Memory
from remember.schema import check_arguments, conform, converter, input_schema, output_schema, serializer, type_hints
from remember.schema.annotation import read
from remember.stores.base import Store
from remember.tools.asking import Conversation
from remember.tools.content import answers_in_blocks

if TYPE_CHECKING:
    from remember.notebook.notebook import Notebook

log = logging.getLogger(__name__)

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
    conversation: Conversation = field(default=Conversation(), repr=False)

    @property
    def answers(self) -> Mapping[str, Any]:
        """What the client answered to the questions of the `Ask` before; empty at the first call."""
        return self.conversation.answers

    @property
    def state(self) -> Any:
        """What that `Ask` was raised with."""
        return self.conversation.state

    def declares(self, capability: str) -> bool:
        """Whether the client can do this: elicitation, sampling, roots."""
        return self.conversation.declares(capability)

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell how far the work is, where the client wants to know; `done` has to increase."""
        await self.conversation.progress(done, total, message)

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
    def notebook(self) -> Notebook:
        """The caller's notes.

        Raises:
            RememberNotInstalled: as for `remember`.
        """
        if self.memory is None:
            raise RememberNotInstalled
        from remember.notebook.notebook import Notebook  # noqa: PLC0415  lazy: only a call about notes needs it

        return Notebook(self.memory, self.caller, f"{self.app_id}:{self.tool_name}")

    @property
    def store(self) -> Store:
        """The plugin's raw store: what lies there is sealed.

        Raises:
            RememberNotInstalled: as for `remember`.
        """
        if self.memory is None:
            raise RememberNotInstalled
        return self.memory.store


CALL = "remember.call"
"""Where in the ASGI scope of a request to the official SDK's server its Context of ours lies."""


class SdkContext(Protocol):
    """The official SDK's `Context`, which holds the request that a call came with."""

    @property
    def request_context(self) -> Any: ...


class SdkRequestContext(Protocol):
    """The same one floor lower: the `ServerRequestContext` that a handler of the SDK's low-level Server is given."""

    @property
    def request(self) -> Any: ...


AnyContext = Context | SdkContext | SdkRequestContext


def get_remember(context: AnyContext) -> Remember:
    """The call's accessor; RememberNotInstalled where there is none."""
    return _call_of(context).remember


def get_notebook(context: AnyContext) -> Notebook:
    """The caller's notes; RememberNotInstalled where there is no memory."""
    return _call_of(context).notebook


def try_get_remember(context: AnyContext) -> Remember | None:
    """The call's accessor, or None where there is none."""
    try:
        return _call_of(context).remember
    except RememberNotInstalled:
        return None


def _call_of(context: AnyContext) -> Context:
    """Our own Context; for one of the SDK's, what the gate laid into the scope of its request, which no client can."""
    if isinstance(context, Context):
        return context
    try:
        request = getattr(context, "request_context", context).request
        call = request.scope.get(CALL)
    except (AttributeError, ValueError):  # no request over HTTP, or none at all
        raise RememberNotInstalled from None
    if not isinstance(call, Context):
        raise RememberNotInstalled
    return call


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
    function: Callable[..., Awaitable[object]],
    name: str | None,
    title: str | None,
    description: str | None,
    annotations: Mapping[str, bool],
) -> Tool:
    """The tool that `tool` makes of a function."""
    if not iscoroutinefunction(function):
        raise TypeError(f"A tool must be an async function; write `async def`. Got {function!r:.100}.")
    hints = type_hints(function)
    returned = hints.pop("return", None)
    returned = None if answers_in_blocks(returned) else returned
    injected = {parameter: hint for parameter, hint in hints.items() if _injected(hint)}
    inward = {name: convert for name, hint in hints.items() if name not in injected and (convert := converter(hint))}
    outward = serializer(returned)
    schema = output_schema(returned)

    async def run(context: Context, arguments: dict[str, Any]) -> object:
        values = {name: _converted(name, value, inward) for name, value in arguments.items()}
        result = await function(**values, **{name: _inject(context, hint) for name, hint in injected.items()})
        result = outward(result) if outward and result is not None else result
        if schema is not None:
            _check_result(name or function.__name__, schema, result)
        return result

    return Tool(
        name=name or function.__name__,
        title=title,
        description=description or _docstring(function),
        input_schema=MappingProxyType(input_schema(function, skip=_injected)),
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


# By name: a class that no annotation mentions need not be loaded to tell that.
_INJECTED: Mapping[str, Callable[[Context], object]] = {
    "remember.accessor.Remember": lambda context: context.remember,
    "remember.notebook.notebook.Notebook": lambda context: context.notebook,
    "remember.stores.base.Store": lambda context: context.store,
    f"{Context.__module__}.{Context.__name__}": lambda context: context,
}


def _full_name(kind: object) -> str:
    return f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else ""


def _injected(hint: object) -> bool:
    return _full_name(read(hint).type) in _INJECTED


def _inject(context: Context, hint: object) -> object:
    reading = read(hint)
    if context.memory is None and reading.optional and reading.type is not Context:
        return None
    return _INJECTED[_full_name(reading.type)](context)
