"""Arguments that a client repeats in headers, for those who route by them: the two must say the same (SEP-2243)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from remember.protocol.message import Message, decoded_header
from remember.protocol.refusal import HEADER_MISMATCH, Refusal
from remember.schema import mirrored

_NUMBER = re.compile(r"(-?\d{1,400})((?:\.\d{1,400})?)", re.ASCII)


def check_param_headers(message: Message, input_schema: Mapping[str, Any]) -> None:
    """Hold the headers against the arguments that a tool's schema marks.

    Raises:
        Refusal: one is missing, came more than once, cannot be read, or says something else.
    """
    for path, token in mirrored(input_schema):
        values = message.mirrored.get(token.lower(), [])
        value = _at(path, message.params.get("arguments"))
        if value is None and not values:
            continue
        said = decoded_header(values[0].strip(" \t")) if len(values) == 1 else None
        if said is None or not _same(said, value):
            raise Refusal(
                HEADER_MISMATCH,
                f"The header Mcp-Param-{token} must come once and say what the argument {'.'.join(path)} says, and "
                "not come where the argument is left out.",
                id=message.id,
            )


def _at(path: Sequence[str], arguments: object) -> object:
    for name in path:
        arguments = arguments.get(name) if isinstance(arguments, Mapping) else None
    return arguments


def _same(said: str, value: object) -> bool:
    """Numbers are compared as numbers, since 42 and 42.0 are one; everything else to the letter."""
    if isinstance(value, bool):
        return said == ("true" if value else "false")
    if not isinstance(value, int | float):
        return said == value
    number = _NUMBER.fullmatch(said)
    if number is None:
        return False
    whole, fraction = number.groups()
    return (float(said) if fraction.strip(".0") else int(whole)) == value
