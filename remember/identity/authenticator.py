"""Who is calling: from the Authorization header to a `Caller`, and from nothing else in the request."""

from __future__ import annotations

from collections.abc import Sequence

from remember.caller import Caller
from remember.clock import Clock
from remember.errors import ConfigurationError, CredentialRefused
from remember.identity.bearer import read_bearer
from remember.identity.jwks import KeySet
from remember.identity.static import StaticKeys
from remember.identity.tokens import JwtVerifier, looks_like_jwt
from remember.settings import Settings

_VARIABLES = (
    "REMEMBER_API_KEYS", "REMEMBER_ISSUER", "REMEMBER_AUDIENCE", "REMEMBER_JWKS_URL", "REMEMBER_ALGORITHMS",
    "REMEMBER_TOKEN_SCOPES", "REMEMBER_ANONYMOUS",
)  # fmt: skip


class Authenticator:
    """Identifies callers by static keys, by an issuer's tokens, or by both; lets strangers in only if told to."""

    def __init__(
        self, *, static: StaticKeys | None = None, jwt: JwtVerifier | None = None, anonymous: bool = False
    ) -> None:
        self._static = static
        self._jwt = jwt
        self._anonymous = anonymous

    @property
    def oauth(self) -> bool:
        """Whether tokens of an authorization server are taken, which clients are then told about."""
        return self._jwt is not None

    @property
    def issuer(self) -> str | None:
        """The authorization server whose tokens are taken."""
        return self._jwt.issuer if self._jwt else None

    @property
    def scopes(self) -> tuple[str, ...]:
        """What a token may be limited to, which clients are told to ask for."""
        return self._jwt.scopes if self._jwt else ()

    @property
    def ways(self) -> tuple[str, ...]:
        """By what callers get in, for `GET /health`; empty where nobody ever can."""
        known = {"static keys": self._static, "bearer tokens": self._jwt, "anonymous": self._anonymous}
        return tuple(way for way, here in known.items() if here)

    async def identify(self, authorization: Sequence[str]) -> Caller:
        """The caller whose Authorization header values these are.

        Raises:
            CredentialRefused: there is none where one is needed, or one that identifies nobody; the latter is never
                taken for a stranger, even where strangers may come in.
            InsufficientScope: it is a good token, for something else.
            KeysUnavailable: it may be good, but the issuer's keys cannot be had.
        """
        credential = read_bearer(authorization)
        if credential is None:
            if self._anonymous:
                return Caller.unknown()
            raise CredentialRefused("This server needs an Authorization header: Bearer <credential>.", presented=False)
        if self._static and (user_id := self._static.find(credential)):
            return Caller(user_id)
        if self._jwt and looks_like_jwt(credential):
            return await self._jwt.verify(credential)
        raise CredentialRefused("The bearer credential is not one that this server knows.")


def open_authenticator(settings: Settings, *, clock: Clock) -> Authenticator:
    """The authenticator that `settings` describe.

    Raises:
        ConfigurationError: what they say about identity is wrong, or nobody could ever get in.
    """
    for problem in settings.problems:
        if problem.variable in _VARIABLES:
            raise problem
    static = StaticKeys.parse(settings.api_keys.reveal()) if settings.api_keys else None
    jwt = _open_verifier(settings, settings.issuer, clock) if settings.issuer else None
    authenticator = Authenticator(static=static, jwt=jwt, anonymous=settings.anonymous)
    if not authenticator.ways:
        raise ConfigurationError(
            "REMEMBER_API_KEYS",
            "Nobody can be identified, so nobody can be let in. Set REMEMBER_API_KEYS to name=key (`remember keygen` "
            "prints a key), or REMEMBER_ISSUER with REMEMBER_AUDIENCE for the tokens of an identity provider, or "
            "REMEMBER_ANONYMOUS=allow to let everybody use the memory that all share.",
        )
    return authenticator


def _open_verifier(settings: Settings, issuer: str, clock: Clock) -> JwtVerifier:
    keys = KeySet(issuer, settings.jwks_url, clock=clock)
    return JwtVerifier(issuer, settings.audience, keys, settings.algorithms, clock=clock, scoped=settings.token_scopes)
