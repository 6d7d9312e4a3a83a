"""The page's example: remembering a user's preference."""

from __future__ import annotations

import asyncio

import pytest

from remember import create_direct
from tests.seed.apps import MEMORY, bare, prefs
from tests.seed.served import serve

NO_USER = (
    "Remember cannot use user scope without an authenticated user: all unauthenticated callers would share one "
    "namespace. Authenticate the request or use the 'global' scope."
)


@pytest.mark.promise("accessor.given", "usage.preference", "accessor.get-default")
def test_a_user_finds_their_preference_on_a_later_request() -> None:
    """What one call sets, another call of the same caller gets; before, there is the default."""
    served = serve(prefs())
    assert served.ana.call("get_language").data["language"] == "en"
    assert served.ana.call("set_language", {"language": "fr"}).data == {"language": "fr"}
    assert served.ana.call("get_language").data == {"user": "static:ana", "language": "fr"}


@pytest.mark.promise("scope.user.apart")
def test_another_user_does_not_find_it() -> None:
    """Two keys are two users, each with their own language."""
    served = serve(prefs())
    served.ana.call("set_language", {"language": "fr"})
    served.ben.call("set_language", {"language": "de"})
    assert served.ana.call("get_language").data["language"] == "fr"
    assert served.ben.call("get_language").data["language"] == "de"


@pytest.mark.promise("scope.user.anonymous", "error.identity.user", "trouble.identity-user")
@pytest.mark.parametrize(("tool", "arguments"), [("set_language", {"language": "fr"}), ("get_language", {})])
def test_an_anonymous_caller_is_refused_with_a_code_and_a_way_out(tool: str, arguments: dict[str, str]) -> None:
    """User scope needs to know who is calling; the refusal is a tool's result, which the model reads."""
    reply = serve(prefs()).anonymous.call(tool, arguments)
    assert (reply.status, reply.failed, reply.code) == (200, True, "REMEMBER_IDENTITY_REQUIRED")
    assert reply.text == NO_USER


@pytest.mark.promise("error.identity.user")
def test_the_refusal_reads_the_same_in_production() -> None:
    """NODE_ENV=production hides nothing of the message."""
    served = serve(prefs(), environ={"NODE_ENV": "production"})
    assert served.anonymous.call("get_language").text == NO_USER


@pytest.mark.promise("scope.user.anonymous")
def test_an_anonymous_in_process_caller_is_refused_too() -> None:
    """A session of its own does not make an anonymous caller a user."""
    result = asyncio.run(create_direct(prefs(), environ={}).call_tool("get_language"))
    assert result["isError"]
    assert result["_meta"]["code"] == "REMEMBER_IDENTITY_REQUIRED"


@pytest.mark.promise("caveat.no-hooks")
def test_the_plugin_changes_nothing_but_the_memory() -> None:
    """An app's tools are listed the same with the plugin on it, on the handler, and without it."""
    without = serve(bare()).ana.tools()
    assert serve(bare(MEMORY)).ana.tools() == without
    assert serve(bare(), plugins=MEMORY).ana.tools() == without
