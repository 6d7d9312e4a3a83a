"""resources/list, resources/templates/list and resources/read, judged by the official models."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from mcp_types.methods import validate_client_request

from tests.protocol.asking import YES, able, again, question_of
from tests.protocol.authored import HANDLER, PRIVATE, fetch
from tests.protocol.official import in_process
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import ANA, BOB, post, rpc
from tests.standins.client import VERSION


def read(uri: str) -> dict[str, Any]:
    return rpc("resources/read", {"uri": uri})


def test_the_requests_of_these_tests_are_good_ones() -> None:
    """The official models read what we send."""
    for method in ("resources/list", "resources/templates/list"):
        validate_client_request(method, VERSION, rpc(method)["params"])
    validate_client_request("resources/read", VERSION, read("notes://all")["params"])


def test_the_list_shows_what_has_one_uri() -> None:
    """Templates are in a list of their own."""
    result = result_of(fetch(rpc("resources/list")), "resources/list")
    assert [one["uri"] for one in result["resources"]] == ["notes://all", "locked://door"]
    assert result["resources"][0] == {
        "uri": "notes://all",
        "name": "all_notes",
        "title": "All notes",
        "description": "All that this caller has written.",
        "mimeType": "text/plain",
    }
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "private")


def test_the_list_of_templates_shows_what_has_many() -> None:
    """With the variables in braces."""
    result = result_of(fetch(rpc("resources/templates/list")), "resources/templates/list")
    assert [one["uriTemplate"] for one in result["resourceTemplates"]] == ["notes://{year}/{month}", "failing://{how}"]
    assert result["resourceTemplates"][0]["mimeType"] == "application/json"
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "private")


@pytest.mark.parametrize("method", ["resources/list", "resources/templates/list"])
def test_a_list_has_no_second_page(method: str) -> None:
    """So no cursor is one of ours."""
    error_of(fetch(rpc(method, {"cursor": "2"})), 400, -32602)


@pytest.mark.parametrize(("key", "user"), [(ANA, "ana"), (BOB, "bob")])
def test_a_resource_is_its_reader_s(key: str, user: str) -> None:
    """Each caller reads with their own memory, and keeps what they read for as long as the author says."""
    result = result_of(fetch(read("notes://all"), key), "resources/read")
    assert result["contents"] == [{"uri": "notes://all", "mimeType": "text/plain", "text": f"of static:{user}"}]
    assert (result["ttlMs"], result["cacheScope"]) == (60_000, "private")


def test_a_template_is_read_by_the_uri_that_it_makes() -> None:
    """And what comes back says that URI."""
    result = result_of(fetch(read("notes://2026/07")), "resources/read")
    assert result["contents"] == [{"uri": "notes://2026/07", "mimeType": "application/json", "text": '["2026-07"]'}]
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")


@pytest.mark.parametrize(
    "uri", ["notes://none", "notes://1999/07", "", "x" * 10_000, "file:///etc/passwd", "notes://all/", "ümlaut://x"]
)
def test_what_is_not_there_is_an_error_with_its_uri(uri: str) -> None:
    """Never an empty list of contents (SEP-2164)."""
    error = error_of(fetch(read(uri)), 400, -32602)
    assert error["data"] == {"uri": uri}
    assert len(error["message"]) < 250


@pytest.mark.parametrize("uri", ["notes://year/07", "notes://2026/09"])
def test_variables_that_do_not_fit_are_refused(uri: str) -> None:
    """By name, so that a client sees what to change."""
    assert error_of(fetch(read(uri)), 400, -32602)["data"] == {"code": "INVALID_INPUT"}


@pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 7}, {"uri": ["notes://all"]}], ids=str)
def test_a_uri_is_text(params: dict[str, object]) -> None:
    """Else there is nothing to look for."""
    error_of(asyncio.run(HANDLER.fetch(post(rpc("resources/read", params)))), 400, -32602)


def test_the_header_repeats_the_uri() -> None:
    """For those who route by it."""
    for header in ("notes://none", None):
        error_of(asyncio.run(HANDLER.fetch(post(read("notes://all"), {"mcp-name": header}))), 400, -32020)


def test_what_an_author_says_reaches_the_client() -> None:
    """And what fails by itself says nothing."""
    error = error_of(fetch(read("failing://known")), 200, -32603)
    assert (error["message"], error["data"]) == ("Not on Sundays.", {"code": "SUNDAY"})


def test_what_fails_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The log has the kind and the place, nobody the words, nor the values of the variables."""
    with caplog.at_level(logging.DEBUG):
        error = error_of(fetch(read("failing://another-private-word")), 500, -32603)
    assert "RuntimeError" in caplog.text
    for word in (PRIVATE, "another-private-word"):
        assert word not in caplog.text + str(error)


def test_a_resource_asks_first() -> None:
    """And goes on with the answer, once, for the same caller and the same URI."""
    message = able(read("locked://door"))
    state = question_of(fetch(message), "resources/read")["requestState"]
    error_of(fetch(again(message, state, sure=YES), BOB), 400, -32602)
    answered = again(message, state, sure=YES)
    (content,) = result_of(fetch(answered), "resources/read")["contents"]
    assert content == {"uri": "locked://door", "mimeType": "application/octet-stream", "blob": "b3Blbg=="}
    error_of(fetch(answered), 400, -32602)
    error_of(fetch(able(read("locked://door"), {})), 400, -32021)


def test_the_official_client_reads_resources() -> None:
    """Lists, templates, and both kinds of URI."""

    async def story() -> None:
        async with in_process(HANDLER)(ANA, "auto") as client:
            assert [one.name for one in (await client.list_resources()).resources] == ["all_notes", "locked"]
            assert len((await client.list_resource_templates()).resource_templates) == 2
            (content,) = (await client.read_resource("notes://2026/08")).contents
            assert content.mime_type == "application/json"

    asyncio.run(story())
