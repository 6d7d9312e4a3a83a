"""Deployed with something missing: every call says what to set, discover and the health answer, nothing raises."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from remember import FetchHandler, Request, create_fetch_handler
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import ANA, call, post, rpc

ROOT = Path(__file__).parents[2]

PLATFORMS = {"vercel": {"VERCEL": "1"}, "lambda": {"AWS_LAMBDA_FUNCTION_NAME": "remember"}}
IDENTITY = {"REMEMBER_API_KEYS": f"ana={ANA}"}
SECRET = {"REMEMBER_SECRET": "a-made-up-secret-of-the-tests"}
STORE = {"KV_REST_API_URL": "https://store.example", "KV_REST_API_TOKEN": "made-up-token-of-a-store"}

MISSING: dict[str, tuple[dict[str, str], str]] = {
    "no secret": (IDENTITY | STORE, "REMEMBER_SECRET"),
    "a secret of white space": (IDENTITY | STORE | {"REMEMBER_SECRET": " \n"}, "REMEMBER_SECRET"),
    "a secret of 3 characters": (IDENTITY | STORE | {"REMEMBER_SECRET": "abc"}, "REMEMBER_SECRET"),
    "no store": (IDENTITY | SECRET, "REMEMBER_STORE"),
    "a store in the process": (IDENTITY | SECRET | {"REMEMBER_STORE": "memory"}, "REMEMBER_STORE"),
    "a store on the disk": (IDENTITY | SECRET | {"REMEMBER_STORE": "sqlite:/tmp/memory.db"}, "REMEMBER_STORE"),
    "half a store": (IDENTITY | SECRET | {"KV_REST_API_URL": "https://store.example"}, "KV_REST_API_TOKEN"),
    "C9 a redis address": (
        IDENTITY | SECRET | {"KV_REST_API_URL": "redis://:pw@store.example:6379", "KV_REST_API_TOKEN": "made-up-token"},
        "KV_REST_API_URL",
    ),
    "no identity": (SECRET | STORE, "REMEMBER_API_KEYS"),
    "F2 an issuer without an audience": (
        SECRET | STORE | {"REMEMBER_ISSUER": "https://issuer.example"},
        "REMEMBER_AUDIENCE",
    ),
    "a scope that is none": (
        IDENTITY | SECRET | STORE | {"REMEMBER_ALLOWED_SCOPES": "user,all"},
        "REMEMBER_ALLOWED_SCOPES",
    ),
}
SAID = {"REMEMBER_STORE": "KV_REST_API_URL"}
"""Where a message names another variable than the one that is wrong: the one to set."""

CALLS = [
    rpc("tools/list"),
    call("remember_this", key="k", value=1),
    call("recall", key="k", scope="global"),
    call("forget", key="k"),
    call("list_memories"),
    call("no_such_tool"),
    rpc("ping"),
]


@pytest.fixture(params=[(platform, name) for platform in PLATFORMS for name in MISSING], ids=" ".join)
def misconfigured(request: pytest.FixtureRequest) -> tuple[FetchHandler, str]:
    """A handler on a platform with something missing, and the variable that its errors must name."""
    platform, name = request.param
    environ, variable = MISSING[name]
    return create_fetch_handler(environ=PLATFORMS[platform] | environ), variable


@pytest.mark.parametrize("key", [ANA, None, "a-key-that-nobody-gave-out"])
def test_g3_every_call_gets_the_one_configuration_error(
    misconfigured: tuple[FetchHandler, str], key: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """G3: the same sentence each time, which names what to set and holds nothing that was set."""
    handler, variable = misconfigured
    caplog.set_level(logging.DEBUG)
    messages = set()
    for message in CALLS:
        error = error_of(asyncio.run(handler.fetch(post(message, key=key))), 503, -32603)
        assert error["data"] == {"code": "REMEMBER_CONFIGURATION", "variable": variable}
        assert SAID.get(variable, variable) in error["message"]
        messages.add(error["message"])
    assert len(messages) == 1
    said = messages.pop() + caplog.text
    assert not any(secret in said for secret in (ANA, "a-made-up-secret", "made-up-token", ":pw@", "store.example"))


def test_g3_discover_still_answers(misconfigured: tuple[FetchHandler, str]) -> None:
    """G3: a client can tell that this is the right kind of server."""
    handler, _ = misconfigured
    result = result_of(asyncio.run(handler.fetch(post(rpc("server/discover"), key=None))), "server/discover")
    assert result["supportedVersions"] == ["2026-07-28"]


def test_g3_discover_as_a_notification_gets_no_answer_with_a_null_id() -> None:
    """A message without an id has no answer, here as elsewhere."""
    handler = create_fetch_handler(environ=PLATFORMS["vercel"])
    response = asyncio.run(handler.fetch(post(rpc("server/discover", id=...), key=None)))
    assert b'"id":null' not in response.body
    assert response.status in (202, 503)


def test_g3_the_health_says_the_same(misconfigured: tuple[FetchHandler, str]) -> None:
    """G3: as 503, so that a monitor sees it too, and a person still gets the page."""
    handler, variable = misconfigured
    response = asyncio.run(handler.fetch(Request("GET", "/health")))
    assert response.status == 503
    said = json.loads(response.body)
    assert said["status"] == "failing"
    assert any(SAID.get(variable, variable) in problem for problem in said["problems"])
    assert not any(secret in response.body.decode() for secret in (ANA, "a-made-up-secret", "made-up-token", ":pw@"))
    assert asyncio.run(handler.fetch(Request("GET", "/"))).status == 200


def test_a_malformed_request_is_still_told_what_is_wrong_with_it(misconfigured: tuple[FetchHandler, str]) -> None:
    """An old client learns of the version first: no setting of the owner's would help it."""
    handler, _ = misconfigured
    error_of(asyncio.run(handler.fetch(post(b"{"))), 400, -32700, id=None)
    response = asyncio.run(handler.fetch(post(b"", method="GET")))
    assert header(response, "allow") == "POST"


@pytest.mark.parametrize("store", ["s3cr3t", "AXs3cr3t==", "upstash:s3cr3t", "memory:s3cr3t", "https://:s3cr3t@store"])
def test_a_token_in_the_wrong_variable_is_never_said(store: str, caplog: pytest.LogCaptureFixture) -> None:
    """REMEMBER_STORE stands beside the token's own variable in every form; both pages are public."""
    caplog.set_level(logging.DEBUG)
    handler = create_fetch_handler(environ=IDENTITY | SECRET | {"REMEMBER_STORE": store})
    health = asyncio.run(handler.fetch(Request("GET", "/health")))
    called = asyncio.run(handler.fetch(post(rpc("tools/list"))))
    assert (health.status, called.status) == (503, 503)
    for said in (health.body.decode(), called.body.decode(), caplog.text):
        assert "REMEMBER_STORE must be upstash" in said
        assert "s3cr3t" not in said


@pytest.mark.parametrize("platform", PLATFORMS)
def test_with_everything_set_there_is_no_problem(platform: str) -> None:
    """The counterpart: these are the settings that are needed, and no more."""
    handler = create_fetch_handler(environ=PLATFORMS[platform] | IDENTITY | SECRET | STORE)
    result_of(asyncio.run(handler.fetch(post(rpc("tools/list")))), "tools/list")


def test_vercel_dev_is_the_owners_own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sets VERCEL too, and needs neither a store that lasts nor a secret."""
    monkeypatch.chdir(tmp_path)
    handler = create_fetch_handler(environ={"VERCEL": "1", "VERCEL_ENV": "development", **IDENTITY})
    result_of(asyncio.run(handler.fetch(post(rpc("tools/list")))), "tools/list")


ASK = """
import asyncio, json, runpy, sys
from remember import Request
app = runpy.run_path(sys.argv[1])[sys.argv[2]]
app = getattr(app, "app", app)
for method, path in (("GET", "/health"), ("GET", "/")):
    response = asyncio.run(app.fetch(Request(method, path)))
    print(response.status)
    if path == "/health":
        print(json.dumps(response.json()["problems"]))
"""


@pytest.mark.parametrize(
    ("door", "name", "platform"), [("api/index.py", "app", "vercel"), ("api/_aws.py", "handler", "lambda")]
)
def test_g3_a_platforms_door_opens_with_nothing_set(door: str, name: str, platform: str) -> None:
    """G3: nothing raises at import, which would be a crash without a word to the owner."""
    kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(ROOT / door), name],
        cwd=ROOT,
        env=kept | PLATFORMS[platform] | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    health, problems, page = done.stdout.splitlines()
    assert (health, page) == ("503", "200")
    said = " ".join(json.loads(problems))
    assert "REMEMBER_API_KEYS" in said
    assert "REMEMBER_STORE" in said or "KV_REST_API_URL" in said
