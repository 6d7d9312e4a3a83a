"""App: a set of tools under one id, with the plugins that serve it; and the catalog that a handler serves from."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from remember.errors import ConfigurationError
from remember.owned import Memory
from remember.plugin import Installed, RememberPlugin, Surroundings
from remember.settings import Family
from remember.tools import Tool

HANDLER_ID = "remember"
"""The owner of tools that a plugin on the handler itself brings in."""

_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")

PluginLike = RememberPlugin | type[RememberPlugin]


@dataclass(frozen=True)
class App:
    """Tools under one id. A plugin here serves this app alone; one given to the handler serves every app.

    `id` is 1 to 64 of `A-Z a-z 0-9 _ . -`; it is part of where tool scope keeps values, so it should stay.
    `instructions` tell a model how to use the tools together.
    """

    id: str
    name: str = ""
    tools: Sequence[Tool] = ()
    plugins: Sequence[PluginLike] = ()
    instructions: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", tuple(self.tools))  # whatever was given is looked through more than once
        object.__setattr__(self, "plugins", tuple(self.plugins))
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise ConfigurationError("id", f"An app's id is 1 to 64 of A-Z a-z 0-9 _ . -; got {self.id!r:.80}.")
        for tool in self.tools:
            if not isinstance(tool, Tool):
                raise ConfigurationError(
                    "tools", f"App {self.id} lists {tool!r:.80}, which is no tool; put @tool before it."
                )


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as a handler offers it: whose it is, and the memory it works on. It is made when it is needed."""

    make: Callable[[], Tool]
    app_id: str
    memory: Memory | None

    @property
    def tool(self) -> Tool:
        return self.make()


@dataclass(frozen=True, slots=True)
class Catalog:
    """What one handler offers: its tools by name, in the order in which they are listed, the families of ours that are
    among them, how to use them, and every memory that its plugins brought in, the handler's own first.
    """

    tools: Mapping[str, Offered] = field(default_factory=dict)
    families: frozenset[Family] = frozenset()
    instructions: str = ""
    memories: tuple[Memory, ...] = ()


def build_catalog(
    apps: Iterable[App], plugins: Iterable[PluginLike], surroundings: Surroundings
) -> Catalog | Awaitable[Catalog]:
    """Every tool of these apps and plugins; awaitable where a plugin's factory is async.

    Raises:
        ConfigurationError: a name is taken twice (both owners are named), or a plugin cannot be installed.
    """
    homes = [_Home(HANDLER_ID, (), "", _install(HANDLER_ID, plugins, surroundings))]
    for app in apps:
        if any(home.id == app.id for home in homes):
            raise ConfigurationError("id", f"The app id {app.id} is taken already; each app needs its own.")
        homes.append(_Home(app.id, tuple(app.tools), app.instructions, _install(app.id, app.plugins, surroundings)))
    if any(isinstance(home.installed, Awaitable) for home in homes):
        return _catalog_later(homes)
    return _catalog(homes)


@dataclass(frozen=True, slots=True)
class _Home:
    id: str
    tools: tuple[Tool, ...]
    instructions: str
    installed: Installed | Awaitable[Installed] | None


def _install(
    app_id: str, plugins: Iterable[PluginLike], surroundings: Surroundings
) -> Installed | Awaitable[Installed] | None:
    made = [plugin() if isinstance(plugin, type) else plugin for plugin in plugins]
    for plugin in made:
        if not isinstance(plugin, RememberPlugin):
            raise ConfigurationError("plugins", f"{app_id} lists {plugin!r:.80}, which is no RememberPlugin.")
    if len(made) > 1:
        raise ConfigurationError("plugins", f"{app_id} lists RememberPlugin {len(made)} times; once is enough.")
    return made[0].install(surroundings) if made else None


async def _catalog_later(homes: list[_Home]) -> Catalog:
    opened = [
        replace(home, installed=await home.installed) if isinstance(home.installed, Awaitable) else home
        for home in homes
    ]
    return _catalog(opened)


def _catalog(homes: list[_Home]) -> Catalog:
    offered: dict[str, Offered] = {}
    owners: dict[str, str] = {}
    shared = homes[0].installed
    for home in homes:
        own = home.installed or shared
        memory = own.memory if isinstance(own, Installed) else None
        for owner, name, make in _tools(home):
            if name in owners:
                raise ConfigurationError(
                    "tools",
                    f"The tool {name} is registered twice, by {owners[name]} and by {owner}. "
                    "Keep one: drop it from a tools list, or drop tools.enabled, or set tools.prefix.",
                )
            owners[name] = owner
            offered[name] = Offered(make, home.id, memory)
    plugins = [home.installed for home in homes if isinstance(home.installed, Installed)]
    families = frozenset(family for plugin in plugins for family in plugin.families)
    words = [*(home.instructions for home in homes), *(plugin.instructions for plugin in plugins)]
    memories = tuple(plugin.memory for plugin in plugins)
    return Catalog(MappingProxyType(offered), families, "\n\n".join(word for word in words if word), memories)


def _tools(home: _Home) -> Iterator[tuple[str, str, Callable[[], Tool]]]:
    """Who brings which tool in, by name, and how it is made."""
    for tool in home.tools:
        yield home.id, tool.name, partial(_itself, tool)
    if isinstance(home.installed, Installed):
        for name, make in home.installed.tools.items():
            yield f"RememberPlugin on {home.id}", name, make


def _itself(tool: Tool) -> Tool:
    return tool
