"""Which store the settings mean, and what is said where they mean none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from remember.errors import ConfigurationError
from remember.settings import Settings
from remember.stores.memory import MemoryStore
from remember.stores.open_store import open_store
from remember.stores.sqlite import SqliteStore
from remember.stores.upstash import UpstashStore
from tests.standins.clock import MovingClock

PAIR = {"KV_REST_API_URL": "https://a-b-1.upstash.io", "KV_REST_API_TOKEN": "made-up-token"}
OTHER_PAIR = {"UPSTASH_REDIS_REST_URL": "https://a-b-1.upstash.io", "UPSTASH_REDIS_REST_TOKEN": "made-up-token"}
VERCEL = {"VERCEL": "1"}
LAMBDA = {"AWS_LAMBDA_FUNCTION_NAME": "remember"}


@pytest.mark.parametrize(
    ("environ", "kind"),
    [
        ({}, SqliteStore),
        (PAIR, UpstashStore),
        (OTHER_PAIR, UpstashStore),
        (PAIR | VERCEL, UpstashStore),
        (PAIR | LAMBDA, UpstashStore),
        (PAIR | {"REMEMBER_STORE": "upstash\n"}, UpstashStore),
        (PAIR | {"REMEMBER_STORE": "memory"}, MemoryStore),
        (PAIR | {"REMEMBER_STORE": "sqlite:here/memory.db"}, SqliteStore),
        ({"VERCEL": "1", "VERCEL_ENV": "development"}, SqliteStore),
    ],
)
def test_the_settings_name_a_store(environ: dict[str, str], kind: type, clock: MovingClock) -> None:
    """Named, or else Upstash where its pair is set, or else a file on this machine."""
    assert type(open_store(Settings.read(environ), clock=clock)) is kind


def test_a_file_is_where_it_was_said(tmp_path: Path, clock: MovingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is taken whole, the prefix reaches the store, and the default is under .remember."""
    monkeypatch.chdir(tmp_path)
    for environ, path in (({"REMEMBER_STORE": "sqlite:a:b/c.db"}, "a:b/c.db"), ({}, ".remember/memory.db")):
        store = open_store(Settings.read(environ | {"REMEMBER_KEY_PREFIX": "mine:"}), clock=clock)
        assert asyncio.run(store.get("mine:__layout__")) is not None
        asyncio.run(store.close())
        assert (tmp_path / path).is_file()


@pytest.mark.parametrize(
    ("environ", "variable", "words"),
    [
        (VERCEL, "REMEMBER_STORE", ["Upstash integration", "KV_REST_API_URL", "KV_REST_API_TOKEN"]),
        (LAMBDA, "REMEMBER_STORE", ["sam deploy", "KV_REST_API_URL", "KV_REST_API_TOKEN"]),
        (VERCEL | {"REMEMBER_STORE": "memory"}, "REMEMBER_STORE", ["vercel", "lost", "KV_REST_API_URL"]),
        (LAMBDA | {"REMEMBER_STORE": "sqlite:/tmp/x.db"}, "REMEMBER_STORE", ["lambda", "lost", "KV_REST_API_URL"]),
        ({"REMEMBER_STORE": "upstash"}, "KV_REST_API_URL", ["KV_REST_API_TOKEN", "UPSTASH_REDIS_REST_URL"]),
        (PAIR | {"KV_REST_API_TOKEN": " "}, "KV_REST_API_TOKEN", ["both"]),
        (PAIR | {"KV_REST_API_URL": "redis://u:private-word@h:1"}, "KV_REST_API_URL", ["https://"]),
        ({"REMEMBER_STORE": "redis://u:private-word@h:1"}, "REMEMBER_STORE", ["redis://", "upstash", "sqlite:PATH"]),
        ({"REMEMBER_STORE": "sqlite"}, "REMEMBER_STORE", ["upstash, sqlite:PATH or memory"]),
        ({"REMEMBER_STORE": "memory:x"}, "REMEMBER_STORE", ["upstash, sqlite:PATH or memory"]),
        ({"REMEMBER_STORE": "postgres://u:private-word@h"}, "REMEMBER_STORE", ["'postgres'", "sqlite:PATH"]),
    ],
)
def test_what_is_missing_or_wrong_is_said(
    environ: dict[str, str], variable: str, words: list[str], clock: MovingClock
) -> None:
    """One sentence that names the variable and what to do on this platform, without any value in it."""
    with pytest.raises(ConfigurationError) as caught:
        open_store(Settings.read(environ), clock=clock)
    assert caught.value.variable == variable
    for word in words:
        assert word in str(caught.value)
    assert "private-word" not in str(caught.value)
    assert "made-up-token" not in str(caught.value)
