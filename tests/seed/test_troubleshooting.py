"""The page's Troubleshooting lines that no test of an example shows already."""

from __future__ import annotations

import pytest

from remember import App, RememberPlugin
from tests.seed.apps import MEMORY, load, notes, save
from tests.seed.served import serve


@pytest.mark.promise("trouble.gone")
def test_a_value_of_the_memory_store_ends_with_its_server() -> None:
    """A restart, or another instance, has none of it."""
    app = notes()
    serve(app).ana.call("save", {"key": "k", "value": "v", "scope": "user"})
    assert serve(app).ana.call("load", {"key": "k", "scope": "user"}).data == {"value": None}


@pytest.mark.promise("trouble.gone")
def test_what_tool_scope_hides_user_scope_shows() -> None:
    """The way out that the page names: user scope for a signed-in caller, global for what all may share."""
    served = serve(notes())
    for scope in ("tool", "session", "user", "global"):
        served.ana.call("save", {"key": scope, "value": "v", "scope": scope})
    found = {
        scope: served.ana.call("load", {"key": scope, "scope": scope}).data["value"]
        for scope in ("tool", "session", "user", "global")
    }
    assert found == {"tool": None, "session": "v", "user": "v", "global": "v"}


@pytest.mark.promise("trouble.other-user", "scope.global")
def test_global_scope_is_shared_by_callers_and_apps() -> None:
    """One user sees another's value exactly there, across the apps of one plugin too."""
    served = serve(App("one", tools=(save,)), App("two", tools=(load,)), plugins=MEMORY)
    for scope in ("user", "session", "global"):
        served.ana.call("save", {"key": scope, "value": "ana's", "scope": scope})
    found = {
        scope: served.ben.call("load", {"key": scope, "scope": scope}).data["value"]
        for scope in ("user", "session", "global")
    }
    assert found == {"user": None, "session": None, "global": "ana's"}


@pytest.mark.promise("trouble.not-installed")
@pytest.mark.parametrize("plugin", [RememberPlugin, RememberPlugin.init(), RememberPlugin.init(type="memory")])
def test_what_the_message_suggests_works(plugin: RememberPlugin | type[RememberPlugin]) -> None:
    """Without the plugin the message; with any form of it, a memory."""
    arguments = {"key": "k", "value": "v", "scope": "user"}
    assert serve(notes(())).ana.call("save", arguments).code == "REMEMBER_NOT_INSTALLED"
    assert serve(notes((plugin,))).ana.call("save", arguments).data == {"saved": "k"}
