"""What a token with a good signature must also say before anybody is believed to be its subject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from remember.caller import RESERVED_PREFIXES
from remember.errors import CredentialRefused, InsufficientScope

MAX_SUBJECT = 255  # characters; OpenID Connect Core §2 allows no more

READ, WRITE = "memory:read", "memory:write"
SCOPES = (READ, WRITE)
"""What a token may be limited to. Who may write may read."""

_HTTP_URL = re.compile(r"(https?)://([^/?#@:\s]+|\[[0-9a-f:.]+\])(?::([0-9]*))?(/[^?#]*)?([?#].*)?", re.IGNORECASE)
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def check_issuer(claims: Mapping[str, object], issuer: str) -> None:
    """`iss` is the issuer, to the letter (RFC 8414 §2)."""
    if claims.get("iss") != issuer:
        raise CredentialRefused("The bearer token was issued by somebody else than this server's issuer.")


def check_times(claims: Mapping[str, object], *, now: float, leeway: float) -> None:
    """`exp` is there and ahead; `nbf` and `iat`, where they are, are not. All in seconds since 1970."""
    expiry = _time(claims, "exp")
    if expiry is None:
        raise CredentialRefused("The bearer token has no expiry; a token without `exp` is not accepted.")
    if now >= expiry + leeway:
        raise CredentialRefused("The bearer token has expired.")
    for name in ("nbf", "iat"):
        begin = _time(claims, name)
        if begin is not None and begin > now + leeway:
            raise CredentialRefused(f"The bearer token is not valid yet: its `{name}` lies in the future.")


def check_audience(claims: Mapping[str, object], audience: Iterable[str]) -> None:
    """One of the token's audiences is one of ours (RFC 8707): made for this server and no other."""
    named = claims.get("aud")
    named = named if isinstance(named, list) else [named]
    ours = {canonical(one) for one in audience}
    if not any(isinstance(one, str) and canonical(one) in ours for one in named):
        raise CredentialRefused("The bearer token was not made for this server: its `aud` names another one, or none.")


def subject(claims: Mapping[str, object]) -> str:
    """Who the token stands for: `sub`, unless it could be taken for an identity of another source."""
    sub = claims.get("sub")
    if not isinstance(sub, str) or not sub:
        raise CredentialRefused("The bearer token names nobody: its `sub` must be a text that is not empty.")
    if len(sub) > MAX_SUBJECT:
        raise CredentialRefused(f"The bearer token's `sub` is longer than {MAX_SUBJECT} characters.")
    if _UNPRINTABLE.search(sub):
        raise CredentialRefused("The bearer token's `sub` holds control characters or half a character.")
    if sub.startswith(RESERVED_PREFIXES):
        raise CredentialRefused("The bearer token's `sub` begins with a word that this server keeps for itself.")
    return sub


def may_write(claims: Mapping[str, object]) -> bool:
    """Whether the token allows writing, or reading alone; one that carries no scopes at all allows everything.

    Scopes are `scope` (RFC 9068 §2.2.3) or `scp`, as text with spaces between or as a list.

    Raises:
        InsufficientScope: it carries scopes, and none of ours.
    """
    carried = [claims[name] for name in ("scope", "scp") if name in claims]
    granted = {scope for value in carried for scope in _scopes(value)}
    if not carried or WRITE in granted:
        return True
    if READ in granted:
        return False
    raise InsufficientScope(
        f"The bearer token's scopes do not open this memory. Get one with {READ}, or {WRITE} to change things too.",
        scope=" ".join(SCOPES),
    )


def canonical(audience: str) -> str:
    """`audience` without what makes no difference in a URL: case of scheme and host, default port, one end slash."""
    url = _HTTP_URL.fullmatch(audience)
    if not url:
        return audience
    scheme, host, port, path, rest = url.groups(default="")
    scheme = scheme.lower()
    port = "" if port in ("", _DEFAULT_PORTS[scheme]) else f":{port}"
    return f"{scheme}://{host.lower()}{port}{path.removesuffix('/')}{rest}"


def _scopes(value: object) -> Iterable[object]:
    if isinstance(value, str):
        return value.split(" ")
    return (scope for scope in value if isinstance(scope, str)) if isinstance(value, list) else ()


def _time(claims: Mapping[str, object], name: str) -> float | None:
    if name not in claims:
        return None
    value = claims[name]
    # The upper bound keeps out infinity, and the comparison NaN; True is an int in Python.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**53:
        raise CredentialRefused(f"The bearer token's `{name}` must be a number of seconds since 1970.")
    return value
