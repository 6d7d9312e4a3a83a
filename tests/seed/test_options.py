"""The page's options: what the plugin can be told, and what it says to anything else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from remember import App, ConfigurationError, RememberPlugin, Settings, Store
from remember.caller import Owner
from remember.keys import read_key, shelf_of
from remember.options import Options, RedisOptions
from remember.stores.memory import MemoryStore
from tests.seed.apps import prefs
from tests.seed.served import serve
from tests.standins.clock import MovingClock
from tests.standins.redis_server import RedisServer

ANA = Owner("user", "static:ana")


def stored(store: Store, prefix: str) -> list[str]:
    """The storage keys of ana's user scope under a prefix."""
    shelf = shelf_of(prefix, ANA)
    page = asyncio.run(store.page(shelf, after=None, pattern="*", limit=100))
    return [shelf.place(name).key for name, _ in page.items]


@pytest.mark.promise("init.forms")
@pytest.mark.parametrize(
    "plugin", [RememberPlugin, RememberPlugin(), RememberPlugin.init(), RememberPlugin.init(type="memory")]
)
def test_every_form_of_the_plugin_keeps_values_in_memory(plugin: RememberPlugin | type[RememberPlugin]) -> None:
    """The class, init() and init(type="memory") are one: same memory, same refusals."""
    served = serve(prefs((plugin,)))
    served.ana.call("set_language", {"language": "fr"})
    assert served.ana.call("get_language").data["language"] == "fr"
    assert served.anonymous.call("get_language").code == "REMEMBER_IDENTITY_REQUIRED"


@pytest.mark.promise("options.unknown")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"keyPrefix": "a:"}, "no option keyPrefix; did you mean key_prefix?"),
        ({"defaultttl": 5}, "no option defaultttl; did you mean default_ttl?"),
        ({"encryption": {"customkey": "k"}}, "no option encryption.customkey; did you mean custom_key?"),
        ({"tools": {"allowedScopes": ["user"]}}, "no option tools.allowedScopes; did you mean allowed_scopes?"),
        (
            {"type": "redis-cluster"},
            "type must be one of auto, memory, sqlite, upstash, vercel-kv, redis, redis-client, global-store",
        ),
        ({"default_ttl": -1}, "default_ttl must be whole seconds"),
        ({"default_ttl": 1.5}, "default_ttl must be whole seconds"),
        ({"default_ttl": False}, "default_ttl must be whole seconds"),
        (
            {"tools": {"allowed_scopes": []}},
            "tools.allowed_scopes must hold one or more of session, user, tool, global",
        ),
        ({"tools": {"allowed_scopes": "user"}}, "tools.allowed_scopes must be a list of scopes"),
        ({"tools": {"prefix": "my tools"}}, "tools.prefix must fit"),
        ({"key_prefix": "a*"}, "key_prefix must fit"),
        ({"encryption": {"enabled": "no"}}, "encryption.enabled must be True or False"),
    ],
)
def test_an_option_that_does_not_fit_is_named(options: dict[str, Any], words: str) -> None:
    """With the nearest known name for one that is unknown, and what is allowed for one that is not; at the start."""
    with pytest.raises(ConfigurationError) as refused:
        RememberPlugin(options)  # type: ignore[arg-type]
    assert words in str(refused.value)


@pytest.mark.promise("options.key-prefix")
@pytest.mark.parametrize("prefix", ["remember:", "acme:memory:", ""])
def test_the_key_prefix_stands_once_before_every_key(clock: MovingClock, prefix: str) -> None:
    """remember:v2:user:nour:language, as the page shows it; never twice."""
    store = MemoryStore(clock)
    served = serve(prefs((RememberPlugin.init(type="global-store", key_prefix=prefix),)), store=store)
    served.ana.call("set_language", {"language": "fr"})
    (key,) = stored(store, prefix)
    assert key == f"{prefix}v2:user:static%3Aana:language"
    assert read_key(prefix, key) == (ANA, "language")


@pytest.mark.promise("options.key-prefix")
def test_two_prefixes_over_one_store_keep_two_memories(clock: MovingClock) -> None:
    """And the environment's prefix counts where the plugin has none of its own."""
    store = MemoryStore(clock)
    own = RememberPlugin.init(type="global-store", key_prefix="acme:")
    one, two = (
        serve(prefs((plugin,)), store=store, environ={"REMEMBER_KEY_PREFIX": "env:"})
        for plugin in (own, RememberPlugin.init(type="global-store"))
    )
    one.ana.call("set_language", {"language": "fr"})
    assert two.ana.call("get_language").data["language"] == "en"
    two.ana.call("set_language", {"language": "de"})
    assert stored(store, "acme:") == ["acme:v2:user:static%3Aana:language"]
    assert stored(store, "env:") == ["env:v2:user:static%3Aana:language"]


@pytest.mark.promise("options.rest-pair")
@pytest.mark.parametrize(("given", "missing"), [("url", "token"), ("token", "url")])
def test_half_a_rest_store_names_the_missing_half(given: str, missing: str) -> None:
    """url and token: both, or neither."""
    values = {"url": "https://store.example", "token": "a-token"}
    plugin = RememberPlugin({"type": "upstash", given: values[given]})  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=f"{given} is given and {missing} is not") as refused:
        serve(prefs((plugin,)))
    assert "a-token" not in str(refused.value)


@pytest.mark.promise("options.rest-pair")
@pytest.mark.parametrize("kind", ["upstash", "vercel-kv"])
@pytest.mark.parametrize(
    "pair", [("KV_REST_API_URL", "KV_REST_API_TOKEN"), ("UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN")]
)
def test_half_a_rest_store_in_the_environment_is_told_to_every_caller(kind: str, pair: tuple[str, str]) -> None:
    """The answer names the variable that is missing, and does not say what the other one holds."""
    values = dict(zip(pair, ("https://store.example", "a-token"), strict=True))
    for missing in pair:
        environ = {name: value for name, value in values.items() if name != missing}
        served = serve(prefs((RememberPlugin({"type": kind}),)), environ=environ)  # type: ignore[arg-type]
        reply = served.ana.rpc("tools/list")
        assert reply.status == 503
        assert f"{missing} is not" in reply.error["message"]
        assert "a-token" not in reply.error["message"]


@pytest.mark.promise("options.global-store", "trouble.global-store")
def test_global_store_uses_the_handlers_store_and_says_when_there_is_none(clock: MovingClock) -> None:
    """The message begins as the page's, and then says what to do here."""
    plugin = RememberPlugin.init(type="global-store")
    with pytest.raises(ConfigurationError) as refused:
        serve(prefs((plugin,)))
    assert str(refused.value).startswith('Plugin "RememberPlugin" requires global "redis" configuration.')
    assert "store" in str(refused.value).removeprefix('Plugin "RememberPlugin" requires global "redis" configuration.')
    store = MemoryStore(clock)
    serve(prefs((plugin,)), store=store, clock=clock).ana.call("set_language", {"language": "fr"})
    assert serve(prefs((plugin,)), store=store, clock=clock).ana.call("get_language").data["language"] == "fr"


@pytest.mark.promise("options.sqlite")
def test_sqlite_keeps_values_over_a_restart(tmp_path: Path) -> None:
    """Ours beyond the page: a store in one file, without another service."""
    app = prefs((RememberPlugin.init(type="sqlite", path=str(tmp_path / "memory.db")),))
    serve(app).ana.call("set_language", {"language": "fr"})
    assert serve(app).ana.call("get_language").data["language"] == "fr"
    with pytest.raises(ConfigurationError, match="sqlite needs path"):
        serve(prefs((RememberPlugin.init(type="sqlite"),)))


@pytest.mark.promise("options.redis")
@pytest.mark.parametrize("way", ["config", "url"])
def test_redis_keeps_values_where_config_or_url_says(redis_server: RedisServer, redis_url: str, way: str) -> None:
    """The page's `redis`: made and closed by us, kept over a restart; a password of any characters reaches it."""
    redis_server.admin.config_set("requirepass", "p@ss/w:rd#1")
    try:
        config: RedisOptions = {"host": "127.0.0.1", "port": redis_server.port, "password": "p@ss/w:rd#1", "db": 2}
        url = f"redis://:p%40ss%2Fw%3Ard%231@127.0.0.1:{redis_server.port}/2"
        plugin = (
            RememberPlugin.init(type="redis", config=config)
            if way == "config"
            else RememberPlugin.init(type="redis", url=url)
        )
        app = prefs((plugin,))
        serve(app).ana.call("set_language", {"language": "fr"})
        assert serve(app).ana.call("get_language").data["language"] == "fr"
    finally:
        redis_server.admin.config_set("requirepass", "")


@pytest.mark.promise("options.redis-client")
def test_redis_client_uses_the_callers_client_and_leaves_it_open(redis_server: RedisServer, redis_url: str) -> None:
    """The page's `redis-client`: who made it closes it."""

    async def story() -> None:
        client = Redis(port=redis_server.port)
        ana = serve(prefs((RememberPlugin.init(type="redis-client", client=client),))).ana
        await ana.call_async("set_language", {"language": "fr"})
        assert (await ana.call_async("get_language")).data["language"] == "fr"
        assert await client.ping() is True
        await client.aclose()

    asyncio.run(story())


@pytest.mark.promise("options.redis", "options.redis-client")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"type": "redis"}, "config with host and port, or url"),
        ({"type": "redis", "url": "redis://h", "config": {"host": "h"}}, "one of the two"),
        ({"type": "redis", "config": {"port": 1}}, "needs config.host"),
        ({"type": "redis", "config": {"host": "private-word@h"}}, "config.host must be a host's name"),
        ({"type": "redis", "config": {"host": "h", "port": "1"}}, "config.port must be a whole number"),
        ({"type": "redis", "config": {"hots": "h"}}, "no option config.hots; did you mean host?"),
        ({"type": "redis", "url": "https://private-word.example"}, "url must be redis://"),
        ({"type": "upstash", "url": "redis://:private-word@h", "token": "t"}, "url holds a redis:// address"),
        ({"type": "redis-client"}, "client must be a redis.asyncio.Redis"),
        ({"type": "redis-client", "client": "private-word"}, "client must be a redis.asyncio.Redis"),
    ],
)
def test_a_redis_without_what_it_needs_is_told(options: dict[str, Any], words: str) -> None:
    """By the option's name, and without what it holds."""
    with pytest.raises(ConfigurationError) as refused:
        serve(prefs((RememberPlugin(options),)))  # type: ignore[arg-type]
    assert words in str(refused.value)
    assert "private-word" not in str(refused.value)


def made() -> Options:
    return {"type": "memory", "tools": {"enabled": True, "prefix": "my_", "allowed_scopes": ["user"]}}


async def made_later() -> Options:
    await asyncio.sleep(0)
    return made()


@pytest.mark.promise("options.factory")
@pytest.mark.parametrize("factory", [made, made_later])
def test_tools_of_a_factory_are_honoured(factory: Any) -> None:
    """Sync or async: enabled, prefix and allowed scopes hold, as if passed to init."""
    served = serve(App("assistant", plugins=(RememberPlugin.init(use_factory=factory),)))
    assert set(served.ana.tools()) == {"my_remember_this", "my_recall", "my_forget", "my_list_memories"}
    assert served.ana.call("my_recall", {"key": "k"}).text == "Scope 'session' is not allowed. Allowed scopes: user"
    served.ana.call("my_remember_this", {"key": "k", "value": 1, "scope": "user"})
    assert served.ana.call("my_recall", {"key": "k", "scope": "user"}).data["value"] == 1


@pytest.mark.promise("options.factory")
def test_an_async_factory_runs_once_however_many_requests_come_first() -> None:
    """Twenty first requests at once share one memory."""
    runs: list[int] = []

    async def counted() -> Options:
        runs.append(1)
        return await made_later()

    served = serve(App("assistant", plugins=(RememberPlugin.init(use_factory=counted),)))

    async def story() -> None:
        arguments = [{"key": f"k{number}", "value": number, "scope": "user"} for number in range(20)]
        await asyncio.gather(*(served.ana.call_async("my_remember_this", each) for each in arguments))
        listed = await served.ana.call_async("my_list_memories", {"scope": "user"})
        assert listed.data["count"] == 20

    asyncio.run(story())
    assert len(runs) == 1


@pytest.mark.promise("options.factory")
def test_a_factory_gets_what_it_asks_for(clock: MovingClock) -> None:
    """inject can offer the settings and the handler's store; anything else is told to be unknown."""
    store = MemoryStore(clock)
    given: list[object] = []

    def factory(settings: Settings, offered: Store) -> Options:
        given.extend([settings.key_prefix, offered])
        return {"type": "global-store"}

    plugin = RememberPlugin.init(inject=(Settings, Store), use_factory=factory)
    serve(prefs((plugin,)), store=store, environ={"REMEMBER_KEY_PREFIX": "env:"}).ana.tools()
    assert given == ["env:", store]
    with pytest.raises(ConfigurationError, match="inject can offer"):
        serve(prefs((RememberPlugin.init(inject=(int,), use_factory=factory),)))


@pytest.mark.promise("options.factory")
@pytest.mark.parametrize("wrong", [{"tols": {}}, {"type": "disk"}])
def test_a_factorys_options_are_checked_like_any(wrong: Any) -> None:
    """A sync factory fails at the start; an async one is answered to the first caller."""

    async def later() -> Options:
        return wrong  # type: ignore[no-any-return]

    with pytest.raises(ConfigurationError):
        serve(prefs((RememberPlugin.init(use_factory=lambda: wrong),)))
    reply = serve(prefs((RememberPlugin.init(use_factory=later),))).ana.rpc("tools/list")
    assert reply.status == 503
    assert reply.error["data"]["code"] == "REMEMBER_CONFIGURATION"


@pytest.mark.promise("sealing.off")
def test_the_environment_can_turn_encryption_off_and_the_option_stands_before_it(clock: MovingClock) -> None:
    """REMEMBER_ENCRYPTION=off holds where the plugin does not say."""
    store = MemoryStore(clock)
    for options, plain in (({}, True), ({"encryption": {"enabled": True}}, False)):
        plugin = RememberPlugin({"type": "global-store", **options})  # type: ignore[arg-type]
        serve(prefs((plugin,)), store=store, environ={"REMEMBER_ENCRYPTION": "off"}).ana.call(
            "set_language", {"language": "a-plain-word"}
        )
        (key,) = stored(store, "remember:")
        text = asyncio.run(store.get(key))
        assert text is not None
        assert ("a-plain-word" in text) is plain


@pytest.mark.promise("options.default-ttl")
def test_an_options_default_ttl_of_zero_stands_before_the_environments(clock: MovingClock) -> None:
    """0 is none, although REMEMBER_DEFAULT_TTL says otherwise."""
    environ = {"REMEMBER_DEFAULT_TTL": "60"}
    stays, goes = (
        serve(prefs((plugin,)), environ=environ, clock=clock)
        for plugin in (RememberPlugin.init(default_ttl=0), RememberPlugin)
    )
    for served in (stays, goes):
        served.ana.call("set_language", {"language": "fr"})
    clock.advance(60_000)
    assert stays.ana.call("get_language").data["language"] == "fr"
    assert goes.ana.call("get_language").data["language"] == "en"
