"""Opens the store that the settings name, or says what to set."""

from __future__ import annotations

from importlib.util import find_spec

from remember.clock import Clock
from remember.errors import ConfigurationError, unsaid
from remember.settings import REST_PAIRS, Secret, Settings, is_redis_url, redis_url_message
from remember.stores.base import Quota, Store

LOCAL_PATH = ".remember/memory.db"
KNOWN = "upstash, redis://…, sqlite:PATH or memory"

_WHERE_TO_SET = {
    "vercel": "Add the Upstash integration to the project (`vercel integration add upstash`, or Storage on its page); "
    "it sets KV_REST_API_URL and KV_REST_API_TOKEN. Then deploy again.",
    "lambda": "Deploy with the parameters for KV_REST_API_URL and KV_REST_API_TOKEN (`sam deploy --guided` asks for "
    "them); both stand in Upstash's console under REST.",
    "local": "Set KV_REST_API_URL and KV_REST_API_TOKEN; both stand in Upstash's console under REST.",
}


def open_store(settings: Settings, *, clock: Clock) -> Store:
    """The store that `REMEMBER_STORE` means here; nothing is connected or written yet.

    Raises:
        ConfigurationError: no store can be had from these settings; the message says what to set.
    """
    kind, _, rest = (settings.store or _default(settings)).partition(":")
    if kind in ("memory", "sqlite") and settings.deployed:
        raise ConfigurationError(
            "REMEMBER_STORE",
            f"REMEMBER_STORE is {kind}, and on {settings.platform} neither the disk nor the process lasts: what is "
            f"stored would be lost. {_WHERE_TO_SET[settings.platform]}",
        )
    if kind == "memory" and not rest:
        return _memory(settings, clock)
    if kind == "sqlite" and rest:
        return _sqlite(rest, settings, clock)
    if kind == "upstash" and not rest:
        return _upstash(settings, clock)
    if kind == "redis" and settings.redis_url is not None:
        return _redis(settings.redis_url, settings, clock)
    raise ConfigurationError("REMEMBER_STORE", _unknown(kind))


def client_store(client: object, settings: Settings, *, clock: Clock) -> Store:
    """A store over the caller's own client, a `redis.asyncio.Redis`.

    Raises:
        ConfigurationError: it is something else.
    """
    if not hasattr(getattr(client, "connection_pool", None), "get_connection"):
        raise ConfigurationError(
            "client", f"client must be a redis.asyncio.Redis that you have made; got {type(client).__name__}."
        )
    from remember.stores.redis import RedisClientStore  # noqa: PLC0415  lazy: one store of several is used

    deadline, quota = settings.store_deadline, _quota(settings)
    return RedisClientStore(client, clock=clock, deadline=deadline, quota=quota)  # type: ignore[arg-type]


def _default(settings: Settings) -> str:
    """What an unset REMEMBER_STORE means."""
    if settings.rest_url or _rest_problem(settings):
        return "upstash"
    if not settings.deployed:
        return f"sqlite:{LOCAL_PATH}"
    raise ConfigurationError(
        "REMEMBER_STORE",
        f"No store is configured, and on {settings.platform} there is no disk that lasts. "
        f"{_WHERE_TO_SET[settings.platform]}",
    )


def _quota(settings: Settings) -> Quota:
    return Quota(entries=settings.max_entries)


def _memory(settings: Settings, clock: Clock) -> Store:
    from remember.stores.memory import MemoryStore  # noqa: PLC0415  lazy: one store of several is used

    return MemoryStore(clock, quota=_quota(settings))


def _sqlite(path: str, settings: Settings, clock: Clock) -> Store:
    from remember.stores.sqlite import SqliteStore  # noqa: PLC0415  lazy: one store of several is used

    return SqliteStore(path, clock=clock, prefix=settings.key_prefix, quota=_quota(settings))


def _upstash(settings: Settings, clock: Clock) -> Store:
    if problem := _rest_problem(settings):
        raise problem
    if settings.rest_url is None or settings.rest_token is None:
        raise ConfigurationError(
            "KV_REST_API_URL",
            "REMEMBER_STORE is upstash, and neither KV_REST_API_URL and KV_REST_API_TOKEN nor UPSTASH_REDIS_REST_URL "
            f"and UPSTASH_REDIS_REST_TOKEN are set. {_WHERE_TO_SET[settings.platform]}",
        )
    from remember.stores.upstash import UpstashStore  # noqa: PLC0415  lazy: one store of several is used

    deadline, quota = settings.store_deadline, _quota(settings)
    return UpstashStore(settings.rest_url, settings.rest_token, clock=clock, deadline=deadline, quota=quota)


def _redis(url: Secret, settings: Settings, clock: Clock) -> Store:
    if not is_redis_url(url.reveal()):
        raise ConfigurationError("REMEMBER_STORE", redis_url_message("REMEMBER_STORE"))
    if find_spec("redis") is None:
        raise ConfigurationError(
            "REMEMBER_STORE",
            "A Redis store needs the package redis, which is not installed: install Remember with its extra `redis` "
            "(`pip install '.[redis]'`); a deployed function takes it from requirements.txt.",
        )
    from remember.stores.redis import RedisStore  # noqa: PLC0415  lazy: one store of several is used

    return RedisStore(url, clock=clock, deadline=settings.store_deadline, quota=_quota(settings))


def _rest_problem(settings: Settings) -> ConfigurationError | None:
    """What is wrong with the REST store's own variables: an owner who set them wants that store, no other."""
    names = {name for pair in REST_PAIRS for name in pair}
    for problem in settings.problems:
        if problem.variable in names:
            return ConfigurationError(problem.variable, str(problem))
    return None


def _unknown(kind: str) -> str:
    if kind == "redis":
        return redis_url_message("REMEMBER_STORE")
    return f"REMEMBER_STORE must be {KNOWN} (sqlite with its path, upstash and memory alone); it is {unsaid(kind)}."
