"""Bodies that are refused before anybody looks at what they want, and requests that look wrong from outside."""

from __future__ import annotations

import gzip
import json

import pytest
from mcp_types.jsonrpc import (
    INVALID_REQUEST,
    PARSE_ERROR,
)

from remember.settings import MAX_BODY_BYTES
from tests.protocol.conftest import Send
from tests.protocol.oracle import error_of, header
from tests.protocol.requests import call, post, rpc

LIST = rpc("tools/list")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b"{'a':1}",
        b'{"jsonrpc":"2.0",}',
        b"\xff\xfe{}",
        b'{"jsonrpc":"2.0","id":1,"method":"\xc3"}',
        b"\xef\xbb\xbf{}",
        json.dumps(LIST).encode("utf-16"),
        json.dumps(LIST).encode() + b"x",
        b'{"id":NaN}',
        b'{"id":1,"params":{"x":Infinity}}',
        b'{"id":1,"params":{"x":-Infinity}}',
        b'{"id":1,"params":{"x":1e400}}',
        b'{"id":1,"params":{"x":-1e400}}',
        b'{"id":' + b"9" * 5_000 + b"}",
        b"[" * 10_000 + b"]" * 10_000,
        b"[" * 1_000_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"jsonrpc":"2.0","id":1,"params":' + b"[" * 300 + b"]" * 300 + b"}",
        b'{"jsonrpc":"2.0","id":1,"params":[' + b"[1]," * 300_000 + b"1]}",
        gzip.compress(json.dumps(LIST).encode()),
    ],
    ids=lambda body: repr(body[:24]),
)
def test_e18_a_body_that_is_no_json_cannot_be_parsed(send: Send, body: bytes) -> None:
    """Broken JSON, other encodings, numbers that JSON has no word for, absurd nesting, a compressed body."""
    error_of(send(post(body)), 400, PARSE_ERROR, id=None)


def test_b4_as_many_lists_as_a_value_may_hold_are_no_absurd_nesting(send: Send) -> None:
    """A megabyte of them is kept; and brackets in a text are none at all."""
    for value in ([[1]] * 199_000, "[{" * 249_000):
        assert send(post(call("remember_this", key="k", value=value))).json()["result"]["isError"] is False


@pytest.mark.parametrize("body", [b"null", b"1", b'"x"', b"true", b"[]", b"[1]"], ids=repr)
def test_a_body_that_is_no_object_is_no_request(send: Send, body: bytes) -> None:
    """It is JSON, and no message."""
    error_of(send(post(body)), 400, INVALID_REQUEST, id=None)


@pytest.mark.parametrize("batch", [[LIST], [LIST, LIST], [{"jsonrpc": "2.0", "method": "notifications/x"}]])
def test_a_batch_is_refused_as_one(send: Send, batch: list[object]) -> None:
    """This revision has none."""
    error = error_of(send(post(json.dumps(batch).encode())), 400, INVALID_REQUEST, id=None)
    assert "batch" in error["message"]


def test_e18_a_batch_of_a_million_is_refused_without_a_look(send: Send) -> None:
    """E18: a small body may not grow into work."""
    error_of(send(post(b"[" + b"1," * 1_000_000 + b"1]")), 400, INVALID_REQUEST, id=None)


@pytest.mark.parametrize("answer", [{"result": {}}, {"error": {"code": 1, "message": "x"}}])
def test_a_posted_response_is_no_request(send: Send, answer: dict[str, object]) -> None:
    """This revision's servers ask nothing, so nobody answers them."""
    message = {"jsonrpc": "2.0", "id": 1, **answer}
    error_of(send(post(message)), 400, INVALID_REQUEST)


@pytest.mark.parametrize("sent", [None, True, False, 1.5, 1.0, [], {}, [1]], ids=repr)
def test_an_id_that_is_no_id_is_left_out_of_the_answer(send: Send, sent: object) -> None:
    """Null would break the schema, and to echo another type would, too."""
    error_of(send(post(LIST | {"id": sent})), 400, INVALID_REQUEST, id=None)


@pytest.mark.parametrize("version", [..., None, 2, 2.0, "1.0", "2", "2.0 "])
def test_another_json_rpc_version_is_no_request(send: Send, version: object) -> None:
    """The message carries its id all the same, which is known by then."""
    error_of(send(post(rpc("tools/list", jsonrpc=version))), 400, INVALID_REQUEST)


@pytest.mark.parametrize("method", [..., None, 7, ["tools/list"], {}])
def test_a_message_without_a_method_is_no_request(send: Send, method: object) -> None:
    """Whatever stands in its place."""
    message = {name: value for name, value in (LIST | {"method": method}).items() if value is not ...}
    error_of(send(post(message, {"mcp-method": "tools/list"})), 400, INVALID_REQUEST)


def test_a_refusal_with_half_a_character_in_its_id_is_answered(send: Send) -> None:
    """The id goes back escaped, and the refusal says what was wrong."""
    response = send(post(rpc("ping", id="\ud83c")))
    assert response.status == 404
    assert json.loads(response.body)["id"] == "\ud83c"


def test_e18_a_body_over_the_limit_is_413(send: Send) -> None:
    """None stands for a body that was not read to its end."""
    request = post(LIST)
    error = error_of(send(type(request)("POST", "/mcp", request.headers, None)), 413, INVALID_REQUEST, id=None)
    assert f"{MAX_BODY_BYTES:,}" in error["message"]


def test_e18_a_body_over_the_limit_is_413_however_it_came(send: Send) -> None:
    """A caller in process hands its body over in one piece."""
    error_of(send(post(b" " * (MAX_BODY_BYTES + 1))), 413, INVALID_REQUEST, id=None)


@pytest.mark.parametrize(
    "kind",
    [None, "", "text/plain", "application/jsonp", "application/x-www-form-urlencoded", "application/json+x", "json"],
)
def test_another_content_type_is_415(send: Send, kind: str | None) -> None:
    """A form in somebody's browser could send the others without asking first."""
    error = error_of(send(post(LIST, {"content-type": kind})), 415, INVALID_REQUEST, id=None)
    assert "application/json" in error["message"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "PATCH", "TRACE", "post"])
def test_another_method_is_405_and_told_which_one_is_allowed(send: Send, method: str) -> None:
    """Before anybody is asked for a credential; and no stream is held open for a GET."""
    response = send(post(b"", {"mcp-session-id": "abc", "last-event-id": "1"}, method=method, key=None))
    error_of(response, 405, INVALID_REQUEST, id=None)
    assert header(response, "allow") == "POST"
    assert header(response, "mcp-session-id") is None
