"""The artefacts at work: the official client, every kind of event, cold and warm, many at once, stopped in between."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from remember import Request, Response, create_fetch_handler
from tests.deploy.conftest import Artefact, Runtime
from tests.deploy.over_http import content, send
from tests.fetch.events import EVENTS, Make
from tests.protocol.official import over_http
from tests.protocol.oracle import error_of, header
from tests.protocol.requests import ANA, BOB, call, post, rpc
from tests.standins.client import VERSION
from tests.standins.lambda_runtime import FunctionFailed, LambdaRuntime
from tests.standins.upstash_rest import UpstashRest
from tests.standins.vercel_runtime import VercelRuntime

pytestmark = pytest.mark.deploy


def remember(key: str, value: object) -> Request:
    return post(call("remember_this", key=key, value=value, scope="user"))


def recall(key: str) -> Request:
    return post(call("recall", key=key, scope="user"))


@pytest.mark.parametrize("mode", ["auto", VERSION])
def test_the_official_client_uses_what_is_deployed(deployed: Runtime, mode: str) -> None:
    """Two people, each with a memory of her own."""

    async def story() -> None:
        connect = over_http(deployed.port)
        async with connect(ANA, mode) as ana, connect(BOB, mode) as bob:
            offered = [tool.name for tool in (await ana.list_tools()).tools]
            assert (offered[:2], offered[-1], len(offered)) == (["remember_this", "recall"], "forget_all", 11)
            await ana.call_tool("remember_this", {"key": "city", "value": {"de": "Zürich"}, "scope": "user"})
            asked = {"key": "city", "scope": "user"}
            assert (await ana.call_tool("recall", asked)).structured_content["value"] == {"de": "Zürich"}
            assert (await bob.call_tool("recall", asked)).structured_content["found"] is False
            assert (await ana.call_tool("list_memories", {"scope": "user"})).structured_content["keys"] == ["city"]
            assert (await ana.call_tool("forget", asked)).structured_content["existed"] is True

    run(story)


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def awaited() -> None:
        await story()

    asyncio.run(awaited())


def test_cold_warm_and_for_the_hundredth_time(deployed: Runtime, upstash: UpstashRest) -> None:
    """No call is like the first, none is refused, and all go over one connection to the store."""
    for number in range(100):
        assert content(send(deployed.port, remember("count", number)))["replaced"] is (number > 0)
        assert content(send(deployed.port, recall("count")))["value"] == number
    assert upstash.connections == 1
    assert deployed.process.alive


def test_it_writes_to_no_disk(deployed: Runtime) -> None:
    """The function's files may only be read, and its home does not exist; it never tries."""
    content(send(deployed.port, remember("k", 1)))
    assert send(deployed.port, Request("GET", "/health")).status == 200
    assert send(deployed.port, Request("GET", "/")).status == 200
    tried = re.findall(r"^read-only disk: .*$", deployed.process.printed + deployed.log, re.MULTILINE)
    assert not [line for line in tried if "/__pycache__" not in line]  # the interpreter's own try, for the door


def test_the_store_closes_and_the_function_stands_still_in_between(
    deployed: Runtime, settings: dict[str, str], upstash: UpstashRest
) -> None:
    """D7: what was answered is stored, whether the function ever goes on or not; and it goes on on a new connection."""
    elsewhere = create_fetch_handler(environ=settings)
    for number in range(3):
        content(send(deployed.port, remember(f"k{number}", number)))
        deployed.process.freeze()
        assert content(asyncio.run(elsewhere.fetch(recall(f"k{number}"))))["value"] == number
        upstash.stop()
        upstash.start()
        deployed.process.thaw()
        assert content(send(deployed.port, recall(f"k{number}")))["value"] == number


def test_what_was_answered_is_there_for_the_next_instance(artefact: Artefact, settings: dict[str, str]) -> None:
    """D7: the first one is taken away the moment that it has answered."""
    with artefact.start(settings) as first:
        content(send(first.port, remember("k", "kept")))
    with artefact.start(settings) as second:
        assert content(send(second.port, recall("k")))["value"] == "kept"


def test_many_at_once_on_vercel(on_vercel: VercelRuntime) -> None:
    """One process serves them all, below the rate that a caller has: 16 connections, each reads what it wrote."""

    def story(number: int) -> bool:
        return all(
            content(send(on_vercel.port, remember(f"k{number}", [number, turn])))["success"]
            and content(send(on_vercel.port, recall(f"k{number}")))["value"] == [number, turn]
            for turn in range(8)
        )

    with ThreadPoolExecutor(16) as callers:
        assert all(callers.map(story, range(16)))


@pytest.mark.parametrize("base64", [False, True])
@pytest.mark.parametrize("make", EVENTS.values(), ids=list(EVENTS))
def test_every_way_in_front_of_lambda(on_lambda: LambdaRuntime, make: Make, *, base64: bool) -> None:
    """D6: each kind of event, body as text or in base64, stage or none; three times, as a warm function gets them."""
    for turn in range(3):
        assert content(invoke(on_lambda, make(remember("städte", ["Zürich", turn]), base64=base64)))["success"] is True
        assert content(invoke(on_lambda, make(recall("städte"), base64=base64)))["value"] == ["Zürich", turn]
    refused = invoke(on_lambda, make(post(rpc("tools/list"), key=None), base64=base64))
    error_of(refused, 401, -32600)
    assert header(refused, "www-authenticate") == 'Bearer realm="remember"'
    assert invoke(on_lambda, make(Request("GET", "/nothing"))).status == 404


def invoke(function: LambdaRuntime, event: dict[str, Any]) -> Response:
    """The answer as the way in front of the function would send it."""
    answer = function.invoke(event)
    listed = {name: values[0] for name, values in (answer.get("multiValueHeaders") or {}).items()}
    headers = {name.lower(): value for name, value in {**(answer.get("headers") or {}), **listed}.items()}
    body = answer.get("body") or ""
    raw = b64decode(body) if answer.get("isBase64Encoded") else body.encode()
    return Response(answer["statusCode"], tuple(headers.items()), raw)


def test_a_stream_that_is_asked_for_is_refused_at_once(deployed: Runtime) -> None:
    """A GET that waits would hold the one instance until the platform kills it."""
    response = send(deployed.port, Request("GET", "/mcp", (("accept", "text/event-stream"),)))
    assert (response.status, header(response, "allow")) == (405, "POST")


def test_a_body_that_is_too_large_is_refused_in_json(deployed: Runtime) -> None:
    """Before the platform does, where its own limit is not much above ours."""
    response = send(deployed.port, remember("k", "x" * (4 * 1024 * 1024)))
    assert response.status == 413
    assert json.loads(response.body)["error"]["message"]


def test_lambda_s_log_holds_no_secret(on_lambda: LambdaRuntime, settings: dict[str, str]) -> None:
    """Nor a key, nor what was stored."""
    content(send(on_lambda.port, remember("k", "made-up-value-of-this-test")))
    said = on_lambda.log
    assert not any(value in said for value in (*settings.values(), ANA, BOB, "made-up-value-of-this-test"))


def test_a_function_that_ends_is_told_by_the_stand_in(on_lambda: LambdaRuntime) -> None:
    """The counterpart of every answer above: the stand-in does not make them up."""
    on_lambda.process.end()
    with pytest.raises(FunctionFailed):
        on_lambda.invoke(EVENTS["Function URL"](recall("k")))
    assert send(on_lambda.port, recall("k")).status == 502
