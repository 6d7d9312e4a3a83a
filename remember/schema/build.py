"""From checked JSON to the objects that annotations promise, and from a result back to JSON."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from remember.schema.annotation import Part, fields, is_dataclass, is_model, is_typed_dict, read

Conversion = Callable[[Any], Any]


def converter(annotation: Any) -> Conversion | None:
    """What turns a checked JSON value into the annotated object, or None where it is that already.

    The conversion raises ValueError with a sentence when the class itself refuses the value.
    """
    return _conversion(annotation, _INWARD)


def serializer(annotation: Any) -> Conversion | None:
    """What turns a result into JSON that fits its `output_schema`, or None where it is that already.

    A field that may be None is left out when it is.
    """
    return _conversion(annotation, _OUTWARD)


@dataclass(frozen=True, slots=True)
class _Way:
    """What to do with each kind of type that JSON does not have."""

    model: Callable[[Any], Conversion]
    choice: Callable[[Any], Conversion]
    record: Callable[[Any, dict[str, Part], dict[str, Conversion]], Conversion | None]


def _conversion(annotation: Any, way: _Way) -> Conversion | None:
    reading = read(annotation)
    convert = _bare(reading.type, way)
    return _unless_none(convert) if convert and reading.optional else convert


def _bare(kind: Any, way: _Way) -> Conversion | None:
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    convert = None
    if is_model(kind):
        convert = way.model(kind)
    elif isinstance(kind, type) and issubclass(kind, enum.Enum):
        convert = way.choice(kind)
    elif origin in (list, Sequence) and arguments:
        convert = _each_item(_conversion(arguments[0], way))
    elif origin in (dict, Mapping) and arguments:
        convert = _each_value(_conversion(arguments[1], way))
    elif is_dataclass(kind) or is_typed_dict(kind):
        parts = fields(kind)
        inner = {name: convert for name, part in parts.items() if (convert := _conversion(part.annotation, way))}
        convert = way.record(kind, parts, inner)
    return convert


def _unless_none(convert: Conversion) -> Conversion:
    return lambda value: None if value is None else convert(value)


def _each_item(convert: Conversion | None) -> Conversion | None:
    return (lambda items: [convert(item) for item in items]) if convert else None


def _each_value(convert: Conversion | None) -> Conversion | None:
    return (lambda record: {name: convert(value) for name, value in record.items()}) if convert else None


def _build_record(kind: Any, _: dict[str, Part], inner: dict[str, Conversion]) -> Conversion | None:
    if is_typed_dict(kind) and not inner:
        return None
    return lambda record: kind(
        **{name: inner[name](value) if name in inner else value for name, value in record.items()}
    )


def _dump_record(kind: Any, parts: dict[str, Part], inner: dict[str, Conversion]) -> Conversion | None:
    optional = {name for name, part in parts.items() if read(part.annotation).optional}
    if is_typed_dict(kind) and not inner and not optional:
        return None

    def dump(record: Any) -> dict[str, Any]:
        values = record if is_typed_dict(kind) else {name: getattr(record, name) for name in parts}
        return {
            name: inner[name](value) if name in inner else value
            for name, value in values.items()
            if not (value is None and name in optional)
        }

    return dump


def _build_model(kind: Any) -> Conversion:
    def build(value: Any) -> Any:
        try:
            return kind.model_validate(value)
        except ValueError as error:
            raise ValueError(_first_complaint(error)) from None

    return build


def _first_complaint(error: ValueError) -> str:
    """Where and what, in pydantic's words but without the value, which its own message repeats at length."""
    if not hasattr(error, "errors"):
        return str(error)
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}" if place else str(first["msg"])


_INWARD = _Way(model=_build_model, choice=lambda kind: kind, record=_build_record)
_OUTWARD = _Way(
    model=lambda _: lambda value: value.model_dump(mode="json", by_alias=True, exclude_none=True),
    choice=lambda _: lambda member: member.value,
    record=_dump_record,
)
