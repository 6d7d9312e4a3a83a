"""The seven promises of the design, each shown once on the whole server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from remember import App, FetchHandler, RememberPlugin, StoreUnavailable, create_fetch_handler
from remember.keys import Place, Shelf
from remember.stores.base import Charge, Page, Swap
from remember.stores.memory import MemoryStore
from tests.standins.client import META, Client
from tests.standins.clock import MovingClock

ANA, BEN = "a-key-that-only-ana-has", "a-key-that-only-ben-has"
ENVIRON = {"REMEMBER_SECRET": "bench-secret-0123456789", "REMEMBER_API_KEYS": f"ana={ANA},ben={BEN}"}


def on_disk(path: Path) -> FetchHandler:
    """The memory server over one file, as each new process makes it."""
    return create_fetch_handler(environ={**ENVIRON, "REMEMBER_STORE": f"sqlite:{path / 'memory.db'}"})


@pytest.mark.promise("house.1")
def test_every_request_may_meet_a_new_server(tmp_path: Path) -> None:
    """Each on a new handler and a new event loop, without any session; a cursor of one is good for the next."""
    for number in range(3):
        reply = Client(on_disk(tmp_path), ANA).call("remember_this", {"key": f"k{number}", "value": number})
        assert reply.header("mcp-session-id") is None
        assert reply.header("set-cookie") is None
    first = Client(on_disk(tmp_path), ANA).call("list_memories", {"limit": 2}).data
    second = Client(on_disk(tmp_path), ANA).call("list_memories", {"limit": 2, "cursor": first["next_cursor"]}).data
    assert first["keys"] + second["keys"] == ["k0", "k1", "k2"]


@pytest.mark.promise("house.2")
@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
def test_an_older_version_is_told_which_one_is_served(tmp_path: Path, version: str) -> None:
    """400, the versions in the data and in a sentence; for an initialize of that time, and for any call."""
    client = Client(on_disk(tmp_path), ANA)
    legacy = client.request("initialize", {"_meta": {}, "protocolVersion": version})
    meta = {**META, "io.modelcontextprotocol/protocolVersion": version}
    modern = client.request("tools/list", {"_meta": meta})
    for request in (legacy, modern):
        headers = tuple((name, version if name == "mcp-protocol-version" else value) for name, value in request.headers)
        reply = client.send(type(request)(request.method, request.path, headers, request.body))
        assert (reply.status, reply.error["code"]) == (400, -32022)
        assert reply.error["data"] == {"supported": ["2026-07-28"], "requested": version}
        assert "2026-07-28" in reply.error["message"]
        assert version in reply.error["message"]


@pytest.mark.promise("house.3")
@pytest.mark.parametrize(
    "headers",
    [
        [("authorization", "Bearer an-unknown-key-of-someone")],
        [("authorization", f"Basic {ANA}")],
        [("authorization", "Bearer ")],
        [("authorization", "Bearer static:ana")],
        [("authorization", f"Bearer {ANA}"), ("authorization", f"Bearer {BEN}")],
        [("authorization", f"Bearer {ANA} {BEN}")],
    ],
)
def test_a_bad_credential_is_never_taken_for_nobody(headers: list[tuple[str, str]]) -> None:
    """401 where a caller without any may come in."""
    environ = {**ENVIRON, "REMEMBER_STORE": "memory", "REMEMBER_ANONYMOUS": "allow"}
    handler = create_fetch_handler(environ=environ)
    assert Client(handler).rpc("tools/list").status == 200
    reply = Client(handler, headers=headers).rpc("tools/list")
    assert reply.status == 401
    assert str(reply.header("www-authenticate")).startswith("Bearer")


@pytest.mark.promise("house.3")
def test_nothing_in_the_body_or_another_header_makes_somebody_else() -> None:
    """Only the Authorization header counts."""
    handler = create_fetch_handler(environ={**ENVIRON, "REMEMBER_STORE": "memory"})
    Client(handler, ANA).call("remember_this", {"key": "k", "value": "ana's", "scope": "user"})
    claims = [(name, "static:ana") for name in ("x-user-id", "x-forwarded-user", "mcp-session-id", "cookie")]
    ben = Client(handler, BEN, headers=claims)
    meta = {**META, "userId": "static:ana", "sub": "static:ana"}
    params = {"name": "recall", "arguments": {"key": "k", "scope": "user"}, "_meta": meta}
    assert ben.rpc("tools/call", params).data["found"] is False


@pytest.mark.promise("house.4")
def test_two_users_under_load_never_get_each_others_answer() -> None:
    """Fifty requests at once, all with one JSON-RPC id, twenty times over."""
    environ = {**ENVIRON, "REMEMBER_STORE": "memory", "REMEMBER_RATE_LIMIT": "0"}
    handler = create_fetch_handler(environ=environ)
    callers = {"ana": Client(handler, ANA), "ben": Client(handler, BEN)}

    async def story() -> None:
        for name, client in callers.items():
            await client.call_async("remember_this", {"key": "who", "value": name, "scope": "user"})
        asked = [name for name in callers for _ in range(25)]
        for _ in range(20):
            replies = await asyncio.gather(
                *(callers[name].call_async("recall", {"key": "who", "scope": "user"}, id=1) for name in asked)
            )
            assert [reply.data["value"] for reply in replies] == asked

    asyncio.run(story())


@pytest.mark.promise("house.6")
def test_what_succeeded_is_there_for_a_second_instance(tmp_path: Path) -> None:
    """Kept, replaced and forgotten: the other one sees each at once."""
    here, there = Client(on_disk(tmp_path), ANA), Client(on_disk(tmp_path), ANA)
    for value in ("first", "second"):
        assert here.call("remember_this", {"key": "k", "value": value}).data["success"] is True
        assert there.call("recall", {"key": "k"}).data["value"] == value
    assert here.call("forget", {"key": "k"}).data["existed"] is True
    assert there.call("recall", {"key": "k"}).data["found"] is False


class BrokenStore(MemoryStore):
    """Gives no answer to anything."""

    async def _fail(self, *_args: Any, **_options: Any) -> Any:
        raise StoreUnavailable("timeout", "The memory store did not answer in time; try again in a moment.")

    get = put = remove = swap = page = wipe = _fail


@pytest.mark.promise("house.6")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("remember_this", {"key": "k", "value": 1}),
        ("recall", {"key": "k"}),
        ("forget", {"key": "k"}),
        ("list_memories", {}),
    ],
)
def test_a_store_that_gives_no_answer_is_told_and_not_taken_for_an_empty_one(
    tool: str, arguments: dict[str, Any]
) -> None:
    """No success, no `found: false`, no empty list."""
    client = Client(create_fetch_handler(environ=ENVIRON, store=BrokenStore(MovingClock())), ANA)
    reply = client.call(tool, arguments)
    assert (reply.failed, reply.code) == (True, "REMEMBER_STORE_UNAVAILABLE")
    assert "try again" in reply.text


class CountingStore(MemoryStore):
    """Counts what it is asked; over REST each is one request."""

    def __init__(self) -> None:
        super().__init__(MovingClock())
        self.asked: Counter[str] = Counter()

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:
        self.asked["get"] += 1
        return await super().get(key, charge=charge)

    async def put(self, place: Place, text: str, expires_at: int | None, *, charge: Charge | None = None) -> bool:
        self.asked["put"] += 1
        return await super().put(place, text, expires_at, charge=charge)

    async def remove(self, place: Place, *, charge: Charge | None = None) -> str | None:
        self.asked["remove"] += 1
        return await super().remove(place, charge=charge)

    async def swap(
        self, place: Place, expected: str | None, text: str, expires_at: int | None, *, charge: Charge | None = None
    ) -> Swap:
        self.asked["swap"] += 1
        return await super().swap(place, expected, text, expires_at, charge=charge)

    async def page(
        self, shelf: Shelf, *, after: str | None, pattern: str, limit: int, charge: Charge | None = None
    ) -> Page:
        self.asked["page"] += 1
        return await super().page(shelf, after=after, pattern=pattern, limit=limit, charge=charge)


@pytest.mark.promise("house.7", "caveat.list-cost")
def test_each_operation_is_one_request_to_the_store() -> None:
    """A call of any memory tool, found or not; a list among a thousand entries of somebody else."""
    store = CountingStore()
    handler = create_fetch_handler(environ={**ENVIRON, "REMEMBER_RATE_LIMIT": "0"}, store=store)
    ana, ben = Client(handler, ANA), Client(handler, BEN)

    async def crowd() -> None:
        for number in range(1_000):
            await ben.call_async("remember_this", {"key": f"k{number}", "value": number})

    asyncio.run(crowd())
    for tool, arguments, asked in (
        ("remember_this", {"key": "k", "value": 1}, {"put": 1}),
        ("recall", {"key": "k"}, {"get": 1}),
        ("recall", {"key": "missing"}, {"get": 1}),
        ("list_memories", {}, {"page": 1}),
        ("forget", {"key": "k"}, {"remove": 1}),
        ("forget", {"key": "missing"}, {"remove": 1}),
    ):
        store.asked.clear()
        assert not ana.call(tool, arguments).failed
        assert store.asked == asked, tool


FIRST_CALL = """
import asyncio, json, sys
from remember import Request, create_fetch_handler
path, request = sys.argv[1], json.loads(sys.argv[2])
environ = {"REMEMBER_STORE": f"sqlite:{path}", "REMEMBER_API_KEYS": "ana=a-key-that-only-ana-has",
           "REMEMBER_SECRET": "bench-secret-0123456789"}
headers = tuple(map(tuple, request["headers"]))
handler = create_fetch_handler(environ=environ)
response = asyncio.run(handler.fetch(Request("POST", "/mcp", headers, request["body"].encode())))
assert response.json()["result"]["structuredContent"]["success"] is True
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


@pytest.mark.promise("house.7")
def test_a_first_call_loads_nothing_heavy_that_it_does_not_need(tmp_path: Path) -> None:
    """In a fresh process: a static key's call on SQLite needs cryptography and nothing else from outside."""
    handler = create_fetch_handler(App("any", plugins=(RememberPlugin,)), environ=ENVIRON)
    request = Client(handler, ANA).request(
        "tools/call", {"name": "remember_this", "arguments": {"key": "k", "value": 1}}
    )
    given = json.dumps({"headers": request.headers, "body": (request.body or b"").decode()})
    command = [sys.executable, "-c", FIRST_CALL, str(tmp_path / "memory.db"), given]
    root = Path(__file__).parents[2]
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    loaded = set(json.loads(ended.stdout))
    assert "cryptography" in loaded
    heavy = {
        "mcp",
        "mangum",
        "jwt",
        "upstash_redis",
        "httpx",
        "h11",
        "anyio",
        "pydantic",
        "uvicorn",
        "starlette",
        "email",
    }
    assert not heavy & loaded
