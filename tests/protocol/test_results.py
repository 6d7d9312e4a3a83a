"""Requests that go well: what the answer looks like, judged by the official models."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from mcp_types.methods import validate_client_request

from remember import App, create_fetch_handler
from remember.version import VERSION as SERVER_VERSION
from tests.protocol.conftest import Send
from tests.protocol.oracle import header, result_of
from tests.protocol.requests import ANA, BOB, KEYS, META_SERVER, call, post, rpc
from tests.standins.client import META, VERSION

MEMORY_TOOLS = ["remember_this", "recall", "forget", "list_memories"]
NOTE_TOOLS = [f"engram_{name}" for name in ("remember", "recall", "forget", "feedback", "context", "status")]


@pytest.mark.parametrize("method", ["server/discover", "tools/list"])
def test_the_requests_of_these_tests_are_good_ones(method: str) -> None:
    """The official models read what we send, so that a refusal never rests on a bad test."""
    validate_client_request(method, VERSION, rpc(method)["params"])


def test_discover_says_what_the_server_speaks(send: Send) -> None:
    """The one version, tools without listChanged, and nothing that it does not do."""
    result = result_of(send(post(rpc("server/discover"))), "server/discover")
    assert result["supportedVersions"] == [VERSION]
    assert result["capabilities"] == {"tools": {}}
    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "public"
    assert result["_meta"][META_SERVER] == {"name": "remember", "version": SERVER_VERSION, "title": "Remember"}


@pytest.mark.parametrize(
    ("apps", "name", "title"),
    [
        ((App("notes", "My notes"),), "notes", "My notes"),
        ((App("notes"),), "notes", "notes"),
        ((App("notes", "My notes"), App("prefs")), "remember", "Remember"),
    ],
    ids=["one", "one without a name", "two"],
)
def test_a_server_of_one_app_goes_by_its_name(apps: tuple[App, ...], name: str, title: str) -> None:
    """What a client shows beside the tools is whose they are; of several it is ours."""
    response = asyncio.run(create_fetch_handler(apps, environ={}, auth=KEYS).fetch(post(rpc("server/discover"))))
    info = result_of(response, "server/discover")["_meta"][META_SERVER]
    assert info == {"name": name, "version": SERVER_VERSION, "title": title}


def test_discover_tells_every_caller_the_same(send: Send) -> None:
    """What is cached for everybody may not depend on who asked."""
    ana, bob = (send(post(rpc("server/discover"), key=key)) for key in (ANA, BOB))
    assert ana.body == bob.body


def test_the_list_of_tools_is_stable_and_cacheable(send: Send) -> None:
    """The same order each time, with names and schemas that clients take."""
    first, second = (send(post(rpc("tools/list"))) for _ in range(2))
    assert first.body == second.body
    result = result_of(first, "tools/list")
    assert [tool["name"] for tool in result["tools"]] == [*MEMORY_TOOLS, *NOTE_TOOLS, "forget_all"]
    assert result["ttlMs"] > 0
    assert result["cacheScope"] == "private"
    assert all(tool["inputSchema"]["type"] == "object" for tool in result["tools"])
    assert "nextCursor" not in result


@pytest.mark.parametrize("sent", ["a", "", 0, -7, 2**53 + 1, "1", "ümlaut", "\u2028"])
def test_an_id_comes_back_as_it_was_sent(send: Send, sent: str | int) -> None:
    """A text stays a text and a number a number, to the last digit."""
    result_of(send(post(rpc("tools/list", id=sent))), "tools/list", id=sent)


def test_half_a_character_in_an_id_comes_back_escaped(send: Send) -> None:
    """No encoder has bytes for it, and the client still learns which request this was."""
    response = send(post(rpc("tools/list", id="\ud83c")))
    assert response.status == 200
    assert json.loads(response.body)["id"] == "\ud83c"


def test_a_tool_answers_as_text_and_as_structured_content(send: Send) -> None:
    """Both hold the same object, for clients that read only one."""
    response = send(post(call("remember_this", key="language", value="de")))
    result = result_of(response, "tools/call")
    assert result["isError"] is False
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_wrong_arguments_are_a_result_that_a_model_can_read(send: Send) -> None:
    """A protocol error would never reach the model, which could have put it right."""
    result = result_of(send(post(call("recall", kye="language"))), "tools/call")
    assert result["isError"] is True
    assert "key" in result["content"][0]["text"]
    assert result["_meta"]["code"] == "INVALID_INPUT"


@pytest.mark.parametrize("arguments", [{}, {"arguments": None}, {"arguments": {}}])
def test_arguments_may_be_left_out(send: Send, arguments: dict[str, object]) -> None:
    """Some clients drop an empty object."""
    request = rpc("tools/call", {"name": "list_memories", **arguments})
    assert result_of(send(post(request)), "tools/call")["isError"] is False


@pytest.mark.parametrize("arguments", [[], [1], 7, True, "text"])
def test_arguments_that_are_no_object_are_refused_by_the_tool(send: Send, arguments: object) -> None:
    """With a sentence, not with a failure of the server."""
    request = rpc("tools/call", {"name": "list_memories", "arguments": arguments})
    result = result_of(send(post(request)), "tools/call")
    assert result["isError"] is True
    assert "must be an object" in result["content"][0]["text"]


@pytest.mark.parametrize(
    "accept",
    [
        None,
        "*/*",
        "application/json",
        "application/*",
        "application/json;q=0.9, text/event-stream;q=1",
        "",
        "text/html",
    ],
)
def test_the_answer_is_json_for_whoever_takes_it(send: Send, accept: str | None) -> None:
    """E1: never 406."""
    result_of(send(post(rpc("tools/list"), {"accept": accept})), "tools/list")


@pytest.mark.parametrize("accept", ["text/event-stream", "Text/Event-Stream;q=0.5"])
def test_a_client_that_takes_only_events_gets_one(send: Send, accept: str) -> None:
    """E1: one event, carrying the very answer that JSON would have carried."""
    plain = send(post(rpc("tools/list")))
    response = send(post(rpc("tools/list"), {"accept": accept}))
    assert response.status == 200
    assert header(response, "content-type") == "text/event-stream"
    event, data, *end = response.body.decode().split("\n")
    assert (event, end) == ("event: message", ["", ""])
    assert data == "data: " + plain.body.decode()


def test_an_event_stays_on_one_line_whatever_it_carries(send: Send) -> None:
    """Line breaks in a value may not cut the event in two."""
    value = "a\nb\r\nc\u2028d\u0085e"
    send(post(call("remember_this", key="lines", value=value)))
    response = send(post(call("recall", key="lines"), {"accept": "text/event-stream"}))
    _, data, *end = re.split("\r\n|\n|\r", response.body.decode())
    assert end == ["", ""]
    assert json.loads(data.removeprefix("data: "))["result"]["structuredContent"]["value"] == value


def test_the_trace_of_a_request_comes_back(send: Send) -> None:
    """The three names of the specification, as they came, and no other."""
    parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    trace = {"traceparent": parent, "tracestate": "a=b", "baggage": "c=d"}
    message = rpc("tools/list")
    message["params"]["_meta"] = META | trace | {"other": "not echoed"}
    meta = result_of(send(post(message)), "tools/list")["_meta"]
    assert {name: meta.get(name) for name in trace} == trace
    assert set(meta) == {*trace, META_SERVER}


def test_client_info_is_optional(send: Send) -> None:
    """Only the version and the capabilities are needed."""
    message = rpc("tools/list")
    message["params"]["_meta"] = {name: META[name] for name in META if not name.endswith("clientInfo")}
    result_of(send(post(message)), "tools/list")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/api/mcp", "/prod/mcp", "/default/mcp/"])
@pytest.mark.parametrize("proto", ["http", "https"])
def test_every_spelling_of_the_endpoint_answers_directly(send: Send, path: str, proto: str) -> None:
    """E2: a redirect would lose the Authorization header."""
    request = post(rpc("tools/list"), {"x-forwarded-proto": proto}, path=path)
    result_of(send(request), "tools/list")


@pytest.mark.parametrize("host", ["my-app-git-x.vercel.app", "abc.lambda-url.eu-central-1.on.aws", "evil.example", ""])
def test_any_host_name_is_served(send: Send, host: str) -> None:
    """E10: no allow-list of hosts stands between a deployment and its own name."""
    result_of(send(post(rpc("tools/list"), {"host": host, "origin": "https://claude.ai"})), "tools/list")


def test_an_old_session_header_is_ignored(send: Send) -> None:
    """A14: neither refused, nor looked up, nor sent back."""
    response = send(post(rpc("tools/list"), {"mcp-session-id": "abc", "last-event-id": "7"}))
    result_of(response, "tools/list")
    assert header(response, "mcp-session-id") is None


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON", "application/json;x=1;y=2"])
def test_parameters_of_the_content_type_are_allowed(send: Send, kind: str) -> None:
    """Many HTTP libraries add one."""
    result_of(send(post(rpc("tools/list"), {"content-type": kind})), "tools/list")


def test_answers_are_not_for_shared_caches(send: Send) -> None:
    """HTTP caches know nothing of who asked."""
    assert header(send(post(rpc("tools/list"))), "cache-control") == "no-store"
