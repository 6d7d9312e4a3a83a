"""What a token's scopes allow over HTTP: who may read, who may write, and what a client is told to ask for."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from typing import Any

import pytest

from remember import (
    App,
    Authenticator,
    FetchHandler,
    JwtVerifier,
    KeySet,
    Request,
    Response,
    create_fetch_handler,
    tool,
)
from remember.stores.memory import MemoryStore
from tests.identity.issuer import AUDIENCE, ISSUER, MovedClock, Published, Server, jwk, rsa_key, token
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import call, memory_handler, post, rpc

BOTH = "memory:read memory:write"
READERS = {"recall", "list_memories", "engram_recall", "engram_context", "engram_status"}
WRITERS = {"remember_this", "forget", "engram_remember", "engram_forget", "engram_feedback", "forget_all"}
HOST = {"host": "memory.example", "x-forwarded-proto": "https"}


@tool(read_only=True)
async def look() -> str:
    """Look at something."""
    return "seen"


@tool(read_only=False)
async def change() -> str:
    """Change something."""
    return "changed"


@tool
async def unsaid() -> str:
    """Do something that nobody has said anything about."""
    return "done"


def of_tokens(*apps: App, scoped: bool = True) -> FetchHandler:
    """A server that takes the tokens of one issuer; without apps it is the memory server."""
    clock, published = MovedClock(), Published()
    published.keys(jwk(rsa_key(), kid="one"))
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=published)
    auth = Authenticator(jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock, scoped=scoped))
    return create_fetch_handler(apps or None, environ={}, auth=auth, store=MemoryStore(clock), clock=clock)


def send(handler: FetchHandler, request: Request) -> Response:
    return asyncio.run(handler.fetch(request))


def sent(message: dict[str, Any], scope: str | None = None) -> Request:
    """As Ana sends it, with a token that has these scopes; None: it says nothing of scopes."""
    return post(message, HOST, key=token(scope=... if scope is None else scope))


def listed(handler: FetchHandler, scope: str | None) -> set[str]:
    result = result_of(send(handler, sent(rpc("tools/list"), scope)), "tools/list")
    return {tool["name"] for tool in result["tools"]}


@pytest.mark.parametrize("scope", [None, "memory:write", BOTH])
def test_who_may_write_is_shown_every_tool(scope: str | None) -> None:
    """Writing includes reading; and most issuers say nothing of scopes."""
    assert listed(of_tokens(), scope) == READERS | WRITERS


def test_who_may_only_read_is_shown_the_reading_tools() -> None:
    """And server/discover is the same for everybody: it is public, and may be kept by anybody."""
    handler = of_tokens()
    assert listed(handler, "openid memory:read") == READERS
    discovered = [
        send(handler, sent(rpc("server/discover"), scope)).json()["result"] for scope in (BOTH, "memory:read")
    ]
    assert discovered[0] == discovered[1]


def test_who_may_only_read_reads() -> None:
    """What the same person kept with another token."""
    handler = of_tokens()
    send(handler, sent(call("remember_this", key="tea", value="green"), "memory:write"))
    result = result_of(send(handler, sent(call("recall", key="tea"), "memory:read")), "tools/call")
    assert result["structuredContent"]["value"] == "green"


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_who_may_only_read_may_not_write(name: str) -> None:
    """403 with the scope that is missing, before a look at the arguments; the id says which call it was."""
    response = send(of_tokens(), sent(call(name), "memory:read"))
    error = error_of(response, 403, -32600)
    assert error["data"] == {"code": "REMEMBER_INSUFFICIENT_SCOPE"}
    assert name in error["message"]
    challenge = header(response, "www-authenticate") or ""
    assert 'error="insufficient_scope"' in challenge
    assert 'scope="memory:write"' in challenge
    assert 'resource_metadata="https://memory.example/.well-known/oauth-protected-resource/mcp"' in challenge


def test_nothing_was_written() -> None:
    """A refused call leaves no trace."""
    handler = of_tokens()
    assert send(handler, sent(call("remember_this", key="tea", value="green"), "memory:read")).status == 403
    result = result_of(send(handler, sent(call("recall", key="tea"))), "tools/call")
    assert result["structuredContent"]["found"] is False


def test_an_unknown_tool_is_unknown_to_everybody() -> None:
    """Another token would not help."""
    for scope in (None, "memory:read"):
        error_of(send(of_tokens(), sent(call("remember_that"), scope)), 400, -32602)


def test_an_authors_tool_reads_only_if_it_says_so() -> None:
    """What says nothing counts as writing: MCP's readOnlyHint is false unless given."""
    handler = of_tokens(App("desk", tools=[look, change, unsaid]))
    assert listed(handler, "memory:read") == {"look"}
    result_of(send(handler, sent(call("look"), "memory:read")), "tools/call")
    for name in ("change", "unsaid"):
        error_of(send(handler, sent(call(name), "memory:read")), 403, -32600)
        result_of(send(handler, sent(call(name), "memory:write")), "tools/call")


@pytest.mark.parametrize("scope", ["", "openid profile", "memory:admin"])
def test_a_token_with_none_of_our_scopes_is_403(scope: str) -> None:
    """For every method; the challenge names both, and the client may ask for either."""
    for message in (rpc("tools/list"), rpc("server/discover"), call("recall", key="k")):
        response = send(of_tokens(), sent(message, scope))
        error = error_of(response, 403, -32600)
        assert error["data"] == {"code": "REMEMBER_INSUFFICIENT_SCOPE"}
        challenge = header(response, "www-authenticate") or ""
        assert 'error="insufficient_scope"' in challenge
        assert f'scope="{BOTH}"' in challenge


def test_challenges_and_the_document_say_which_scopes_there_are() -> None:
    """A client asks for them when it gets its first token."""
    handler = of_tokens()
    for key in (None, "no-token-at-all", token(exp=1)):
        response = send(handler, post(rpc("tools/list"), HOST, key=key))
        error_of(response, 401, -32600)
        assert f'scope="{BOTH}"' in (header(response, "www-authenticate") or "")
    document = send(handler, post(b"", HOST, key=None, path="/.well-known/oauth-protected-resource/mcp", method="GET"))
    assert json.loads(document.body)["scopes_supported"] == BOTH.split()


def test_where_scopes_are_ignored_nobody_is_told_to_ask_for_any() -> None:
    """An authorization server that knows none of ours would refuse the whole request for a token."""
    handler = of_tokens(scoped=False)
    assert listed(handler, "openid") == listed(handler, "memory:read") == READERS | WRITERS
    assert "scope" not in (header(send(handler, post(rpc("tools/list"), HOST, key=None)), "www-authenticate") or "")
    document = send(handler, post(b"", HOST, key=None, path="/.well-known/oauth-protected-resource", method="GET"))
    assert "scopes_supported" not in json.loads(document.body)


def test_a_static_key_may_everything_and_hears_of_no_scope() -> None:
    """Nor of any authorization server."""
    handler = memory_handler()
    result = result_of(send(handler, post(rpc("tools/list"))), "tools/list")
    assert {tool["name"] for tool in result["tools"]} == READERS | WRITERS
    refused = send(handler, post(rpc("tools/list"), key="a-key-that-nobody-has"))
    challenge = header(refused, "www-authenticate") or ""
    assert refused.status == 401
    assert 'error="invalid_token"' in challenge
    assert "scope" not in challenge
    assert "resource_metadata" not in challenge


@pytest.mark.parametrize(("setting", "status"), [("", 403), ("enforce", 403), ("ignore", 200)])
def test_the_setting_says_whether_scopes_count(setting: str, status: int) -> None:
    """REMEMBER_TOKEN_SCOPES, with an issuer on this machine whose tokens carry `openid` alone."""
    with closing(Server()) as server:
        server.publish(jwk(rsa_key(), kid="one"))
        environ = {
            "REMEMBER_STORE": "memory",
            "REMEMBER_ISSUER": ISSUER,
            "REMEMBER_AUDIENCE": AUDIENCE,
            "REMEMBER_JWKS_URL": f"{server.url}/keys",
            "REMEMBER_TOKEN_SCOPES": setting,
        }
        handler = create_fetch_handler(environ=environ, clock=MovedClock())
        assert send(handler, sent(rpc("tools/list"), "openid")).status == status
