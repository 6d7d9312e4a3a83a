"""A store at Upstash, over its REST API: one request an operation, and a clear word when there is no answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from remember.clock import Clock
from remember.errors import StoreUnavailable
from remember.keys import Place, Shelf
from remember.settings import STORE_DEADLINE, Secret
from remember.stores import scripts
from remember.stores.base import Page, Swap

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


class UpstashStore:
    """Entries in a Redis behind Upstash's REST API. Nothing is imported or connected before the first operation."""

    name: ClassVar[str] = "upstash"
    lasting: ClassVar[bool] = True

    def __init__(
        self,
        url: str,
        token: Secret,
        *,
        clock: Clock,
        deadline: float = STORE_DEADLINE,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._url = url
        self._token = token
        self._clock = clock
        self._deadline = deadline
        self._tls = tls
        self._key_locking = (urlsplit(url).hostname or "").endswith(".upstash.io")
        self._client: RestClient | None = None
        self._known: set[str] = set()
        """Scripts that the server has been sent whole."""

    async def get(self, key: str) -> str | None:
        return await self._ask(lambda client: client.get(key), scripts.read_text, writes=False)

    async def put(self, place: Place, text: str, expires_at: int | None) -> bool:
        return await self._run(scripts.put(place, text, expires_at, now=self._clock()), scripts.read_count) > 0

    async def remove(self, place: Place) -> str | None:
        return await self._run(scripts.remove(place), scripts.read_text)

    async def swap(self, place: Place, expected: str | None, text: str, expires_at: int | None) -> Swap:
        call = scripts.swap(place, expected, text, expires_at, now=self._clock())
        return await self._run(call, scripts.read_swap)

    async def page(self, shelf: Shelf, *, after: str | None, pattern: str, limit: int) -> Page:
        call = scripts.page(shelf, after=after, pattern=pattern, limit=limit, now=self._clock())
        return await self._run(call, scripts.read_page, writes=False)

    async def wipe(self, shelf: Shelf) -> int:
        return await self._run(scripts.wipe(shelf), scripts.read_count)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _run(self, call: scripts.Call, read: Callable[[object], Read], *, writes: bool = True) -> Read:
        """Run a script: by its sha where the server has been sent it, and whole where it has not, or has lost it."""
        script = call.script.locking if self._key_locking else call.script
        keys, args = list(call.keys), list(call.args)

        async def ask(client: RestClient) -> object:
            from upstash_redis.errors import UpstashError  # noqa: PLC0415  lazy: imports httpx

            if script.sha in self._known:
                try:
                    return await client.evalsha(script.sha, keys, args)
                except UpstashError as error:
                    if not str(error).startswith("NOSCRIPT"):
                        raise
            answer: object = await client.eval(script.text, keys, args)
            self._known.add(script.sha)
            return answer

        return await self._ask(ask, read, writes=writes)

    async def _ask(
        self, ask: Callable[[RestClient], Awaitable[Any]], read: Callable[[object], Read], *, writes: bool
    ) -> Read:
        """Whatever goes wrong becomes one StoreUnavailable, with nothing of the server's own text in it."""
        from upstash_redis.errors import UpstashError  # noqa: PLC0415  lazy: imports httpx

        from remember.stores.transport import NoAnswer  # noqa: PLC0415  lazy: imports h11

        try:
            return read(await ask(self._open()))
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


def reason_of(said: str) -> tuple[str, bool]:
    """The reason for an error that Redis gave, and whether something may have been written before it."""
    for beginning, reason in REFUSALS.items():
        if said.startswith(beginning):
            return reason, False
    return "failed", True
