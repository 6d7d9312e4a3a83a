"""One HTTP request and its answer within a deadline, over connections that are kept open.

A function in the cloud is frozen between requests and thawed much later, so a kept connection may have been closed
meanwhile: that is noticed before it is used again. A request is sent twice only where that changes nothing.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import h11

from remember.clock import Clock

if TYPE_CHECKING:
    import ssl

MAX_ANSWER = 32 * 1024 * 1024
"""Bytes. The largest page is far below; more is no answer of ours."""

IDLE_MS = 4_000
"""Upstash closes a connection that was idle for 5 s."""

MOST_IDLE = 32
"""Connections kept open for each event loop. More at once are opened as they are needed, and closed after use."""

# Neither of the two opens a file of its own, as epoll would.
_Watch: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)


class NoAnswer(Exception):
    """No answer came that can be used. `sent` is True where the request may have arrived all the same."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer; the names of its headers are in lower case."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


class Transport:
    """Posts to one address. May be used from several event loops, one after the other or at once in threads."""

    def __init__(self, url: str, *, clock: Clock, deadline: float, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._secure else 80)
        self._target = parts.path or "/"
        self._netloc = parts.netloc
        self._clock = clock
        self._deadline = deadline
        self._tls = tls
        self._pools: dict[asyncio.AbstractEventLoop, _Pool] = {}

    async def post(self, headers: dict[str, str], body: bytes, *, repeatable: bool) -> Answer:
        """Send `body` and give the answer. `repeatable`: sending it twice changes nothing.

        Raises:
            NoAnswer: refused, timeout, reset or garbled.
        """
        trial = _Trial(self._request(headers, body), body)
        try:
            async with asyncio.timeout(self._deadline):
                return await self._post(trial, repeatable=repeatable)
        except TimeoutError:
            raise NoAnswer("timeout", sent=trial.sent) from None

    def _request(self, headers: dict[str, str], body: bytes) -> h11.Request:
        own = [("Host", self._netloc), ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        try:
            return h11.Request(method="POST", target=self._target, headers=[*own, *headers.items()])
        except (h11.LocalProtocolError, UnicodeEncodeError):  # a token that no header can carry lets nobody in
            raise NoAnswer("unauthorized", sent=False) from None

    async def close(self) -> None:
        """Close this event loop's connections."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            await pool.life.aclose()

    async def _post(self, trial: _Trial, *, repeatable: bool) -> Answer:
        pool = await self._pool()
        if (kept := pool.take()) is not None:
            try:
                return await self._exchange(trial, kept, pool)
            except NoAnswer as lost:
                # It was closed while the request was on its way, before the server said anything.
                if not repeatable or lost.reason != "reset" or kept.answering:
                    raise
        return await self._exchange(trial, await self._connect(), pool)

    async def _exchange(self, trial: _Trial, connection: _Connection, pool: _Pool) -> Answer:
        try:
            answer = await connection.exchange(trial)
        except BaseException:  # cancelled too: half an answer must not become the next one's beginning
            connection.abort()
            raise
        pool.keep(connection)
        return answer

    async def _connect(self) -> _Connection:
        tls = (self._tls or default_tls()) if self._secure else None
        try:
            reader, writer = await asyncio.open_connection(self._host, self._port, ssl=tls)
        except TimeoutError:
            raise
        except (OSError, ValueError):  # a name that cannot be one is a ValueError
            raise NoAnswer("refused", sent=False) from None
        return _Connection(reader, writer)

    async def _pool(self) -> _Pool:
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            for other in [known for known in self._pools if known.is_closed()]:
                del self._pools[other]
            pool = self._pools[loop] = _Pool(self._clock)
            await anext(pool.life)
        return pool


@cache
def default_tls() -> ssl.SSLContext:
    """The one TLS context of this process: making it reads a hundred certificates."""
    import ssl  # noqa: PLC0415  lazy: http:// does without

    tls = ssl.create_default_context()
    if not tls.cert_store_stats()["x509_ca"]:  # some of the Pythons that platforms bring know no certificates
        import certifi  # noqa: PLC0415  lazy: the system's own come first

        tls.load_verify_locations(certifi.where())
    return tls


@dataclass(slots=True)
class _Trial:
    """A request, and whether a byte of it may have left."""

    request: h11.Request
    body: bytes
    sent: bool = False


class _Pool:
    """One event loop's connections that wait for their next request."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._idle: list[tuple[int, _Connection]] = []
        self._ended = False
        self.life = self._live()

    async def _live(self) -> AsyncGenerator[None]:
        """Closes the connections when the loop ends: asyncio.run ends a loop's asynchronous generators first."""
        try:
            while True:
                yield
        finally:
            self._ended = True
            idle, self._idle = self._idle, []
            for _, connection in idle:
                connection.abort()
            for _, connection in idle:
                await connection.closed()

    def take(self) -> _Connection | None:
        """A connection on which nothing has happened since its last answer, the latest one used."""
        self._drop_old()
        while self._idle:
            _, connection = self._idle.pop()
            if connection.quiet():
                return connection
            connection.abort()
        return None

    def keep(self, connection: _Connection) -> None:
        self._drop_old()
        if not self._ended and len(self._idle) < MOST_IDLE and connection.ready():
            self._idle.append((self._clock(), connection))
        else:
            connection.abort()

    def _drop_old(self) -> None:
        while self._idle and self._clock() - self._idle[0][0] >= IDLE_MS:
            self._idle.pop(0)[1].abort()


class _Connection:
    """An open connection and HTTP/1.1's state on it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)
        self._watch = _Watch()
        self._watch.register(writer.get_extra_info("socket"), selectors.EVENT_READ)
        self.answering = False
        """Whether a byte of an answer has come."""

    async def exchange(self, trial: _Trial) -> Answer:
        """One request and its whole answer.

        Raises:
            NoAnswer: reset or garbled.
        """
        self.answering = False
        trial.sent = True
        http = self._http
        start = http.send(trial.request) or b""
        body = http.send(h11.Data(trial.body)) or b""
        http.send(h11.EndOfMessage())
        try:
            self._writer.write(start + body)
            await self._writer.drain()
            return await self._answer()
        except OSError:
            raise NoAnswer("reset", sent=True) from None
        except h11.RemoteProtocolError:
            raise NoAnswer("reset" if self._reader.at_eof() else "garbled", sent=True) from None

    async def _answer(self) -> Answer:
        status, headers = 0, {}
        parts: list[bytes] = []
        size = 0
        while not isinstance(event := self._http.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                await self._read()
            elif isinstance(event, h11.Response):
                status, headers = event.status_code, dict(event.headers)
            elif isinstance(event, h11.Data):
                size += len(event.data)
                if size > MAX_ANSWER:
                    raise NoAnswer("garbled", sent=True)
                parts.append(bytes(event.data))
        return Answer(status, headers, b"".join(parts))

    async def _read(self) -> None:
        data = await self._reader.read(65_536)
        self.answering = self.answering or bool(data)
        self._http.receive_data(data)

    def ready(self) -> bool:
        """Whether the server lets another request follow; makes HTTP's state new for it."""
        if self._http.their_state is not h11.DONE or self._http.trailing_data[0]:
            return False
        self._http.start_next_cycle()
        return True

    def quiet(self) -> bool:
        """Whether nothing has come since the last answer, neither the connection's end nor stray bytes.

        The socket is asked, as the event loop of a function that was frozen has not looked at it yet.
        """
        if self._writer.is_closing() or self._reader.at_eof():
            return False
        return not self._watch.select(0)

    def abort(self) -> None:
        self._writer.transport.abort()

    async def closed(self) -> None:
        with suppress(OSError):
            await self._writer.wait_closed()
