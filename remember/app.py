"""App: tools, prompts and resources under one id, with the plugins that serve them; and a handler's catalog of all."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from remember.errors import ConfigurationError
from remember.owned import Memory
from remember.plugin import Installed, RememberPlugin, Surroundings
from remember.settings import Family
from remember.tools import Tool

if TYPE_CHECKING:
    from remember.prompts import Prompt
    from remember.resources import Resource

HANDLER_ID = "remember"
"""The owner of tools that a plugin on the handler itself brings in."""

_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")

PluginLike = RememberPlugin | type[RememberPlugin]


@dataclass(frozen=True)
class App:
    """Tools, prompts and resources under one id. A plugin here serves this app alone, one of the handler's every app.

    `id` is 1 to 64 of `A-Z a-z 0-9 _ . -`; it is part of where tool scope keeps values, so it should stay.
    `instructions` tell a model how to use the tools together.
    """

    id: str
    name: str = ""
    tools: Sequence[Tool] = ()
    plugins: Sequence[PluginLike] = ()
    instructions: str = ""
    prompts: Sequence[Prompt] = ()
    resources: Sequence[Resource] = ()

    def __post_init__(self) -> None:
        for name in ("tools", "plugins", "prompts", "resources"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # it is looked through more than once
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise ConfigurationError("id", f"An app's id is 1 to 64 of A-Z a-z 0-9 _ . -; got {self.id!r:.80}.")
        for tool in self.tools:
            if not isinstance(tool, Tool):
                raise ConfigurationError(
                    "tools", f"App {self.id} lists {tool!r:.80}, which is no tool; put @tool before it."
                )
        if self.prompts or self.resources:
            _check_kinds(self)


def _check_kinds(app: App) -> None:
    from remember.prompts import Prompt  # noqa: PLC0415  lazy: the memory server has none
    from remember.resources import Resource  # noqa: PLC0415  lazy: as above

    for word, kind, listed in (("prompt", Prompt, app.prompts), ("resource", Resource, app.resources)):
        for one in listed:
            if not isinstance(one, kind):
                raise ConfigurationError(
                    f"{word}s", f"App {app.id} lists {one!r:.80}, which is no {word}; put @{word} before it."
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
class OfferedPrompt:
    """A prompt as a handler offers it."""

    prompt: Prompt
    app_id: str
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class OfferedResource:
    """A resource, or a template of many, as a handler offers it."""

    resource: Resource
    app_id: str
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class Catalog:
    """What one handler offers: its tools by name, in the order in which they are listed, the families of ours that are
    among them, how to use them, and every memory that its plugins brought in, the handler's own first. Prompts are by
    name, resources by URI, templates among them.
    """

    tools: Mapping[str, Offered] = field(default_factory=dict)
    families: frozenset[Family] = frozenset()
    instructions: str = ""
    memories: tuple[Memory, ...] = ()
    prompts: Mapping[str, OfferedPrompt] = field(default_factory=dict)
    resources: Mapping[str, OfferedResource] = field(default_factory=dict)


def build_catalog(
    apps: Iterable[App], plugins: Iterable[PluginLike], surroundings: Surroundings
) -> Catalog | Awaitable[Catalog]:
    """All that these apps and plugins have; awaitable where a plugin's factory is async.

    Raises:
        ConfigurationError: a name is taken twice (both owners are named), or a plugin cannot be installed.
    """
    homes = [_Home(App(HANDLER_ID), _install(HANDLER_ID, plugins, surroundings))]
    for app in apps:
        if any(home.id == app.id for home in homes):
            raise ConfigurationError("id", f"The app id {app.id} is taken already; each app needs its own.")
        homes.append(_Home(app, _install(app.id, app.plugins, surroundings)))
    if any(isinstance(home.installed, Awaitable) for home in homes):
        return _catalog_later(homes)
    return _catalog(homes)


@dataclass(frozen=True, slots=True)
class _Home:
    app: App
    installed: Installed | Awaitable[Installed] | None

    @property
    def id(self) -> str:
        return self.app.id

    def memory(self, shared: _Home) -> Memory | None:
        """Its own plugin's, else the handler's."""
        installed = self.installed or shared.installed
        return installed.memory if isinstance(installed, Installed) else None


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
    plugins = [home.installed for home in homes if isinstance(home.installed, Installed)]
    families = frozenset(family for plugin in plugins for family in plugin.families)
    words = [*(home.app.instructions for home in homes), *(plugin.instructions for plugin in plugins)]
    return Catalog(
        MappingProxyType(_tools(homes)),
        families,
        "\n\n".join(word for word in words if word),
        tuple(plugin.memory for plugin in plugins),
        MappingProxyType(_prompts(homes)),
        MappingProxyType(_resources(homes)),
    )


def _tools(homes: list[_Home]) -> dict[str, Offered]:
    offered: dict[str, Offered] = {}
    owners: dict[str, str] = {}
    for home in homes:
        for owner, name, make in _brought(home):
            if name in owners:
                raise ConfigurationError(
                    "tools",
                    f"The tool {name} is registered twice, by {owners[name]} and by {owner}. "
                    "Keep one: drop it from a tools list, or drop tools.enabled, or set tools.prefix.",
                )
            owners[name] = owner
            offered[name] = Offered(make, home.id, home.memory(homes[0]))
    return offered


def _brought(home: _Home) -> Iterator[tuple[str, str, Callable[[], Tool]]]:
    """Who brings which tool in, by name, and how it is made."""
    for tool in home.app.tools:
        yield home.id, tool.name, partial(_itself, tool)
    if isinstance(home.installed, Installed):
        for name, make in home.installed.tools.items():
            yield f"RememberPlugin on {home.id}", name, make


def _itself(tool: Tool) -> Tool:
    return tool


def _prompts(homes: list[_Home]) -> dict[str, OfferedPrompt]:
    offered: dict[str, OfferedPrompt] = {}
    for home in homes:
        for prompt in home.app.prompts:
            if (other := offered.get(prompt.name)) is not None:
                raise _twice("prompt", prompt.name, other.app_id, home.id)
            offered[prompt.name] = OfferedPrompt(prompt, home.id, home.memory(homes[0]))
    return offered


def _resources(homes: list[_Home]) -> dict[str, OfferedResource]:
    offered: dict[str, OfferedResource] = {}
    taken: dict[object, str] = {}
    for home in homes:
        for resource in home.app.resources:
            for key in (resource.name, resource.uri.literals):
                if key in taken:
                    raise _twice("resource", f"{resource.name} ({resource.uri.text})", taken[key], home.id)
                taken[key] = home.id
            offered[resource.uri.text] = OfferedResource(resource, home.id, home.memory(homes[0]))
    return offered


def _twice(kind: str, what: str, one: str, other: str) -> ConfigurationError:
    return ConfigurationError(
        f"{kind}s",
        f"The {kind} {what} is registered twice, by {one} and by {other}. Keep one: drop it from a {kind}s list.",
    )
