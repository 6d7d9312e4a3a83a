"""Whatever is sent: an answer in JSON, never a failure of ours, and no credential or stored value in it or in a log."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remember import FetchHandler, Request, Response
from tests.protocol.oracle import CODES, ErrorResponse, header
from tests.protocol.requests import ANA, META_CAPABILITIES, META_VERSION, call, memory_handler, post
from tests.standins.client import META, VERSION

MARKER = "stored-value-marker-7f3a"
WRONG_KEY = "wrong-credential-marker-0123456789"

FUZZ = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

texts = st.one_of(
    st.text(max_size=12),
    st.text(st.characters(), max_size=12),  # half characters too
    st.sampled_from(
        ["", "*", "k", "language", "user", "global", "\x00", "a" * 600, "=?base64?a2V5?=", "60", "true", "{}"]
    ),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
metas = st.one_of(
    st.just(META),
    st.fixed_dictionaries(
        {},
        optional={
            META_VERSION: st.sampled_from([VERSION, "2025-06-18"]) | values,
            META_CAPABILITIES: st.just({}) | values,
            "traceparent": values,
            "progressToken": values,
        },
    ),
    values,
)
arguments = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "key": texts | values,
            "value": values,
            "scope": st.sampled_from(["session", "user", "tool", "global"]) | values,
            "ttl": values,
            "brand": values,
            "pattern": texts,
            "limit": values,
            "cursor": values,
            "surplus": values,
        },
    ),
    values,
)
tools = st.sampled_from(["remember_this", "recall", "forget", "list_memories", "recal"]) | texts
params = st.one_of(
    st.fixed_dictionaries(
        {"_meta": metas}, optional={"name": tools | values, "arguments": arguments, "cursor": values}
    ),
    values,
)
methods = st.sampled_from(["tools/call", "tools/list", "server/discover", "initialize", "ping", "notifications/x"])
messages = st.one_of(
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": methods, "params": params},
        optional={"id": st.integers() | texts | values},
    ),
    st.fixed_dictionaries({}, optional={"jsonrpc": values, "method": methods | values, "params": params, "id": values}),
    values,
)
latin = st.text(st.characters(max_codepoint=255), max_size=20)
header_changes = st.dictionaries(
    st.sampled_from(
        ["content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name", "origin", "host",
         "x-forwarded-proto", "mcp-session-id", "access-control-request-headers"]
    ),
    st.none() | latin | st.sampled_from(["tools/call", "recall", VERSION, "text/event-stream", "=?base64?cmVjYWxs?="]),
    max_size=3,
)  # fmt: skip
keys = st.sampled_from([ANA, ANA, ANA, None, WRONG_KEY])


@pytest.fixture(scope="module")
def handler() -> FetchHandler:
    made = memory_handler(environ={"REMEMBER_ENCRYPTION": "off"})
    asyncio.run(made.fetch(post(call("remember_this", key="marked", value=MARKER))))
    return made


def judge(handler: FetchHandler, request: Request, log: pytest.LogCaptureFixture) -> Response:
    """The response, once what is true of every response was found to be true of it."""
    log.clear()
    response = asyncio.run(handler.fetch(request))
    assert response.status < 500, response.body
    if response.status in (202, 204):
        assert response.body == b""
    elif header(response, "content-type") == "text/event-stream":
        assert response.body.startswith(b"event: message\ndata: {")
    elif header(response, "content-type") == "application/json":
        body = json.loads(response.body)
        if "jsonrpc" in body and "error" in body:
            ErrorResponse.model_validate(body)
            assert body["error"]["code"] in CODES
        assert "id" not in body or body["id"] is not None
    else:
        assert request.path == "/"
    said = log.text + response.body.decode() + repr(response.headers)
    assert not any(secret in said for secret in (ANA, WRONG_KEY, MARKER))
    assert "\n" not in "".join(name + value for name, value in response.headers)
    return response


def repeating(message: Any) -> dict[str, str | None]:
    """The headers that repeat what a message says, as far as it says anything."""
    if not (isinstance(message, dict) and isinstance(message.get("method"), str)):
        return {}
    named = message.get("params") if isinstance(message.get("params"), dict) else {}
    name = named.get("name") if isinstance(named, dict) else None
    return {"mcp-method": message["method"], "mcp-name": name if isinstance(name, str) else None}


@FUZZ
@given(message=messages, changes=header_changes, key=keys)
def test_a_structured_message_never_makes_the_server_fail(
    handler: FetchHandler,
    caplog: pytest.LogCaptureFixture,
    message: Any,
    changes: dict[str, str | None],
    key: str | None,
) -> None:
    """Messages that are nearly right, which get furthest."""
    caplog.set_level(logging.DEBUG)
    request = post(json.dumps(message).encode(), repeating(message) | changes, key=key)
    judge(handler, request, caplog)


@FUZZ
@given(given_arguments=arguments, tool=st.sampled_from(["remember_this", "recall", "forget", "list_memories"]))
def test_a_tool_answers_whatever_its_arguments_are(
    handler: FetchHandler, caplog: pytest.LogCaptureFixture, given_arguments: Any, tool: str
) -> None:
    """With a result or with an error that the model can read, and never with a failure."""
    caplog.set_level(logging.DEBUG)
    message = call(tool)
    message["params"]["arguments"] = given_arguments
    response = judge(handler, post(message), caplog)
    if response.status == 200:
        result = response.json()["result"]
        assert result.get("_meta", {}).get("code") != "TOOL_FAILED", (given_arguments, caplog.text)
    else:
        assert response.status == 400  # NaN and the like, which are no JSON


@FUZZ
@given(
    body=st.binary(max_size=200),
    changes=header_changes,
    key=keys,
    method=st.sampled_from(["POST", "GET", "OPTIONS", "HEAD", "DELETE", "X"]),
    path=st.sampled_from(["/mcp", "/", "/health/x", "/.well-known/x"])
    | st.text(max_size=10).map(lambda text: f"/{text}"),
)
def test_a_request_of_any_kind_never_makes_the_server_fail(
    handler: FetchHandler,
    caplog: pytest.LogCaptureFixture,
    body: bytes,
    changes: dict[str, str | None],
    key: str | None,
    method: str,
    path: str,
) -> None:
    """Any bytes, at any place, by any method."""
    caplog.set_level(logging.DEBUG)
    judge(handler, post(body, changes, key=key, method=method, path=path), caplog)
