"""prompts/list and prompts/get, judged by the official models."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from mcp_types.methods import validate_client_request

from remember import App, create_fetch_handler
from tests.protocol.asking import YES, able, again, question_of
from tests.protocol.authored import HANDLER, PRIVATE, fetch, plain
from tests.protocol.conftest import Send
from tests.protocol.official import in_process
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import ANA, BOB, KEYS, post, rpc
from tests.standins.client import VERSION


def get(name: str, **arguments: object) -> dict[str, Any]:
    return rpc("prompts/get", {"name": name, "arguments": arguments})


def test_the_requests_of_these_tests_are_good_ones() -> None:
    """The official models read what we send."""
    validate_client_request("prompts/list", VERSION, rpc("prompts/list")["params"])
    validate_client_request("prompts/get", VERSION, get("plan", city="Berlin")["params"])


def test_the_list_shows_every_prompt_and_its_arguments() -> None:
    """In the author's order; a client may keep it for a while."""
    result = result_of(fetch(rpc("prompts/list")), "prompts/list")
    assert [one["name"] for one in result["prompts"]] == ["plan", "plain", "asking", "failing", "refusing"]
    first, second, *_ = result["prompts"]
    assert (first["title"], first["description"]) == ("Travel plan", "Plan a journey.")
    assert first["arguments"][:2] == [
        {"name": "city", "description": "Where to", "required": True},
        {"name": "country", "required": False},
    ]
    assert second == {"name": "plain", "description": "Say hello."}
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "private")


def test_a_list_has_no_second_page() -> None:
    """So no cursor is one of ours."""
    error_of(fetch(rpc("prompts/list", {"cursor": "2"})), 400, -32602)


def test_a_prompt_says_its_messages() -> None:
    """Blocks and texts, with the arguments in the types that the function wants."""
    result = result_of(fetch(get("plan", city="Bonn", nights="3", country="dk")), "prompts/get")
    assert result["description"] == "Plan a journey."
    assert result["messages"] == [
        {"role": "user", "content": {"type": "image", "data": "bWFw", "mimeType": "image/png"}},
        {"role": "user", "content": {"type": "text", "text": "3 nights in Bonn, dk  "}},
    ]


@pytest.mark.parametrize("params", [{"name": "plain"}, {"name": "plain", "arguments": None}], ids=["none", "null"])
def test_arguments_may_be_left_out(params: dict[str, object]) -> None:
    """As for a tool."""
    result_of(fetch(rpc("prompts/get", params)), "prompts/get")


@pytest.mark.parametrize(
    "arguments", [{}, {"city": "Bonn", "nights": "31"}, {"city": "Bonn", "country": "fr"}, {"town": "Bonn"}], ids=str
)
def test_arguments_that_do_not_fit_are_refused(arguments: dict[str, str]) -> None:
    """There is no result with an error in it, so the client learns it from an error."""
    error = error_of(fetch(get("plan", **arguments)), 400, -32602)
    assert error["data"] == {"code": "INVALID_INPUT"}


def test_an_unknown_prompt_is_refused_with_the_nearest() -> None:
    """A typing mistake is put right in one step."""
    assert "did you mean plan?" in error_of(fetch(get("plann")), 400, -32602)["message"]


def test_the_header_repeats_the_name() -> None:
    """For those who route by it."""
    error_of(asyncio.run(HANDLER.fetch(post(get("plain"), {"mcp-name": "plan"}))), 400, -32020)
    error_of(asyncio.run(HANDLER.fetch(post(get("plain"), {"mcp-name": None}))), 400, -32020)


def test_what_an_author_says_reaches_the_client() -> None:
    """An answer, if not the one that was hoped for."""
    error = error_of(fetch(get("refusing")), 200, -32603)
    assert (error["message"], error["data"]) == ("Not on Sundays.", {"code": "SUNDAY"})


def test_what_fails_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The log has the kind and the place, nobody the words."""
    with caplog.at_level(logging.DEBUG):
        error = error_of(fetch(get("failing")), 500, -32603)
    assert "RuntimeError" in caplog.text
    assert "authored.py" in caplog.text
    assert PRIVATE not in caplog.text + str(error)


def test_a_prompt_asks_first() -> None:
    """And goes on with the answer, once, for the same caller and the same arguments."""
    message = able(get("asking", topic="tea"))
    state = question_of(fetch(message), "prompts/get")["requestState"]
    for other, key in ((able(get("asking", topic="rum")), ANA), (able(get("asking")), ANA), (message, BOB)):
        error_of(fetch(again(other, state, sure=YES), key), 400, -32602)
    answered = again(message, state, sure=YES)
    (said,) = result_of(fetch(answered), "prompts/get")["messages"]
    assert said["content"]["text"] == "accept tea"
    error_of(fetch(answered), 400, -32602)


def test_a_client_that_cannot_be_asked_learns_it() -> None:
    """As for a tool."""
    error = error_of(fetch(get("asking")), 400, -32021)
    assert error["data"] == {"requiredCapabilities": {"elicitation": {}}}


def test_prompts_are_declared_where_there_are_some() -> None:
    """And only there: a client asks for what is declared."""
    capabilities = result_of(fetch(rpc("server/discover")), "server/discover")["capabilities"]
    assert capabilities == {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}
    handler = create_fetch_handler(App("a", prompts=[plain]), environ={}, auth=KEYS)
    capabilities = result_of(asyncio.run(handler.fetch(post(rpc("server/discover")))), "server/discover")[
        "capabilities"
    ]
    assert capabilities == {"tools": {}, "prompts": {}}


@pytest.mark.parametrize(
    "method", ["prompts/list", "resources/list", "resources/templates/list", "completion/complete"]
)
def test_the_memory_server_has_none(send: Send, method: str) -> None:
    """404, as for every method that is not served."""
    error_of(send(post(rpc(method))), 404, -32601)


@pytest.mark.parametrize("method", ["prompts/", "prompts/set", "resources/subscribe", "resources/templates"])
def test_other_methods_of_the_family_are_not_served(method: str) -> None:
    """And the refusal names those that are."""
    message = error_of(fetch(rpc(method)), 404, -32601)["message"]
    for served in ("tools/call", "prompts/get", "resources/templates/list", "completion/complete"):
        assert served in message


def test_the_official_client_gets_prompts() -> None:
    """It lists them, gets one, and is told what it did wrong."""

    async def story() -> None:
        async with in_process(HANDLER)(ANA, "auto") as client:
            assert "plan" in [one.name for one in (await client.list_prompts()).prompts]
            got = await client.get_prompt("plan", {"city": "Bonn", "nights": "2"})
            assert [one.content.type for one in got.messages] == ["image", "text"]

    asyncio.run(story())
