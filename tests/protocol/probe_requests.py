"""Raw requests that any server of MCP 2026-07-28 may be sent: good ones, and every way to be refused."""

from __future__ import annotations

import gzip
import json
from typing import Any

from remember import Request
from remember.settings import MAX_BODY_BYTES
from tests.protocol.requests import ANA, META_CAPABILITIES, META_VERSION, call, in_base64, post, rpc
from tests.standins.client import META, VERSION

LIST = rpc("tools/list")
RECALL = call("recall", key="language")
OLD = "2025-06-18"


def _body(message: object, encoding: str = "utf-8") -> bytes:
    return json.dumps(message).encode(encoding)


def _with_params(**params: object) -> dict[str, Any]:
    return LIST | {"params": params}


def _meta(**changes: object) -> dict[str, Any]:
    """A good request whose `_meta` is another; a change to `...` takes a member away."""
    names = {"version": META_VERSION, "capabilities": META_CAPABILITIES}
    meta = META | {names[name]: value for name, value in changes.items()}
    return _with_params(_meta={name: value for name, value in meta.items() if value is not ...})


def _initialize(**params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def _bare(message: object, version: str | None = None) -> Request:
    """As clients of older revisions send it: no header repeats the body."""
    gone = {"mcp-method": None, "mcp-name": None, "mcp-protocol-version": version}
    return post(message if isinstance(message, bytes) else _body(message), gone)


_HANDSHAKE = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}

PROBES: dict[str, Request] = {
    # Requests that are good
    "tools/list": post(LIST),
    "server/discover": post(rpc("server/discover")),
    "tools/call": post(RECALL),
    "tools/call with arguments that do not fit": post(call("recall", kye="language")),
    "tools/call without arguments": post(rpc("tools/call", {"name": "list_memories"})),
    "_meta without clientInfo": post(_with_params(_meta={key: META[key] for key in (META_VERSION, META_CAPABILITIES)})),
    "a surplus member": post(LIST | {"extra": 1}),
    # Ids
    "id: text": post(LIST | {"id": "a"}),
    "id: empty text": post(LIST | {"id": ""}),
    "id: 0": post(LIST | {"id": 0}),
    "id: negative": post(LIST | {"id": -7}),
    "id: 2**53 + 1": post(LIST | {"id": 2**53 + 1}),
    "id: null": post(LIST | {"id": None}),
    "id: true": post(LIST | {"id": True}),
    "id: 1.5": post(LIST | {"id": 1.5}),
    "id: 1.0": post(LIST | {"id": 1.0}),
    "id: a list": post(LIST | {"id": [1]}),
    "id: half a character": post(LIST | {"id": "\ud83c"}),
    # The shape of a message
    "jsonrpc: 1.0": post(LIST | {"jsonrpc": "1.0"}),
    "jsonrpc: a number": post(LIST | {"jsonrpc": 2.0}),
    "no method": post(_body({"jsonrpc": "2.0", "id": 1, "params": LIST["params"]}), {"mcp-method": "tools/list"}),
    "method: a number": post(LIST | {"method": 7}),
    "params: a list": post(LIST | {"params": []}),
    "params: null": post(LIST | {"params": None}),
    "a batch of one": post(_body([LIST])),
    "a batch of none": post(b"[]"),
    "a posted result": post(_body({"jsonrpc": "2.0", "id": 1, "result": {}})),
    "a posted error": post(_body({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}})),
    "a member twice": post(_body(LIST)[:-1] + b', "id": 2}'),
    "a notification": post(rpc("notifications/cancelled", {"requestId": 1}, id=...)),
    "a notification that nobody knows": post(rpc("notifications/x", id=...)),
    "a notification of an older version": post(_body({"jsonrpc": "2.0", "method": "notifications/initialized"}),
                                               {"mcp-method": None, "mcp-protocol-version": OLD}),
    # Bytes
    "no body": post(b""),
    "broken JSON": post(b'{"jsonrpc":"2.0",}'),
    "JSON and more": post(_body(LIST) + b"x"),
    "a text": post(b'"x"'),
    "NaN": post(_body(call("remember_this", key="k", value=float("nan")))),
    "a number beyond every range": post(_body(LIST)[:-1] + b', "x": 1e400}'),
    "5,000 digits": post(_body(LIST)[:-1] + b', "x": ' + b"9" * 5_000 + b"}"),
    "a byte that is no UTF-8": post(b'{"jsonrpc":"2.0","id":1,"method":"\xff"}'),
    "a byte order mark": post(b"\xef\xbb\xbf" + _body(LIST)),
    "UTF-16": post(_body(LIST, "utf-16")),
    "gzip": post(gzip.compress(_body(LIST), mtime=0), {"content-encoding": "gzip"}),
    "100 deep": post(_body(LIST)[:-1] + b', "x": ' + b"[" * 100 + b"]" * 100 + b"}"),
    "10,000 deep": post(_body(LIST)[:-1] + b', "x": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
    "exactly the limit": post(_body(LIST) + b" " * (MAX_BODY_BYTES - len(_body(LIST)))),
    "a byte over the limit": post(_body(LIST) + b" " * (MAX_BODY_BYTES + 1 - len(_body(LIST)))),
    # Versions and the envelope
    "no version header": post(LIST, {"mcp-protocol-version": None}),
    "an older version in the header": post(LIST, {"mcp-protocol-version": OLD}),
    "an older version in both": post(_meta(version=OLD), {"mcp-protocol-version": OLD}),
    "a later version in both": post(_meta(version="2099-01-01"), {"mcp-protocol-version": "2099-01-01"}),
    "the version header twice": post(LIST, more=[("mcp-protocol-version", VERSION)]),
    "no _meta": post(LIST | {"params": {}}),
    "_meta without a version": post(_meta(version=...)),
    "_meta without capabilities": post(_meta(capabilities=...)),
    "capabilities: a list": post(_meta(capabilities=[])),
    "legacy tools/list": _bare({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, OLD),
    "legacy initialize": _bare(_initialize(**_HANDSHAKE)),
    "legacy initialize with its header": _bare(_initialize(**_HANDSHAKE), OLD),
    "legacy initialize of this version": _bare(_initialize(**_HANDSHAKE | {"protocolVersion": VERSION})),
    "legacy initialize without params": _bare({"jsonrpc": "2.0", "id": 1, "method": "initialize"}),
    "initialize in the envelope": post(rpc("initialize")),
    "ping": post(rpc("ping")),
    "a method that nobody knows": post(rpc("no/such")),
    "subscriptions/listen": post(rpc("subscriptions/listen", {"notifications": {}})),
    # Headers that repeat the body
    "no Mcp-Method": post(LIST, {"mcp-method": None}),
    "another Mcp-Method": post(LIST, {"mcp-method": "tools/call"}),
    "Mcp-Method in capitals": post(LIST, {"mcp-method": "TOOLS/LIST"}),
    "Mcp-Method twice": post(LIST, more=[("mcp-method", "tools/list")]),
    "no Mcp-Name": post(RECALL, {"mcp-name": None}),
    "another Mcp-Name": post(RECALL, {"mcp-name": "forget"}),
    "Mcp-Name twice": post(RECALL, more=[("mcp-name", "forget")]),
    "Mcp-Name in base64": post(RECALL, {"mcp-name": in_base64("recall")}),
    "Mcp-Name in bad base64": post(RECALL, {"mcp-name": "=?base64?cmVjYWxs!?="}),
    "Mcp-Name in base64 with junk behind it": post(RECALL, {"mcp-name": "=?base64?cmVjYWxs====?="}),
    "Mcp-Name beyond ASCII": post(RECALL, {"mcp-name": "rec\u00e1ll"}),
    "Mcp-Name with white space around it": post(RECALL, {"mcp-name": " recall\t"}),
    "a tool that nobody knows": post(call("recal")),
    # HTTP
    "GET": post(b"", method="GET"),
    "DELETE": post(b"", method="DELETE"),
    "PUT": post(LIST, method="PUT"),
    "OPTIONS": post(b"", {"origin": "https://a.example", "access-control-request-method": "POST"}, method="OPTIONS"),
    "content type: text": post(LIST, {"content-type": "text/plain"}),
    "content type: a form": post(LIST, {"content-type": "application/x-www-form-urlencoded"}),
    "content type: none": post(LIST, {"content-type": None}),
    "content type: with a charset": post(LIST, {"content-type": "application/json; charset=utf-8"}),
    "accept: JSON": post(LIST, {"accept": "application/json"}),
    "accept: anything": post(LIST, {"accept": "*/*"}),
    "accept: nothing said": post(LIST, {"accept": None}),
    "accept: events": post(LIST, {"accept": "text/event-stream"}),
    "accept: HTML": post(LIST, {"accept": "text/html"}),
    "an origin": post(LIST, {"origin": "https://elsewhere.example"}),
    "another host": post(LIST, {"host": "memory.example"}),
    "an old session id": post(LIST, {"mcp-session-id": "abc", "last-event-id": "1"}),
    "/mcp/": post(LIST, path="/mcp/"),
    "//mcp": post(LIST, path="//mcp"),
    "/x/mcp": post(LIST, path="/x/mcp"),
    "/%6dcp": post(LIST, path="/%6dcp"),
    "/MCP": post(LIST, path="/MCP"),
    "/mcp/x": post(LIST, path="/mcp/x"),
    # Credentials
    "no credential": post(LIST, key=None),
    "a wrong credential": post(LIST, key="a-key-that-nobody-gave-out"),
    "a token of nobody's": post(LIST, key="eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ."),
    "bearer in small letters": post(LIST, {"authorization": f"bearer {ANA}"}),
    "no word behind Bearer": post(LIST, {"authorization": "Bearer "}),
    "another scheme": post(LIST, {"authorization": "Basic YW5hOmtleQ=="}),
    "two credentials": post(LIST, more=[("authorization", f"Bearer {ANA}")]),
    "a credential beyond ASCII": post(LIST, {"authorization": "Bearer \u00e1\u00ff"}),
    "a credential in the query": post(LIST, key=None, path=f"/mcp?token={ANA}"),
}  # fmt: skip
