"""What comes in over HTTP and what goes out, whatever carries it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

_NONE = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")  # of this the client takes nothing (RFC 9110 §12.4.2)


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request. Header names in any case; a name may come more than once. `body` None: larger than allowed."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = field(default=b"", repr=False)
    _named: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in self.headers:
            self._named.setdefault(name.lower(), []).append(value)

    def all(self, name: str) -> list[str]:
        """Every value that came under a header name, given in lower case."""
        return self._named.get(name, [])

    def beginning(self, prefix: str) -> dict[str, list[str]]:
        """The values of all headers whose names begin with `prefix`, in lower case, by what follows it."""
        return {name[len(prefix) :]: values for name, values in self._named.items() if name.startswith(prefix)}

    def takes(self, *kinds: str) -> bool:
        """Whether the Accept header names one of these media types, in lower case, as one that the client takes."""
        asked = (part.split(";") for part in ",".join(self.all("accept")).lower().split(","))
        return any(kind.strip() in kinds and not any(map(_NONE.fullmatch, rest)) for kind, *rest in asked)

    def one(self, name: str) -> str | None:
        """The first value under a header name, given in lower case."""
        return next(iter(self._named.get(name, ())), None)


@dataclass(frozen=True, slots=True)
class Response:
    """One HTTP response. With a `stream`, its parts follow as they are made, and there is no `body`."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    stream: AsyncGenerator[bytes] | None = field(default=None, repr=False, compare=False)

    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def event(content: object) -> bytes:
    """One event of a stream of events."""
    return b"event: message\ndata: " + _json(content) + b"\n\n"


def json_response(status: int, content: object, headers: Mapping[str, str] | None = None) -> Response:
    """A response that carries `content` as compact JSON and is not to be cached."""
    named = (("content-type", "application/json"), ("cache-control", "no-store"), *(headers or {}).items())
    return Response(status, named, _json(content))


def _json(content: object) -> bytes:
    try:
        return _encode(content).encode()
    except UnicodeEncodeError:  # a lone surrogate that the caller sent, such as an id, goes back as it came
        return json.dumps(content, separators=(",", ":")).encode()
