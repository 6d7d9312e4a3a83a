"""Which store the settings mean, and what is said where they mean none."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from remember.caller import Owner
from remember.errors import ConfigurationError, QuotaExceeded
from remember.keys import shelf_of
from remember.settings import Settings
from remember.stores.base import Store
from remember.stores.memory import MemoryStore
from remember.stores.open_store import open_store
from remember.stores.redis import RedisStore
from remember.stores.sqlite import SqliteStore
from remember.stores.upstash import UpstashStore
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest

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
        ({"REMEMBER_STORE": "redis://localhost"}, RedisStore),
        (PAIR | VERCEL | {"REMEMBER_STORE": "rediss://user:p%40ss@redis.example:6380/2"}, RedisStore),
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
        ({"REMEMBER_STORE": "redis"}, "REMEMBER_STORE", ["redis://user:password@host:port/0"]),
        ({"REMEMBER_STORE": "redis:private-word"}, "REMEMBER_STORE", ["redis://user:password@host:port/0"]),
        *(
            ({"REMEMBER_STORE": url}, "REMEMBER_STORE", ["redis://user:password@host:port/0", "rediss://", "%40"])
            for url in (
                "redis://",
                "redis://:private-word@:6379",
                "redis://:private-word@h:port",
                "redis://:private-word@h:0",
                "redis://:private-word/@h",
                "redis://:private-word#@h",
                "redis://:private-word@h/zero",
                "rediss://:private-word@h/0?ssl_cert_reqs=none",
            )
        ),
        ({"REMEMBER_STORE": "sqlite"}, "REMEMBER_STORE", ["upstash, redis://…, sqlite:PATH or memory"]),
        ({"REMEMBER_STORE": "memory:x"}, "REMEMBER_STORE", ["upstash, redis://…, sqlite:PATH or memory"]),
        ({"REMEMBER_STORE": "postgres://u:private-word@h"}, "REMEMBER_STORE", ["it is something else", "sqlite:PATH"]),
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


def test_a_redis_without_its_package_names_the_extra(clock: MovingClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, and not with the first call."""
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigurationError, match=r"'\.\[redis\]'") as caught:
        open_store(Settings.read({"REMEMBER_STORE": "redis://:private-word@localhost"}), clock=clock)
    assert "private-word" not in str(caught.value)


@pytest.mark.parametrize("environ", [{"REMEMBER_STORE": "memory"}, {"REMEMBER_STORE": "sqlite:memory.db"}])
def test_every_store_takes_as_many_entries_as_was_said(
    environ: dict[str, str], tmp_path: Path, clock: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """REMEMBER_MAX_ENTRIES reaches the store."""
    monkeypatch.chdir(tmp_path)
    assert_takes_two(open_store(Settings.read(environ | {"REMEMBER_MAX_ENTRIES": "2"}), clock=clock))


def test_redis_and_upstash_take_as_many_entries_as_was_said(upstash: UpstashRest, clock: MovingClock) -> None:
    """The setting reaches them too."""
    pair = {"KV_REST_API_URL": upstash.url, "KV_REST_API_TOKEN": upstash.token}
    for environ in (pair, {"REMEMBER_STORE": upstash.redis.url}):
        upstash.redis.admin.flushall()
        assert_takes_two(open_store(Settings.read(environ | {"REMEMBER_MAX_ENTRIES": "2"}), clock=clock))


def assert_takes_two(store: Store) -> None:
    """Two entries fit on a shelf, and a third does not."""
    shelf = shelf_of("remember:", Owner("global"))

    async def story() -> None:
        for name in "ab":
            await store.put(shelf.place(name), "text", None)
        with pytest.raises(QuotaExceeded):
            await store.put(shelf.place("c"), "text", None)
        await store.close()

    asyncio.run(story())
