"""A Redis that fails on demand: passes everything on to a real one, until a command comes that shall go wrong."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from typing import Self

FAULTS = {
    "hang": "never answers",
    "drop": "closes before the command is run",
    "drop-after": "closes after the command was run",
    "cut": "runs the command, and closes in the middle of the answer",
}
"""Faults of the connection. Any other is an answer of its own, a line of Redis' protocol."""


class FaultyRedis:
    """Listens on the running event loop, from `async with` to its end."""

    def __init__(self, port: int, *, tls: ssl.SSLContext | None = None) -> None:
        self._behind = port
        self._tls = tls
        self._open: set[asyncio.StreamWriter] = set()
        self._all_closed = asyncio.Event()
        self._all_closed.set()
        self.faults: list[str] = []
        self.commands = 0
        """How many came that a store's operation is made of."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "localhost", 0, family=socket.AF_INET, ssl=self._tls)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *failure: object) -> None:
        self._server.close()
        self.drop_connections()
        await self._all_closed.wait()

    @property
    def connections(self) -> int:
        return len(self._open)

    def drop_connections(self) -> None:
        """Close them all without a word, as a server does that is started again."""
        for writer in self._open:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        self._all_closed.clear()
        behind_reader, behind = await asyncio.open_connection("127.0.0.1", self._behind)
        try:
            with suppress(OSError):
                while data := await reader.read(1_048_576):
                    if not await self._answer(data, writer, behind_reader, behind):
                        break
        finally:
            for each in (writer, behind):
                each.transport.abort()
                with suppress(OSError):
                    await each.wait_closed()
            self._open.discard(writer)
            if not self._open:
                self._all_closed.set()

    async def _answer(
        self,
        data: bytes,
        writer: asyncio.StreamWriter,
        behind_reader: asyncio.StreamReader,
        behind: asyncio.StreamWriter,
    ) -> bool:
        """Pass a command on, or fail as told. Returns whether another may follow."""
        counts = any(name in data for name in (b"EVAL", b"\r\nGET\r\n"))
        self.commands += counts
        fault = self.faults.pop(0) if counts and self.faults else ""
        if fault in ("hang", "drop"):
            return fault == "hang"
        if fault and fault not in FAULTS:
            writer.write(f"{fault}\r\n".encode("latin-1"))
            return True
        behind.write(data)
        answer = await behind_reader.read(1_048_576)
        if fault != "drop-after":
            writer.write(answer[: len(answer) // 2] if fault == "cut" else answer)
            await writer.drain()
        return not fault
