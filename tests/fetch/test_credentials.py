"""Who is let in through the handler, what the others are told, and where it sends a client for a token."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from remember import (
    Authenticator,
    ConfigurationError,
    FetchHandler,
    JwtVerifier,
    KeySet,
    Request,
    Response,
    create_fetch_handler,
)
from remember.stores.memory import MemoryStore
from tests.identity.issuer import AUDIENCE, ISSUER, NOW, MovedClock, Published, b64, claims, jwk, rsa_key, token
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import ANA, KEYS, memory_handler, post, rpc

LIST = rpc("tools/list")
METADATA = "/.well-known/oauth-protected-resource"


def send(handler: FetchHandler, request: Request) -> Response:
    return asyncio.run(handler.fetch(request))


def with_credential(*values: str) -> Request:
    return post(LIST, key=None, more=[("Authorization", value) for value in values])


@pytest.fixture
def handler() -> FetchHandler:
    return memory_handler()


@pytest.fixture
def issuer() -> Published:
    published = Published()
    published.keys(jwk(rsa_key(), kid="one"))
    return published


@pytest.fixture
def of_tokens(issuer: Published) -> FetchHandler:
    """A server that takes the tokens of one issuer."""
    clock = MovedClock()
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=issuer)
    auth = Authenticator(jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock))
    return create_fetch_handler(environ={}, auth=auth, store=MemoryStore(clock), clock=clock)


# --- static keys ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [f"bearer {ANA}", f"BEARER {ANA}", f"Bearer  {ANA}", f"Bearer {ANA} ", f" Bearer {ANA}\t"]
)
def test_e15_every_spelling_of_a_good_credential_is_taken(handler: FetchHandler, value: str) -> None:
    """E15: the scheme in any case, and white space as it comes."""
    result_of(send(handler, with_credential(value)), "tools/list")


REFUSED = [
    (), ("",), ("Bearer",), ("Bearer ",), ("Bearer anything",), ("Bearer .",), ("Bearer a.b.c",), ("Bearer ..",),
    ("Basic YW5hOmtleQ==",), (ANA,), (f"Token {ANA}",), (f"Bearer {ANA}x",), (f"Bearer {ANA[:-1]}",),
    (f"Bearer {ANA},",),
    (f"Bearer {ANA} {ANA}",), (f"Bearer {ANA}", f"Bearer {ANA}"), (f"Bearer {ANA}", "Basic x"), ("", f"Bearer {ANA}"),
    ("Bearer " + "x" * 40_000,), ("Bearer " + "a." * 20_000 + "b",), ("x" * 100_000,), (f"Bearer\t{ANA}",),
    ("Bearer \udc80",), ("Bearer \u00e1\u00e9",),
]  # fmt: skip


@pytest.mark.parametrize("values", REFUSED, ids=lambda values: repr(values)[:40])
def test_e4_e15_f3_f11_anything_else_is_401_with_a_challenge(handler: FetchHandler, values: tuple[str, ...]) -> None:
    """E4, E15, F3, F11: nothing, junk, two of them, another scheme, far too long."""
    response = send(handler, with_credential(*values))
    error_of(response, 401, -32600)
    challenge = header(response, "www-authenticate")
    assert challenge is not None
    assert challenge.startswith('Bearer realm="remember"')
    assert ('error="invalid_token"' in challenge) is bool(values)
    assert "resource_metadata" not in challenge


@pytest.mark.parametrize("values", REFUSED, ids=lambda values: repr(values)[:40])
def test_f11_no_credential_comes_back_or_stands_in_a_log(
    handler: FetchHandler, values: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    """F11: neither the wrong one nor a part of it."""
    caplog.set_level(logging.DEBUG)
    response = send(handler, with_credential(*values))
    said = caplog.text + response.body.decode() + repr(response.headers)
    for value in values:
        for part in value.split():
            assert len(part) < 8 or part[:12] not in said


def test_strangers_come_in_only_where_they_may(handler: FetchHandler) -> None:
    """And a credential that does not fit is refused there all the same."""
    for_all = memory_handler(environ={"REMEMBER_ANONYMOUS": "allow"})
    result_of(send(for_all, with_credential()), "tools/list")
    for values in REFUSED[1:]:
        assert send(for_all, with_credential(*values)).status == 401
    assert send(handler, with_credential()).status == 401


def test_nothing_is_read_before_the_credential(handler: FetchHandler) -> None:
    """A stranger learns nothing of how bodies are judged; only an id comes back, so that their client shows why."""
    bodies: dict[bytes, str | int | None] = {
        b"{": None,
        b"[]": None,
        b'{"jsonrpc":"2.0","id":1,"method":"initialize"}': 1,
        b'{"jsonrpc":"1.0","id":"one"}': "one",
        b'{"jsonrpc":"2.0","id":1.5,"method":"initialize"}': None,
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}': None,
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list"' + b" " * 65_536 + b"}": None,
    }
    for body, id in bodies.items():  # noqa: A001  JSON-RPC's word
        error = error_of(send(handler, post(body, key=None)), 401, -32600, id=id)
        assert error["message"] == "This server needs an Authorization header: Bearer <credential>."


OAUTH_PATHS = [
    METADATA, f"{METADATA}/mcp",
    "/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration", "/mcp/.well-known/openid-configuration", "/register", "/authorize", "/token",
]  # fmt: skip


@pytest.mark.parametrize("path", OAUTH_PATHS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_f9_with_static_keys_there_is_nothing_to_register_with(handler: FetchHandler, path: str, method: str) -> None:
    """F9: 404 as JSON, so that no client starts a registration that cannot work."""
    response = send(handler, post(b"{}", path=path, method=method, key=None))
    assert response.status == 404
    assert header(response, "content-type") == "application/json"
    assert json.loads(response.body)["error"] == "not_found"


@pytest.mark.parametrize(
    "keys",
    [
        "alice=0123456789abcdef,bob=0123456789abcdef",
        "alice=abc",
        "a:b=0123456789abcdef",
        "alice=",
        ",",
        "alice:0123456789abcdef",
    ],
)
def test_f10_keys_that_leave_it_open_who_calls_are_a_configuration_error(keys: str) -> None:
    """F10: every call is answered with it, and it holds no key."""
    environ = {"REMEMBER_API_KEYS": keys, "REMEMBER_STORE": "memory"}
    handler = create_fetch_handler(environ=environ)
    error = error_of(send(handler, post(LIST, key="0123456789abcdef")), 503, -32603)
    assert error["data"] == {"code": "REMEMBER_CONFIGURATION", "variable": "REMEMBER_API_KEYS"}
    assert "0123456789abcdef" not in error["message"]


def test_f10_several_keys_for_one_user_open_one_memory() -> None:
    """F10: one for each client, say; both are the same person."""
    handler = create_fetch_handler(
        environ={"REMEMBER_API_KEYS": "ana=0123456789abcdef\nana=fedcba9876543210", "REMEMBER_STORE": "memory"}
    )
    kept = rpc("tools/call", {"name": "remember_this", "arguments": {"key": "k", "value": 1}})
    found = rpc("tools/call", {"name": "recall", "arguments": {"key": "k"}})
    send(handler, post(kept, key="0123456789abcdef"))
    result = result_of(send(handler, post(found, key="fedcba9876543210")), "tools/call")
    assert result["structuredContent"]["value"] == 1


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"ana": "short"}, "entry 1 has a key of 5 characters"),
        ({"ana": ANA, "bob": ANA}, "entry 2 has the same key as entry 1"),
        ({"a:b": ANA}, "entry 1 has a name"),
        ({}, "holds no key"),
        ({"ana": 5}, "entry 1"),
        ({5: ANA}, "entry 1"),
    ],
)
def test_f10_keys_from_python_that_do_not_fit_are_raised(keys: Any, says: str) -> None:
    """They stand in the code, and no variable could put them right: the error names `auth`, and no variable."""
    with pytest.raises(ConfigurationError, match=says) as refused:
        create_fetch_handler(environ={"REMEMBER_STORE": "memory"}, auth=keys)
    assert refused.value.variable == "auth"
    assert str(refused.value).startswith("auth")
    assert not any(private in str(refused.value) for private in ("REMEMBER_API_KEYS", "short", ANA))


# --- tokens --------------------------------------------------------------------------------------------------------


def unsigned(algorithm: str) -> str:
    head = b64(json.dumps({"alg": algorithm, "kid": "one"}).encode())
    return f"{head}.{b64(json.dumps(claims()).encode())}."


BAD_TOKENS: dict[str, Any] = {
    "F1 alg none": lambda: unsigned("none"),
    "F1 alg nOnE": lambda: unsigned("nOnE") + "x",
    "F1 HS256": lambda: token(b"0123456789abcdef0123456789abcdef", "HS256"),
    "F1 crit": lambda: token(headers={"crit": ["x"], "x": 1}),
    "F1 another key": lambda: token(rsa_key(2)),
    "F2 no aud": lambda: token(aud=...),
    "F2 another aud": lambda: token(aud="https://other.example/mcp"),
    "F4 expired for 2 h": lambda: token(exp=NOW - 7_200),
    "F4 no exp": lambda: token(exp=...),
    "F4 exp as text": lambda: token(exp=str(NOW + 600)),
    "F4 nbf ahead": lambda: token(nbf=NOW + 600),
    "F4 no sub": lambda: token(sub=...),
    "F4 empty sub": lambda: token(sub=""),
    "F4 sub a number": lambda: token(sub=7),
    "F4 another iss": lambda: token(iss="https://other.example"),
    "F11 sub of 5,000": lambda: token(sub="x" * 5_000),
    "F11 token of 40 KB": lambda: token(more="x" * 30_000),
    "F3 three words": lambda: "a.b.c",
    "F3 a word": lambda: "anything",
    "F3 a dot": lambda: ".",
}


@pytest.mark.parametrize("make", BAD_TOKENS.values(), ids=list(BAD_TOKENS))
def test_a_token_that_proves_nothing_is_401_and_told_where_to_get_one(of_tokens: FetchHandler, make: Any) -> None:
    """F1, F2, F3, F4, F11: with the challenge that a client acts on."""
    sent = make()
    response = send(of_tokens, post(LIST, {"host": "memory.example", "x-forwarded-proto": "https"}, key=sent))
    error_of(response, 401, -32600)
    challenge = header(response, "www-authenticate") or ""
    assert 'error="invalid_token"' in challenge
    assert f'resource_metadata="https://memory.example{METADATA}/mcp"' in challenge
    assert len(sent) < 8 or sent not in response.body.decode() + challenge


def test_a_good_token_is_let_in(of_tokens: FetchHandler) -> None:
    """F2: also one that names our address with a slash at its end or its host in another case, among others."""
    for aud in (AUDIENCE, AUDIENCE + "/", "https://MEMORY.example/mcp", ["https://other.example", AUDIENCE]):
        result_of(send(of_tokens, post(LIST, key=token(aud=aud))), "tools/list")


def test_no_token_is_401_without_an_error_code(of_tokens: FetchHandler) -> None:
    """RFC 6750 §3.1: who has not tried yet has made no mistake."""
    response = send(of_tokens, post(LIST, {"host": "memory.example"}, key=None))
    error_of(response, 401, -32600)
    challenge = header(response, "www-authenticate") or ""
    assert "error" not in challenge
    assert f'resource_metadata="http://memory.example{METADATA}/mcp"' in challenge


@pytest.mark.parametrize("path", [METADATA, METADATA + "/mcp", METADATA + "/"])
def test_the_protected_resource_document_says_whose_tokens_are_taken(of_tokens: FetchHandler, path: str) -> None:
    """RFC 9728: at both places, for anybody, readable from a browser."""
    request = post(b"", {"host": "memory.example", "x-forwarded-proto": "https", "origin": "https://claude.ai"},
                   key=None, path=path, method="GET")  # fmt: skip
    response = send(of_tokens, request)
    assert response.status == 200
    assert header(response, "content-type") == "application/json"
    assert header(response, "access-control-allow-origin") == "*"
    document = json.loads(response.body)
    assert document["resource"] == "https://memory.example/mcp"
    assert document["authorization_servers"] == [ISSUER]
    assert document["bearer_methods_supported"] == ["header"]


def test_behind_a_stage_the_document_stands_where_the_challenge_says(of_tokens: FetchHandler) -> None:
    """A client follows the address in the challenge; the document names the resource as the client called it."""
    host = {"host": "memory.example", "x-forwarded-proto": "https"}
    challenge = header(send(of_tokens, post(LIST, host, key=None, path="/prod/mcp")), "www-authenticate") or ""
    url = challenge.partition('resource_metadata="')[2].partition('"')[0]
    path = url.removeprefix("https://memory.example")
    document = json.loads(send(of_tokens, post(b"", host, key=None, path=path, method="GET")).body)
    assert document["resource"] == "https://memory.example/prod/mcp"


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        (f"{METADATA}/base/mcp", "/base/mcp"),
        (f"{METADATA}/base/mcp/", "/base/mcp"),
        (f"{METADATA}/a/b/mcp", "/a/b/mcp"),
        (f"/prod{METADATA}/base/mcp", "/prod/base/mcp"),
    ],
)
def test_a_resources_path_may_stand_behind_the_well_known_one(
    of_tokens: FetchHandler, path: str, resource: str
) -> None:
    """RFC 9728 §3.1 puts it there, and a client that had no challenge yet looks there."""
    request = post(b"", {"host": "memory.example", "x-forwarded-proto": "https"}, key=None, path=path, method="GET")
    response = send(of_tokens, request)
    assert response.status == 200
    assert json.loads(response.body)["resource"] == f"https://memory.example{resource}"


@pytest.mark.parametrize("behind", ["/base", "/base/mcpx", "/xmcp", "x/mcp", ".evil.example/mcp", "@evil.example/mcp"])
def test_there_is_no_document_for_what_is_no_endpoint(of_tokens: FetchHandler, behind: str) -> None:
    """404, as the resource itself would be; and nothing of the path becomes part of a host's name."""
    path = METADATA + behind
    assert send(of_tokens, post(b"", key=None, path=path, method="GET")).status == 404


@pytest.mark.parametrize(
    "path", ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/register"]
)
def test_the_authorization_server_is_somebody_else(of_tokens: FetchHandler, path: str) -> None:
    """We have no document of our own to give for it."""
    assert send(of_tokens, post(b"", key=None, path=path, method="GET")).status == 404


def test_f7_keys_that_cannot_be_fetched_are_503_and_not_401(of_tokens: FetchHandler, issuer: Published) -> None:
    """F7: a client would throw its good token away."""
    issuer.documents.clear()
    response = send(of_tokens, post(LIST, key=token()))
    error = error_of(response, 503, -32603)
    assert error["data"] == {"code": "REMEMBER_KEYS_UNAVAILABLE"}
    assert int(header(response, "retry-after") or "") > 0


def test_identities_of_both_sources_stay_apart() -> None:
    """A static key's `ana` and a token's `ana` are two people."""
    clock = MovedClock()
    issuer = Published()
    issuer.keys(jwk(rsa_key(), kid="one"))
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=issuer)
    store = MemoryStore(clock)
    static = create_fetch_handler(environ={"REMEMBER_ENCRYPTION": "off"}, auth=KEYS, store=store, clock=clock)
    auth = Authenticator(jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock))
    tokens = create_fetch_handler(environ={"REMEMBER_ENCRYPTION": "off"}, auth=auth, store=store, clock=clock)
    kept = rpc("tools/call", {"name": "remember_this", "arguments": {"key": "k", "value": 1, "scope": "user"}})
    found = rpc("tools/call", {"name": "recall", "arguments": {"key": "k", "scope": "user"}})
    send(static, post(kept))
    result = result_of(send(tokens, post(found, key=token(sub="ana"))), "tools/call")
    assert result["structuredContent"]["found"] is False
