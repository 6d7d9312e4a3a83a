"""Limits, descriptions and headers from Annotated, as JSON Schema keywords."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, floor
from typing import Any

from remember.schema.mirrored import HEADER

_NUMBERS = ("integer", "number")
# What a note may carry (Arg, annotated_types and pydantic's Field say it in these words), and which keyword
# it becomes for which type.
_KEYWORDS: dict[str, dict[str, str]] = {
    "minimum": dict.fromkeys(_NUMBERS, "minimum"),
    "ge": dict.fromkeys(_NUMBERS, "minimum"),
    "gt": dict.fromkeys(_NUMBERS, "exclusiveMinimum"),
    "maximum": dict.fromkeys(_NUMBERS, "maximum"),
    "le": dict.fromkeys(_NUMBERS, "maximum"),
    "lt": dict.fromkeys(_NUMBERS, "exclusiveMaximum"),
    "min_length": {"string": "minLength", "array": "minItems"},
    "max_length": {"string": "maxLength", "array": "maxItems"},
    "min_items": {"array": "minItems"},
    "max_items": {"array": "maxItems"},
}
_NOT_ENFORCED = ("pattern", "multiple_of", "max_digits", "decimal_places")


def apply_notes(notes: Iterable[object], schema: dict[str, Any], where: str) -> dict[str, Any]:
    """`schema` with what `notes` say; where two say the same thing the outer one counts.

    Raises:
        TypeError: a limit that does not fit the type, or that nothing here would check.
    """
    described = dict(schema)
    for note in _each(notes):
        if isinstance(note, str):
            described["description"] = note
            continue
        if isinstance(text := getattr(note, "description", None), str):
            described["description"] = text
        if (header := getattr(note, "header", None)) is not None:
            described[HEADER] = header
        for attribute in _NOT_ENFORCED:
            if getattr(note, attribute, None) is not None:
                raise TypeError(f"{where}: the limit '{attribute}' is not checked here; check it in the function.")
        for attribute, keywords in _KEYWORDS.items():
            if (limit := getattr(note, attribute, None)) is not None:
                described[_keyword(attribute, keywords, schema, where)] = _number(limit, attribute, where)
    return close_bounds(described)


def _each(notes: Iterable[object]) -> Iterator[object]:
    """Every note, and before it those that it carries inside, as pydantic's Field does."""
    for note in notes:
        if isinstance(inner := getattr(note, "metadata", None), list | tuple):
            yield from inner
        yield note


def _keyword(attribute: str, keywords: dict[str, str], schema: dict[str, Any], where: str) -> str:
    kind = schema.get("type")
    if kind not in keywords:
        raise TypeError(f"{where}: the limit '{attribute}' is for {' and '.join(keywords)}, not for {kind or 'Any'}.")
    return keywords[kind]


def _number(limit: object, attribute: str, where: str) -> int | float:
    if isinstance(limit, bool) or not isinstance(limit, int | float):
        raise TypeError(f"{where}: the limit '{attribute}' must be a number; got {type(limit).__name__}.")
    return limit


def close_bounds(schema: dict[str, Any]) -> dict[str, Any]:
    """The same limits, for an integer with the border included: more clients read `minimum` than `exclusiveMinimum`."""
    if schema.get("type") != "integer":
        return schema
    closed = dict(schema)
    if (above := closed.pop("exclusiveMinimum", None)) is not None:
        closed["minimum"] = max(floor(above) + 1, closed.get("minimum", floor(above) + 1))
    if (below := closed.pop("exclusiveMaximum", None)) is not None:
        closed["maximum"] = min(ceil(below) - 1, closed.get("maximum", ceil(below) - 1))
    return closed
