"""Hostile requests: most are nearly right, since those get furthest, and every part of one may be spoiled."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.hostile.calls import Calls, huge, texts, values
from tests.hostile.credentials import Credential, credentials
from tests.protocol.requests import META_CAPABILITIES, META_VERSION, in_base64
from tests.standins.client import META, VERSION

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True)
class Hostile:
    """One request as it goes over the wire, and who sends it."""

    method: str
    path: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    credential: Credential | None


METHODS = (
    "tools/list", "server/discover", "initialize", "ping", "prompts/get", "resources/read", "completion/complete",
    "notifications/initialized", "notifications/cancelled", "subscriptions/listen", "TOOLS/CALL", "", "tools/call\x00",
)  # fmt: skip
NAMES = (
    "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-param-key", "origin", "host",
    "x-forwarded-proto", "mcp-session-id", "last-event-id", "access-control-request-headers", "x-user-id", "cookie",
    "content-encoding", "transfer-encoding", "content-length", "forwarded", "x-original-url", "traceparent",
)  # fmt: skip
header_texts = st.one_of(
    st.sampled_from(
        [VERSION, "2025-06-18", "tools/call", "recall", "text/event-stream", "application/json", "gzip", "bob", "*",
         "=?base64?cmVjYWxs?=", "=?base64?cmVjYWxs", "https://evil.example", "null", "a" * 9_000, "0", "-1", ""]
    ).map(str.encode),
    st.binary(max_size=12).map(lambda raw: raw.translate(None, b"\r\n\x00")),
    st.sampled_from([b"\xc3\xa1", b"\xff", b"\xe6\xbc\xa2", b"\t", b"mcp-param-x, a\x0bb"]),
)  # fmt: skip
paths = st.sampled_from(
    ["/", "/mcp/", "//mcp", "/x/mcp", "/mcp/mcp", "/mcp/x", "/.well-known/oauth-protected-resource", "/health",
     "/.well-known/oauth-protected-resource/mcp", "/.well-known/mcp", "/../mcp", "/mcp\u0000", "/mcp?token=x",
     "/MCP", ""]
) | st.text(max_size=12).map(lambda text: f"/{text}")  # fmt: skip
metas = st.fixed_dictionaries(
    {META_VERSION: st.sampled_from([VERSION, "2025-06-18", ""]) | values, META_CAPABILITIES: st.just({}) | values},
    optional={"progressToken": values, "traceparent": values, "baggage": texts},
)
able = st.sampled_from([META, META, META | {META_CAPABILITIES: {"elicitation": {}}}, META | {"progressToken": 1}])
ids = st.one_of(st.just(1), st.integers(), texts, values)


@st.composite
def requests(draw: Draw, calls: Calls) -> Hostile:
    """Requests to the server that these calls are for."""
    spoiled = draw(
        st.sampled_from(["nothing"] * 20 + ["meta", "id", "params", "method", "shape", "bytes", "raw", "http"])
    )
    method = draw(st.sampled_from(METHODS)) if spoiled == "method" else "tools/call"
    params = (
        draw(calls.strategy)
        if method == "tools/call"
        else draw(st.dictionaries(st.sampled_from(["name", "uri", "cursor"]), values))
    )
    params = {"_meta": draw(metas if spoiled == "meta" else able), **params}
    message: Any = {"jsonrpc": "2.0", "id": draw(ids) if spoiled == "id" else 1, "method": method, "params": params}
    if spoiled == "params":
        message["params"] = draw(values)
    if spoiled == "shape":
        message = draw(
            st.one_of(
                values, huge, st.just([message]), st.just(message | {"jsonrpc": 2}), st.just({**message, "id": ...})
            )
        )
        message = (
            {name: one for name, one in message.items() if one is not ...} if isinstance(message, dict) else message
        )
    body = _encoded(draw, message, spoiled)
    headers = _headers(method, params.get("name", params.get("uri")))
    chosen = draw(st.integers(0, 9))
    credential = None if chosen == 9 else draw(st.sampled_from(credentials()[:3] if chosen < 6 else credentials()))
    if credential is not None:
        headers.append((b"authorization", f"Bearer {credential.text}".encode()))
    if draw(st.integers(0, 9)) == 9:
        headers = _spoiled_headers(draw, headers)
    http = spoiled == "http"
    return Hostile(
        draw(st.sampled_from(["GET", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH", "POST", "X", "post"]))
        if http
        else "POST",
        draw(paths) if http else "/mcp",
        tuple(headers),
        body,
        credential,
    )


def _encoded(draw: Draw, message: Any, spoiled: str) -> bytes:
    if spoiled == "raw":
        return draw(st.binary(max_size=300) | _NESTED)  # type: ignore[no-any-return]
    text = json.dumps(message, ensure_ascii=draw(st.booleans()))
    body = text.encode("utf-8", "surrogatepass")
    if spoiled != "bytes":
        return body
    at = draw(st.integers(0, len(body)))
    return draw(  # type: ignore[no-any-return]
        st.sampled_from(
            [
                body[:at],
                body[:at] + b"\xff" + body[at:],
                body[:at] + body[at + 1 :],
                body[:-1] + b', "method": "tools/list", "id": 2}',
                b'{"id": 7, ' + body[1:],
                b"\xef\xbb\xbf" + body,
                text.encode("utf-16", "surrogatepass"),
                gzip.compress(body, mtime=0),
                body + body,
                body.replace(
                    b'"arguments": {', b'"arguments": {"key": "k", "key": ' + b"[" * 150 + b"]" * 150 + b", ", 1
                ),
            ]
        )
    )


_NESTED = st.sampled_from(
    [b"[" * 100_000, b'{"a":' * 50_000, b"[" * 100_000 + b"]" * 100_000, b"1" * 100_000,
     b'"' + b"\\u0000" * 50_000 + b'"',
     b"[" + b"{}," * 100_000 + b"{}]", b"-" * 9_999, b"1e" + b"9" * 9_999, b'{"id":' + b"9" * 5_000 + b"}"]
)  # fmt: skip


def _headers(method: str, name: object) -> list[tuple[bytes, bytes]]:
    """What a good client sends with this message."""
    sent = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": VERSION,
        "mcp-method": method if method.isprintable() and method.isascii() else in_base64(method),
    }
    if isinstance(name, str):
        sent["mcp-name"] = (
            name if name.isprintable() and name.isascii() else in_base64(name.encode(errors="replace").decode())
        )
    return [(key.encode(), value.encode()) for key, value in sent.items()]


def _spoiled_headers(draw: Draw, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """One left out, one changed, one doubled, some more, or very many."""
    at = draw(st.integers(0, len(headers) - 1))
    more = draw(st.lists(st.tuples(st.sampled_from(NAMES).map(str.encode), header_texts), min_size=1, max_size=4))
    name, value = headers[at]
    return draw(  # type: ignore[no-any-return]
        st.sampled_from(
            [
                headers[:at] + headers[at + 1 :],
                [*headers[:at], (name, more[0][1]), *headers[at + 1 :]],
                [*headers, (name, value)],
                [*headers[:at], (name, value + b" "), *headers[at + 1 :]],
                headers + more,
                headers + more * 200,
            ]
        )
    )
