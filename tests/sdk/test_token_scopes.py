"""A token that may only read, at a server of the official SDK: its own tools and the plugin's alike."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
import pytest
from mcp.server import MCPServer, Server

from remember import Authenticator, FetchHandler, JwtVerifier, KeySet, create_fetch_handler
from remember.stores.memory import MemoryStore
from tests.identity.issuer import AUDIENCE, ISSUER, MovedClock, Published, jwk, rsa_key, token
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import call, post, rpc
from tests.sdk.servers import with_memory

BROUGHT = {"remember_this", "recall", "forget", "list_memories"}


def desk() -> MCPServer:
    """One tool that says that it reads, one that says that it writes, one that says nothing."""
    made = MCPServer("desk", version="1", log_level="WARNING")

    @made.tool(annotations=types.ToolAnnotations(read_only_hint=True))
    async def look() -> str:
        """Look at something."""
        return "seen"

    @made.tool(annotations=types.ToolAnnotations(read_only_hint=False))
    async def change() -> str:
        """Change something."""
        return "changed"

    @made.tool()
    async def unsaid() -> str:
        """Do something that nobody has said anything about."""
        return "done"

    return made


def low_level() -> Server[Any]:
    """A server whose handler alone knows its tools."""

    async def tools(ctx: Any, params: Any) -> types.ListToolsResult:
        hint = types.ToolAnnotations(read_only_hint=True)
        return types.ListToolsResult(tools=[types.Tool(name="look", input_schema={"type": "object"}, annotations=hint)])

    async def run(ctx: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text="seen")])

    return Server("low", version="1", on_list_tools=tools, on_call_tool=run)


def of_tokens(app: Any) -> FetchHandler:
    clock, published = MovedClock(), Published()
    published.keys(jwk(rsa_key(), kid="one"))
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=published)
    auth = Authenticator(jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock))
    store = MemoryStore(clock)
    return create_fetch_handler(app, plugins=(with_memory(),), environ={}, auth=auth, store=store, clock=clock)


def listed(handler: FetchHandler, scope: str) -> set[str]:
    response = asyncio.run(handler.fetch(post(rpc("tools/list"), key=token(scope=scope))))
    return {tool["name"] for tool in result_of(response, "tools/list")["tools"]}


def test_who_may_only_read_is_shown_and_given_what_reads() -> None:
    """As on our own engine: 403 for the rest, in front of the SDK."""
    handler = of_tokens(desk())
    assert listed(handler, "memory:write") == {"look", "change", "unsaid", *BROUGHT}
    assert listed(handler, "memory:read") == {"look", "recall", "list_memories"}
    for message in (call("look"), call("recall", key="k")):
        result_of(asyncio.run(handler.fetch(post(message, key=token(scope="memory:read")))), "tools/call")
    for name in ("change", "unsaid", "remember_this", "forget"):
        error_of(asyncio.run(handler.fetch(post(call(name), key=token(scope="memory:read")))), 403, -32600)
    result_of(asyncio.run(handler.fetch(post(call("change"), key=token(scope="memory:write")))), "tools/call")


@pytest.mark.parametrize(("scope", "tools", "status"), [("memory:read", set(), 403), ("memory:write", {"look"}, 200)])
def test_a_low_level_servers_tools_all_count_as_writing(scope: str, tools: set[str], status: int) -> None:
    """What they do is known to a handler that a call would have to run; so they are neither shown nor called."""
    handler = of_tokens(low_level())
    assert listed(handler, scope) - BROUGHT == tools
    assert asyncio.run(handler.fetch(post(call("look"), key=token(scope=scope)))).status == status
