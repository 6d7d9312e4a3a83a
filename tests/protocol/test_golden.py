"""Golden requests and answers: each held against the official models and against the official JSON schema."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from jsonschema import ValidationError  # type: ignore[import-untyped]
from mcp_types import _v2026_07_28 as official

from remember import App, Arg, Context, FetchHandler, RememberPlugin, create_fetch_handler, tool
from remember.tools.asking import Ask, elicit
from tests.conformance.fixtures import APP
from tests.protocol.oracle import CODES, error_of, result_of
from tests.protocol.requests import KEYS, META_CAPABILITIES, call, memory_handler, post, rpc
from tests.protocol.wire_schema import (
    ERRORS,
    OFFICIAL_SHA256,
    check_error,
    check_progress,
    check_request,
    check_response,
)
from tests.standins.client import META, Client

ABLE = META | {META_CAPABILITIES: {"elicitation": {}}}

# A tool's good call, then a bad one that the model can put right. `ID` stands for the id of the note that was kept.
CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "remember_this": ({"key": "language", "value": {"name": "de"}, "ttl": 60, "brand": "preference"}, {"key": ""}),
    "recall": ({"key": "language"}, {"kye": "language"}),
    "forget": ({"key": "other"}, {}),
    "list_memories": ({"pattern": "l*", "limit": 1}, {"limit": 0}),
    "engram_remember": ({"content": "The team writes Rust", "tags": ["team"]}, {"content": "x" * 8_001}),
    "engram_recall": ({"query": "Rust", "threshold": 0}, {"query": "Rust", "time_filter": {"period": "never ever"}}),
    "engram_feedback": ({"memory_id": "ID", "helpful": True}, {"memory_id": "ID", "helpful": "perhaps"}),
    "engram_context": ({"query": "Rust", "format": "xml"}, {"format": "latex"}),
    "engram_status": ({}, {"scope": "tool"}),
    "engram_forget": ({"memory_id": "ID"}, {}),
    "forget_all": ({"scope": "user"}, {"scope": "user", "confirmation": "made-up"}),
}


@tool
async def slow(context: Context) -> str:
    """Work for a while."""
    await context.progress(0.5, 1, "half of it")
    return "done"


@tool
async def careful(context: Context) -> str:
    """Do what the person has agreed to."""
    if not context.answers:
        schema = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
        raise Ask({"sure": elicit("Really?", schema)})
    return "done"


@tool
async def greet(name: Annotated[str, Arg("Whom.")]) -> str:
    """Greet somebody."""
    return f"Hello {name}"


@pytest.fixture(scope="module")
def memory() -> FetchHandler:
    return memory_handler()


@pytest.fixture(scope="module")
def note(memory: FetchHandler) -> str:
    """The id of a note of Ana's."""
    kept = Client(memory, KEYS["ana"]).call("engram_remember", {"content": "The office is in Bonn", "scope": "user"})
    return str(kept.data["id"])


@pytest.fixture(scope="module")
def app() -> FetchHandler:
    """An app of an author's, with tools that ask and that tell how far they are."""
    plugin = RememberPlugin.init(type="memory")
    return create_fetch_handler(
        App("desk", "Desk", tools=[slow, careful, greet], plugins=[plugin]), environ={}, auth=KEYS
    )


def send(handler: FetchHandler, message: dict[str, Any], **headers: str | None) -> dict[str, Any]:
    """The result, once request and answer are what both judges take."""
    check_request(message)
    response = asyncio.run(
        handler.fetch(post(message, {name.replace("_", "-"): value for name, value in headers.items()}))
    )
    check_response(response.json(), message["method"])
    return dict(response.json()["result"])


def test_the_schema_is_the_one_that_was_published() -> None:
    """The models say from which file they were made."""
    assert OFFICIAL_SHA256 in str(official.__doc__)


def test_there_is_a_model_for_every_code() -> None:
    """So that none of ours goes unjudged."""
    assert set(ERRORS) == CODES


@pytest.mark.parametrize(
    ("judge", "wrong"),
    [
        (check_request, call("recall", key="k") | {"id": None}),
        (check_request, {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {}}}),
        (check_error, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "x"}}),
        (check_error, {"jsonrpc": "2.0", "error": {"code": -32022, "message": "x"}}),
        (check_error, {"jsonrpc": "2.0", "error": {"code": -32600, "message": "x"}, "result": {}}),
        (check_progress, {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}),
    ],
)
def test_the_judge_refuses_what_is_wrong(judge: Callable[[dict[str, Any]], None], wrong: dict[str, Any]) -> None:
    """Null where a member is to be left out, a member that lacks, and one too many."""
    with pytest.raises(ValidationError):
        judge(wrong)


@pytest.mark.parametrize("change", [{"ttlMs": -1}, {"cacheScope": "mine"}, {"nextCursor": None}, {"isError": False}])
def test_the_judge_refuses_a_spoiled_answer(memory: FetchHandler, change: dict[str, Any]) -> None:
    """A number below its bound, another word, null, a member of another result."""
    response = asyncio.run(memory.fetch(post(rpc("tools/list")))).json()
    with pytest.raises(ValidationError):
        check_response(response | {"result": response["result"] | change}, "tools/list")


@pytest.mark.parametrize("method", ["server/discover", "tools/list"])
def test_what_is_asked_for_first(memory: FetchHandler, app: FetchHandler, method: str) -> None:
    """Of the memory server and of an author's app."""
    for handler in (memory, app):
        send(handler, rpc(method))
        result_of(asyncio.run(handler.fetch(post(rpc(method)))), method)


@pytest.mark.parametrize("form", ["good", "bad"])
@pytest.mark.parametrize("name", list(CALLS))
def test_every_tool_s_answer(memory: FetchHandler, note: str, name: str, form: str) -> None:
    """A good call, and one that the model is told how to put right."""
    arguments = {key: note if value == "ID" else value for key, value in CALLS[name][form == "bad"].items()}
    message = call(name, **arguments)
    result = send(memory, message)
    assert result["isError"] is (form == "bad")
    result_of(asyncio.run(memory.fetch(post(message))), "tools/call")


def test_every_tool_is_among_them(memory: FetchHandler) -> None:
    """A new one has to be judged too."""
    assert set(CALLS) == set(Client(memory, KEYS["ana"]).tools())


def test_a_question_to_the_person(memory: FetchHandler, app: FetchHandler, note: str) -> None:
    """As forget_all asks it, and as an author's tool does."""
    for handler, asking in ((memory, call("forget_all", scope="user")), (app, call("careful"))):
        asking["params"]["_meta"] = ABLE
        result = send(handler, asking)
        assert result["resultType"] == "input_required"
        ((name, _),) = result["inputRequests"].items()
        answer = {name: {"action": "accept", "content": {"delete": False, "yes": True}}}
        asking["params"] |= {"requestState": result["requestState"], "inputResponses": answer}
        assert send(handler, asking)["resultType"] == "complete"


def test_progress_and_then_the_answer(app: FetchHandler) -> None:
    """Each event is one message of the revision."""
    message = call("slow")
    message["params"]["_meta"] = META | {"progressToken": "t"}
    check_request(message)

    async def events() -> bytes:
        response = await app.fetch(post(message))
        assert response.stream is not None
        return b"".join([part async for part in response.stream])

    told = [json.loads(part.partition(b"data: ")[2]) for part in asyncio.run(events()).strip().split(b"\n\n")]
    check_progress(told[0])
    check_response(told[1], "tools/call")
    assert (told[0]["params"]["progressToken"], told[1]["result"]["content"][0]["text"]) == ("t", "done")


def test_an_author_s_tool(app: FetchHandler) -> None:
    """Text alone; an argument that lacks."""
    assert send(app, call("greet", name="Ana"))["content"][0]["text"] == "Hello Ana"
    assert send(app, call("greet"))["isError"] is True


FIXTURES: dict[str, dict[str, Any]] = {
    "lists of prompts": rpc("prompts/list"),
    "lists of resources": rpc("resources/list"),
    "lists of templates": rpc("resources/templates/list"),
    "a list of tools with headers": rpc("tools/list"),
    "what a full server can do": rpc("server/discover"),
    "a prompt": rpc("prompts/get", {"name": "test_simple_prompt"}),
    "a prompt with arguments": rpc(
        "prompts/get", {"name": "test_prompt_with_arguments", "arguments": {"arg1": "a", "arg2": "b"}}
    ),
    "a prompt with a resource": rpc(
        "prompts/get", {"name": "test_prompt_with_embedded_resource", "arguments": {"resourceUri": "test://example"}}
    ),
    "a prompt with a picture": rpc("prompts/get", {"name": "test_prompt_with_image"}),
    "a resource of text": rpc("resources/read", {"uri": "test://static-text"}),
    "a resource of bytes": rpc("resources/read", {"uri": "test://static-binary"}),
    "a resource of a template": rpc("resources/read", {"uri": "test://template/7/data"}),
    "a completion": rpc(
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
            "argument": {"name": "arg1", "value": "pa"},
        },
    ),
    "a picture": call("test_image_content"),
    "a sound": call("test_audio_content"),
    "a resource in an answer": call("test_embedded_resource"),
    "several blocks": call("test_multiple_content_types"),
}


@pytest.fixture(scope="module")
def fixtures() -> FetchHandler:
    """The app of the conformance suite, which has one of everything."""
    return create_fetch_handler(APP, environ={}, auth=KEYS)


@pytest.mark.parametrize("message", FIXTURES.values(), ids=list(FIXTURES))
def test_everything_that_an_app_may_offer(fixtures: FetchHandler, message: dict[str, Any]) -> None:
    """Prompts, resources, completion and blocks of every kind."""
    send(fixtures, message)
    result_of(asyncio.run(fixtures.fetch(post(message))), message["method"])


@pytest.mark.parametrize(
    ("tool_name", "asks"),
    [
        ("test_input_required_result_elicitation", "elicitation/create"),
        ("test_input_required_result_sampling", "sampling/createMessage"),
        ("test_input_required_result_list_roots", "roots/list"),
    ],
)
def test_every_kind_of_question(fixtures: FetchHandler, tool_name: str, asks: str) -> None:
    """To the person, to the client's model, and for its folders."""
    message = call(tool_name)
    message["params"]["_meta"] = META | {META_CAPABILITIES: {"elicitation": {}, "sampling": {}, "roots": {}}}
    result = send(fixtures, message)
    assert [request["method"] for request in result["inputRequests"].values()] == [asks]


REFUSALS: dict[str, tuple[Any, dict[str, str | None], int, int]] = {
    "no JSON": (b"{", {}, 400, -32700),
    "a batch": (b"[]", {}, 400, -32600),
    "no key": (rpc("tools/list"), {"authorization": None}, 401, -32600),
    "another content type": (rpc("tools/list"), {"content-type": "text/plain"}, 415, -32600),
    "no such method": (rpc("ping"), {}, 404, -32601),
    "no such tool": (call("recal"), {}, 400, -32602),
    "no envelope": (rpc("tools/list") | {"params": {}}, {}, 400, -32602),
    "no version": (rpc("tools/list"), {"mcp-protocol-version": None}, 400, -32020),
    "a legacy handshake": (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize"},
        {"mcp-protocol-version": None},
        400,
        -32022,
    ),
    "an older version": (
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}},
        {"mcp-protocol-version": "2025-06-18"},
        400,
        -32022,
    ),
    "a question that the client cannot put": (call("careful"), {}, 400, -32021),
    "a state that was made up": (
        rpc("tools/call", {"name": "careful", "arguments": {}, "_meta": ABLE, "requestState": "x"}),
        {},
        400,
        -32602,
    ),
}


@pytest.mark.parametrize(("message", "headers", "status", "code"), REFUSALS.values(), ids=list(REFUSALS))
def test_every_refusal(app: FetchHandler, message: Any, headers: dict[str, str | None], status: int, code: int) -> None:
    """By its status and code, with what the schema asks of that code."""
    response = asyncio.run(app.fetch(post(message, headers)))
    check_error(response.json())
    error_of(response, status, code, id=response.json().get("id"))


def test_a_server_that_lacks_something_says_so_in_the_schema_s_form() -> None:
    """-32603, the one code that none of the requests above leads to."""
    handler = create_fetch_handler(environ={"VERCEL": "1"}, auth=KEYS)
    response = asyncio.run(handler.fetch(post(rpc("tools/list"))))
    check_error(response.json())
    error_of(response, 503, -32603)
    assert {code for *_, code in REFUSALS.values()} | {-32603} == CODES
