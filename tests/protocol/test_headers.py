"""Headers that repeat what the body says: they must say it, once, and to the letter."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
)

from tests.protocol.conftest import Send
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import call, in_base64, post, rpc
from tests.standins.client import VERSION

RECALL = call("recall", key="language")


@pytest.mark.parametrize("name", ["mcp-method", "mcp-name"])
@pytest.mark.parametrize("sent", [None, "", "other", "=?base64?!?=", "=?base64??="])
def test_e7_a_header_that_is_missing_or_differs_is_a_mismatch(send: Send, name: str, sent: str | None) -> None:
    """E7: what routes a request must be what the request says."""
    error = error_of(send(post(RECALL, {name: sent})), 400, HEADER_MISMATCH)
    assert name in error["message"].lower()


@pytest.mark.parametrize("name", ["mcp-method", "mcp-name"])
def test_e7_values_are_exact_to_the_case(send: Send, name: str) -> None:
    """Only the header's own name is free in that."""
    value = {"mcp-method": "Tools/Call", "mcp-name": "Recall"}[name]
    error_of(send(post(RECALL, {name: value})), 400, HEADER_MISMATCH)


@pytest.mark.parametrize("change", [str.upper, str.title, str.lower])
def test_e7_header_names_may_be_in_any_case(send: Send, change: Any) -> None:
    """Gateways rewrite them."""
    request = post(RECALL)
    renamed = tuple((change(name), value) for name, value in request.headers)
    result_of(send(type(request)("POST", "/mcp", renamed, request.body)), "tools/call")


def test_white_space_around_a_header_value_is_no_part_of_it(send: Send) -> None:
    """HTTP says so (RFC 9110 §5.5)."""
    padded = {"mcp-method": " tools/call\t", "mcp-name": "\trecall ", "mcp-protocol-version": f" {VERSION} "}
    result_of(send(post(RECALL, padded)), "tools/call")


@pytest.mark.parametrize("name", ["mcp-protocol-version", "mcp-method", "mcp-name"])
@pytest.mark.parametrize("same", [True, False])
def test_e7_a_header_that_comes_twice_is_a_mismatch(send: Send, name: str, *, same: bool) -> None:
    """E7: two readers could take two different ones for the truth."""
    value = {"mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "recall"}[name]
    request = post(RECALL, more=[(name.title(), value if same else "other")])
    error_of(send(request), 400, HEADER_MISMATCH)


def test_a_header_in_base64_is_decoded_first(send: Send) -> None:
    """The form that carries what a header cannot."""
    result_of(
        send(post(RECALL, {"mcp-name": in_base64("recall"), "mcp-method": in_base64("tools/call")})), "tools/call"
    )


@pytest.mark.parametrize(
    "payload",
    ["cmVjYWxs!", "cmVjYWxs====", "cmVj YWxs", "cmVjYWxs\t", "cmVjYWx", "cmVjYWxs=", "_-__", "/w==", "cmVjYWx=", "="],
    ids=repr,
)
def test_base64_that_is_not_canonical_is_a_mismatch(send: Send, payload: str) -> None:
    """Python's decoder lets trailing junk pass; one text has one form here."""
    error_of(send(post(RECALL, {"mcp-name": f"=?base64?{payload}?="})), 400, HEADER_MISMATCH)


def test_only_the_one_spelling_of_the_base64_mark_counts(send: Send) -> None:
    """Anything else is the text itself, and no tool has such a name."""
    for value in ("=?BASE64?cmVjYWxs?=", "=?base64?cmVjYWxs", "x=?base64?cmVjYWxs?="):
        error_of(send(post(RECALL, {"mcp-name": value})), 400, HEADER_MISMATCH)


@pytest.mark.parametrize("raw", [b"\xc3\xa1", b"\xff", b"recall\x00", b"\x80recall"])
def test_e16_bytes_beyond_ascii_in_a_header_are_a_mismatch(send: Send, raw: bytes) -> None:
    """E16: read as latin-1, as ASGI servers hand them on; never a failure."""
    error_of(send(post(RECALL, {"mcp-name": raw.decode("latin-1")})), 400, HEADER_MISMATCH)


@pytest.mark.parametrize("name", [..., None, 7, ["recall"], {}])
def test_a_call_that_names_no_tool_is_a_wrong_parameter(send: Send, name: object) -> None:
    """There is nothing that the header could repeat."""
    message = rpc("tools/call", {"arguments": {}})
    if name is not ...:
        message["params"]["name"] = name
    error_of(send(post(message, {"mcp-name": "recall"})), 400, INVALID_PARAMS)
