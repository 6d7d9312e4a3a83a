"""Reading annotations: a function's parameters, a record's fields, and the bare type under Annotated and Optional."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import FunctionType, MethodType, NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints

NO_DEFAULT = object()
_VARIADIC = 0x04 | 0x08  # the code flags of *args and **kwargs, as `inspect` names them


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """An annotation taken apart: the bare type, what Annotated said (inner first), whether None is allowed too."""

    type: Any
    notes: tuple[object, ...] = ()
    optional: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Part:
    """One parameter of a function or one field of a record."""

    annotation: Any
    required: bool
    default: object = NO_DEFAULT


def read(annotation: Any) -> Reading:
    """Take an annotation apart; a union of several types stays whole."""
    notes: tuple[object, ...] = ()
    optional = False
    while True:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if hasattr(annotation, "__metadata__"):
            notes = (*annotation.__metadata__, *notes)
            annotation = annotation.__origin__
        elif origin in (Required, NotRequired):
            annotation = arguments[0]
        elif hasattr(annotation, "__supertype__"):  # NewType
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":  # `type X = …`, which Python 3.11 does not know
            annotation = annotation.__value__
        elif origin is Literal and None in arguments:
            optional = True
            annotation = Literal[tuple(value for value in arguments if value is not None)]
        elif origin in (Union, UnionType) and NoneType in arguments and len(arguments) == 2:
            optional = True
            annotation = arguments[0] if arguments[1] is NoneType else arguments[1]
        else:
            return Reading(annotation, notes, optional)


def type_hints(owner: Any) -> dict[str, Any]:
    """The annotations of a function or class, text among them looked up; a function's result is `return`.

    Raises:
        TypeError: one names something that the module does not have.
    """
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise TypeError(
            f"{owner.__qualname__}: the annotation {error.name!r} cannot be found. Define or import it at the top "
            "of the module, not inside a function or under TYPE_CHECKING."
        ) from error


def parameters(function: Callable[..., Any]) -> dict[str, Part]:
    """A function's parameters in order, `self` of a bound method left out.

    Raises:
        TypeError: no plain function, or one with *args, **kwargs, positional-only or unannotated parameters.
    """
    bound = isinstance(function, MethodType)
    inner: Any = function.__func__ if isinstance(function, MethodType) else function
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    if not isinstance(inner, FunctionType):
        raise TypeError(f"{function!r} is not a function; a tool is made from an `async def` function.")
    code, label = inner.__code__, f"{inner.__qualname__}()"
    if code.co_flags & _VARIADIC:
        raise TypeError(f"{label} takes *args or **kwargs; a tool names every parameter, so that its schema can.")
    if code.co_posonlyargcount > bound:
        raise TypeError(f"{label} has positional-only parameters; a tool is called with names. Remove the `/`.")
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount][bound:]
    hints, defaults = type_hints(inner), _defaults(inner)
    for name in named:
        if name not in hints:
            raise TypeError(f"{label}: parameter '{name}' has no annotation; write its type, as in `{name}: str`.")
    return {name: Part(hints[name], name not in defaults, defaults.get(name, NO_DEFAULT)) for name in named}


def _defaults(function: FunctionType) -> dict[str, object]:
    positional = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return dict(zip(names[len(names) - len(positional) :], positional, strict=True)) | (function.__kwdefaults__ or {})


def is_typed_dict(kind: Any) -> bool:
    """Whether `kind` is a TypedDict, from `typing` or from `typing_extensions`."""
    return isinstance(kind, type) and issubclass(kind, dict) and hasattr(kind, "__required_keys__")


def is_dataclass(kind: Any) -> bool:
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


def is_model(kind: Any) -> bool:
    """Whether `kind` is a pydantic model, told by what it can do: pydantic is the author's choice, never our import."""
    return isinstance(kind, type) and hasattr(kind, "model_json_schema") and hasattr(kind, "model_validate")


def fields(record: Any) -> dict[str, Part]:
    """The fields of a TypedDict or a dataclass, in order."""
    hints = type_hints(record)
    if is_typed_dict(record):
        return {name: Part(hint, _is_required(record, name, hint)) for name, hint in hints.items()}
    return {
        field.name: Part(
            hints[field.name],
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
            field.default,
        )
        for field in dataclasses.fields(record)
        if field.init
    }


def _is_required(record: Any, name: str, hint: Any) -> bool:
    """The word in the annotation first: under `from __future__ import annotations` the class itself misses it."""
    while (origin := get_origin(hint)) not in (Required, NotRequired):
        if not hasattr(hint, "__metadata__"):
            return name in record.__required_keys__
        hint = hint.__origin__
    return origin is Required
