"""Behind Mangum, as api/_aws.py does it: four kinds of events, and the second and third call of a warm function."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from mangum import Mangum

from remember import App, Context, Response, create_fetch_handler, tool
from tests.fetch.events import EVENTS, Event, Make
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import ANA, KEYS, call, memory_handler, post, rpc

CONTEXT = SimpleNamespace(aws_request_id="e1506fd5", function_name="remember")


@pytest.fixture
def function() -> Iterator[Mangum]:
    """A warm function. Lambda's own process has the one event loop that Mangum uses; so has the test."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield Mangum(memory_handler(), lifespan="off")
    asyncio.set_event_loop(None)
    loop.close()


def invoke(function: Mangum, event: Event) -> Response:
    """The function's answer, as the way in front of it would send it."""
    answer: dict[str, Any] = function(event, CONTEXT)
    body = answer.get("body") or ""
    listed = {name: values[0] for name, values in (answer.get("multiValueHeaders") or {}).items()}
    headers = {**(answer.get("headers") or {}), **listed}
    content = b64decode(body) if answer.get("isBase64Encoded") else body.encode()
    return Response(answer["statusCode"], tuple(headers.items()), content)


@pytest.fixture(params=EVENTS.values(), ids=list(EVENTS))
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


@pytest.mark.parametrize("base64", [False, True])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_d6_every_kind_of_event_reaches_the_endpoint(function: Mangum, make: Make, path: str, *, base64: bool) -> None:
    """D6: stage or none, body plain or in base64."""
    message = call("remember_this", key="städte", value=["Zürich", "東京"])
    response = invoke(function, make(post(message, path=path), base64=base64))
    assert result_of(response, "tools/call")["structuredContent"]["success"] is True


def test_d2_a_warm_function_answers_again_and_again(function: Mangum, make: Make) -> None:
    """D2: the same object, three events and more; and it remembers from one to the next."""
    invoke(function, make(post(call("remember_this", key="k", value=7))))
    for _ in range(3):
        result = result_of(invoke(function, make(post(call("recall", key="k")))), "tools/call")
        assert result["structuredContent"]["value"] == 7


@pytest.mark.parametrize("lifespan", ["on", "auto"])
def test_d2_a_lifespan_that_runs_with_every_event_does_no_harm(function: Mangum, make: Make, lifespan: Any) -> None:
    """D2: Mangum starts and ends one around each event, if it is told to."""
    with_lifespan = Mangum(function.app, lifespan=lifespan)
    for _ in range(3):
        result_of(invoke(with_lifespan, make(post(rpc("tools/list")))), "tools/list")


def test_a_refusal_keeps_its_headers_on_the_way_out(function: Mangum, make: Make) -> None:
    """The challenge, and what lets a browser's script read it."""
    request = post(rpc("tools/list"), {"origin": "https://claude.ai"}, key=None)
    response = invoke(function, make(request))
    error_of(response, 401, -32600)
    assert header(response, "www-authenticate") == 'Bearer realm="remember"'
    assert header(response, "access-control-allow-origin") == "*"


@pytest.mark.parametrize("query", ["token", "access_token", "api_key"])
def test_f8_a_credential_in_the_query_is_none(function: Mangum, make: Make, query: str) -> None:
    """F8: it would stand in every log on the way."""
    response = invoke(function, make(post(rpc("tools/list"), key=None), query=f"{query}={ANA}"))
    error_of(response, 401, -32600)
    assert ANA.encode() not in response.body


def test_a_notification_and_a_preflight_have_no_body(function: Mangum, make: Make) -> None:
    """202 and 204 as such, though the gateway adds a content type where there is none."""
    notified = invoke(function, make(post(rpc("notifications/x", id=...))))
    assert (notified.status, notified.body) == (202, b"")
    asked = invoke(function, make(post(b"", {"origin": "https://claude.ai"}, method="OPTIONS", key=None)))
    assert (asked.status, asked.body) == (204, b"")


def test_e7_two_credentials_are_none_however_the_way_in_joins_them(function: Mangum) -> None:
    """E7, E15: some send a list, some join with a comma, and neither is a credential."""
    load_balancer = EVENTS["load balancer"](post(rpc("tools/list"), more=[("authorization", f"Bearer {ANA}")]))
    error_of(invoke(function, load_balancer), 401, -32600)
    joined = EVENTS["HTTP API"](post(rpc("tools/list"), {"authorization": f"Bearer {ANA},Bearer {ANA}"}))
    error_of(invoke(function, joined), 401, -32600)


def test_a_path_that_is_not_served_is_answered_as_json(function: Mangum, make: Make) -> None:
    """With the stage in front of it or without."""
    response = invoke(function, make(post(b"", method="GET", path="/nothing", key=None)))
    assert response.status == 404
    assert json.loads(response.body)["error"] == "not_found"


def test_a_stream_comes_whole(function: Mangum, make: Make) -> None:
    """Lambda's answer is one piece: the events of progress and the answer, in their order."""

    @tool
    async def work(context: Context) -> str:
        """Work."""
        for done in (1, 2):
            await context.progress(done, 2)
        return "done"

    message = call("work")
    message["params"]["_meta"] = {**message["params"]["_meta"], "progressToken": "t"}
    handler = create_fetch_handler(App("works", tools=[work]), environ={}, auth=KEYS)
    response = invoke(Mangum(handler, lifespan="off"), make(post(message)))
    assert header(response, "content-type") == "text/event-stream"
    *events, end = response.body.decode().split("\n\n")
    carried = [json.loads(event.removeprefix("event: message\ndata: ")) for event in events]
    assert [event.get("method", "answer") for event in carried] == [*["notifications/progress"] * 2, "answer"]
    assert carried[-1]["result"]["content"][0]["text"] == "done"
    assert end == ""
