"""Secrets on their way into memory through its tools, and out of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from remember import App, Caller, Remember, RememberPlugin
from remember.owned import Memory
from remember.sealing import PlainSealer
from remember.stores.memory import MemoryStore
from tests.seed.served import Served, serve
from tests.standins.clock import START, MovingClock

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
ONE = [{"kind": "github-token", "count": 1}]


def server(redaction: str = "", *, store: MemoryStore | None = None, **environ: str) -> Served:
    """The memory tools alone, under this option or these settings."""
    tools: Any = {"enabled": True} | ({"redaction": redaction} if redaction else {})
    plugin = RememberPlugin.init(type="global-store", tools=tools)
    store = store or MemoryStore(clock=MovingClock(START))
    return serve(App("assistant", plugins=(plugin,)), store=store, environ=environ)


def test_a_secret_is_replaced_before_it_is_stored() -> None:
    """The answer tells kinds and counts; what is read with redaction off is the redacted value."""
    store = MemoryStore(clock=MovingClock(START))
    answer = server(store=store).ana.call("remember_this", {"key": "ci", "value": {"note": ["use", TOKEN]}})
    assert answer.result["structuredContent"]["redacted"] == ONE
    assert TOKEN not in str(answer.body)
    read = server("off", store=store).ana.call("recall", {"key": "ci"}).result["structuredContent"]
    assert read["value"] == {"note": ["use", "[REDACTED]"]}
    assert "redacted" not in read


def test_a_key_that_names_a_secret_gives_its_value_away() -> None:
    """A text under `wifi:password` goes as a whole."""
    answer = server().ana.call("remember_this", {"key": "wifi:password", "value": "hunter2!"})
    assert answer.result["structuredContent"]["redacted"] == [{"kind": "password", "count": 1}]


@pytest.mark.parametrize(
    ("redaction", "arguments", "field"),
    [
        ("redact", {"key": TOKEN, "value": 1}, "key"),
        ("reject", {"key": TOKEN, "value": 1}, "key"),
        ("reject", {"key": "ci", "value": [TOKEN]}, "value"),
        ("reject", {"key": "ci", "value": {TOKEN: 1}}, "value"),
    ],
)
def test_a_refusal_says_where_and_what_kind(redaction: str, arguments: dict[str, Any], field: str) -> None:
    """With its code, without a character of the secret, and nothing is stored."""
    served = server(redaction)
    answer = served.ana.call("remember_this", arguments)
    assert answer.failed
    assert answer.result["_meta"]["code"] == "REMEMBER_SECRET_REFUSED"
    assert answer.text.startswith(f"{field} holds what looks like a secret (1 × github-token). Nothing was stored.")
    assert "a1B2" not in str(answer.body)
    assert served.ana.call("list_memories", {}).result["structuredContent"]["keys"] == []


def test_off_is_off() -> None:
    """Nothing is scanned, in keys neither."""
    ana = server("off").ana
    answer = ana.call("remember_this", {"key": TOKEN, "value": TOKEN})
    assert "redacted" not in answer.result["structuredContent"]
    assert ana.call("recall", {"key": TOKEN}).result["structuredContent"]["value"] == TOKEN


@pytest.mark.parametrize("redaction", ["redact", "reject"])
def test_what_was_stored_unseen_is_redacted_when_it_is_read(redaction: str) -> None:
    """A whole value, and each part of a long one."""
    store = MemoryStore(clock=MovingClock(START))
    before = server("off", store=store).ana
    before.call("remember_this", {"key": "ci", "value": TOKEN})
    before.call("remember_this", {"key": "log", "value": "plain words " * 3000 + TOKEN})
    ana = server(redaction, store=store).ana
    read = ana.call("recall", {"key": "ci"}).result["structuredContent"]
    assert (read["value"], read["redacted"]) == ("[REDACTED]", ONE)
    parts, cursor = "", dict[str, str]()
    while True:
        part = ana.call("recall", {"key": "log", **cursor}).result["structuredContent"]
        assert part["redacted"] == ONE
        parts += part["part"]
        if "next_cursor" not in part:
            break
        cursor = {"cursor": part["next_cursor"]}
    assert parts == f'"{"plain words " * 3000}[REDACTED]"'


def test_the_setting_counts_where_the_option_is_silent() -> None:
    """REMEMBER_REDACTION for all plugins, `tools.redaction` for one."""
    call = ("remember_this", {"key": "ci", "value": TOKEN})
    assert server(REMEMBER_REDACTION="reject").ana.call(*call).failed
    assert not server("off", REMEMBER_REDACTION="reject").ana.call(*call).failed
    assert server("reject").ana.call(*call).failed


def test_an_authors_tools_store_what_they_like() -> None:
    """The accessor is exact: only the memory tools look at what a model says."""
    clock = MovingClock(START)
    memory = Memory(store=MemoryStore(clock=clock), sealer=PlainSealer(), clock=clock, key_prefix="remember:")
    remember = Remember(memory, Caller("ana"), "app:tool")
    asyncio.run(remember.set("token", TOKEN, scope="user"))
    assert asyncio.run(remember.get("token", scope="user")) == TOKEN
