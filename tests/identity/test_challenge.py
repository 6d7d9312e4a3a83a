"""The challenge and the resource document (cases E4, F9)."""

from __future__ import annotations

from remember.errors import CredentialRefused, InsufficientScope
from remember.identity import challenge, resource_metadata

METADATA = "https://memory.example/.well-known/oauth-protected-resource/mcp"


def test_without_a_credential_there_is_no_error_code() -> None:
    """RFC 6750 §3.1: who sent nothing learns the scheme only."""
    assert challenge(CredentialRefused("nothing", presented=False), metadata_url=None) == 'Bearer realm="remember"'


def test_a_refused_credential_gets_the_code_and_the_reason() -> None:
    """A client that sent a bad token is told that it was the token."""
    assert (
        challenge(CredentialRefused("The token has expired."), metadata_url=None)
        == 'Bearer realm="remember", error="invalid_token", error_description="The token has expired."'
    )


def test_the_document_is_named_only_where_there_is_one() -> None:
    """With an authorization server clients learn where to read of it, with or without a credential."""
    for presented in (True, False):
        refused = CredentialRefused("x", presented=presented)
        assert f'resource_metadata="{METADATA}"' in challenge(refused, metadata_url=METADATA)
        assert "resource_metadata" not in challenge(refused, metadata_url=None)


def test_scopes_are_named_where_there_are_some() -> None:
    """MCP, Authorization: a client asks its authorization server for what the challenge says."""
    missing = CredentialRefused("x", presented=False)
    value = challenge(missing, metadata_url=METADATA, scopes=("memory:read", "memory:write"))
    assert value == (f'Bearer realm="remember", scope="memory:read memory:write", resource_metadata="{METADATA}"')
    assert "scope" not in challenge(missing, metadata_url=METADATA)


def test_too_little_scope_is_told_with_what_would_do() -> None:
    """RFC 6750 §3.1: insufficient_scope, and the scope that is needed rather than all there are."""
    error = InsufficientScope("Writing needs more.", scope="memory:write")
    assert challenge(error, metadata_url=METADATA, scopes=("memory:read", "memory:write")) == (
        'Bearer realm="remember", error="insufficient_scope", error_description="Writing needs more.", '
        f'scope="memory:write", resource_metadata="{METADATA}"'
    )


def test_nothing_breaks_out_of_the_quotes() -> None:
    """Quotes, backslashes, line breaks and letters beyond ASCII are left out of the header."""
    value = challenge(CredentialRefused('a"b\\c\r\nX-Evil: é'), metadata_url='https://x/"\r\nSet-Cookie: a')
    assert value == (
        'Bearer realm="remember", error="invalid_token", error_description="abcX-Evil: ", '
        'resource_metadata="https://x/Set-Cookie: a"'
    )


def test_the_document_names_the_resource_and_its_issuer() -> None:
    """RFC 9728 §2, without scopes where none are honoured."""
    assert resource_metadata("https://memory.example/mcp", "https://issuer.example") == {
        "resource": "https://memory.example/mcp",
        "authorization_servers": ["https://issuer.example"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Remember",
    }
    scopes = ("memory:read", "memory:write")
    document = resource_metadata("https://memory.example/mcp", "https://issuer.example", scopes)
    assert document["scopes_supported"] == ["memory:read", "memory:write"]
