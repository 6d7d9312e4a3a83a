"""Arguments that a client repeats in headers, for those who route by them: the two must say the same (SEP-2243)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remember.protocol.message import Message, decoded_header
from remember.protocol.refusal import HEADER_MISMATCH, Refusal

ANNOTATION = "x-mcp-header"


def check_param_headers(message: Message, input_schema: Mapping[str, Any]) -> None:
    """Hold the headers against the arguments that a tool's schema marks.

    Raises:
        Refusal: one is missing, came more than once, cannot be read, or says something else.
    """
    arguments = message.params.get("arguments")
    if not isinstance(arguments, Mapping):
        arguments = {}
    for name, schema in input_schema.get("properties", {}).items():
        token = schema.get(ANNOTATION) if isinstance(schema, Mapping) else None
        if token is None:
            continue
        values = message.mirrored.get(token.lower(), [])
        value = arguments.get(name)
        if value is None and not values:
            continue
        said = decoded_header(values[0].strip(" \t")) if len(values) == 1 else None
        if value is None or said is None or not _same(said, value):
            raise Refusal(
                HEADER_MISMATCH,
                f"The header Mcp-Param-{token} must come once and say what the argument {name} says, and nothing where "
                "the argument is left out.",
                id=message.id,
            )


def _same(said: str, value: object) -> bool:
    if isinstance(value, bool):
        return said == ("true" if value else "false")
    if isinstance(value, int | float):
        try:
            return float(said) == value
        except ValueError:
            return False
    return said == value
