"""Which arguments a client repeats in a header, and whether a schema may ask for that (MCP 2026-07-28, SEP-2243)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

HEADER = "x-mcp-header"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 §5.6.2
_TYPES = ("string", "integer", "boolean")  # a float has no one spelling
_DATA = ("default", "const", "enum", "examples")  # what looks like a schema there is none

Path = tuple[str, ...]


def mirrored(schema: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, str]]:
    """The arguments that are repeated in headers: each by its path, with the end of the header's name."""
    for name, inner in schema.get("properties", {}).items():
        if isinstance(inner, Mapping):
            if HEADER in inner:
                yield (*path, name), inner[HEADER]
            yield from mirrored(inner, (*path, name))


def check_headers(schema: Mapping[str, Any]) -> None:
    """Let a schema pass whose headers every client can send.

    Raises:
        ValueError: one is no name for a header, came twice, or belongs to what has no spelling as one.
    """
    headers: set[str] = set()
    for path, inner in _positions(schema):
        if HEADER not in inner:
            continue
        where, header = ".".join(path or ()) or "the schema", inner[HEADER]
        if not path or inner.get("type") not in _TYPES:
            raise ValueError(f"{where}: a header is for an argument that is text, an integer or a boolean.")
        if not isinstance(header, str) or not _TOKEN.fullmatch(header):
            raise ValueError(f"{where}: a header's name is letters, digits and !#$%&'*+-.^_`|~; got {header!r:.80}.")
        if header.lower() in headers:
            raise ValueError(f"{where}: another argument has the header {header} already; case makes no difference.")
        headers.add(header.lower())


def _positions(schema: Mapping[str, Any]) -> Iterator[tuple[Path | None, Mapping[str, Any]]]:
    """Every schema inside this one, with its path where it is an argument or a field of one."""
    waiting: list[tuple[Path | None, object]] = [((), schema)]
    while waiting:
        path, inner = waiting.pop()
        if isinstance(inner, list):
            waiting.extend((None, one) for one in inner)
        if not isinstance(inner, Mapping):
            continue
        yield path, inner
        for keyword, value in inner.items():
            if keyword == "properties" and isinstance(value, Mapping):
                waiting.extend((None if path is None else (*path, name), one) for name, one in value.items())
            elif keyword not in _DATA:
                waiting.append((None, value))
