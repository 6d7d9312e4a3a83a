"""Checking values against our flat schemas, with an answer that tells the caller what to change."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from remember.errors import InvalidInput, nearest
from remember.schema.coerce import from_text, json_or_text, whole
from remember.schema.sentences import allowed, arrived, joined, shown

_LIMITS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}
_SIZES: dict[str, Callable[[Any, Any], bool]] = {
    "minLength": operator.ge,
    "maxLength": operator.le,
    "minItems": operator.ge,
    "maxItems": operator.le,
}
_NESTING = (dict, list)


def check_arguments(schema: dict[str, Any], arguments: object) -> tuple[dict[str, Any], list[str]]:
    """The arguments in the schema's own types, and the dotted names of those that arrived in another form.

    Read without loss: text for a number, a boolean, a list or an object, 60.0 for an integer, and null for an
    optional argument, which is left out. A list is named once, however many of its items came as text.

    Raises:
        InvalidInput: names the field, what arrived and what is allowed.
    """
    check = _Check(lenient=True)
    given: Any = {} if arguments is None else arguments
    if isinstance(given, str):
        given = json_or_text(given, dict)
        check.coerced.append("arguments")
    if not isinstance(given, dict):
        raise InvalidInput("arguments", f"arguments must be an object; got {arrived(arguments)}.")
    return check.members(schema, given, ""), list(dict.fromkeys(check.coerced))


def conform(schema: dict[str, Any], value: object) -> None:
    """Confirm that a value fits a flat schema as it is, nothing coerced.

    Raises:
        ValueError: it does not; names the path.
    """
    try:
        _Check(lenient=False).value(schema, value, "")
    except InvalidInput as error:
        raise ValueError(str(error)) from None


@dataclass(slots=True)
class _Check:
    """One pass over one value; recursion is bounded by the schema's depth, never by the value's."""

    lenient: bool
    coerced: list[str] = field(default_factory=list)

    def value(self, schema: dict[str, Any], given: Any, path: str) -> Any:
        if "type" not in schema:
            _check_texts(given, path)
            return given
        value = self.read(schema, given, path)
        if not (_is_a(schema["type"], value) and _in_limits(schema, value)):
            raise InvalidInput(path, f"{path or 'the value'} must be {allowed(schema)}; got {arrived(given)}.")
        if isinstance(value, list):
            return self.items(schema, value, path)
        if isinstance(value, dict):
            return self.members(schema, value, path)
        if isinstance(value, str):
            _check_text(value, path)
        return value

    def read(self, schema: dict[str, Any], given: Any, path: str) -> Any:
        value = whole(given) if schema["type"] == "integer" else given
        if self.lenient and isinstance(given, str):
            value = from_text(given, schema)
        if value is not given:
            self.coerced.append(path)
        return value

    def items(self, schema: dict[str, Any], items: list[Any], path: str) -> list[Any]:
        before = len(self.coerced)
        checked = [self.value(schema["items"], item, _join(path, index)) for index, item in enumerate(items)]
        if len(self.coerced) > before:
            self.coerced[before:] = [path]
        return checked

    def members(self, schema: dict[str, Any], given: dict[Any, Any], path: str) -> dict[str, Any]:
        properties = schema.get("properties", {})
        required = schema.get("required", ())
        others = schema.get("additionalProperties", True)
        checked: dict[str, Any] = {}
        for name, inner in given.items():
            if name not in properties:
                _check_other_name(name, properties, path, refused=others is False)
                checked[name] = self.value({} if others is True else others, inner, _join(path, shown(name)))
            elif inner is None and self.lenient and name not in required and "type" in properties[name]:
                self.coerced.append(_join(path, name))
            else:
                checked[name] = self.value(properties[name], inner, _join(path, name))
        for name in required:
            if name not in checked:
                raise InvalidInput(_join(path, name), _missing(name, properties.get(name, {}), given, path))
        return checked


def _is_a(kind: str, value: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "number":
        return isinstance(value, int) or (isinstance(value, float) and isfinite(value))
    plain: dict[str, type] = {"string": str, "integer": int, "array": list, "object": dict}
    return kind in plain and isinstance(value, plain[kind])


def _in_limits(schema: dict[str, Any], value: Any) -> bool:
    if "enum" in schema and value not in schema["enum"]:
        return False
    for keyword, limit in schema.items():
        if keyword in _LIMITS and not _LIMITS[keyword](value, limit):
            return False
        if keyword in _SIZES and not _SIZES[keyword](len(value), limit):
            return False
    return True


def _check_other_name(name: object, properties: dict[str, Any], path: str, *, refused: bool) -> None:
    """A name that the schema does not list: wrong altogether, or one of a dict's own."""
    place = _join(path, shown(name))
    if not isinstance(name, str):
        raise InvalidInput(place, f"{path or 'arguments'} has a name of type {shown(name)}; names are strings.")
    if refused:
        word = "unknown argument" if not path else f"{path} has an unknown field"
        hint = nearest(shown(name), properties)
        known = joined(properties) if properties else "none"
        raise InvalidInput(place, f"{word} '{shown(name)}'{hint} Allowed: {known}.")
    _check_text(name, place)


def _missing(name: str, schema: dict[str, Any], given: dict[str, Any], path: str) -> str:
    came = f"got only {joined(given)}" if given else "nothing arrived"
    return f"{_join(path, name)} is required ({allowed(schema)}); {came}."


def _join(path: str, part: object) -> str:
    return f"{path}.{part}" if path else f"{part}"


def _check_texts(value: object, path: str) -> None:
    """Check every text in `value`, names too, however deep it stands; there may be a million."""
    waiting: list[Iterable[object]] = [[value]]
    seen = set[int]()
    while waiting:
        for inner in waiting.pop():
            if isinstance(inner, str):
                _check_text(inner, path)
            elif inner and isinstance(inner, _NESTING) and id(inner) not in seen:
                seen.add(id(inner))
                waiting.append(inner)
                if isinstance(inner, dict):
                    waiting.append(inner.values())


def _check_text(text: str, path: str) -> None:
    """Refuse half a character: it has no UTF-8, so no store could keep it."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            path, f"{path} holds half of a character (a lone surrogate such as \\ud83c); send whole characters."
        ) from None
