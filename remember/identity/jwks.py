"""The identity provider's signing keys: fetched when needed, kept for a while, shared by all requests.

A fetch that fails leaves the old keys in use for a day. Tokens that nobody vouches for cannot make the server
fetch more often than once in a cool-down. Nothing here outlives the event loop that it belongs to but the keys.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar, cast
from urllib.parse import urlsplit

from remember.clock import Clock
from remember.errors import ConfigurationError, KeysUnavailable
from remember.flight import Flight
from remember.identity.download import FetchFailed, download
from remember.identity.signing_key import SigningKey
from remember.settings import is_web_url

T = TypeVar("T")

Fetch = Callable[[str], Awaitable[bytes]]
"""Gives the document at a URL, or raises an OSError."""

LIFE = 10 * 60_000  # milliseconds, as all of these
MAX_STALE = 24 * 60 * 60_000
LOOK_AGAIN_COOL_DOWN = 30_000
FAILURE_COOL_DOWN = 5_000
DEADLINE = 3.0  # seconds for one refresh: discovery and keys together
MAX_KEYS = 100

_logger = logging.getLogger(__name__)


class KeySet:
    """The signing keys of one issuer, from `jwks_url` or from where the issuer's discovery document says."""

    def __init__(
        self,
        issuer: str,
        jwks_url: str | None = None,
        *,
        clock: Clock,
        fetch: Fetch | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        for variable, url in (("REMEMBER_ISSUER", issuer), ("REMEMBER_JWKS_URL", jwks_url or issuer)):
            if not is_web_url(url):
                message = f"{variable} must be an https:// URL (http:// only for this machine)."
                raise ConfigurationError(variable, message)
        self._issuer = issuer
        self._jwks_url = jwks_url
        self._clock = clock
        self._fetch: Fetch = fetch or partial(download, deadline=deadline)
        self._deadline = deadline
        self._keys: tuple[SigningKey, ...] = ()
        self._fetched_at: int | None = None
        self._failed_at: int | None = None
        self._looked_again_at: int | None = None
        self._flight = Flight(self._load)

    async def open(self, kid: str | None, use: Callable[[Sequence[SigningKey]], T | None]) -> T | None:
        """What `use` makes of the keys called `kid`, of all of them for None.

        The provider is asked once more for a name that is unknown, and without a name where no key was of use: a new
        key signs tokens from the moment on in which it is published.

        Raises:
            KeysUnavailable: there are none, and none can be had.
        """
        before = self._fetched_at
        keys = _named(kid, await self._current())
        made = use(keys)
        worth_it = made is None and (kid is None or not keys)
        if worth_it and self._fetched_at == before and self._may_look_again():
            self._looked_again_at = self._clock()
            await self._flight.join()
            made = use(_named(kid, self._keys))
        return made

    async def _current(self) -> tuple[SigningKey, ...]:
        failed = self._since(self._failed_at, FAILURE_COOL_DOWN)
        if not self._since(self._fetched_at, LIFE) and (self._flight.under_way or not failed):
            await self._flight.join()
        if not self._since(self._fetched_at, MAX_STALE):
            seconds = self._retry_after()
            raise KeysUnavailable(
                f"The identity provider's signing keys cannot be fetched now. Try again in {seconds} seconds.",
                retry_after=seconds,
            )
        return self._keys

    def _may_look_again(self) -> bool:
        """Whether an unknown key is worth a fetch now; joining one that is under way costs nothing."""
        if self._flight.under_way:
            return True
        looked = self._since(self._looked_again_at, LOOK_AGAIN_COOL_DOWN)
        return not looked and not self._since(self._failed_at, FAILURE_COOL_DOWN)

    def _since(self, then: int | None, span: int) -> bool:
        """Whether less than `span` has passed since `then`."""
        return then is not None and 0 <= self._clock() - then < span

    def _retry_after(self) -> int:
        """Whole seconds until the next fetch may be tried."""
        if not self._since(self._failed_at, FAILURE_COOL_DOWN):
            return 1
        left = FAILURE_COOL_DOWN - (self._clock() - (self._failed_at or 0))
        return -(-left // 1000)

    async def _load(self) -> None:
        try:
            async with asyncio.timeout(self._deadline):
                keys = await self._published_keys()
        except OSError as exc:
            self._failed_at = self._clock()
            reason = str(exc) if isinstance(exc, FetchFailed) else type(exc).__name__
            _logger.warning("The identity provider's signing keys could not be fetched: %s.", reason)
        else:
            self._keys, self._fetched_at, self._failed_at = keys, self._clock(), None

    async def _published_keys(self) -> tuple[SigningKey, ...]:
        listed = _object(await self._fetch(self._jwks_url or await self._discover())).get("keys")
        jwks = listed[:MAX_KEYS] if isinstance(listed, list) else ()
        keys = tuple(SigningKey(jwk) for jwk in jwks if isinstance(jwk, dict))
        if not keys:
            raise FetchFailed("it published no keys")
        return keys

    async def _discover(self) -> str:
        """Where the issuer says its keys are: OpenID Connect Discovery first, then RFC 8414."""
        try:
            return await self._jwks_url_at(self._issuer.rstrip("/") + "/.well-known/openid-configuration")
        except OSError:
            url = urlsplit(self._issuer)
            path = "/.well-known/oauth-authorization-server" + url.path.rstrip("/")
            return await self._jwks_url_at(f"{url.scheme}://{url.netloc}{path}")

    async def _jwks_url_at(self, metadata_url: str) -> str:
        metadata = _object(await self._fetch(metadata_url))
        if metadata.get("issuer") != self._issuer:
            raise FetchFailed("its discovery document names another issuer than REMEMBER_ISSUER")
        url = metadata.get("jwks_uri")
        if not isinstance(url, str) or not is_web_url(url):
            raise FetchFailed("its discovery document names no https:// address of keys")
        return url


def _named(kid: str | None, keys: tuple[SigningKey, ...]) -> tuple[SigningKey, ...]:
    return tuple(key for key in keys if kid is None or key.kid == kid)


def _object(document: bytes) -> dict[str, object]:
    try:
        value = json.loads(document)
    except (ValueError, RecursionError):
        raise FetchFailed("it answered with something that is not JSON") from None
    if not isinstance(value, dict):
        raise FetchFailed("it answered with something that is not a JSON object")
    return cast("dict[str, object]", value)
