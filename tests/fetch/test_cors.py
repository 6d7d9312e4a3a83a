"""Browsers: what a preflight is told, what a script may read, and which origins may call."""

from __future__ import annotations

import asyncio

import pytest

from remember import FetchHandler, Request, Response
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import memory_handler, post, rpc

ORIGIN = "https://claude.ai"
LIST = rpc("tools/list")
ASKED = [
    "authorization",
    "content-type",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-param-region",
    "mcp-param-a.b",
]


def send(handler: FetchHandler, request: Request) -> Response:
    return asyncio.run(handler.fetch(request))


@pytest.fixture
def handler() -> FetchHandler:
    return memory_handler()


def preflight(path: str = "/mcp", origin: str = ORIGIN) -> Request:
    asked = {"access-control-request-method": "POST", "access-control-request-headers": ", ".join(ASKED).title()}
    return Request("OPTIONS", path, (("Origin", origin), *asked.items()))


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/prod/mcp", "/.well-known/oauth-protected-resource"])
def test_e3_a_preflight_is_answered_before_anybody_is_asked_who_they_are(handler: FetchHandler, path: str) -> None:
    """E3: 204, with every header that this revision sends."""
    response = send(handler, preflight(path))
    assert (response.status, response.body) == (204, b"")
    assert header(response, "access-control-allow-origin") == "*"
    allowed = (header(response, "access-control-allow-headers") or "").lower().split(", ")
    assert set(ASKED) <= set(allowed)
    assert "POST" in (header(response, "access-control-allow-methods") or "").split(", ")
    assert int(header(response, "access-control-max-age") or "") > 0
    assert header(response, "access-control-allow-credentials") is None


def test_e3_a_preflight_allows_no_header_just_because_it_was_asked_for(handler: FetchHandler) -> None:
    """Only the protocol's own, and none with a line break in it."""
    asked = "x-evil, mcp-param-, mcp-param-a\r\nset-cookie: x, cookie"
    request = Request("OPTIONS", "/mcp", (("origin", ORIGIN), ("access-control-request-headers", asked)))
    allowed = header(send(handler, request), "access-control-allow-headers") or ""
    assert not any(part in allowed for part in ("evil", "cookie", "param", "\r", "\n"))


REFUSED = {
    401: post(LIST, {"origin": ORIGIN}, key=None),
    400: post(b"{", {"origin": ORIGIN}),
    404: post(rpc("ping"), {"origin": ORIGIN}),
    405: post(b"", {"origin": ORIGIN}, method="GET"),
    413: Request("POST", "/mcp", (("origin", ORIGIN),), None),
    415: post(LIST, {"origin": ORIGIN, "content-type": "text/plain"}),
    200: post(LIST, {"origin": ORIGIN}),
    202: post(rpc("notifications/x", id=...), {"origin": ORIGIN}),
}


@pytest.mark.parametrize("status", REFUSED)
def test_e3_a_script_may_read_every_answer(handler: FetchHandler, status: int) -> None:
    """E3: a refusal that it cannot read looks like a broken network."""
    response = send(handler, REFUSED[status])
    assert response.status == status
    assert header(response, "access-control-allow-origin") == "*"
    assert header(response, "access-control-allow-credentials") is None
    assert "www-authenticate" in (header(response, "access-control-expose-headers") or "")


def test_without_an_origin_nothing_is_said_of_origins(handler: FetchHandler) -> None:
    """Most clients are no browsers."""
    assert not any(name.startswith("access-control") for name, _ in send(handler, post(LIST)).headers)


@pytest.mark.parametrize("origin", [ORIGIN, "null", "http://localhost:6274", "https://evil.example"])
def test_e10_any_origin_may_call_out_of_the_box(handler: FetchHandler, origin: str) -> None:
    """E10: a bearer credential is no cookie, so no site has it by itself."""
    result_of(send(handler, post(LIST, {"origin": origin})), "tools/list")


@pytest.mark.parametrize("named", ["https://claude.ai", "https://Claude.ai/, http://localhost:6274"])
def test_where_origins_are_named_no_other_may_call(named: str) -> None:
    """403, before anybody is asked who they are, and a browser learns nothing."""
    handler = memory_handler(environ={"REMEMBER_ALLOWED_ORIGINS": named})
    response = send(handler, post(LIST, {"origin": ORIGIN}))
    result_of(response, "tools/list")
    assert header(response, "access-control-allow-origin") == ORIGIN
    assert header(response, "vary") == "Origin"
    for origin in ("https://evil.example", "null", "https://claude.ai.evil.example", "http://claude.ai", ""):
        refused = send(handler, post(LIST, {"origin": origin}, key=None))
        error_of(refused, 403, -32600, id=None)
        assert header(refused, "access-control-allow-origin") is None
        assert send(handler, preflight(origin=origin)).status == 403
    assert send(handler, preflight()).status == 204
    result_of(send(handler, post(LIST)), "tools/list")
