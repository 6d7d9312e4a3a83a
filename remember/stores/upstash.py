"""A store at Upstash, over its REST API: one request an operation, and a clear word when there is no answer."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar
from urllib.parse import urlsplit

from remember.clock import Clock
from remember.errors import StoreUnavailable
from remember.settings import STORE_DEADLINE, Secret
from remember.stores.base import DEFAULT_QUOTA, Quota
from remember.stores.scripted import Commands, ScriptedStore, ScriptLost

if TYPE_CHECKING:
    import ssl

    from remember.stores.rest_client import RestClient

Read = TypeVar("Read")

MESSAGES = {
    "refused": "The memory store cannot be reached; check KV_REST_API_URL, and that the database still exists.",
    "timeout": "The memory store did not answer in time; try again in a moment.",
    "reset": "The memory store broke the connection off; try again.",
    "unauthorized": "The memory store does not accept its token; check KV_REST_API_TOKEN.",
    "read-only": "The memory store's token may only read; set KV_REST_API_TOKEN to the one that may write.",
    "rate-limited": "The memory store takes no more requests for now; try again later, or raise its plan's limit.",
    "failed": "The memory store failed at the operation; try again, and look at its console if it goes on.",
    "garbled": "What answered is not the memory store's REST API; check KV_REST_API_URL.",
}

# How Redis' and Upstash's own errors begin, for the reasons that an owner can do something about.
REFUSALS = {
    "NOPERM": "read-only",
    "READONLY": "read-only",
    "WRONGPASS": "unauthorized",
    "NOAUTH": "unauthorized",
    "ERR max daily request limit": "rate-limited",
    "ERR max requests limit": "rate-limited",
}


class UpstashStore(ScriptedStore):
    """Entries in a Redis behind Upstash's REST API. Nothing is imported or connected before the first operation."""

    name: ClassVar[str] = "upstash"
    lasting: ClassVar[bool] = True
    home: ClassVar[None] = None

    def __init__(
        self,
        url: str,
        token: Secret,
        *,
        clock: Clock,
        deadline: float = STORE_DEADLINE,
        quota: Quota = DEFAULT_QUOTA,
        random_bytes: Callable[[int], bytes] = os.urandom,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        locking = (urlsplit(url).hostname or "").endswith(".upstash.io")
        super().__init__(clock=clock, quota=quota, random_bytes=random_bytes, key_locking=locking)
        self._url = url
        self._token = token
        self._deadline = deadline
        self._tls = tls
        self._client: RestClient | None = None

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _attempt(self, work: Callable[[Commands], Awaitable[Read]], *, writes: bool) -> Read:
        """Nothing of the server's own text is in the StoreUnavailable."""
        from upstash_redis.errors import UpstashError  # noqa: PLC0415  lazy: imports httpx

        from remember.stores.transport import NoAnswer  # noqa: PLC0415  lazy: imports h11

        try:
            return await work(_Rest(self._open()))
        except NoAnswer as error:
            reason, sent = error.reason, error.sent
        except UpstashError as error:
            reason, sent = reason_of(str(error))
        except ValueError:
            reason, sent = "garbled", True
        raise StoreUnavailable(reason, MESSAGES[reason], maybe_applied=writes and sent)

    def _open(self) -> RestClient:
        from remember.stores.rest_client import RestClient  # noqa: PLC0415  lazy: imports httpx
        from remember.stores.transport import Transport  # noqa: PLC0415  lazy: imports h11

        if self._client is None:
            transport = Transport(self._url, clock=self._clock, deadline=self._deadline, tls=self._tls)
            self._client = RestClient(transport, self._token)
        return self._client


class _Rest:
    """The commands, over REST."""

    def __init__(self, client: RestClient) -> None:
        self._client = client

    async def get(self, key: str) -> object:
        return await self._client.get(key)

    async def eval(self, script: str, keys: list[str], args: list[str]) -> object:
        return await self._client.eval(script, keys, args)

    async def evalsha(self, sha: str, keys: list[str], args: list[str]) -> object:
        from upstash_redis.errors import UpstashError  # noqa: PLC0415  lazy: imports httpx

        try:
            return await self._client.evalsha(sha, keys, args)
        except UpstashError as error:
            if str(error).startswith("NOSCRIPT"):
                raise ScriptLost from None
            raise


def reason_of(said: str) -> tuple[str, bool]:
    """The reason for an error that Redis gave, and whether something may have been written before it."""
    for beginning, reason in REFUSALS.items():
        if said.startswith(beginning):
            return reason, False
    return "failed", True
