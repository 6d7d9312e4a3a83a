"""A fault at each request of each memory tool: the answer is true and tells nothing, and a repeat puts it right."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from remember import create_fetch_handler
from remember.caller import Caller, owner_of
from remember.errors import StoreUnavailable
from remember.keys import shelf_of
from remember.settings import Secret
from remember.stores.upstash import UpstashStore
from tests.standins.client import Client, Reply
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest
from tests.stores.raw import keys_in_redis

BEARER = "a-made-up-key-that-only-ana-has"
SECRET = "made-up-secret-of-the-faults-0123456789"
KEY, OTHER = "private-key", "private-other"
OLD, NEW = "private-old-text", "private-new-text"
SHELF = shelf_of("remember:", owner_of(Caller("static:ana"), "session", ""))
ECHO = f"command was: [SET, {SHELF.place(KEY).key}, {NEW}]"

REFUSED = "refused"
"""Nobody listens on the store's port."""

FAULTS = {
    "hung": "hang",
    REFUSED: REFUSED,
    "dropped before": "drop",
    "dropped after": "drop-after",
    "unauthorized": "401 " + json.dumps({"error": f"WRONGPASS invalid or missing auth token, {ECHO}"}),
    "rate-limited": "429 " + json.dumps({"error": f"too many requests, {ECHO}"}),
    "error in text": f"500 upstream error, {ECHO}",
    "error in HTML": f"502 <html><h1>Bad Gateway</h1>{ECHO}</html>",
    "cut": "cut",
    "garbage": f'200 {{"result": "{ECHO}',
    "error object": "400 " + json.dumps({"error": f"ERR something, {ECHO}"}),
    "error object in a 200": "200 " + json.dumps({"error": f"ERR something, {ECHO}"}),
}
BEFORE_IT_RAN = frozenset({"hung", REFUSED, "dropped before"})
"""After the others the stand-in has run the command."""

TOOLS: dict[str, dict[str, Any]] = {
    "remember_this": {"key": KEY, "value": NEW},
    "recall": {"key": KEY},
    "forget": {"key": KEY},
    "list_memories": {},
}
RIGHT: dict[str, dict[str, Any]] = {
    "remember_this": {"success": True},
    "recall": {"found": True, "value": OLD},
    "forget": {"success": True},
    "list_memories": {"keys": [KEY, OTHER, "warm"], "truncated": False},
}
"""What a tool says once it is done, among the rest."""

ENDS = {"remember_this": NEW, "forget": None}
"""What lies under the key once a tool that writes is done."""


@dataclass(frozen=True, slots=True)
class Way:
    """What makes a tool ask more than once: a look where the seed's plugin kept things, a script to send anew."""

    read_seed: bool = False
    script_lost: bool = False


WAYS = {"plain": Way(), "reading the seed's": Way(read_seed=True), "script lost": Way(script_lost=True)}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("tool", TOOLS)
def test_a_fault_at_any_request(
    upstash: UpstashRest, caplog: pytest.LogCaptureFixture, tool: str, fault: str, way: str
) -> None:
    """The tool says that it failed, the store holds what was or what was asked for, and the same call then works."""
    caplog.set_level("DEBUG")
    requests = asyncio.run(Story(upstash, tool, WAYS[way]).rehearse())
    # A port that nobody listens on fails every request of a call alike.
    for at in range(1 if fault == REFUSED else requests):
        story = Story(upstash, tool, WAYS[way], deadline=0.3 if fault == "hung" else 10)
        asyncio.run(story.play(fault, at))
        assert_tells_nothing(caplog.text, upstash)


class Story:
    """One handler's calls, from an empty store on."""

    def __init__(self, server: UpstashRest, tool: str, way: Way, *, deadline: float = 10) -> None:
        self.server = server
        self.tool = tool
        self.way = way
        self.ana = self.client(deadline)
        self.elsewhere = self.client(10)

    def client(self, deadline: float) -> Client:
        """Ana, at an instance of her own."""
        environ = {
            "REMEMBER_SECRET": SECRET,
            "REMEMBER_API_KEYS": f"ana={BEARER}",
            "KV_REST_API_URL": self.server.url,
            "KV_REST_API_TOKEN": self.server.token,
            "REMEMBER_STORE_DEADLINE": str(deadline),
            "REMEMBER_READ_SEED": "on" if self.way.read_seed else "off",
        }
        return Client(create_fetch_handler(environ=environ), BEARER)

    async def call(self) -> Reply:
        return await self.ana.call_async(self.tool, TOOLS[self.tool])

    async def begin(self) -> None:
        """Fill the store, and leave an open connection and scripts that the server knows, or has lost."""
        self.server.redis.admin.flushall()
        for key in (KEY, OTHER, "warm"):
            assert not (await self.ana.call_async("remember_this", {"key": key, "value": OLD})).failed
        if self.tool == "forget":
            await self.ana.call_async("forget", {"key": "nothing"})
        elif self.tool != "remember_this":
            await self.call()
        if self.way.script_lost:
            self.server.redis.admin.script_flush()
        self.server.reset()

    async def rehearse(self) -> int:
        """How many requests the call takes where nothing fails."""
        await self.begin()
        assert not (await self.call()).failed
        return len(self.server.requests)

    async def play(self, fault: str, at: int) -> None:
        await self.begin()
        with self.failing(fault, at):
            reply = await self.call()
        self.judge(reply)
        first_write = 1 if self.way.script_lost else 0
        ran = at > first_write or (at == first_write and fault not in BEFORE_IT_RAN)
        await self.assert_lies_there(ENDS.get(self.tool, OLD) if ran else OLD)

        repeated = await self.call()
        assert repeated.data | RIGHT[self.tool] == repeated.data
        await self.assert_lies_there(ENDS.get(self.tool, OLD))

    @contextmanager
    def failing(self, fault: str, at: int) -> Iterator[None]:
        """Let the request after `at` others fail."""
        if fault == REFUSED:
            self.server.stop()
            yield
            self.server.start()
            return
        self.server.faults += [""] * at + [FAULTS[fault]]
        yield
        assert not self.server.faults

    def judge(self, reply: Reply) -> None:
        if not reply.failed:  # a read whose connection broke may be asked for once more, and is then whole
            assert self.tool in ("recall", "list_memories")
            assert reply.data | RIGHT[self.tool] == reply.data
            assert len(self.server.requests) > 1
            return
        assert reply.status == 200
        assert reply.code == "REMEMBER_STORE_UNAVAILABLE"
        assert "structuredContent" not in reply.result
        assert_tells_nothing(json.dumps(reply.body, ensure_ascii=False), self.server)
        assert_tells_nothing(str(reply.response.headers), self.server)

    async def assert_lies_there(self, value: str | None) -> None:
        """Another instance finds this under the key, and the index names exactly what is there."""
        names = [OTHER, "warm"] if value is None else [KEY, OTHER, "warm"]
        assert keys_in_redis(self.server.redis.admin) == {SHELF.place(name).key for name in names}
        found = (await self.elsewhere.call_async("recall", {"key": KEY})).data
        assert found.get("value") == value


def assert_tells_nothing(text: str, server: UpstashRest) -> None:
    """No address, token, key, value, command or word of the server's own."""
    secrets = [server.url, str(server.port), "localhost", server.token, BEARER, SECRET, "private", "remember:v2"]
    for secret in [*secrets, "WRONGPASS", "ERR ", "upstream", "Gateway", "command was"]:
        assert secret not in text


@pytest.mark.parametrize("token", ["made-up\ntoken", "made-up\x00token", "made-up–token"])
def test_a_token_that_no_header_can_carry(upstash: UpstashRest, clock: MovingClock, token: str) -> None:
    """It is told as a token that is not accepted, without a part of it, and nothing is sent."""
    store = UpstashStore(upstash.url, Secret(token), clock=clock)
    with pytest.raises(StoreUnavailable) as caught:
        asyncio.run(store.put(SHELF.place(KEY), NEW, None))
    assert (caught.value.reason, caught.value.maybe_applied) == ("unauthorized", False)
    assert "made-up" not in str(caught.value)
    assert upstash.requests == []
