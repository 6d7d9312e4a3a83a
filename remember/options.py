"""What RememberPlugin can be told, and the check that it was told nothing else (first seed, Options)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypedDict, cast, get_args
from urllib.parse import quote, urlsplit

from remember.entry import check_ttl
from remember.errors import ConfigurationError, InvalidInput, nearest, unsaid
from remember.scope import SCOPES, Scope
from remember.settings import (
    FAMILIES,
    KEY_PREFIX,
    REDACTIONS,
    TOOL_PREFIX,
    Family,
    Redaction,
    Secret,
    Settings,
    is_redis_url,
    is_web_url,
    redis_url_message,
    rest_url_message,
)

StoreType = Literal["auto", "memory", "sqlite", "upstash", "vercel-kv", "redis", "redis-client", "global-store"]
STORE_TYPES: tuple[StoreType, ...] = get_args(StoreType)


class RedisOptions(TypedDict, total=False):
    """Where a Redis is: `host` and `port`, and `password` and `db` where it has them."""

    host: str
    port: int
    password: str
    db: int


class EncryptionOptions(TypedDict, total=False):
    """`enabled` (True) and `custom_key`, which replaces the server's secret."""

    enabled: bool
    custom_key: str


class ToolsOptions(TypedDict, total=False):
    """`enabled` (False), which `families` of tools there are then (memory), `prefix` before their names, the scopes
    that they take, and what they, and notes at all, do about secrets (`redaction`, else the setting's)."""

    enabled: bool
    families: Iterable[Family]
    prefix: str
    allowed_scopes: Iterable[Scope]
    redaction: Redaction


class Options(TypedDict, total=False):
    """What `RememberPlugin.init` takes (first seed, Options; in Python's names)."""

    type: StoreType
    path: str
    url: str
    token: str
    config: RedisOptions
    client: object
    key_prefix: str
    default_ttl: int
    encryption: EncryptionOptions
    tools: ToolsOptions


def check_options(options: Mapping[str, Any]) -> Options:
    """The same options, once each is known and fits.

    Raises:
        ConfigurationError: naming the option, what it may hold, and the nearest known name for an unknown one.
    """
    _check(options, _CHECKS, "")
    kind = options.get("type", "memory")
    for name, types in _USED_BY.items():
        if name in options and kind not in types:
            raise ConfigurationError(name, f"{name} is for the type {' or '.join(types)}; the type here is {kind}.")
    return cast(Options, dict(options))


def store_settings(options: Options, settings: Settings) -> Settings:
    """The settings with the store that the options name, for `open_store`.

    Raises:
        ConfigurationError: a store without what it needs, or with only one of `url` and `token`.
    """
    settings = replace(settings, key_prefix=options.get("key_prefix", settings.key_prefix))
    kind = options.get("type", "memory")
    if kind == "auto":
        return settings
    if kind == "sqlite":
        if "path" not in options:
            raise ConfigurationError("path", "The type sqlite needs path, the file to keep memory in.")
        return replace(settings, store=f"sqlite:{options['path']}")
    if kind == "memory":
        return replace(settings, store="memory")
    if kind == "redis":
        return replace(settings, store="redis", redis_url=Secret(_redis_url(options)))
    url, token = options.get("url"), options.get("token")
    if (url is None) != (token is None):
        missing, given = ("url", "token") if url is None else ("token", "url")
        raise ConfigurationError(
            missing, f"{given} is given and {missing} is not. The REST store needs both, or neither."
        )
    if url is None or token is None:
        return replace(settings, store="upstash")
    if not is_web_url(url):
        raise ConfigurationError("url", rest_url_message("url", url))
    return replace(settings, store="upstash", rest_url=url.rstrip("/"), rest_token=Secret(token), problems=())


def _redis_url(options: Options) -> str:
    """The address that `url` or `config` gives; the two parts of it that may hold anything are encoded."""
    url, config = options.get("url"), options.get("config")
    if (url is None) == (config is None):
        raise ConfigurationError("config", "The type redis needs config with host and port, or url; one of the two.")
    if url is not None:
        if not is_redis_url(url):
            raise ConfigurationError("url", redis_url_message("url"))
        return url
    if config is None or "host" not in config:
        raise ConfigurationError("config.host", "The type redis needs config.host, where the server is.")
    host = f"[{config['host']}]" if ":" in config["host"] else config["host"]
    password = f":{quote(config['password'], safe='')}@" if "password" in config else ""
    made = f"redis://{password}{host}:{config.get('port', 6379)}/{config.get('db', 0)}"
    if not is_redis_url(made) or urlsplit(made).hostname != config["host"].lower():
        raise ConfigurationError("config.host", "config.host must be a host's name or address alone.")
    return made


def _check(options: object, checks: Mapping[str, Callable[[str, Any], None]], inside: str) -> None:
    if not isinstance(options, Mapping):
        raise ConfigurationError(inside or "options", f"{inside or 'options'} must be a mapping of options.")
    for name, value in options.items():
        if name not in checks:
            known = ", ".join(checks)
            raise ConfigurationError(
                str(name), f"RememberPlugin has no option {inside}{name}{nearest(str(name), checks)} Known: {known}."
            )
        checks[name](f"{inside}{name}", value)


def _one_of(*known: str) -> Callable[[str, Any], None]:
    def check(name: str, value: object) -> None:
        if value not in known:
            raise ConfigurationError(name, f"{name} must be one of {', '.join(known)}; got {value!r:.60}.")

    return check


def _kind(kind: type, words: str) -> Callable[[str, Any], None]:
    def check(name: str, value: object) -> None:
        if not isinstance(value, kind) or value == "":
            raise ConfigurationError(name, f"{name} must be {words}; got {type(value).__name__}.")

    return check


def _number(most: int) -> Callable[[str, Any], None]:
    def check(name: str, value: object) -> None:
        if type(value) is not int or not 0 <= value <= most:
            raise ConfigurationError(name, f"{name} must be a whole number from 0 to {most}; got {value!r:.60}.")

    return check


def _client(name: str, value: object) -> None:
    if value is None:
        raise ConfigurationError(name, f"{name} is None; it must be a redis.asyncio.Redis that you have made.")


def _url(name: str, value: object) -> None:
    if not isinstance(value, str) or not (is_web_url(value) or is_redis_url(value)):
        raise ConfigurationError(name, rest_url_message(name, str(value)))


def _prefix(name: str, value: object) -> None:
    shape = KEY_PREFIX if name == "key_prefix" else TOOL_PREFIX
    if not isinstance(value, str) or not shape.fullmatch(value):
        raise ConfigurationError(name, f"{name} must fit {shape.pattern}; got {value!r:.80}.")


def _ttl(name: str, value: object) -> None:
    try:
        if value != 0 or isinstance(value, bool):
            check_ttl(value, name)
    except InvalidInput as exc:
        raise ConfigurationError(name, f"{exc} 0 is none.") from None


def _custom_key(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(
            name, f"{name} is blank or no text; leave it out to use REMEMBER_SECRET. Got {unsaid(str(value))}."
        )


def _some_of(known: tuple[str, ...], words: str) -> Callable[[str, Any], None]:
    def check(name: str, value: object) -> None:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ConfigurationError(name, f"{name} must be a list of {words}; got {value!r:.60}.")
        chosen = tuple(value)
        if not chosen or any(one not in known for one in chosen):
            raise ConfigurationError(name, f"{name} must hold one or more of {', '.join(known)}; got {chosen!r:.80}.")

    return check


_USED_BY: dict[str, tuple[StoreType, ...]] = {
    "path": ("sqlite",),
    "url": ("upstash", "vercel-kv", "redis"),
    "token": ("upstash", "vercel-kv"),
    "config": ("redis",),
    "client": ("redis-client",),
}
_CHECKS: dict[str, Callable[[str, Any], None]] = {
    "type": _one_of(*STORE_TYPES),
    "path": _kind(str, "a file's path"),
    "url": _url,
    "token": _kind(str, "text"),
    "config": lambda name, value: _check(value, _REDIS, f"{name}."),
    "client": _client,
    "key_prefix": _prefix,
    "default_ttl": _ttl,
    "encryption": lambda name, value: _check(value, _ENCRYPTION, f"{name}."),
    "tools": lambda name, value: _check(value, _TOOLS, f"{name}."),
}
_REDIS: dict[str, Callable[[str, Any], None]] = {
    "host": _kind(str, "a host's name"),
    "port": _number(65_535),
    "password": _kind(str, "text"),
    "db": _number(9_999),
}
_ENCRYPTION: dict[str, Callable[[str, Any], None]] = {
    "enabled": _kind(bool, "True or False"),
    "custom_key": _custom_key,
}
_TOOLS: dict[str, Callable[[str, Any], None]] = {
    "enabled": _kind(bool, "True or False"),
    "families": _some_of(FAMILIES, "families"),
    "prefix": _prefix,
    "allowed_scopes": _some_of(SCOPES, "scopes"),
    "redaction": _one_of(*REDACTIONS),
}
