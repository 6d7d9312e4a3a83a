"""Arguments that a client repeats in headers: both say the same, or nothing runs (SEP-2243)."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, TypedDict

import pytest

from remember import App, Arg, Response, create_fetch_handler, tool
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import KEYS, call, in_base64, post, rpc

MISMATCH = -32020


class Place(TypedDict):
    region: Annotated[str, Arg(header="Place-Region")]


@tool
async def order(
    region: Annotated[str | None, Arg("Where", header="Region")] = None,
    count: Annotated[int, Arg(header="Count")] = 1,
    fast: Annotated[bool, Arg(header="X-Fast")] = False,
    note: str = "",
    place: Place | None = None,
) -> str:
    """Order something."""
    return f"{region} {count} {fast} {note} {place}"


HANDLER = create_fetch_handler(App("orders", tools=[order]), environ={}, auth=KEYS)


def send(arguments: dict[str, Any], *headers: tuple[str, str]) -> Response:
    return asyncio.run(HANDLER.fetch(post(call("order", **arguments), more=headers)))


REGION, COUNT, FAST = "Mcp-Param-Region", "mcp-param-COUNT", "MCP-PARAM-X-Fast"


def test_the_list_shows_what_is_repeated() -> None:
    """So that a client knows which headers to send."""
    (shown,) = result_of(asyncio.run(HANDLER.fetch(post(rpc("tools/list")))), "tools/list")["tools"]
    properties = shown["inputSchema"]["properties"]
    headers = {name: one["x-mcp-header"] for name, one in properties.items() if "x-mcp-header" in one}
    assert headers == {"region": "Region", "count": "Count", "fast": "X-Fast"}
    assert properties["place"]["properties"]["region"]["x-mcp-header"] == "Place-Region"


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({}, []),
        ({"note": "x"}, []),
        ({"region": None}, []),
        ({"region": "eu west"}, [(REGION, "eu west")]),
        ({"region": "eu"}, [(REGION, " eu\t")]),
        ({"region": ""}, [(REGION, "")]),
        ({"region": "Zürich"}, [(REGION, in_base64("Zürich"))]),
        ({"region": " padded "}, [(REGION, in_base64(" padded "))]),
        ({"region": "=?base64?aGk="}, [(REGION, "=?base64?aGk=")]),
        ({"count": 42}, [(COUNT, "42")]),
        ({"count": 42}, [(COUNT, "42.0")]),
        ({"count": 42.0}, [(COUNT, "42")]),
        ({"count": -7}, [(COUNT, "-7")]),
        ({"count": 2**53 + 1}, [(COUNT, str(2**53 + 1))]),
        ({"count": "42"}, [(COUNT, "42")]),
        ({"fast": True}, [(FAST, "true")]),
        ({"fast": False}, [(FAST, in_base64("false"))]),
        ({"place": {"region": "eu"}}, [("mcp-param-place-region", "eu")]),
        ({"note": "x"}, [("mcp-param-unknown", "whatever")]),
    ],
    ids=repr,
)
def test_what_says_the_same_runs(arguments: dict[str, Any], headers: list[tuple[str, str]]) -> None:
    """Names in any case, numbers by their value, text to the letter; headers that no argument has are nobody's."""
    assert result_of(send(arguments, *headers), "tools/call")["isError"] is False


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"region": "eu"}, []),
        ({"count": 1}, []),
        ({"fast": False}, []),
        ({"region": ""}, []),
        ({}, [(REGION, "eu")]),
        ({"region": None}, [(REGION, "eu")]),
        ({"region": None}, [(REGION, "null")]),
        ({"region": "eu"}, [(REGION, "EU")]),
        ({"region": "eu"}, [(REGION, "us")]),
        ({"region": "eu"}, [(REGION, "eu"), (REGION.lower(), "eu")]),
        ({"region": "eu"}, [(REGION, "=?base64?ZXU?=")]),
        ({"region": "eu"}, [(REGION, "=?base64?ZXV=?=")]),
        ({"region": "eu"}, [(REGION, "=?base64?Z!!U=?=")]),
        ({"region": "\ufffd"}, [(REGION, "=?base64?/w==?=")]),
        ({"count": 42}, [(COUNT, "43")]),
        ({"count": 42}, [(COUNT, "4_2")]),
        ({"count": 42}, [(COUNT, "٤٢")]),
        ({"count": 42}, [(COUNT, "+42")]),
        ({"count": 42}, [(COUNT, "42.5")]),
        ({"count": 42}, [(COUNT, "0x2a")]),
        ({"count": 42}, [(COUNT, "nan")]),
        ({"count": 2**53 + 1}, [(COUNT, str(2**53))]),
        ({"count": 1}, [(COUNT, "true")]),
        ({"fast": True}, [(FAST, "True")]),
        ({"fast": True}, [(FAST, "1")]),
        ({"count": 1}, [(COUNT, "9" * 5_000)]),
        ({"region": ["eu"]}, [(REGION, "eu")]),
        ({"place": {"region": "eu"}}, []),
        ({"place": {"region": "eu"}}, [("mcp-param-place-region", "us")]),
        ({"place": "eu"}, [("mcp-param-place-region", "eu")]),
    ],
    ids=lambda one: repr(one)[:60],
)
def test_what_does_not_is_refused(arguments: dict[str, Any], headers: list[tuple[str, str]]) -> None:
    """Missing, different, twice, unreadable, or there for an argument that is not."""
    error = error_of(send(arguments, *headers), 400, MISMATCH)
    assert "Mcp-Param-" in error["message"]


@pytest.mark.parametrize("arguments", [[], "text", 7])
def test_arguments_that_are_no_object_say_nothing(arguments: object) -> None:
    """So no header may come with them; without one the tool says what is wrong."""
    message = rpc("tools/call", {"name": "order", "arguments": arguments})
    error_of(asyncio.run(HANDLER.fetch(post(message, more=[(REGION, "eu")]))), 400, MISMATCH)
    assert result_of(asyncio.run(HANDLER.fetch(post(message))), "tools/call")["isError"] is True
