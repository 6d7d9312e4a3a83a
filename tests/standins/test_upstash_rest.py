"""The REST stand-in does what Upstash documents, as far as the tests lean on it."""

from __future__ import annotations

import asyncio
import json

import pytest

from remember.stores.transport import NoAnswer, Transport
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest


def ask(server: UpstashRest, command: object, *, token: str) -> tuple[int, object]:
    async def story() -> tuple[int, object]:
        client = Transport(server.url, clock=MovingClock(), deadline=0.2)
        headers = {"Authorization": f"Bearer {token}"}
        answer = await client.post(headers, json.dumps(command).encode(), repeatable=False)
        return answer.status, json.loads(answer.body)

    return asyncio.run(story())


def test_commands_reach_a_real_redis(upstash: UpstashRest) -> None:
    """Texts stay texts, numbers numbers, nothing is null, lists are lists."""
    assert ask(upstash, ["SET", "k", "007"], token=upstash.token) == (200, {"result": "OK"})
    assert ask(upstash, ["GET", "k"], token=upstash.token) == (200, {"result": "007"})
    assert ask(upstash, ["DEL", "k"], token=upstash.token) == (200, {"result": 1})
    assert ask(upstash, ["MGET", "k"], token=upstash.token) == (200, {"result": [None]})
    assert upstash.commands() == {"set": 1, "get": 1, "del": 1, "mget": 1}


def test_errors_are_400_with_redis_own_words(upstash: UpstashRest) -> None:
    """A script that is not there, and one that this Redis refuses, are told as Upstash tells them."""
    status, said = ask(upstash, ["EVALSHA", "0" * 40, 0], token=upstash.token)
    assert status == 400
    assert "NOSCRIPT" in str(said)
    status, said = ask(upstash, ["EVAL", "#!lua flags=allow-key-locking\nreturn 1", 0], token=upstash.token)
    assert status == 400
    assert "Unexpected flag" in str(said)


def test_tokens_are_checked(upstash: UpstashRest) -> None:
    """A wrong one is 401; the one that may only read is refused a write."""
    assert ask(upstash, ["GET", "k"], token="wrong")[0] == 401
    assert ask(upstash, ["GET", "k"], token=upstash.read_only_token) == (200, {"result": None})
    status, said = ask(upstash, ["SET", "k", "v"], token=upstash.read_only_token)
    assert status == 400
    assert "NOPERM" in str(said)


@pytest.mark.parametrize(("fault", "ran"), [("hang", 0), ("drop", 0), ("drop-after", 1), ("cut", 1)])
def test_faults_happen_where_they_say(upstash: UpstashRest, fault: str, ran: int) -> None:
    """Before the command is run, or after it; the next request is answered again."""
    upstash.faults.append(fault)
    with pytest.raises(NoAnswer):
        ask(upstash, ["INCR", "count"], token=upstash.token)
    assert ask(upstash, ["INCR", "count"], token=upstash.token) == (200, {"result": ran + 1})
