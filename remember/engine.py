"""What answers a message once the gate has let it in: our own dispatcher here, the official SDK's server in `sdk`."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Protocol, TypeGuard

from remember.app import App, Catalog, PluginLike, build_catalog
from remember.caller import Caller
from remember.plugin import Surroundings
from remember.protocol import Message, Request, Response, ServerInfo, answer, json_response
from remember.version import VERSION


class Engine(Protocol):
    """One of the two: what it says of itself, what it offers, and how it answers."""

    @property
    def info(self) -> ServerInfo: ...

    def offer(self, plugins: Sequence[PluginLike], surroundings: Surroundings) -> Catalog | Awaitable[Catalog]:
        """What these plugins and the engine's own tools make together; awaitable where a plugin's factory is async."""
        ...

    async def tool_names(self, catalog: Catalog) -> list[str]:
        """Every tool that a client is shown."""
        ...

    async def answer(self, request: Request, message: Message, catalog: Catalog, caller: Caller) -> Response:
        """The response to one request of a known caller.

        Raises:
            Refusal: the method is not served, or its parameters do not fit.
        """
        ...


class OwnEngine:
    """Apps, on our own dispatcher."""

    def __init__(self, apps: Sequence[App]) -> None:
        self._apps = apps
        title = apps[0].name or apps[0].id if len(apps) == 1 else "Remember"
        self.info = ServerInfo(apps[0].id if len(apps) == 1 else "remember", VERSION, title)

    def offer(self, plugins: Sequence[PluginLike], surroundings: Surroundings) -> Catalog | Awaitable[Catalog]:
        """Every tool of the apps and plugins."""
        return build_catalog(self._apps, plugins, surroundings)

    async def tool_names(self, catalog: Catalog) -> list[str]:
        """As the catalog has them."""
        return list(catalog.tools)

    async def answer(self, request: Request, message: Message, catalog: Catalog, caller: Caller) -> Response:  # noqa: ARG002  the SDK's needs the request
        """What the dispatcher says."""
        return json_response(200, await answer(message, catalog, caller, self.info))


class SdkServer(Protocol):
    """The official SDK's `MCPServer`, or its low-level `Server`."""

    @property
    def name(self) -> str: ...

    @property
    def middleware(self) -> list[Any]: ...


def is_sdk_server(app: object) -> TypeGuard[SdkServer]:
    """Whether this, or a class that it builds on, comes from the SDK: told by name, so that nothing of it is loaded."""
    return any(kind.__module__.split(".")[0] == "mcp" for kind in type(app).__mro__)
