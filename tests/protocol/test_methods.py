"""Which methods and tools there are, and what becomes of the others and of notifications."""

from __future__ import annotations

import json

import pytest
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
)

from tests.protocol.conftest import Send
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import ANA, call, in_base64, post, rpc

OLD = "2025-06-18"


@pytest.mark.parametrize(
    "method",
    ["initialize", "ping", "logging/setLevel", "subscriptions/listen", "resources/list", "prompts/list",
     "completion/complete", "tools", "TOOLS/LIST", "rpc.discover", "a" * 500],
)  # fmt: skip
def test_a_method_that_is_not_served_is_not_found(send: Send, method: str) -> None:
    """The old ones too, once they come in the new envelope."""
    error = error_of(send(post(rpc(method))), 404, METHOD_NOT_FOUND)
    assert len(error["message"]) < 300


@pytest.mark.parametrize(("method", "part"), [("prompts/get", "name"), ("resources/read", "uri")])
def test_a_method_with_a_name_is_not_found_either(send: Send, method: str, part: str) -> None:
    """Once its header repeats the name; before that it is a mismatch, as for a tool."""
    message = rpc(method, {part: "x"})
    error_of(send(post(message, {"mcp-name": "x"})), 404, METHOD_NOT_FOUND)
    error_of(send(post(message, {"mcp-name": None})), 400, HEADER_MISMATCH)


def test_an_unknown_tool_is_told_the_nearest_one(send: Send) -> None:
    """A slip of the pen costs one call, not three."""
    error = error_of(send(post(call("recal"))), 400, INVALID_PARAMS)
    assert error["message"] == "There is no tool 'recal'; did you mean recall?"


@pytest.mark.parametrize("tool", ["", "*", "x" * 5_000, "recall ", "Recall", "r\u0435call", "__class__"])
def test_an_unknown_tool_is_a_wrong_parameter(send: Send, tool: str) -> None:
    """Whatever its name is, and the answer stays short."""
    error = error_of(send(post(call(tool), {"mcp-name": in_base64(tool)})), 400, INVALID_PARAMS)
    assert len(error["message"]) < 300


@pytest.mark.parametrize("cursor", ["x", "", 7, {}])
def test_a_cursor_for_the_list_of_tools_is_refused(send: Send, cursor: object) -> None:
    """All tools come at once, so the server gave none."""
    error_of(send(post(rpc("tools/list", {"cursor": cursor}))), 400, INVALID_PARAMS)


@pytest.mark.parametrize(
    "method", ["notifications/cancelled", "notifications/initialized", "notifications/x", "tools/list"]
)
def test_e9_a_notification_is_accepted_without_a_body(send: Send, method: str) -> None:
    """E9: strict clients take nothing else."""
    response = send(post(rpc(method, id=...)))
    assert (response.status, response.body) == (202, b"")


def test_a_notification_is_not_carried_out(send: Send) -> None:
    """Nobody would learn whether it went well."""
    send(post(rpc("tools/call", {"name": "remember_this", "arguments": {"key": "n", "value": 1}}, id=...)))
    result = result_of(send(post(call("recall", key="n"))), "tools/call")
    assert result["structuredContent"]["found"] is False


@pytest.mark.parametrize(
    ("changes", "key", "status"),
    [
        ({"mcp-protocol-version": None}, ANA, 400),
        ({"mcp-protocol-version": OLD}, ANA, 400),
        ({"content-type": "text/plain"}, ANA, 415),
        ({}, None, 401),
        ({}, "wrong", 401),
    ],
)
def test_a_refused_notification_is_4xx(
    send: Send, changes: dict[str, str | None], key: str | None, status: int
) -> None:
    """With the reason, and without an id."""
    response = send(post(rpc("notifications/x", id=...), changes, key=key))
    assert response.status == status
    assert "id" not in json.loads(response.body)
