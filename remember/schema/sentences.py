"""The words of a refusal: what arrived, shortened, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_LONGEST = 50  # characters of anything that arrived
_LONGEST_TEXT = 30
_MOST_NAMES = 12
_UNPRINTABLE_BITS = 1_000  # Python refuses to print integers of more than 4,300 digits

_KINDS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def shown(name: object) -> str:
    """A name that arrived, fit for a message: short, and without halves of characters or control characters."""
    text = name if isinstance(name, str) else type(name).__name__
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return cut if cut.isprintable() else ascii(cut)[1:-1][:_LONGEST]


def joined(names: Iterable[object]) -> str:
    """Names for a message, the first few of many."""
    listed = list(names)
    rest = f" and {len(listed) - _MOST_NAMES} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(map(shown, listed[:_MOST_NAMES])) + rest


def arrived(value: object) -> str:  # noqa: PLR0911  one answer for each kind of value
    """What came, by type and shortened content; never the inside of a list or an object, which may be deep."""
    match value:
        case None:
            return "null"
        case bool():
            return f"the boolean {str(value).lower()}"
        case int() if value.bit_length() > _UNPRINTABLE_BITS:
            return f"an integer of {value.bit_length():,} bits"
        case int() | float():
            return f"the number {shown(repr(value))}"
        case str() if len(value) > _LONGEST_TEXT:
            return f"{len(value):,} characters beginning {shown(repr(value[:_LONGEST_TEXT]))}"
        case str():
            return f"the string {shown(repr(value))}"
        case list():
            return f"a list of {len(value):,} item{'' if len(value) == 1 else 's'}"
        case dict():
            return f"an object with {shown(joined(value))}" if value else "an empty object"
        case _:
            return f"a {shown(type(value).__name__)}"


def allowed(schema: dict[str, Any]) -> str:  # noqa: PLR0911  one answer for each type
    """What a flat schema takes, in words: `an integer from 1 to 100`."""
    kind = schema.get("type")
    if kind is None:
        return "any JSON value"
    if "enum" in schema and kind != "boolean":
        return "one of " + ", ".join(map(repr, schema["enum"]))
    if kind in ("integer", "number"):
        return _KINDS[kind] + _number_range(schema)
    if kind == "string":
        return _KINDS[kind] + _counted(schema.get("minLength"), schema.get("maxLength"), "character")
    if kind == "array":
        of = f", each {allowed(schema['items'])}" if schema["items"] else ""
        return _KINDS[kind] + _counted(schema.get("minItems"), schema.get("maxItems"), "item") + of
    if schema.get("properties"):
        return f"an object with {joined(schema['properties'])}"
    return _KINDS[kind]


def _number_range(schema: dict[str, Any]) -> str:
    if "minimum" in schema and "maximum" in schema:
        return f" from {schema['minimum']} to {schema['maximum']}"
    words = {
        "minimum": "of at least", "exclusiveMinimum": "above", "maximum": "of at most", "exclusiveMaximum": "below",
    }  # fmt: skip
    said = [f"{word} {schema[keyword]}" for keyword, word in words.items() if keyword in schema]
    return f" {' and '.join(said)}" if said else ""


def _counted(least: int | None, most: int | None, noun: str) -> str:
    if least is None and most is None:
        return ""
    if most is None:
        return f" of at least {least} {noun}{'' if least == 1 else 's'}"
    plural = f"{noun}{'' if most == 1 else 's'}"
    return f" of {least} to {most} {plural}" if least else f" of at most {most} {plural}"
