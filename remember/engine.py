"""What answers a message once the gate has let it in: our own dispatcher here, the official SDK's server in `sdk`."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from remember.app import App, Catalog, PluginLike, build_catalog
from remember.caller import Caller
from remember.plugin import Surroundings
from remember.protocol import Message, Request, Response, ServerInfo, Serving, answer, json_response
from remember.tools.asking import Report
from remember.version import VERSION

if TYPE_CHECKING:
    from remember.protocol.states import States


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

    def writes(self, tool: str, catalog: Catalog) -> bool:
        """Whether there is such a tool, and it does not say that it only reads."""
        ...

    async def answer(self, request: Request, message: Message, catalog: Catalog, caller: Caller) -> Response:
        """The response to one request of a known caller; a Refusal where the method or its parameters do not fit."""
        ...


class OwnEngine:
    """Apps, on our own dispatcher."""

    def __init__(self, apps: Sequence[App]) -> None:
        self._apps = apps
        self._states: States | None = None
        title = apps[0].name or apps[0].id if len(apps) == 1 else "Remember"
        self.info = ServerInfo(apps[0].id if len(apps) == 1 else "remember", VERSION, title)

    def offer(self, plugins: Sequence[PluginLike], surroundings: Surroundings) -> Catalog | Awaitable[Catalog]:
        """Every tool of the apps and plugins."""
        self._surroundings = surroundings
        return build_catalog(self._apps, plugins, surroundings)

    async def tool_names(self, catalog: Catalog) -> list[str]:
        """As the catalog has them."""
        return list(catalog.tools)

    def writes(self, tool: str, catalog: Catalog) -> bool:
        """As its annotations say."""
        return tool in catalog.tools and not catalog.tools[tool].tool.reads

    async def answer(self, request: Request, message: Message, catalog: Catalog, caller: Caller) -> Response:
        """What the dispatcher says; as a stream where the client wants to hear of progress and there is some."""

        async def run(report: Report | None) -> dict[str, Any]:
            return await answer(message, catalog, caller, self.info, Serving(self._open_states, report))

        token = _progress_token(message)
        if token is None or not request.takes("text/event-stream"):
            return json_response(200, await run(None))
        from remember.protocol.streaming import answer_or_stream  # noqa: PLC0415  lazy: few requests ask for progress

        answered = await answer_or_stream(message, token, run)
        return answered if isinstance(answered, Response) else json_response(200, answered)

    def _open_states(self) -> States:
        from remember.protocol.states import States  # noqa: PLC0415  lazy: only a tool that asks needs them

        if self._states is None:
            self._states = States(self._surroundings.settings, self._surroundings.clock)
        return self._states


def _progress_token(message: Message) -> str | int | None:
    token = message.meta.get("progressToken")
    return token if isinstance(token, str) or type(token) is int else None


class SdkServer(Protocol):
    """The official SDK's `MCPServer`, or its low-level `Server`."""

    @property
    def name(self) -> str: ...

    @property
    def middleware(self) -> list[Any]: ...


def is_sdk_server(app: object) -> TypeGuard[SdkServer]:
    """Whether this, or a class that it builds on, comes from the SDK: told by name, so that nothing of it is loaded."""
    return any(kind.__module__.split(".")[0] == "mcp" for kind in type(app).__mro__)
