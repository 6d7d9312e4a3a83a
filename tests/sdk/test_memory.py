"""A memory in the tools of an SDK's server: whose it is, where there is none, and what its errors say."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import mcp_types as types
import pytest
from mcp.server import MCPServer, Server, ServerRequestContext
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from remember import RememberNotInstalled, RememberPlugin, get_notebook, get_remember, try_get_remember
from remember.options import Options
from remember.stores.memory import MemoryStore
from tests.protocol.oracle import result_of
from tests.protocol.requests import ANA, BOB, post, rpc
from tests.sdk.servers import handler, server, with_memory
from tests.standins.client import META, Client
from tests.standins.clock import MovingClock

IN_THE_STORE = RememberPlugin.init(type="global-store")


def test_a_tool_has_the_memory_of_who_is_calling() -> None:
    """What Ana keeps is Ana's, in the server's own tools and in the memory's."""
    made = handler()
    ana, bob = Client(made, ANA), Client(made, BOB)
    assert ana.call("set_language", {"language": "de"}).text == "From now on in de."
    assert ana.call("language").text == "de"
    assert ana.call("recall", {"key": "language", "scope": "user"}).data["value"] == "de"
    assert bob.call("language").text == "None"
    bob.call("remember_this", {"key": "language", "value": "fr", "scope": "user"})
    assert (ana.call("language").text, bob.call("language").text) == ("de", "fr")


@pytest.mark.parametrize("name", ["x-user-id", "mcp-session-id", "remember.call", "cookie", "x-forwarded-user"])
def test_no_header_says_who_is_calling(name: str) -> None:
    """The credential alone does."""
    made = handler()
    Client(made, BOB).call("set_language", {"language": "fr"})
    assert Client(made, ANA).call("language", headers=[(name, "static:bob")]).text == "None"


def test_scopes_are_kept_where_our_engine_keeps_them() -> None:
    """Under the caller's id; tool scope under the server's name and the tool's, whatever the name holds."""
    store = MemoryStore(MovingClock())
    ana = Client(handler(server("My: server"), store=store), ANA)
    for scope in ("user", "session", "tool", "global"):
        assert not ana.call("set_language", {"language": "de", "scope": scope}).failed
    assert sorted(store._entries) == [
        "remember:v2:global:language",
        "remember:v2:session:stateless-user%3Astatic%3Aana:language",
        "remember:v2:tool:My%253A%2520server%3Aset_language:stateless-user%3Astatic%3Aana:language",
        "remember:v2:user:static%3Aana:language",
    ]
    assert ana.call("language", {"scope": "tool"}).text == "None"


def test_a_stranger_has_what_all_share() -> None:
    """And reads why nothing else, though the tool does not catch it: the SDK alone would only name the tool."""
    stranger = Client(handler(environ={"REMEMBER_ANONYMOUS": "allow"}))
    reply = stranger.call("set_language", {"language": "de"})
    assert (reply.failed, reply.code) == (True, "REMEMBER_IDENTITY_REQUIRED")
    assert "'global' scope" in reply.text
    assert not stranger.call("set_language", {"language": "de", "scope": "global"}).failed
    assert stranger.call("language", {"scope": "global"}).text == "de"
    assert Client(stranger.handler, "a-key-that-nobody-gave-out").call("language").status == 401


def test_without_the_plugin_there_is_no_memory() -> None:
    """get_remember says so, for the model too; try_get_remember gives None."""
    ana = Client(handler(plugins=[]), ANA)
    assert list(ana.tools()) == ["set_language", "language"]
    reply = ana.call("set_language", {"language": "de"})
    assert (reply.failed, reply.code) == (True, "REMEMBER_NOT_INSTALLED")
    assert ana.call("language").text == "unknown"


def test_outside_of_a_handler_there_is_no_memory() -> None:
    """Neither where the SDK serves by itself, nor with no request at all."""
    assert try_get_remember(Context()) is None
    with pytest.raises(RememberNotInstalled):
        get_remember(Context())
    result = asyncio.run(server().call_tool("language", {}))
    assert isinstance(result, types.CallToolResult)
    assert isinstance(result.content[0], types.TextContent)
    assert result.content[0].text == "unknown"


def test_a_tool_has_the_caller_s_notes() -> None:
    """get_notebook takes the same context."""
    made = server()

    @made.tool()
    async def jot(text: str, ctx: Context) -> str:
        """Keep a note."""
        return (await get_notebook(ctx).remember(text, category="fact")).outcome

    ana = Client(handler(made, [IN_THE_STORE]), ANA)
    assert ana.call("jot", {"text": "The deploy runs on Tuesdays."}).text == "created"


@pytest.mark.parametrize("waits", [False, True])
def test_the_options_may_come_from_a_factory(waits: bool) -> None:
    """Sync or async, as on our engine; its tools option counts."""

    def make() -> Options:
        return {"type": "global-store", "tools": {"enabled": True, "prefix": "mem_"}}

    async def make_later() -> Options:
        return make()

    plugin = RememberPlugin.init(use_factory=make_later if waits else make)
    ana = Client(handler(plugins=[plugin]), ANA)
    assert "mem_recall" in ana.tools()
    assert not ana.call("set_language", {"language": "de"}).failed
    assert ana.call("mem_recall", {"key": "language", "scope": "user"}).data["value"] == "de"


def test_resources_and_prompts_have_it_too() -> None:
    """Whatever the SDK gives a Context to."""
    made = server()

    @made.resource("memory://{key}")
    async def entry(key: str, ctx: Context) -> str:
        """One value."""
        return str(await get_remember(ctx).get(key, scope="user"))

    @made.prompt()
    async def greet(ctx: Context) -> str:
        """A greeting."""
        return f"Greet me in {await get_remember(ctx).get('language', scope='user')}."

    ana = Client(handler(made, [IN_THE_STORE]), ANA)
    ana.call("set_language", {"language": "de"})
    read = ana.rpc("resources/read", {"uri": "memory://language"})
    assert read.result["contents"][0]["text"] == "de"
    assert ana.rpc("prompts/get", {"name": "greet"}).result["messages"][0]["content"]["text"] == "Greet me in de."


def test_the_sdk_s_own_word_for_the_caller_is_ours() -> None:
    """get_access_token names the caller, so that what the SDK binds to one is bound; the credential goes no further."""
    made = server()

    @made.tool()
    async def who(ctx: Context) -> str:
        """Who is calling."""
        token = get_access_token()
        assert ctx.headers is not None
        assert "authorization" not in ctx.headers
        return "nobody" if token is None else f"{token.subject} {token.token!r}"

    ours = handler(made, environ={"REMEMBER_ANONYMOUS": "allow"})
    assert Client(ours, ANA).call("who").text == "static:ana ''"
    assert Client(ours, BOB).call("who").text == "static:bob ''"
    assert Client(ours).call("who").text == "nobody"


def test_a_question_s_state_is_good_for_its_caller_alone() -> None:
    """What the SDK sealed for Ana opens for Ana, not for Bob and not for a stranger."""
    made = server()

    @made.tool()
    async def ask(ctx: Context) -> str | types.InputRequiredResult:
        """Ask first."""
        return ctx.request_state or types.InputRequiredResult(request_state="asked")

    ours = handler(made, environ={"REMEMBER_ANONYMOUS": "allow"})
    state = Client(ours, ANA).call("ask").result["requestState"]
    again = {"name": "ask", "arguments": {}, "requestState": state}
    assert Client(ours, ANA).rpc("tools/call", again).text == "asked"
    for key in (BOB, None):
        assert Client(ours, key).rpc("tools/call", again).status == 400


def test_what_fails_in_a_tool_is_told_and_logged_without_content(caplog: pytest.LogCaptureFixture) -> None:
    """A ToolError of the SDK's says its sentence; a crash says nothing, and its log names kind and place."""
    made = server()

    @made.tool()
    async def refuse() -> str:
        """Refuse."""
        raise ToolError("The door is closed on Sundays.")

    @made.tool()
    async def crash() -> str:
        """Crash."""
        raise KeyError("a stored text")

    ana = Client(handler(made), ANA)
    caplog.set_level(logging.DEBUG)
    assert "The door is closed on Sundays." in ana.call("refuse").text
    reply = ana.call("crash")
    assert (reply.failed, reply.code) == (True, "TOOL_FAILED")
    assert "Tool crash failed with KeyError at" in caplog.text
    assert "a stored text" not in caplog.text + reply.text
    assert ANA not in caplog.text


def test_the_author_s_middleware_and_extensions_see_the_server_s_calls() -> None:
    """As the SDK has them; the memory's own tools are answered before it."""
    seen: list[str] = []
    made = server()

    async def watch(ctx: ServerRequestContext[Any, Any], call_next: Any) -> Any:
        seen.append(ctx.method)
        return await call_next(ctx)

    made.middleware.append(watch)
    ana = Client(handler(made), ANA)
    ana.call("language")
    ana.rpc("tools/list")
    ana.call("recall", {"key": "k"})
    assert seen == ["tools/call", "tools/list"]


def test_the_author_s_server_stays_as_it_was() -> None:
    """Two handlers over one server, with two stores: each has its own memory, and nothing of either is left in it."""
    made = server()
    low = made._lowlevel_server
    before = (dict(low._request_handlers), list(made.middleware), made.instructions, sorted(vars(low)))
    one, other = handler(made), handler(made, [with_memory(prefix="mem_")])
    Client(one, ANA).call("set_language", {"language": "de"})
    assert Client(one, ANA).call("language").text == "de"
    assert Client(other, ANA).call("language").text == "None"
    assert "recall" in Client(one, ANA).tools()
    assert "recall" not in Client(other, ANA).tools()
    assert (dict(low._request_handlers), list(made.middleware), made.instructions) == before[:3]
    assert [tool.name for tool in asyncio.run(made.list_tools())] == ["set_language", "language"]


def test_a_tool_that_is_registered_later_is_served() -> None:
    """A handler serves the server as it is when a request comes."""
    made = MCPServer("assistant", log_level="WARNING")
    ana = Client(handler(made), ANA)
    ana.rpc("tools/list")

    @made.tool()
    async def late() -> str:
        """Late."""
        return "in time"

    assert ana.call("late").text == "in time"


def low_level() -> Server[Any]:
    """A server one floor lower, whose tools are its handlers' business."""

    async def listing(ctx: Any, params: Any) -> types.ListToolsResult:
        shown = types.Tool(name="count", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[shown], next_cursor=None if params.cursor else "more")

    async def calling(ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        memory = get_remember(ctx)
        count = 1 + await memory.get("count", default_value=0)
        await memory.set("count", count)
        return types.CallToolResult(content=[types.TextContent(text=str(count))])

    return Server("counter", on_list_tools=listing, on_call_tool=calling)


def test_a_low_level_server_is_served_too() -> None:
    """With a memory in its handlers, and the memory's tools on the first page of its own."""
    made = handler(low_level())
    ana, bob = Client(made, ANA), Client(made, BOB)
    names = [tool["name"] for tool in ana.rpc("tools/list").result["tools"]]
    assert names == ["count", "remember_this", "recall", "forget", "list_memories"]
    assert [tool["name"] for tool in ana.rpc("tools/list", {"cursor": "more"}).result["tools"]] == ["count"]
    assert [ana.call("count").text, ana.call("count").text, bob.call("count").text] == ["1", "2", "1"]
    assert ana.call("recall", {"key": "count"}).data["value"] == 2
    bare = handler(Server[Any]("bare"))
    assert list(Client(bare, ANA).tools()) == ["remember_this", "recall", "forget", "list_memories"]
    found = result_of(asyncio.run(bare.fetch(post(rpc("server/discover", {"_meta": META})))), "server/discover")
    assert found["capabilities"] == {"tools": {"listChanged": False}}
