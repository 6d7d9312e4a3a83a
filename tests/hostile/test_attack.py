"""Hostile requests by the hundred with every run of the tests; `python -m tests.hostile` sends them by the thousand."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from remember import Request, Response
from remember.settings import MAX_BODY_BYTES
from remember.stores.memory import MemoryStore
from tests.hostile.attack import Kind, attack
from tests.hostile.credentials import Credential, credentials, good_token
from tests.hostile.judging import CPU_SECONDS, Judge, listening
from tests.hostile.planted import CANARIES, Planted, plant
from tests.hostile.requests import Hostile
from tests.identity.issuer import MovedClock
from tests.protocol.requests import BOB, call, post
from tests.standins.client import Client

COUNT = int(os.environ.get("HOSTILE_REQUESTS", "300"))
MEGABYTE = 1024 * 1024
QUARTER = MEGABYTE // 4


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_hostile_requests_get_nowhere(kind: Kind) -> None:
    """Each is answered as it must be, and Bob has afterwards what he had; HOSTILE_REQUESTS says how many."""
    tally = attack(kind, COUNT, 7)
    assert tally.statuses.total() == COUNT
    assert {200, 400, 401, 403} <= set(tally.statuses)
    assert tally.codes["result"] > COUNT / 10


# --- what the judge does not let pass --------------------------------------------------------------------------------

GOOD = b'{"jsonrpc":"2.0","id":1,"result":{}}'
ANA = Credential(good_token(), "ana")


def serving(make: Callable[[], Response]) -> Any:
    """A server that answers whatever a test wants."""

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        response = make()
        headers = [(name.encode(), value.encode()) for name, value in response.headers]
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})

    return app


def judged(make: Callable[[], Response], credential: Credential | None = ANA) -> Response:
    """What the judge lets pass."""
    client = Client(serving(make))
    with listening() as records, asyncio.Runner() as runner:
        judge = Judge(Planted(MovedClock(), client, client), runner, records)
        return judge.send(Hostile("POST", "/mcp", (), b"", credential))


def answer(body: bytes, status: int = 200, **headers: str) -> Callable[[], Response]:
    named = {"content-type": "application/json", **headers}
    return lambda: Response(status, tuple(named.items()), body)


def logging_first(words: str) -> Callable[[], Response]:
    def say() -> Response:
        logging.getLogger("some.library").debug("it said %s", words)
        return answer(GOOD)()

    return say


def working(seconds: float) -> Callable[[], Response]:
    def work() -> Response:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return answer(GOOD)()

    return work


def _crash() -> Response:
    raise RuntimeError("unhandled")


LEAK = f'{{"jsonrpc":"2.0","id":1,"result":{{"value":"{CANARIES["bob"]}"}}}}'.encode()
LET_THROUGH: dict[str, Callable[[], Response]] = {
    "a failure": answer(GOOD, 500),
    "an exception": _crash,
    "no JSON": answer(b"<html>"),
    "NaN": answer(b'{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}'),
    "an id of null": answer(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}'),
    "a code of nobody's": answer(b'{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"x"}}'),
    "a tool that failed": answer(b'{"jsonrpc":"2.0","id":1,"result":{"_meta":{"code":"TOOL_FAILED"}}}'),
    "another's text": answer(LEAK),
    "another's text in a header": answer(GOOD, x=CANARIES["bob"]),
    "the credential": answer(GOOD, x=good_token()),
    "another's key in a log": logging_first(BOB),
    "one's own text in a log": logging_first(CANARIES["ana"]),
    "a second of work": working(CPU_SECONDS + 0.1),
}


@pytest.mark.parametrize("spoiled", LET_THROUGH.values(), ids=list(LET_THROUGH))
def test_the_judge_lets_nothing_bad_pass(spoiled: Callable[[], Response]) -> None:
    """A fuzz run that cannot fail would prove nothing."""
    with pytest.raises((AssertionError, RuntimeError, ValueError)):
        judged(spoiled)


def test_the_judge_lets_good_answers_pass() -> None:
    """One's own text among them, and another's for him."""
    judged(answer(GOOD))
    judged(answer(LEAK), Credential(BOB, "bob"))


def test_the_bad_credentials_are_nobody_s() -> None:
    """Each that the attack takes for refused is refused, and the good ones are let in."""
    client = plant(MemoryStore(MovedClock()), MovedClock()).attacker
    for credential in credentials():
        status = Client(client.handler, credential.text).rpc("tools/list").status
        assert status == 200 if credential.owner else status in (401, 403), credential.text[:80]


# --- memory ----------------------------------------------------------------------------------------------------------

LARGE = MAX_BODY_BYTES - 200
BODIES = {
    "a list of numbers": b"[" + b"1," * (LARGE // 2) + b"1]",
    "a list of lists": b"[" + b"[]," * (LARGE // 3) + b"[]]",
    "a list of objects": b"[" + b"{}," * (LARGE // 3) + b"{}]",
    "open brackets": b"[" * LARGE,
    "one text": b'"' + b"x" * LARGE + b'"',
    "escapes": b'"' + b"\\u0001" * (LARGE // 6) + b'"',
    "a call with a large value": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b'{"a":1,' * 99 + b"1",
    "one large argument": post(call("recall", key="x" * (LARGE - 400))).body or b"",
    "many names": b"{" + b",".join(b'"%d":1' % number for number in range(LARGE // 12)) + b"}",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_e18_a_body_of_the_limit_costs_bounded_memory_and_leaves_nothing(body: bytes) -> None:
    """E18: some 40 times its size while it is read, under a second of work, and nothing afterwards."""
    planted = plant(MemoryStore(MovedClock()), MovedClock())
    client = planted.attacker
    sent = post(body, {"mcp-method": "tools/call", "mcp-name": "recall"}, key=client.key)

    def serve() -> None:
        assert client.send(Request("POST", "/mcp", sent.headers, body)).status in (200, 400)

    serve()
    began = time.process_time()
    serve()
    assert time.process_time() - began < CPU_SECONDS
    gc.collect()
    tracemalloc.start()
    try:
        serve()
        gc.collect()
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * len(body) + MEGABYTE
    assert left < MEGABYTE / 4


def test_the_garbage_collector_is_left_as_it_was() -> None:
    """Also where the body turns out to be no JSON."""
    client = plant(MemoryStore(MovedClock()), MovedClock()).attacker
    for body in (BODIES["a list of lists"], BODIES["open brackets"]):
        client.send(post(body, key=client.key))
        assert gc.isenabled()


HUGE = {
    "lists": "[" + "[]," * (QUARTER // 4) + "[]]",
    "lists with something in them": "[" + "[1]," * (QUARTER // 5) + "[1]]",
    "objects": "[" + "{}," * (QUARTER // 4) + "{}]",
    "numbers": "[" + "1.5," * (QUARTER // 5) + "1.5]",
    "texts": "[" + '"",' * (QUARTER // 4) + '""]',
    "names": "{" + ",".join(f'"{number}":1' for number in range(QUARTER // 13)) + "}",
    "one text": '"' + "ab " * (QUARTER // 4) + '"',
    "escapes": '"' + "\\u202e" * (QUARTER // 7) + '"',
    "a list as text": json.dumps("[" + "[]," * (QUARTER // 4) + "[]]"),
    "digits": "9" * 4_000,
}
PLACES = [
    ("remember_this", "value"), ("recall", "key"), ("engram_remember", "content"), ("engram_remember", "tags"),
    ("engram_recall", "query"), ("engram_recall", "time_filter"), ("engram_forget", "memory_ids"),
    ("list_memories", "surplus"), ("forget_all", "confirmation"),
]  # fmt: skip


@pytest.fixture(scope="module")
def attacker() -> Client:
    return plant(MemoryStore(MovedClock()), MovedClock()).attacker


@pytest.mark.parametrize("huge", HUGE.values(), ids=list(HUGE))
@pytest.mark.parametrize(("tool", "name"), PLACES)
def test_b4_a_large_argument_costs_little_and_the_answer_is_short(
    attacker: Client, tool: str, name: str, huge: str
) -> None:
    """B4: a quarter of a megabyte, whatever it is made of, under a second of work, and in the answer none of it."""
    needed = {"remember_this": {"key": "k"}, "forget_all": {"scope": "user"}}.get(tool, {})
    message = json.dumps(call(tool, **needed, **{name: "HERE"})).replace('"HERE"', huge)
    request = post(message.encode(), {"mcp-method": "tools/call", "mcp-name": tool}, key=attacker.key)
    began = time.process_time()
    reply = attacker.send(request)
    assert time.process_time() - began < CPU_SECONDS
    assert len(reply.response.body) < 10_000
    assert reply.status == 200
