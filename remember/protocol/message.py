"""From a body and its headers to one message of MCP 2026-07-28, or the refusal that the specification asks for.

The rungs, in order: JSON, the shape of one JSON-RPC message, the version header, `_meta`, headers that repeat what
the body says, the version itself. (Specification: Overview, Versioning, Streamable HTTP.)
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, NoReturn

from remember.protocol.exchange import Request
from remember.protocol.refusal import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
    Refusal,
    RequestId,
)
from remember.undisturbed import undisturbed

VERSION = "2026-07-28"

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_MAX_DEPTH = 200
_MAX_NESTED = 300_000  # that hold something; a value of 1 MB has room for 250,000
_A_LOOK = 65_536  # bytes that are read for somebody unknown
_PARAM = "mcp-param-"


@dataclass(frozen=True, slots=True)
class Message:
    """One request, or one notification: then `id` is None.

    `mirrored` are the headers Mcp-Param-*, by what follows that in lower case: arguments that came twice.
    """

    method: str
    params: Mapping[str, Any]
    id: RequestId | None
    meta: Mapping[str, Any]
    mirrored: Mapping[str, list[str]] = field(default_factory=dict)


def read_message(request: Request) -> Message:
    """The one message that a POST carries.

    Raises:
        Refusal: the body or a header is not what the specification asks for.
    """
    message = _shape(_parse(request.body or b""))
    try:
        _check_version_header(request, message)
        if message.id is not None:
            _check_envelope(request, message)
    except Refusal as refusal:
        refusal.id = message.id
        raise
    mirrored = request.beginning(_PARAM)
    return replace(message, mirrored=mirrored) if mirrored else message


def id_of(request: Request) -> RequestId | None:
    """The id that a refusal goes to, for a caller who is not let in; None where it takes more than a look."""
    body = request.body or b""
    if len(body) > _A_LOOK:
        return None
    try:
        return _shape(_parse(body)).id
    except Refusal as refusal:
        return refusal.id


def _parse(body: bytes) -> object:
    try:
        decoded: object = undisturbed(_decode, body.decode())
        if body.count(b"[") + body.count(b"{") > _MAX_DEPTH and _absurd(decoded):
            raise ValueError("nested too deep")
    except (ValueError, RecursionError):
        raise Refusal(
            PARSE_ERROR, "The body is not JSON in UTF-8 (NaN, Infinity and absurd nesting are not)."
        ) from None
    return decoded


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("beyond a number's range")
    return number


_decode = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite).decode


def _absurd(value: object) -> bool:
    """Whether lists and objects stand too deep in each other, or there are more of them than any argument may have."""
    level: list[Any] = [value] if isinstance(value, list | dict) else []
    count = 0
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if inner and type(inner) in (list, dict)  # a decoder makes no other, and millions are quickly looked at
        ]
        count += len(level)
        if not level or count > _MAX_NESTED:
            break
    return bool(level)


def _shape(decoded: object) -> Message:
    if isinstance(decoded, list):
        raise Refusal(INVALID_REQUEST, "A batch is not served: send one JSON-RPC message in each POST.")
    if not isinstance(decoded, dict):
        raise Refusal(INVALID_REQUEST, "The body must be one JSON-RPC message, an object.")
    given = decoded.get("id")
    known = given if isinstance(given, str) or type(given) is int else None
    if "id" in decoded and known is None:
        raise Refusal(INVALID_REQUEST, "id must be a string or a whole number; leave it out for a notification.")
    if decoded.get("jsonrpc") != "2.0":
        raise Refusal(INVALID_REQUEST, 'jsonrpc must be "2.0".', id=known)
    method, params = decoded.get("method"), decoded.get("params", {})
    if not isinstance(method, str):
        raise Refusal(INVALID_REQUEST, "method is missing: this server takes requests, not responses.", id=known)
    if not isinstance(params, dict):
        raise Refusal(INVALID_PARAMS, "params must be an object.", id=known)
    meta = params.get("_meta")
    return Message(method, params, known, meta if isinstance(meta, dict) else {})


def _check_version_header(request: Request, message: Message) -> None:
    version = _routing_header(request, "mcp-protocol-version")
    if message.method == "initialize" and META_VERSION not in message.meta:
        _unsupported(message.params.get("protocolVersion", version))
    if version is None:
        raise Refusal(HEADER_MISMATCH, f"The header MCP-Protocol-Version is missing; send {VERSION}.")
    legacy = message.id is None or META_VERSION not in message.meta
    if version != VERSION and legacy:
        _unsupported(version)


def _check_envelope(request: Request, message: Message) -> None:
    meta = message.meta
    for name, kind, words in ((META_VERSION, str, "text"), (META_CAPABILITIES, dict, "an object")):
        if not isinstance(meta.get(name), kind):
            raise Refusal(INVALID_PARAMS, f"params._meta[{name!r}] is missing, or is not {words}.")
    _same("MCP-Protocol-Version", _routing_header(request, "mcp-protocol-version"), meta[META_VERSION])
    _same("Mcp-Method", decoded_header(_routing_header(request, "mcp-method")), message.method)
    if message.method in _NAMED_BY:
        part = _NAMED_BY[message.method]
        named = message.params.get(part)
        if not isinstance(named, str):
            raise Refusal(INVALID_PARAMS, f"params.{part} is missing, or is not text.")
        _same("Mcp-Name", decoded_header(_routing_header(request, "mcp-name")), named)
    if meta[META_VERSION] != VERSION:
        _unsupported(meta[META_VERSION])


def _routing_header(request: Request, name: str) -> str | None:
    values = request.all(name)
    if len(values) > 1:
        raise Refusal(HEADER_MISMATCH, f"The header {name} came {len(values)} times; send it once.")
    return values[0].strip(" \t") if values else None


def _same(header: str, value: str | None, body: str) -> None:
    if value is None:
        raise Refusal(
            HEADER_MISMATCH, f"The header {header} is missing, or cannot be read; it repeats what the body says."
        )
    if value != body:
        raise Refusal(HEADER_MISMATCH, f"The header {header} differs from what the body says.")


def decoded_header(value: str | None) -> str | None:
    """A header's text; `=?base64?…?=` carries what a header cannot. None where that is not canonical base64."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=") and len(value) >= 11):
        return value
    payload = value[9:-2]
    try:
        decoded = b64decode(payload, validate=True)
        return decoded.decode() if b64encode(decoded).decode() == payload else None
    except ValueError:
        return None


def _unsupported(requested: object) -> NoReturn:
    asked = requested if isinstance(requested, str) else None
    named = f"MCP {asked:.40} is" if asked else "MCP versions before it are"
    raise Refusal(
        UNSUPPORTED_PROTOCOL_VERSION,
        f"This server speaks MCP {VERSION} only; {named} not served. "
        f"Update the client, or set it to protocol version {VERSION} (in some clients called the modern era).",
        data={"supported": [VERSION], "requested": asked or ""},
    )
