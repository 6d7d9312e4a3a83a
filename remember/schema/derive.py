"""JSON Schema from a function's parameters and from a result's type: flat, so that every client can read it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Literal, get_args, get_origin

from remember.schema.annotation import Part, Reading, fields, is_dataclass, is_model, is_typed_dict, parameters, read
from remember.schema.check import conform
from remember.schema.constraints import apply_notes

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_LISTS = (list, Sequence)
_DICTS = (dict, Mapping)
_SUPPORTED = (
    "str, int, float, bool, Literal, Enum, list[T], dict[str, T], Any, X | None, TypedDict, dataclasses and "
    "pydantic models"
)


def input_schema(function: Callable[..., Any], *, skip: Callable[[Any], bool]) -> dict[str, Any]:
    """The JSON Schema of what a function takes; parameters whose annotation `skip` accepts are not in it.

    Raises:
        TypeError: a parameter that cannot be said in a flat schema; names it, and what is supported.
    """
    parts = {name: part for name, part in parameters(function).items() if not skip(part.annotation)}
    return _Derivation(f"{function.__qualname__}()").members(parts, "parameter")


def output_schema(annotation: Any) -> dict[str, Any] | None:
    """The JSON Schema of a result, where its annotation says what an object holds; else None.

    A field that may be None is not required: a result leaves it out.

    Raises:
        TypeError: a field that cannot be said in a flat schema.
    """
    reading = read(annotation)
    kind = get_origin(reading.type) or reading.type
    if reading.optional or not (kind in _DICTS or _is_record(kind) or is_model(kind)):
        return None
    schema = _Derivation(f"result {_name(reading.type)}", output=True).typed(reading)
    return schema if schema["type"] == "object" else None  # a root model may be a list


@dataclass(frozen=True, slots=True)
class _Derivation:
    """One place in a signature: its name for messages, and the records that it lies in."""

    where: str
    output: bool = False
    trail: tuple[Any, ...] = ()

    def members(self, parts: Mapping[str, Part], word: str) -> dict[str, Any]:
        properties: dict[str, Any] = {}
        required = []
        for name, part in parts.items():
            reading = read(part.annotation)
            properties[name] = replace(self, where=f"{self.where} {word} '{name}'").typed(reading)
            if (default := _json_default(part.default)) is not None:
                properties[name]["default"] = self.fitting(properties[name], default, f"{word} '{name}'")
            if part.required and not (self.output and reading.optional):
                required.append(name)
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def fitting(self, schema: dict[str, Any], default: Any, what: str) -> Any:
        try:
            conform(schema, default)
        except ValueError as exc:
            raise TypeError(f"{self.where}: the default of {what} does not fit its annotation: {exc}") from None
        return default

    def typed(self, reading: Reading) -> dict[str, Any]:
        return apply_notes(reading.notes, self.bare(reading.type), self.where)

    def bare(self, kind: Any) -> dict[str, Any]:  # noqa: PLR0911  one answer for each kind of type
        origin = get_origin(kind) or kind
        if kind is Any or kind is object:
            return {}
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if origin is Literal:
            return self.choice(get_args(kind))
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return self.choice([member.value for member in kind])
        if origin in _LISTS:
            return {"type": "array", "items": self.inner(*get_args(kind) or (Any,))}
        if origin in _DICTS:
            return self.dictionary(*get_args(kind) or (str, Any))
        if is_model(kind):
            return self.model(kind)
        if _is_record(kind):
            return self.record(kind)
        raise TypeError(f"{self.where} is annotated {_name(kind)}; supported are {_SUPPORTED}.")

    def model(self, kind: Any) -> dict[str, Any]:
        from remember.schema.inline import inline  # noqa: PLC0415  lazy: only a tool with pydantic models needs it

        mode = "serialization" if self.output else "validation"
        return inline(kind.model_json_schema(mode=mode), self.where, output=self.output)

    def choice(self, values: Sequence[object]) -> dict[str, Any]:
        kinds = {type(value) for value in values}
        if len(kinds) != 1 or not kinds <= _PLAIN.keys():
            raise TypeError(f"{self.where} must choose among values of one type: all str, int, float or bool.")
        return {"type": _PLAIN[kinds.pop()], "enum": list(values)}

    def inner(self, annotation: Any) -> dict[str, Any]:
        reading = read(annotation)
        if reading.optional:
            raise TypeError(f"{self.where}: None is possible only for a whole argument or field, not inside it.")
        return self.typed(reading)

    def dictionary(self, key: Any, value: Any) -> dict[str, Any]:
        if read(key).type is not str:
            raise TypeError(f"{self.where} has keys of type {_name(key)}; JSON keys are str.")
        values = self.inner(value)
        return {"type": "object"} | ({"additionalProperties": values} if values else {})

    def record(self, kind: Any) -> dict[str, Any]:
        if kind in self.trail:
            raise TypeError(f"{self.where}: {_name(kind)} contains itself; a flat schema cannot say that.")
        return replace(self, trail=(*self.trail, kind)).members(fields(kind), "field")


def _is_record(kind: Any) -> bool:
    return is_typed_dict(kind) or is_dataclass(kind)


def _name(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)


def _json_default(value: object) -> object:
    """A default as the schema shows it; None for one that JSON has no plain word for, and for None itself."""
    if isinstance(value, enum.Enum):
        value = value.value
    return deepcopy(value) if _is_json(value) else None


def _is_json(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(isinstance(name, str) and _is_json(inner) for name, inner in value.items())
    if isinstance(value, float):
        return isfinite(value)
    return value is None or isinstance(value, str | int)
