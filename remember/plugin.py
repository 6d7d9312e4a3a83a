"""RememberPlugin: gives an app, or every app of a handler, a memory; and, where enabled, tools for the model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from remember.clock import Clock
from remember.errors import ConfigurationError
from remember.limits import RateLimit
from remember.options import (
    EncryptionOptions,
    Options,
    RedisOptions,
    StoreType,
    ToolsOptions,
    check_options,
    store_settings,
)
from remember.owned import Memory
from remember.scope import NOTE_SCOPES
from remember.sealing import PlainSealer, Sealer, SecretSealer, choose_secrets
from remember.settings import Family, Settings
from remember.stores.base import Store
from remember.stores.open_store import client_store, open_store
from remember.tools import Tool, Wording, tools_of

_NO_GLOBAL_STORE = (
    'Plugin "RememberPlugin" requires global "redis" configuration. '
    "Give create_fetch_handler a store, or choose another type."
)

_NO_NOTE_SCOPE = (
    f"The notes' tools need one of the scopes {', '.join(NOTE_SCOPES)}, and {{}} allows none of them. Allow one, or "
    "offer the memory tools alone (REMEMBER_TOOLS, tools.families)."
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a handler offers its plugins. `store` is the handler's own, for the type `global-store`.

    `rate_limit` counts a caller's calls over all of the plugins; without it nobody's are counted.
    """

    settings: Settings
    clock: Clock
    store: Store | None = None
    rate_limit: RateLimit | None = None


@dataclass(frozen=True, slots=True)
class Installed:
    """What a plugin brings in: a memory, what makes the tools that the model sees, which families they are of, and how
    to use them.
    """

    memory: Memory
    tools: Mapping[str, Callable[[], Tool]] = field(default_factory=dict)
    families: tuple[Family, ...] = ()
    instructions: str = ""


class RememberPlugin:
    """The class itself in a plugins list, `RememberPlugin.init()` and `RememberPlugin.init(type="memory")` are one."""

    def __init__(
        self,
        options: Options | None = None,
        *,
        inject: Iterable[type] = (),
        use_factory: Callable[..., Options | Awaitable[Options]] | None = None,
    ) -> None:
        self._options = check_options(options or {})
        self._inject = tuple(inject)
        self._use_factory = use_factory
        static = set(self._options) - {"type"} if self._options.get("type") == "memory" else set(self._options)
        if use_factory is not None and static:
            lost = ", ".join(sorted(static))
            raise ConfigurationError("use_factory", f"use_factory makes the options; {lost} beside it would be lost.")
        if use_factory is None and self._inject:
            raise ConfigurationError("inject", "inject names what use_factory is given; there is no use_factory here.")

    @classmethod
    def init(  # noqa: PLR0913  the seed's options, each by name
        cls,
        *,
        type: StoreType = "memory",  # noqa: A002  the seed's own word
        path: str | None = None,
        url: str | None = None,
        token: str | None = None,
        config: RedisOptions | None = None,
        client: object = None,
        key_prefix: str | None = None,
        default_ttl: int | None = None,
        encryption: EncryptionOptions | None = None,
        tools: ToolsOptions | None = None,
        inject: Iterable[type] = (),
        use_factory: Callable[..., Options | Awaitable[Options]] | None = None,
    ) -> RememberPlugin:
        """A plugin with these options; what is left out follows the environment, then the default.

        `type`: memory (default); sqlite, with `path`; upstash or vercel-kv, with `url` and `token` or the
        environment's; redis, with `config` or `url`, opened and closed by us; redis-client, with `client`, a
        redis.asyncio.Redis that stays the caller's to close; global-store, the handler's own; auto, what the
        environment names.
        `default_ttl`: seconds for `set` without ttl, 0 for none. `use_factory` makes options instead, sync or
        async, given what `inject` lists: `Settings` and `Store` can be had.

        Raises:
            ConfigurationError: an option that does not fit, named.
        """
        given = {
            "type": type,
            "path": path,
            "url": url,
            "token": token,
            "config": config,
            "client": client,
            "key_prefix": key_prefix,
            "default_ttl": default_ttl,
            "encryption": encryption,
            "tools": tools,
        }
        options = {name: value for name, value in given.items() if value is not None}
        return cls(check_options(options), inject=inject, use_factory=use_factory)

    def install(self, surroundings: Surroundings) -> Installed | Awaitable[Installed]:
        """The memory and tools that this plugin brings in; awaitable where its factory is async.

        Raises:
            ConfigurationError: an option does not fit, or something that it needs is missing.
        """
        if self._use_factory is None:
            return _install(self._options, surroundings)
        made = self._use_factory(*(_offer(kind, surroundings) for kind in self._inject))
        if isinstance(made, Awaitable):
            return _install_later(made, surroundings)
        return _install(check_options(made), surroundings)


def _offer(kind: type, surroundings: Surroundings) -> object:
    if kind is Settings:
        return surroundings.settings
    if kind is Store and surroundings.store is not None:
        return surroundings.store
    raise ConfigurationError("inject", f"inject can offer Settings, and Store where the handler has one; not {kind!r}.")


async def _install_later(made: Awaitable[Options], surroundings: Surroundings) -> Installed:
    return _install(check_options(await made), surroundings)


def _install(options: Options, surroundings: Surroundings) -> Installed:
    settings = surroundings.settings
    store = _store(options, surroundings)
    tools = options.get("tools", {})
    redaction = tools.get("redaction", settings.redaction)
    memory = Memory(
        store=store,
        sealer=_sealer(options.get("encryption", {}), settings, store),
        clock=surroundings.clock,
        key_prefix=options.get("key_prefix", settings.key_prefix),
        default_ttl=options.get("default_ttl", settings.default_ttl) or None,
        read_seed=settings.read_seed,
        rate_limit=surroundings.rate_limit,
        redaction=redaction,
        model=settings.model,
    )
    if not tools.get("enabled", False):
        return Installed(memory)
    wording = Wording(
        prefix=tools.get("prefix", settings.tools_prefix),
        allowed_scopes=tuple(tools.get("allowed_scopes", settings.allowed_scopes)),
        redaction=redaction,
        families=tuple(tools.get("families", ("memory",))),
    )
    if "notes" in wording.families and not wording.note_scopes:
        variable = "allowed_scopes" if "allowed_scopes" in tools else "REMEMBER_ALLOWED_SCOPES"
        raise ConfigurationError(variable, _NO_NOTE_SCOPE.format(variable))
    return Installed(memory, tools_of(wording), wording.families, wording.instructions)


def _store(options: Options, surroundings: Surroundings) -> Store:
    kind = options.get("type", "memory")
    if kind == "global-store":
        if surroundings.store is None:
            raise ConfigurationError("type", _NO_GLOBAL_STORE)
        return surroundings.store
    if kind == "redis-client":
        return client_store(options.get("client"), surroundings.settings, clock=surroundings.clock)
    return open_store(store_settings(options, surroundings.settings), clock=surroundings.clock)


def _sealer(encryption: EncryptionOptions, settings: Settings, store: Store) -> Sealer:
    if not encryption.get("enabled", settings.encryption):
        return PlainSealer()
    secrets = choose_secrets(
        settings, lasting=store.lasting, folder=store.home, custom_key=encryption.get("custom_key")
    )
    return SecretSealer(secrets, read_seed=settings.read_seed)
