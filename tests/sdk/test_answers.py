"""The memory's tools on the SDK's server are those of our engine: names, schemas, annotations, and every answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.server import MCPServer

from remember import ConfigurationError, create_fetch_handler
from remember.stores.memory import MemoryStore
from tests.protocol.oracle import result_of
from tests.protocol.requests import ANA, KEYS, META_SERVER
from tests.sdk.servers import handler, server, with_memory
from tests.standins.client import Client, Reply
from tests.standins.clock import MovingClock

OPTIONS: list[dict[str, Any]] = [
    {},
    {"families": ("memory", "notes")},
    {"families": ("notes",), "prefix": "mem_"},
    {"allowed_scopes": ("user", "global"), "redaction": "reject"},
]

Call = tuple[str, dict[str, Any]]

CALLS: list[Call] = [
    ("remember_this", {"key": "language", "value": "de"}),
    (
        "remember_this",
        {"key": "language", "value": {"code": "de", "who": "Žofie 東京"}, "ttl": 60, "brand": "preference"},
    ),
    ("recall", {"key": "language"}),
    ("remember_this", {"key": "big", "value": 106242075399214372653}),
    ("recall", {"key": "big"}),
    ("remember_this", {"key": "half", "value": "\ud800"}),
    ("remember_this", {"key": "odd", "value": [None, 0, -0.5, 1e300, "", {}, []]}),
    ("recall", {"key": "odd"}),
    ("remember_this", {"key": "long", "value": "x" * 40_000}),
    ("recall", {"key": "long"}),
    ("list_memories", {}),
    ("list_memories", {"pattern": "l*", "limit": 1}),
    ("list_memories", {"limit": "2"}),
    ("recall", {"key": "nothing"}),
    ("forget", {"key": "language"}),
    ("forget", {"key": "language"}),
    ("remember_this", {"key": "k", "value": 1, "scope": "user"}),
    ("remember_this", {"key": "k", "value": 1, "scope": "tool"}),
    ("remember_this", {"key": "k", "value": 1, "scope": "global"}),
    ("remember_this", {"key": "", "value": 1}),
    ("remember_this", {"key": "k", "value": 1, "scope": "everywhere"}),
    ("remember_this", {"key": "k", "value": 1, "ttl": 0}),
    ("remember_this", {"key": "k", "value": 1, "user_id": "bob"}),
    ("remember_this", {"key": "k"}),
    ("remember_this", {"key": "k", "value": "the key is sk-ant-api03-" + "a1B2" * 24}),
    ("recall", {"kee": "k"}),
    ("no_such_tool", {}),
    ("recal", {"key": "k"}),
]


def told(reply: Reply) -> dict[str, Any]:
    """An answer without what names the server."""
    body: dict[str, Any] = json.loads(json.dumps(reply.body))
    if "result" in body:
        del body["result"]["_meta"][META_SERVER]
    return {"status": reply.status, **body}


@pytest.mark.parametrize("options", OPTIONS)
def test_the_tools_are_shown_as_our_engine_shows_them(options: dict[str, Any]) -> None:
    """After the server's own, in the same order, to the last word of their schemas."""
    ours = create_fetch_handler(
        plugins=[with_memory(**options)], environ={}, auth=KEYS, store=MemoryStore(MovingClock())
    )
    theirs = handler(plugins=[with_memory(**options)])
    shown = list(Client(theirs, ANA).tools().values())
    assert [tool["name"] for tool in shown[:2]] == ["set_language", "language"]
    assert shown[2:] == list(Client(ours, ANA).tools().values())


@pytest.mark.parametrize("key", [ANA, None])
@pytest.mark.parametrize("options", [{}, {"allowed_scopes": ("user", "global")}])
def test_every_call_is_answered_as_our_engine_answers_it(options: dict[str, Any], key: str | None) -> None:
    """The same story on both, of a signed-in caller and of a stranger: each answer equal, errors and codes too."""
    environ = {"REMEMBER_ANONYMOUS": "allow", "REMEMBER_SECRET": "a-made-up-secret-of-the-tests"}
    plugins = [with_memory(**options)]
    clock = MovingClock()
    ours = create_fetch_handler(
        plugins=plugins, environ=environ, auth=KEYS, store=MemoryStore(MovingClock()), clock=clock
    )
    theirs = handler(MCPServer("other", log_level="WARNING"), plugins, environ=environ, clock=clock)
    one, other = Client(ours, key), Client(theirs, key)
    codes = set()
    for tool, arguments in CALLS:
        expected = told(one.call(tool, arguments))
        assert told(other.call(tool, arguments)) == expected, (tool, arguments)
        codes.add(expected.get("result", {}).get("_meta", {}).get("code"))
    assert codes >= {None, "INVALID_INPUT"}


def test_the_answers_are_good_ones() -> None:
    """As the official models judge them: lists, a value, an error of a tool."""
    client = Client(handler(), ANA)
    result_of(client.rpc("tools/list").response, "tools/list")
    result_of(client.call("remember_this", {"key": "k", "value": 1}).response, "tools/call", id=2)
    result_of(client.call("recall", {"key": ""}).response, "tools/call", id=3)


def test_a_note_is_kept_and_found() -> None:
    """The notes' tools work here as they do elsewhere."""
    client = Client(handler(plugins=[with_memory(families=("notes",))]), ANA)
    kept = client.call("engram_remember", {"content": "The deploy runs on Tuesdays.", "category": "fact"})
    assert not kept.failed, kept.text
    found = client.call("engram_recall", {"query": "when does the deploy run"})
    assert "Tuesdays" in found.text


def test_the_server_s_own_answers_are_the_sdk_s() -> None:
    """Structured content by its annotations, and its words about arguments that do not fit."""
    client = Client(handler(), ANA)
    reply = client.call("set_language", {"language": "de"})
    assert reply.data == {"result": "From now on in de."}
    assert "language\n  Field required" in client.call("set_language", {}).text
    assert client.call("set_language", {}).failed


@pytest.mark.parametrize("late", [False, True])
def test_two_tools_of_one_name_are_refused(late: bool) -> None:
    """At the start, with both owners; one that is registered later, at the next request."""
    made = server()
    serving = handler(made) if late else None

    @made.tool()
    async def recall(key: str) -> str:
        """Another one."""
        return key

    if serving is None:
        with pytest.raises(ConfigurationError, match="recall is registered twice, by assistant and by RememberPlugin"):
            handler(made)
        assert len(Client(handler(made, [with_memory(prefix="mem_")]), ANA).tools()) == 7
    else:
        reply = Client(serving, ANA).call("recall", {"key": "k"})
        assert reply.status == 503
        assert "registered twice" in reply.error["message"]
