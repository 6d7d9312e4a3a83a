"""What RememberPlugin can be told, and the check that it was told nothing else (first seed, Options)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypedDict, cast, get_args

from remember.entry import check_ttl
from remember.errors import ConfigurationError, InvalidInput
from remember.scope import SCOPES, Scope
from remember.settings import KEY_PREFIX, TOOL_PREFIX, Secret, Settings, is_web_url, nearest, rest_url_message, unsaid

StoreType = Literal["auto", "memory", "sqlite", "upstash", "vercel-kv", "global-store"]
STORE_TYPES: tuple[StoreType, ...] = get_args(StoreType)


class EncryptionOptions(TypedDict, total=False):
    """`enabled` (True) and `custom_key`, which replaces the server's secret."""

    enabled: bool
    custom_key: str


class ToolsOptions(TypedDict, total=False):
    """`enabled` (False), `prefix` before the four names, and the scopes that the memory tools take."""

    enabled: bool
    prefix: str
    allowed_scopes: Iterable[Scope]


class Options(TypedDict, total=False):
    """What `RememberPlugin.init` takes (first seed, Options; in Python's names)."""

    type: StoreType
    path: str
    url: str
    token: str
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
    return cast(Options, dict(options))


def store_settings(options: Options, settings: Settings) -> Settings:
    """The settings with the store that the options name, for `open_store`.

    Raises:
        ConfigurationError: only one of `url` and `token`, or a store without what it needs.
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
    url, token = options.get("url"), options.get("token")
    if (url is None) != (token is None):
        missing, given = ("url", "token") if url is None else ("token", "url")
        raise ConfigurationError(
            missing, f"{given} is given and {missing} is not. The REST store needs both, or neither."
        )
    if url is None or token is None:
        return replace(settings, store="upstash")
    return replace(settings, store="upstash", rest_url=url.rstrip("/"), rest_token=Secret(token), problems=())


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


def _url(name: str, value: object) -> None:
    if not isinstance(value, str) or not is_web_url(value):
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


def _scopes(name: str, value: object) -> None:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ConfigurationError(name, f"{name} must be a list of scopes; got {value!r:.60}.")
    chosen = tuple(value)
    if not chosen or any(scope not in SCOPES for scope in chosen):
        raise ConfigurationError(name, f"{name} must hold one or more of {', '.join(SCOPES)}; got {chosen!r:.80}.")


_CHECKS: dict[str, Callable[[str, Any], None]] = {
    "type": _one_of(*STORE_TYPES),
    "path": _kind(str, "a file's path"),
    "url": _url,
    "token": _kind(str, "text"),
    "key_prefix": _prefix,
    "default_ttl": _ttl,
    "encryption": lambda name, value: _check(value, _ENCRYPTION, f"{name}."),
    "tools": lambda name, value: _check(value, _TOOLS, f"{name}."),
}
_ENCRYPTION: dict[str, Callable[[str, Any], None]] = {
    "enabled": _kind(bool, "True or False"),
    "custom_key": _custom_key,
}
_TOOLS: dict[str, Callable[[str, Any], None]] = {
    "enabled": _kind(bool, "True or False"),
    "prefix": _prefix,
    "allowed_scopes": _scopes,
}
