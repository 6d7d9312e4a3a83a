"""A store in a Redis that is reached by its own protocol, through redis-py's asyncio client."""

from __future__ import annotations

import asyncio
import os
from abc import abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import unquote, urlsplit

from remember.clock import Clock
from remember.errors import StoreUnavailable
from remember.settings import STORE_DEADLINE, Secret
from remember.stores.base import DEFAULT_QUOTA, Quota
from remember.stores.scripted import Commands, ScriptedStore, ScriptLost

if TYPE_CHECKING:
    from redis.asyncio import Connection, ConnectionPool, Redis
    from redis.exceptions import RedisError

Read = TypeVar("Read")

MOST_CONNECTIONS = 32
"""Of each event loop; what comes at the same time beyond it waits, within its deadline."""

MESSAGES = {
    "refused": "The Redis store cannot be reached; check its address, and that the server runs.",
    "timeout": "The Redis store did not answer in time; try again in a moment.",
    "reset": "The Redis store broke the connection off; try again.",
    "unauthorized": "The Redis store does not accept the user and password of its address; check them.",
    "read-only": "The Redis store may only be read, by this user or at this replica; use one that may be written.",
    "rate-limited": "The Redis store takes no more connections for now; try again later, or let it take more.",
    "failed": "The Redis store failed at the operation; try again, and look at its log if it goes on.",
    "garbled": "What answered is not a Redis that this store can use; check its address.",
}


class _NativeStore(ScriptedStore):
    """Speaks over one connection of a pool at a time, so that nothing is ever sent twice.

    redis-py's own `execute_command` repeats a write whose answer was lost, and does not say whether it was sent.
    """

    lasting: ClassVar[bool] = True
    home: ClassVar[None] = None

    def __init__(self, *, clock: Clock, deadline: float, quota: Quota, random_bytes: Callable[[int], bytes]) -> None:
        super().__init__(clock=clock, quota=quota, random_bytes=random_bytes)
        self._deadline = deadline

    @abstractmethod
    async def _pool(self) -> ConnectionPool:
        """The running event loop's connections."""

    async def _attempt(self, work: Callable[[Commands], Awaitable[Read]], *, writes: bool) -> Read:
        """Nothing of the server's own text is in the StoreUnavailable."""
        from redis.exceptions import RedisError  # noqa: PLC0415  lazy: 100 ms, and not every store needs it

        native = _Native(await self._pool())
        try:
            async with asyncio.timeout(self._deadline):
                return await work(native)
        except TimeoutError:
            reason, sent = "timeout", native.sent
        except RedisError as error:
            reason, sent = reason_of(error, sent=native.sent)
        except OSError:
            reason, sent = ("reset" if native.sent else "refused"), native.sent
        except ValueError:
            reason, sent = "garbled", native.sent
        except RuntimeError:  # asyncio's, for a client of the caller's that another event loop has used
            reason, sent = "failed", native.sent
        raise StoreUnavailable(reason, MESSAGES[reason], maybe_applied=writes and sent)


class RedisStore(_NativeStore):
    """Entries in the Redis at an address, with connections of our own for each event loop.

    Nothing is imported or connected before the first operation. `url` is one that `settings.is_redis_url` knows.
    """

    name: ClassVar[str] = "redis"

    def __init__(
        self,
        url: Secret,
        *,
        clock: Clock,
        deadline: float = STORE_DEADLINE,
        quota: Quota = DEFAULT_QUOTA,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        super().__init__(clock=clock, deadline=deadline, quota=quota, random_bytes=random_bytes)
        self._url = url
        self._lives: dict[asyncio.AbstractEventLoop, tuple[ConnectionPool, AsyncGenerator[None]]] = {}

    async def close(self) -> None:
        """Close this event loop's connections."""
        _, life = self._lives.pop(asyncio.get_running_loop(), (None, None))
        if life is not None:
            await life.aclose()

    async def _pool(self) -> ConnectionPool:
        loop = asyncio.get_running_loop()
        if loop not in self._lives:
            for other in [known for known in self._lives if known.is_closed()]:
                del self._lives[other]
            pool = open_pool(self._url)
            self._lives[loop] = pool, _live(pool)
            await anext(self._lives[loop][1])
        return self._lives[loop][0]


class RedisClientStore(_NativeStore):
    """Entries in a Redis that the caller's own client reaches; who made the client closes it."""

    name: ClassVar[str] = "redis-client"

    def __init__(
        self,
        client: Redis,
        *,
        clock: Clock,
        deadline: float = STORE_DEADLINE,
        quota: Quota = DEFAULT_QUOTA,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        super().__init__(clock=clock, deadline=deadline, quota=quota, random_bytes=random_bytes)
        self._client = client

    async def close(self) -> None:
        """Leave the client as it is."""

    async def _pool(self) -> ConnectionPool:
        return self._client.connection_pool


class _Native:
    """The commands of one operation; `sent` tells whether any of them may have arrived."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool
        self.sent = False

    async def get(self, key: str) -> object:
        return await self._ask("GET", key)

    async def eval(self, script: str, keys: list[str], args: list[str]) -> object:
        return await self._ask("EVAL", script, str(len(keys)), *keys, *args)

    async def evalsha(self, sha: str, keys: list[str], args: list[str]) -> object:
        from redis.exceptions import NoScriptError  # noqa: PLC0415  lazy: as above

        try:
            return await self._ask("EVALSHA", sha, str(len(keys)), *keys, *args)
        except NoScriptError:
            self.sent = False
            raise ScriptLost from None

    async def _ask(self, *command: str) -> object:
        connection: Connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            self.sent = True
            await connection.send_command(*command)
            return decoded(await connection.read_response(disable_decoding=True))
        finally:
            await self._pool.release(connection)


def open_pool(url: Secret) -> ConnectionPool:
    """Connections to an address, made as they are needed, that never repeat anything by themselves."""
    from redis.asyncio import BlockingConnectionPool, Connection, SSLConnection  # noqa: PLC0415  lazy: as above
    from redis.asyncio.retry import Retry  # noqa: PLC0415  lazy: as above
    from redis.backoff import NoBackoff  # noqa: PLC0415  lazy: as above

    parts = urlsplit(url.reveal())
    return BlockingConnectionPool(
        connection_class=SSLConnection if parts.scheme == "rediss" else Connection,
        max_connections=MOST_CONNECTIONS,
        timeout=None,
        host=parts.hostname,
        port=parts.port or 6379,
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        db=int(parts.path.strip("/") or 0),
        protocol=2,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=None,
        socket_connect_timeout=None,
    )


async def _live(pool: ConnectionPool) -> AsyncGenerator[None]:
    """Closes the connections when the loop ends: asyncio.run ends a loop's asynchronous generators first."""
    from redis.exceptions import RedisError  # noqa: PLC0415  lazy: as above

    try:
        yield
    finally:
        with suppress(RedisError, OSError):
            await pool.disconnect()


def decoded(reply: object) -> object:
    """An answer with its bytes as text.

    Raises:
        ValueError: they are none.
    """
    if isinstance(reply, bytes):
        return reply.decode()
    return [decoded(part) for part in reply] if isinstance(reply, list) else reply


def reason_of(error: RedisError, *, sent: bool) -> tuple[str, bool]:
    """A StoreUnavailable's reason for what redis-py raised, and whether something may have been written."""
    from redis import exceptions as redis  # noqa: PLC0415  lazy: as above

    reasons: dict[type[Any] | tuple[type[Any], ...], tuple[str, bool]] = {
        (redis.AuthenticationError, redis.AuthorizationError): ("unauthorized", False),
        (redis.NoPermissionError, redis.ReadOnlyError): ("read-only", False),
        redis.MaxConnectionsError: ("rate-limited", False),
        redis.BusyLoadingError: ("failed", False),
        redis.TimeoutError: ("timeout", sent),
        redis.InvalidResponse: ("garbled", sent),
        redis.ConnectionError: ("reset" if sent else "refused", sent),
    }
    other = ("failed" if sent else "refused", sent)  # refused: no database of this number, for instance
    return next((reason for kinds, reason in reasons.items() if isinstance(error, kinds)), other)
