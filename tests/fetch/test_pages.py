"""What is beside the endpoint: a page for a person, the health, and nothing else."""

from __future__ import annotations

import asyncio
import json

import pytest

from remember import FetchHandler, Request, Response
from tests.protocol.oracle import header
from tests.protocol.requests import ANA, memory_handler, post


def get(handler: FetchHandler, path: str, **headers: str) -> Response:
    return asyncio.run(handler.fetch(Request("GET", path, tuple(headers.items()))))


@pytest.fixture
def handler() -> FetchHandler:
    return memory_handler(environ={"REMEMBER_SECRET": "a-made-up-secret-of-the-tests"})


def test_a_person_finds_out_what_this_is(handler: FetchHandler) -> None:
    """The address to give a client, and nothing that runs in a browser."""
    response = get(handler, "/", host="memory.example")
    assert response.status == 200
    assert (header(response, "content-type") or "").startswith("text/html")
    assert b"http://memory.example/mcp" in response.body
    assert "default-src 'none'" in (header(response, "content-security-policy") or "")


def test_a_host_header_cannot_write_into_the_page(handler: FetchHandler) -> None:
    """It is text that anybody may send."""
    evil = "<script>alert(1)</script>"
    assert evil.encode() not in get(handler, "/", host=evil).body


def test_the_health_says_what_works(handler: FetchHandler) -> None:
    """Without a credential, and without a secret in it."""
    response = get(handler, "/health")
    assert response.status == 200
    said = json.loads(response.body)
    assert (said["status"], said["store"], said["problems"]) == ("ok", {"memory": "ok"}, [])
    assert said["protocol"] == "2026-07-28"
    assert said["identity"]
    assert not any(secret in response.body.decode() for secret in ("a-made-up-secret", ANA))


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD"])
@pytest.mark.parametrize(
    "path", ["/nothing", "/mcp/x", "/mcpx", "/sse", "/messages", "/%2e%2e/x", "//", "/MCP", "/.env"]
)
def test_nothing_else_is_here(handler: FetchHandler, path: str, method: str) -> None:
    """404 as JSON that names the endpoint, and never a redirect."""
    response = asyncio.run(handler.fetch(post(b"{}", path=path, method=method, key=None)))
    assert response.status == 404
    assert "/mcp" in json.loads(response.body)["message"]
    assert header(response, "location") is None
