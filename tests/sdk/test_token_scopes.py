"""What a token's scopes allow on a server of the SDK's: a reader sees and calls what says that it reads."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server import MCPServer, Server

from remember import Authenticator, FetchHandler, JwtVerifier, KeySet, create_fetch_handler
from remember.stores.memory import MemoryStore
from tests.identity.issuer import AUDIENCE, ISSUER, MovedClock, Published, jwk, rsa_key, token
from tests.sdk.servers import with_memory
from tests.standins.client import Client


def of_tokens(server: Any) -> FetchHandler:
    """A handler that takes the tokens of one issuer, by their scopes."""
    clock, published = MovedClock(), Published()
    published.keys(jwk(rsa_key(), kid="one"))
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=published)
    auth = Authenticator(jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock, scoped=True))
    return create_fetch_handler(
        server, plugins=[with_memory()], environ={}, auth=auth, store=MemoryStore(clock), clock=clock
    )


def test_a_reader_reads() -> None:
    """Of the server's tools and of the memory's; a change is 403 with the scope that it takes."""
    server = MCPServer("assistant", log_level="WARNING")

    @server.tool(annotations=types.ToolAnnotations(read_only_hint=True))
    async def look() -> str:
        """Look."""
        return "seen"

    @server.tool()
    async def unsaid() -> str:
        """Nobody has said what it does."""
        return "done"

    made = of_tokens(server)
    reader, writer = (Client(made, token(scope=scope)) for scope in ("memory:read", "memory:read memory:write"))
    assert list(reader.tools()) == ["look", "recall", "list_memories"]
    assert list(writer.tools()) == ["look", "unsaid", "remember_this", "recall", "forget", "list_memories"]
    assert reader.rpc("tools/list").result["cacheScope"] == "private"
    assert reader.call("look").text == "seen"
    assert reader.call("recall", {"key": "k"}).data["found"] is False
    assert reader.call("no_such_tool").status == 400
    for tool, arguments in (("unsaid", {}), ("remember_this", {"key": "k", "value": 1}), ("forget", {"key": "k"})):
        refused = reader.call(tool, arguments)
        assert refused.status == 403
        assert 'error="insufficient_scope"' in (refused.header("www-authenticate") or "")
        assert not writer.call(tool, arguments).failed


def test_a_low_level_server_s_tools_are_for_writers() -> None:
    """What its handlers would do for a name is theirs to know."""

    async def listing(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name="count", input_schema={"type": "object"})])

    async def calling(ctx: Any, params: Any) -> types.CallToolResult:
        return types.CallToolResult(content=[types.TextContent(text="1")])

    made = of_tokens(Server("counter", on_list_tools=listing, on_call_tool=calling))
    reader, writer = (Client(made, token(scope=scope)) for scope in ("memory:read", "memory:write"))
    assert list(reader.tools()) == ["recall", "list_memories"]
    assert reader.call("count").status == 403
    assert writer.call("count").text == "1"
