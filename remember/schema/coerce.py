"""Reading an argument that a client sent as text, or a whole number with a point, where nothing is lost by it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from math import isfinite
from typing import Any, NoReturn

from remember.undisturbed import undisturbed

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,999}")  # one spelling per number: no "060", "+1", "1.0", "-0"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")  # JSON's own grammar
_EXACT = 2**53  # from here on a float no longer tells neighbouring integers apart
_LIST_MARKS = re.compile(r'[\[\]{}"]')  # text that meant to be JSON is not cut at its commas


def whole(value: Any) -> Any:
    """60 for 60.0; everything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT else value


def from_text(text: str, schema: dict[str, Any]) -> Any:
    """What `text` says in the type of `schema`, or `text` itself where that would be a guess."""
    kind = schema["type"]
    if kind == "integer":
        return int(text) if _INTEGER.fullmatch(text) else text
    if kind == "number":
        return _number(text)
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    if kind == "object":
        return json_or_text(text, dict)
    if kind == "array":
        return _list(text, schema)
    return text


def json_or_text(text: str, kind: type) -> Any:
    """The JSON in `text` if it is one `kind`, else `text`."""
    try:
        value = undisturbed(_decode, text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, kind) else text


def _number(text: str) -> Any:
    if not _NUMBER.fullmatch(text):
        return text
    value = json_or_text(text, object)
    return text if isinstance(value, float) and not isfinite(value) else value


def _list(text: str, schema: dict[str, Any]) -> Any:
    value = json_or_text(text, list)
    if value is not text or schema["items"].get("type") != "string" or _LIST_MARKS.search(text):
        return value
    words = [word.strip() for word in text.split(",")]
    return words if all(words) else text


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ; of two equal ones JSON readers keep one, and the other would be lost."""
    pairs = list(pairs)
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice")
    return record


_decode = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_unique).decode
