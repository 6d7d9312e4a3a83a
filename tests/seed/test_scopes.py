"""The page's example: what each scope keeps, for whom."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from remember import App, RememberPlugin, create_direct
from remember.stores.memory import MemoryStore
from tests.seed.apps import MEMORY, bare, count_calls, load, notes, save
from tests.seed.served import Served, serve
from tests.standins.client import Client
from tests.standins.clock import MovingClock

NO_SESSION = "Remember cannot use session or tool scope for an unauthenticated request without a verified session:"


def _caller(served: Served, name: str) -> Client:
    return {"ana": served.ana, "ben": served.ben, "anonymous": served.anonymous}[name]


@pytest.mark.promise("scope.user.apart", "scope.session.stateless", "scope.tool.keyed", "scope.global", "usage.scopes")
@pytest.mark.parametrize(
    ("scope", "reader", "found"),
    [
        ("user", "ana", "kept"),
        ("user", "ben", None),
        ("session", "ana", "kept"),
        ("session", "ben", None),
        ("tool", "ana", None),  # save stored it, load reads: two tools
        ("tool", "ben", None),
        ("global", "ana", "kept"),
        ("global", "ben", "kept"),
        ("global", "anonymous", "kept"),
    ],
)
def test_who_finds_what_a_signed_in_caller_saved(scope: str, reader: str, found: str | None) -> None:
    """The table of scopes, read by a later request without any session."""
    served = serve(notes())
    served.ana.call("save", {"key": "k", "value": "kept", "scope": scope})
    assert _caller(served, reader).call("load", {"key": "k", "scope": scope}).data == {"value": found}


@pytest.mark.promise("scope.anonymous-global-only", "error.identity.session", "trouble.identity-session")
@pytest.mark.parametrize("scope", ["session", "tool"])
@pytest.mark.parametrize(("tool", "more"), [("save", {"value": "v"}), ("load", {})])
def test_an_anonymous_caller_has_neither_session_nor_tool_scope(scope: str, tool: str, more: dict[str, str]) -> None:
    """Both are refused, writing and reading, with what to do at the end of the message."""
    reply = serve(notes()).anonymous.call(tool, {"key": "k", "scope": scope, **more})
    assert (reply.status, reply.failed, reply.code) == (200, True, "REMEMBER_IDENTITY_REQUIRED")
    assert reply.text.startswith(NO_SESSION)
    for way_out in ("Authenticate the request", "stateful transport", "'global'"):
        assert way_out in reply.text


@pytest.mark.promise("scope.global", "scope.anonymous-global-only")
def test_an_anonymous_caller_can_use_global_scope() -> None:
    """And shares it with everybody."""
    served = serve(notes())
    served.anonymous.call("save", {"key": "k", "value": "open", "scope": "global"})
    assert served.ben.call("load", {"key": "k", "scope": "global"}).data == {"value": "open"}


@pytest.mark.promise("scope.session-header-ignored")
@pytest.mark.parametrize("scope", ["session", "tool"])
def test_a_session_header_opens_nothing(scope: str) -> None:
    """Whoever sends another's id as mcp-session-id is still only themselves, or nobody."""
    served = serve(notes())
    served.ana.call("save", {"key": "k", "value": "private", "scope": scope})
    for claimed in ("stateless-user:static:ana", "static:ana", "session:1"):
        headers = (("mcp-session-id", claimed),)
        ben = served.ben.call("load", {"key": "k", "scope": scope}, headers=headers)
        assert ben.data == {"value": None}
        nobody = served.anonymous.call("load", {"key": "k", "scope": scope}, headers=headers)
        assert nobody.code == "REMEMBER_IDENTITY_REQUIRED"


@pytest.mark.promise("scope.session-header-ignored")
def test_a_session_header_takes_nothing_away() -> None:
    """A signed-in caller finds their session values with any header and without."""
    served = serve(notes())
    served.ana.call("save", {"key": "k", "value": "v", "scope": "session"}, headers=(("mcp-session-id", "one"),))
    other = served.ana.call("load", {"key": "k", "scope": "session"}, headers=(("mcp-session-id", "two"),))
    assert other.data == {"value": "v"}


@pytest.mark.promise("usage.count-calls", "scope.tool.keyed")
def test_a_tool_reads_back_its_own_values_for_each_caller() -> None:
    """count_calls counts per caller, and refuses an anonymous one."""
    served = serve(notes())
    assert [served.ana.call("count_calls").data["count"] for _ in range(3)] == [1, 2, 3]
    assert served.ben.call("count_calls").data["count"] == 1
    assert served.anonymous.call("count_calls").code == "REMEMBER_IDENTITY_REQUIRED"


@pytest.mark.promise("scope.tool.keyed")
def test_tools_of_two_apps_with_one_name_each_would_still_be_two() -> None:
    """Tool scope is keyed by app and tool: the same function in two apps over one store keeps two counts."""
    again = replace(count_calls, name="count_again")
    served = serve(App("one", tools=(count_calls,)), App("two", tools=(again,)), plugins=MEMORY)
    assert [served.ana.call("count_calls").data["count"] for _ in range(2)] == [1, 2]
    assert served.ana.call("count_again").data["count"] == 1


@pytest.mark.promise("usage.second-server")
def test_a_second_server_in_the_process_has_a_store_of_its_own() -> None:
    """Nothing is shared between two handlers with memory stores, not even global scope."""
    first, second = serve(notes()), serve(notes())
    first.ana.call("save", {"key": "k", "value": "v", "scope": "global"})
    assert second.ana.call("load", {"key": "k", "scope": "global"}).data == {"value": None}


@pytest.mark.promise("scope.direct-session")
@pytest.mark.parametrize("user_id", [None, "nour"])
def test_an_in_process_caller_has_one_session(user_id: str | None) -> None:
    """Session and tool values of create_direct last as long as the object, for an anonymous caller too."""

    async def story() -> None:
        direct = create_direct(notes(), user_id=user_id, environ={})
        await direct.call_tool("save", {"key": "k", "value": "v", "scope": "session"})
        found = await direct.call_tool("load", {"key": "k", "scope": "session"})
        assert found["structuredContent"] == {"value": "v"}
        counts = [(await direct.call_tool("count_calls"))["structuredContent"]["count"] for _ in range(2)]
        assert counts == [1, 2]

    asyncio.run(story())


@pytest.mark.promise("scope.direct-session")
def test_two_in_process_callers_have_two_sessions() -> None:
    """Over one store, the sessions of two create_direct objects do not meet; user scope does."""
    store = MemoryStore(MovingClock())
    app = notes((RememberPlugin.init(type="global-store"),))
    environ = {"REMEMBER_SECRET": "bench-secret-0123456789"}

    async def story() -> None:
        one, two = (
            create_direct(app, user_id="nour", environ=environ, store=store, clock=MovingClock()) for _ in range(2)
        )
        for scope in ("session", "user"):
            await one.call_tool("save", {"key": "k", "value": scope, "scope": scope})
        session = await two.call_tool("load", {"key": "k", "scope": "session"})
        user = await two.call_tool("load", {"key": "k", "scope": "user"})
        assert session["structuredContent"] == {"value": None}
        assert user["structuredContent"] == {"value": "user"}

    asyncio.run(story())


@pytest.mark.promise("caveat.one-app", "trouble.not-installed")
def test_an_app_without_the_plugin_has_no_memory() -> None:
    """A plugin on one app serves that app alone; in another, a tool that insists is told how to install it."""
    served = serve(notes(), bare())
    reply = served.ana.call("insist")
    assert (reply.failed, reply.code) == (True, "REMEMBER_NOT_INSTALLED")
    assert reply.text == "RememberPlugin is not installed. Add RememberPlugin.init() to your plugins array."


@pytest.mark.promise("accessor.try-get")
def test_a_tool_that_can_do_without_a_memory_works_without_the_plugin() -> None:
    """try_get_remember gives None there, and so does a parameter that may be None."""
    without, with_plugin = serve(bare()).ana, serve(bare(MEMORY)).ana
    for tool in ("ask_plainly", "ask_optionally"):
        assert without.call(tool).data == {"has_memory": False}
        assert with_plugin.call(tool).data == {"has_memory": True}


@pytest.mark.promise("caveat.every-app")
def test_a_plugin_on_the_handler_serves_every_app() -> None:
    """Two apps then read and write the same memory."""
    served = serve(App("one", tools=(save,)), App("two", tools=(load,)), plugins=MEMORY)
    served.ana.call("save", {"key": "k", "value": "v", "scope": "user"})
    assert served.ana.call("load", {"key": "k", "scope": "user"}).data == {"value": "v"}


@pytest.mark.promise("caveat.one-app")
def test_two_apps_with_a_plugin_each_keep_two_memories() -> None:
    """Each plugin brings its own memory store."""
    served = serve(App("one", tools=(save,), plugins=MEMORY), App("two", tools=(load,), plugins=MEMORY))
    served.ana.call("save", {"key": "k", "value": "v", "scope": "global"})
    assert served.ana.call("load", {"key": "k", "scope": "global"}).data == {"value": None}


@pytest.mark.promise("caveat.one-app", "caveat.every-app")
def test_an_apps_own_plugin_stands_before_the_handlers() -> None:
    """The app with one of its own has its own memory; the others share the handler's."""
    again = replace(load, name="load_again")
    own, others = App("one", tools=(save, again), plugins=MEMORY), App("two", tools=(load,))
    served = serve(own, others, plugins=(RememberPlugin.init(),))
    served.ana.call("save", {"key": "k", "value": "v", "scope": "global"})
    assert served.ana.call("load_again", {"key": "k", "scope": "global"}).data == {"value": "v"}
    assert served.ana.call("load", {"key": "k", "scope": "global"}).data == {"value": None}
