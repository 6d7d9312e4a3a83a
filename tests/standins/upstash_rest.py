"""Upstash's REST API before a real Redis, as far as Remember uses it, with faults on demand.

Runs in a thread of its own. It knows `POST /` with one command, bearer tokens (one that may write, one that may
only read), errors as status 400 with `{"error": …}`, sync tokens, and chunked answers. `faults` holds what goes wrong
with the next requests; see `FAULTS`.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from contextlib import suppress
from typing import Any, Self

import h11
from redis.asyncio import Connection
from redis.exceptions import RedisError

from tests.standins.redis_server import RedisServer, free_port

FAULTS = {
    "hang": "never answers",
    "drop": "closes before the command is run",
    "drop-after": "closes after the command was run",
    "cut": "runs the command, and closes in the middle of the answer",
    "close-later": "answers and keeps the connection, then closes it without a word",
}
"""Faults of the connection. Any other is an answer of its own: `<status> <body>`."""

READS = frozenset({"GET", "MGET", "EXISTS", "ZRANGE", "ZRANGEBYSCORE", "PING"})
ERROR_NAMES = {"NoScriptError": "NOSCRIPT", "ReadOnlyError": "READONLY", "ResponseError": "ERR"}


class UpstashRest:
    """The stand-in; `start` and `stop` it as often as you like, it keeps its port."""

    def __init__(self, redis: RedisServer, *, tls: ssl.SSLContext | None = None) -> None:
        self.redis = redis
        self.token = "made-up-token-that-may-write"
        self.read_only_token = "made-up-token-that-may-read"
        self.port = free_port()
        self.url = f"{'https' if tls else 'http'}://localhost:{self.port}"
        self.faults: list[str] = []
        self.requests: list[list[Any]] = []
        self.headers: list[dict[bytes, bytes]] = []
        self.connections = 0
        self.open: set[asyncio.StreamWriter] = set()
        self.all_closed = threading.Event()
        self.chunked = False
        self._tls = tls

    def start(self) -> Self:
        started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("the REST stand-in did not start")
        return self

    def stop(self) -> None:
        """Close the port and every connection at once, as a killed server does."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def reset(self) -> None:
        """Forget what was asked so far, and all faults; Redis' counters start again."""
        self.faults.clear()
        self.requests.clear()
        self.headers.clear()
        self.connections = 0
        self.chunked = False
        self.redis.admin.config_resetstat()

    def commands(self) -> dict[str, int]:
        """How often Redis ran each command since `reset`, those inside scripts too: what Upstash bills."""
        counts = {
            name.removeprefix("cmdstat_"): said["calls"] for name, said in self.redis.admin.info("commandstats").items()
        }
        ours = ("eval", "evalsha", "config|resetstat", "info")  # the scripts' shells, and this counting itself
        return {name: calls for name, calls in counts.items() if name not in ours}

    def _run(self, started: threading.Event) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve(started))

    async def _serve(self, started: threading.Event) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connected, "localhost", self.port, ssl=self._tls)
        started.set()
        await self._stop.wait()
        server.close()
        for writer in self.open:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open.add(writer)
        self.all_closed.clear()
        try:
            await _Talk(self, reader, writer).run()
        except (OSError, h11.RemoteProtocolError):
            pass  # the client went away
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()
            self.open.discard(writer)
            if not self.open:
                self.all_closed.set()

    async def answer(self, headers: dict[bytes, bytes], body: bytes, redis: Connection) -> tuple[int, object]:
        """The status and what to say to one request."""
        token = headers.get(b"authorization", b"").decode().removeprefix("Bearer ")
        if token not in (self.token, self.read_only_token):
            return 401, {"error": f"WRONGPASS invalid or missing auth token, command was: {body.decode()}"}
        command = json.loads(body)
        name = str(command[0]).upper()
        if token == self.read_only_token and name not in READS:
            return 400, {"error": f"NOPERM this user has no permissions to run the '{name.lower()}' command"}
        return await ask(redis, command)


async def ask(redis: Connection, command: list[Any]) -> tuple[int, object]:
    """What Redis says, and the status that Upstash gives with it."""
    try:
        await redis.send_command(*command)
        return 200, {"result": await redis.read_response()}
    except RedisError as error:
        name, said = ERROR_NAMES.get(type(error).__name__, "ERR"), str(error)
        return 400, {"error": said if said.split(" ", maxsplit=1)[0].isupper() else f"{name} {said}"}


class _Talk:
    """One connection's requests and answers."""

    def __init__(self, stand_in: UpstashRest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.stand_in = stand_in
        self.reader = reader
        self.writer = writer
        self.http = h11.Connection(h11.SERVER)
        self.redis = Connection(port=stand_in.redis.port, protocol=2, decode_responses=True)

    async def run(self) -> None:
        try:
            await self._talk()
        finally:
            await self.redis.disconnect()

    async def _talk(self) -> None:
        while (asked := await self._request()) is not None:
            headers, body = asked
            self.stand_in.requests.append(json.loads(body))
            self.stand_in.headers.append(headers)
            fault = self.stand_in.faults.pop(0) if self.stand_in.faults else ""
            if not await self._respond(fault, headers, body):
                return
            self.http.start_next_cycle()

    async def _request(self) -> tuple[dict[bytes, bytes], bytes] | None:
        headers: dict[bytes, bytes] = {}
        body = b""
        while not isinstance(event := await self._event(), h11.EndOfMessage):
            if isinstance(event, h11.ConnectionClosed):
                return None
            if isinstance(event, h11.Request):
                headers = dict(event.headers)
            elif isinstance(event, h11.Data):
                body += event.data
        return headers, body

    async def _event(self) -> object:
        while (event := self.http.next_event()) is h11.NEED_DATA:
            self.http.receive_data(await self.reader.read(65_536))
        return event

    async def _respond(self, fault: str, headers: dict[bytes, bytes], body: bytes) -> bool:
        """Answer, or fail as told. Returns whether another request may follow."""
        if fault == "hang":
            await self.reader.read()
        if fault in ("hang", "drop"):
            return False
        status, said = await self.stand_in.answer(headers, body, self.redis)
        if fault == "drop-after":
            return False
        raw = json.dumps(said).encode()
        if fault not in FAULTS and fault:
            code, _, text = fault.partition(" ")
            status, raw = int(code), text.encode()
        await self._send(status, raw, cut=fault == "cut")
        return fault not in ("cut", "close-later")

    async def _send(self, status: int, body: bytes, *, cut: bool) -> None:
        length = ("Transfer-Encoding", "chunked") if self.stand_in.chunked else ("Content-Length", str(len(body)))
        token = ("Upstash-Sync-Token", f"token-{len(self.stand_in.requests)}")
        start = self.http.send(h11.Response(status_code=status, headers=[length, token])) or b""
        if cut:
            self.writer.write(start + (self.http.send(h11.Data(body[: len(body) // 2])) or b""))
            self.writer.close()
            await self.writer.wait_closed()
        else:
            whole = [self.http.send(event) or b"" for event in (h11.Data(body), h11.EndOfMessage())]
            self.writer.write(b"".join([start, *whole]))
            await self.writer.drain()
