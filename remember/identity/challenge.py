"""What a refused caller is told: the challenge of RFC 6750, and where to get a token (RFC 9728)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from remember.errors import CredentialRefused, InsufficientScope

REALM = "remember"
_NOT_QUOTABLE = re.compile(r"[^\x20\x21\x23-\x5b\x5d-\x7e]")  # RFC 6750 §3: no quote, backslash, control or non-ASCII


def challenge(
    error: CredentialRefused | InsufficientScope, *, metadata_url: str | None, scopes: Iterable[str] = ()
) -> str:
    """The WWW-Authenticate value for `error`; `scopes` are what to ask for where `error` does not say it.

    An error code only where a credential was presented (RFC 6750 §3.1). `metadata_url` only where there is an
    authorization server: with static keys alone it would send clients into a registration that cannot work.
    """
    parts = [("realm", REALM)]
    scope = " ".join(scopes)
    if isinstance(error, InsufficientScope):
        scope = error.scope
        parts += [("error", "insufficient_scope"), ("error_description", str(error))]
    elif error.presented:
        parts += [("error", "invalid_token"), ("error_description", str(error))]
    if scope:
        parts.append(("scope", scope))
    if metadata_url is not None:
        parts.append(("resource_metadata", metadata_url))
    return "Bearer " + ", ".join(f'{name}="{_NOT_QUOTABLE.sub("", text)}"' for name, text in parts)


def resource_metadata(resource_url: str, issuer: str, scopes: Iterable[str] = ()) -> dict[str, object]:
    """The protected resource document (RFC 9728 §2) of the server at `resource_url`."""
    supported = list(scopes)
    return {
        "resource": resource_url,
        "authorization_servers": [issuer],
        **({"scopes_supported": supported} if supported else {}),
        "bearer_methods_supported": ["header"],
        "resource_name": "Remember",
    }
