"""What must be true of every answer, whatever was asked and by whom."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import unquote

from mcp_types.methods import validate_server_result

from remember import Response
from tests.fetch.asgi import Connection
from tests.hostile.calls import STORED
from tests.hostile.planted import CANARIES, SECRETS, Planted
from tests.hostile.requests import Hostile
from tests.protocol.oracle import CODES, ErrorResponse, header
from tests.protocol.requests import BOB
from tests.standins.client import VERSION

STATUSES = {200, 202, 204, 400, 401, 403, 404, 405, 413, 415}
CPU_SECONDS = 1.0


class Records(logging.Handler):
    """Keeps what any logger says, with what it was given to say it from."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(f"{record.getMessage()} {record.args!r} {record.exc_info!r}")


@contextmanager
def listening() -> Iterator[Records]:
    """Every logger's records, down to DEBUG."""
    root, records = logging.getLogger(), Records()
    before = root.level
    root.addHandler(records)
    root.setLevel(logging.DEBUG)
    try:
        yield records
    finally:
        root.setLevel(before)
        root.removeHandler(records)


@dataclass
class Tally:
    """What was seen in a run; of JSON-RPC also the error's code, or the tool's."""

    statuses: Counter[int] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0

    def add(self, other: Tally) -> None:
        self.statuses += other.statuses
        self.codes += other.codes
        self.slowest = max(self.slowest, other.slowest)


class Judge:
    """Sends requests to a server and holds each answer to what every answer must be."""

    def __init__(self, planted: Planted, runner: asyncio.Runner, records: Records) -> None:
        self._planted = planted
        self._runner = runner
        self._records = records
        self.tally = Tally()

    def send(self, request: Hostile) -> Response:
        """The answer, once everything that must be true of it is."""
        self._planted.clock.forward(1)
        self._records.said.clear()
        began = time.process_time()
        response = self._runner.run(_exchange(self._planted.attacker.handler, request))
        spent = time.process_time() - began
        assert spent < CPU_SECONDS, f"{spent:.2f} s"
        self.tally.slowest = max(self.tally.slowest, spent)
        self.tally.statuses[response.status] += 1
        assert response.status in STATUSES, response.body
        self._judge_body(request, response)
        self._judge_silence(request, response)
        return response

    def _judge_body(self, request: Hostile, response: Response) -> None:
        if response.status in (202, 204) or request.method == "HEAD":
            assert response.body == b""
            return
        kind = header(response, "content-type")
        if kind == "text/html; charset=utf-8":
            assert request.method == "GET"
            return
        bodies = [response.body]
        if kind == "text/event-stream":
            bodies = [event.partition(b"data: ")[2] for event in response.body.strip().split(b"\n\n")]
        else:
            assert kind == "application/json"
        for body in bodies:
            self._judge_message(json.loads(body.decode(), parse_constant=_no_constant))

    def _judge_message(self, message: Any) -> None:
        assert isinstance(message, dict)
        assert message.get("id", 0) is not None
        said = "page"
        if "error" in message and "jsonrpc" in message:
            ErrorResponse.model_validate(message)
            assert message["error"]["code"] in CODES
            said = str(message["error"]["code"])
        elif "result" in message:
            result = message["result"]
            if "content" in result:
                validate_server_result("tools/call", VERSION, result)
            said = result.get("_meta", {}).get("code", "result")
            assert said != "TOOL_FAILED", self._records.said
        self.tally.codes[said] += 1

    def _judge_silence(self, request: Hostile, response: Response) -> None:
        """Nobody is shown another's things, and nothing tells a credential; a log tells of nothing at all."""
        owner = request.credential.owner if request.credential else None
        told = response.body.decode("utf-8", "replace") + repr(response.headers)
        logged = "\n".join(self._records.said)
        secrets = [BOB, *SECRETS]
        if request.credential is not None and len(request.credential.text) >= 16:
            secrets.append(request.credential.text[:64])
        _none_of(secrets, told + logged)
        _none_of((canary for name, canary in CANARIES.items() if name != owner), _unasked(told, request))
        _none_of((*CANARIES.values(), STORED), logged)


def _unasked(told: str, request: Hostile) -> str:
    """Nothing of an answer is taken for a leak that its request said itself."""
    for canary in CANARIES.values():
        if canary.encode() in request.body:
            told = told.replace(canary, "")
    return told


def _none_of(words: Iterable[str], text: str) -> None:
    for word in words:
        assert word not in text, f"{word!r} is told"


def _no_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} is no JSON")


async def _exchange(handler: Any, request: Hostile) -> Response:
    """Through the ASGI app that is deployed, with the body in two pieces."""
    half = len(request.body) // 2
    connection = Connection([request.body[:half], request.body[half:]])
    path, _, query = request.path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "https",
        "path": unquote(path),
        "raw_path": path.encode("utf-8", "surrogatepass"),
        "query_string": query.encode("utf-8", "surrogatepass"),
        "root_path": "",
        "headers": request.headers,
        "client": ("203.0.113.7", 50000),
        "server": ("memory.example", 443),
    }
    await handler(scope, connection.receive, connection.send)
    return connection.response
