"""Verifies bearer JWTs: whose they are, if the issuer signed them for this server and they are in force."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from typing import cast

from remember.caller import Caller
from remember.clock import Clock
from remember.errors import ConfigurationError, CredentialRefused
from remember.identity.claims import SCOPES, check_audience, check_issuer, check_times, may_write, subject
from remember.identity.jwks import KeySet
from remember.identity.signing_key import SigningKey
from remember.settings import ALGORITHMS, DEFAULT_ALGORITHMS

MAX_TOKEN = 8192  # characters
MAX_LEEWAY = 60  # seconds that two machines' clocks may differ
MAX_KEYS_TRIED = 8  # for a token that does not say which key it was signed with

_JWT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_NOT_A_TOKEN = "The bearer credential is not a signed token that this server can read."  # noqa: S105  a sentence


def looks_like_jwt(credential: str) -> bool:
    """Whether `credential` has a JWT's outer form, the signature included."""
    return _JWT.fullmatch(credential) is not None


class JwtVerifier:
    """Verifies the tokens of one issuer for the audiences that this server goes by.

    `algorithms` are pinned: the token's header chooses among them and nothing else. Times are judged by `clock`.
    Without `scoped` a token's scopes mean nothing here, as with an issuer that knows none of ours.
    """

    def __init__(
        self,
        issuer: str,
        audience: Sequence[str],
        keys: KeySet,
        algorithms: Sequence[str] = DEFAULT_ALGORITHMS,
        *,
        clock: Clock,
        leeway: float = MAX_LEEWAY,
        scoped: bool = True,
    ) -> None:
        if isinstance(audience, str) or not audience:
            raise ConfigurationError(
                "REMEMBER_AUDIENCE",
                "Tokens need an audience: what they carry as `aud`, usually this server's URL ending in /mcp.",
            )
        if not algorithms or not set(algorithms) <= set(ALGORITHMS):
            raise ConfigurationError("REMEMBER_ALGORITHMS", f"Tokens may be signed with: {', '.join(ALGORITHMS)}.")
        if not 0 <= leeway <= MAX_LEEWAY:
            raise ConfigurationError("leeway", f"leeway must be 0 to {MAX_LEEWAY} seconds; got {leeway!r:.40}.")
        self.issuer = issuer
        self._audience = tuple(audience)
        self._keys = keys
        self._algorithms = tuple(algorithms)
        self._clock = clock
        self._leeway = leeway
        self._scoped = scoped

    @property
    def scopes(self) -> tuple[str, ...]:
        """What a client may ask its authorization server for."""
        return SCOPES if self._scoped else ()

    async def verify(self, token: str) -> Caller:
        """Whom `token` stands for: its `sub`, and what its scopes allow.

        Raises:
            CredentialRefused: it does not identify anybody here.
            InsufficientScope: it has scopes, and none of ours.
            KeysUnavailable: the issuer's keys cannot be had, so nothing can be said about it.
        """
        algorithm, kid = self._header(token)
        claims = await self._keys.open(kid, partial(_signed_claims, token, algorithm))
        if claims is None:
            raise CredentialRefused("The bearer token's signature is not one of this server's issuer.")
        check_issuer(claims, self.issuer)
        check_audience(claims, self._audience)
        check_times(claims, now=self._clock() / 1000, leeway=self._leeway)
        return Caller(subject(claims), may_write=not self._scoped or may_write(claims))

    def _header(self, token: str) -> tuple[str, str | None]:
        """The algorithm and key name that the token's header claims, once both are among the possible ones."""
        if len(token) > MAX_TOKEN or not looks_like_jwt(token):
            raise CredentialRefused(_NOT_A_TOKEN)
        from jwt import PyJWTError, get_unverified_header  # noqa: PLC0415  lazy: only tokens need it

        try:
            header = get_unverified_header(token)
        except (PyJWTError, ValueError, RecursionError):
            raise CredentialRefused(_NOT_A_TOKEN) from None
        algorithm, kid = header.get("alg"), header.get("kid")
        if algorithm not in self._algorithms:
            raise CredentialRefused("The bearer token is signed with an algorithm that this server does not accept.")
        if "crit" in header or "b64" in header:
            raise CredentialRefused("The bearer token asks for an extension that this server does not have.")
        return cast("str", algorithm), cast("str | None", kid)


def _signed_claims(token: str, algorithm: str, keys: Sequence[SigningKey]) -> dict[str, object] | None:
    """What the token says, once one of `keys` has verified its signature; None where none does."""
    from jwt import PyJWTError  # noqa: PLC0415  lazy: only tokens need it
    from jwt.api_jws import decode  # noqa: PLC0415  the signature alone; claims are judged by our own clock

    fitting = [key for key in keys if key.fits(algorithm)][:MAX_KEYS_TRIED]
    for ready in filter(None, (key.ready(algorithm) for key in fitting)):
        try:
            payload = decode(token, ready, algorithms=[algorithm])
        except PyJWTError:
            continue
        try:
            claims = json.loads(payload)
        except (ValueError, RecursionError):
            raise CredentialRefused(_NOT_A_TOKEN) from None
        if not isinstance(claims, dict):
            raise CredentialRefused(_NOT_A_TOKEN)
        return cast("dict[str, object]", claims)
    return None
