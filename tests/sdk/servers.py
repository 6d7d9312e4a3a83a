"""Servers of the official SDK, as authors write them, and handlers for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

from remember import FetchHandler, RememberPlugin, Store, create_fetch_handler, get_remember, try_get_remember
from remember.app import PluginLike
from remember.clock import Clock
from remember.options import ToolsOptions
from remember.stores.memory import MemoryStore
from tests.protocol.requests import KEYS
from tests.standins.clock import MovingClock


def server(name: str = "assistant", **options: Any) -> MCPServer:
    """A server with two tools of its own, one that needs a memory and one that can do without."""
    made = MCPServer(name, version="1.2", log_level="WARNING", **options)

    @made.tool()
    async def set_language(language: str, ctx: Context, scope: str = "user") -> str:
        """Set the language that this person wants to be answered in."""
        await get_remember(ctx).set("language", language, scope=scope)  # type: ignore[arg-type]
        return f"From now on in {language}."

    @made.tool()
    async def language(ctx: Context, scope: str = "user") -> str:
        """The language that this person wants to be answered in."""
        memory = try_get_remember(ctx)
        return "unknown" if memory is None else str(await memory.get("language", scope=scope))  # type: ignore[arg-type]

    return made


def with_memory(**tools: Any) -> RememberPlugin:
    """The plugin with the tools for the model, in the handler's own store."""
    options: ToolsOptions = {"enabled": True, **tools}  # type: ignore[typeddict-item]
    return RememberPlugin.init(type="global-store", tools=options)


def handler(
    app: Any = None,
    plugins: Sequence[PluginLike] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    store: Store | None = None,
    clock: Clock | None = None,
) -> FetchHandler:
    """The server for Ana and Bob, on a store that ends with the test."""
    clock = clock or MovingClock()
    return create_fetch_handler(
        app or server(),
        plugins=(with_memory(),) if plugins is None else plugins,
        environ=environ or {},
        auth=KEYS,
        store=store or MemoryStore(clock),
        clock=clock,
    )
