"""An author's async function, read once: what it takes, as a schema, and how it is called for one caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from inspect import iscoroutinefunction
from types import MappingProxyType
from typing import Any

from remember.errors import InvalidInput
from remember.schema.annotation import read, type_hints
from remember.schema.build import converter
from remember.schema.derive import input_schema
from remember.tools.context import Context

Written = Callable[..., Awaitable[object]]
"""What an author writes."""


@dataclass(frozen=True, slots=True)
class Function:
    """What a function says of itself, and `call`, which takes arguments that fit `schema`.

    Parameters that receive something of the call (`Remember`, `Context` and so on) are not in the schema.
    """

    name: str
    docstring: str
    schema: Mapping[str, Any]
    returned: Any
    call: Callable[[Context, Mapping[str, Any]], Awaitable[object]]


def read_function(function: Written, kind: str) -> Function:
    """Read a function that becomes a `kind`, such as "tool".

    Raises:
        TypeError: it is not async, or has a parameter that a schema cannot say.
    """
    if not iscoroutinefunction(function):
        raise TypeError(f"A {kind} must be an async function; write `async def`. Got {function!r:.100}.")
    hints = type_hints(function)
    returned = hints.pop("return", None)
    injected = {parameter: hint for parameter, hint in hints.items() if _injected(hint)}
    inward = {name: convert for name, hint in hints.items() if name not in injected and (convert := converter(hint))}

    async def call(context: Context, arguments: Mapping[str, Any]) -> object:
        values = {name: _converted(name, value, inward) for name, value in arguments.items()}
        return await function(**values, **{name: _inject(context, hint) for name, hint in injected.items()})

    return Function(
        function.__name__,
        "\n".join(line.strip() for line in (function.__doc__ or "").strip().splitlines()),
        MappingProxyType(input_schema(function, skip=_injected)),
        returned,
        call,
    )


def described_by(description: str | None, function: Function, kind: str) -> str:
    """The words for a model, or for a person: those given, else the docstring.

    Raises:
        TypeError: there are none.
    """
    words = description or function.docstring
    if not words:
        raise TypeError(
            f"{kind.capitalize()} {function.name} needs a docstring or a description: whoever chooses it reads that."
        )
    return words


def _converted(name: str, value: object, inward: Mapping[str, Callable[[object], object]]) -> object:
    try:
        return inward[name](value) if name in inward else value
    except ValueError as exc:
        raise InvalidInput(name, f"{name} does not fit: {exc}") from None


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
