"""Only one version is served, and whoever speaks another is told which one."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from tests.protocol.conftest import Send
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import META_CAPABILITIES, META_VERSION, post, rpc
from tests.standins.client import META, VERSION

LIST = rpc("tools/list")
OLD = "2025-06-18"


def with_meta(message: dict[str, Any], **changes: object) -> dict[str, Any]:
    """A message whose `_meta` has members changed; a change to `...` takes one away."""
    names = {"version": META_VERSION, "capabilities": META_CAPABILITIES}
    meta = META | {names[name]: value for name, value in changes.items()}
    kept = {name: value for name, value in meta.items() if value is not ...}
    return message | {"params": message["params"] | {"_meta": kept}}


def test_a_missing_version_header_is_a_mismatch(send: Send) -> None:
    """The header routes the request, so the body alone does not do."""
    error = error_of(send(post(LIST, {"mcp-protocol-version": None})), 400, HEADER_MISMATCH)
    assert VERSION in error["message"]


@pytest.mark.parametrize("sent", [OLD, "2026-07-29", "", "latest", VERSION + "x"])
def test_a_version_header_that_differs_from_the_body_is_a_mismatch(send: Send, sent: str) -> None:
    """Values are exact."""
    error_of(send(post(LIST, {"mcp-protocol-version": sent})), 400, HEADER_MISMATCH)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", OLD, "2025-11-25", "2027-01-01", "1"])
def test_another_version_is_told_which_one_is_served(send: Send, version: str) -> None:
    """Older ones and newer ones, said in the header and in the body alike."""
    request = post(with_meta(LIST, version=version), {"mcp-protocol-version": version})
    error = error_of(send(request), 400, UNSUPPORTED_PROTOCOL_VERSION)
    assert error["data"] == {"supported": [VERSION], "requested": version}
    assert VERSION in error["message"]
    assert version in error["message"]


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "ping"])
def test_a_client_of_an_older_version_is_told_so(send: Send, method: str) -> None:
    """It knows neither the envelope in `_meta` nor the headers that repeat the body."""
    message = rpc(method, {"name": "recall", "arguments": {}}) | {"params": {"name": "recall", "arguments": {}}}
    gone = {"mcp-method": None, "mcp-name": None, "mcp-protocol-version": OLD}
    error = error_of(send(post(message, gone)), 400, UNSUPPORTED_PROTOCOL_VERSION)
    assert error["data"] == {"supported": [VERSION], "requested": OLD}


@pytest.mark.parametrize("header_version", [None, OLD])
def test_e5_a_legacy_initialize_gets_a_sentence_that_a_person_understands(
    send: Send, header_version: str | None
) -> None:
    """With the version it asked for, the one that is served, and what to do about it."""
    params = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    message = rpc("initialize") | {"params": params}
    gone = {"mcp-method": None, "mcp-protocol-version": header_version}
    error = error_of(send(post(message, gone)), 400, UNSUPPORTED_PROTOCOL_VERSION)
    assert error["data"] == {"supported": [VERSION], "requested": OLD}
    assert all(word in error["message"] for word in (OLD, VERSION, "Update the client"))


@pytest.mark.parametrize(
    "params", [..., {}, {"protocolVersion": 7}, {"protocolVersion": None}, {"protocolVersion": [OLD]}]
)
def test_e5_a_legacy_initialize_without_a_version_is_told_the_same(send: Send, params: object) -> None:
    """`requested` is then empty, which the schema allows, and never null."""
    message = {name: value for name, value in (LIST | {"params": params}).items() if value is not ...}
    message["method"] = "initialize"
    request = post(message, {"mcp-method": None, "mcp-protocol-version": None})
    error = error_of(send(request), 400, UNSUPPORTED_PROTOCOL_VERSION)
    assert error["data"] == {"supported": [VERSION], "requested": ""}


def test_e5_the_server_stays_usable_after_a_legacy_handshake(send: Send) -> None:
    """An old client's two messages leave nothing behind."""
    send(post(rpc("initialize") | {"params": {"protocolVersion": OLD}}, {"mcp-protocol-version": None}))
    old = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert send(post(old, {"mcp-protocol-version": OLD})).status == 400
    result_of(send(post(LIST)), "tools/list")


@pytest.mark.parametrize(
    "changes",
    [
        {"capabilities": ...},
        {"capabilities": None},
        {"capabilities": []},
        {"capabilities": "{}"},
        {"version": ...},
        {"version": None},
        {"version": 20260728},
    ],
)
def test_an_envelope_that_lacks_a_part_is_a_wrong_parameter(send: Send, changes: dict[str, object]) -> None:
    """The version and the capabilities are needed, each of its own type."""
    error = error_of(send(post(with_meta(LIST, **changes))), 400, INVALID_PARAMS)
    assert "_meta" in error["message"]


@pytest.mark.parametrize("params", [{}, {"_meta": None}, {"_meta": []}, {"_meta": "x"}, {"_meta": {}}])
def test_an_envelope_that_is_missing_is_a_wrong_parameter(send: Send, params: dict[str, object]) -> None:
    """Also where something else stands in its place."""
    error_of(send(post(LIST | {"params": params})), 400, INVALID_PARAMS)


@pytest.mark.parametrize("params", [None, [], "x", 7, True])
def test_params_that_are_no_object_are_wrong(send: Send, params: object) -> None:
    """JSON-RPC allows a list, MCP does not."""
    error_of(send(post(LIST | {"params": params})), 400, INVALID_PARAMS)
