"""Progress: a stream of events for whoever asked for it, the answer last; who hangs up, stops the tool."""

from __future__ import annotations

import asyncio
import json
import logging
from math import inf, nan
from typing import Any

import pytest

from remember import App, Ask, Context, FetchHandler, Response, ToolError, create_fetch_handler, elicit, tool
from remember.protocol.streaming import MOST_WAITING
from tests.protocol.asking import ALL, Message, able
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import KEYS, call, post

PRIVATE = "a-private-word"


@tool
async def work(context: Context, steps: int = 3) -> str:
    """Work in steps."""
    for done in range(1, steps + 1):
        await context.progress(done, steps, f"step {done}")
    return "done"


@tool
async def jumps(context: Context) -> str:
    """Tell of progress that is none, between some that is."""
    for done in (1, 1, 0.5, nan, 2, inf, -inf, 2.5):
        await context.progress(done)
    return "done"


@tool
async def fails(context: Context) -> str:
    """Fail in the middle."""
    await context.progress(1)
    raise RuntimeError(PRIVATE)


@tool
async def refuses(context: Context) -> str:
    """Refuse in the middle."""
    await context.progress(1)
    raise ToolError("Not today.")


@tool
async def asks(context: Context) -> str:
    """Ask in the middle."""
    await context.progress(1)
    raise Ask({"sure": elicit("Sure?", {"type": "object", "properties": {}})})


@tool
async def gives_up(context: Context) -> str:
    """Be cancelled by itself."""
    await context.progress(1)
    raise asyncio.CancelledError


HANDLER = create_fetch_handler(App("works", tools=[work, jumps, fails, refuses, asks, gives_up]), environ={}, auth=KEYS)


def tracked(message: Message, known_as: object = "t") -> Message:
    """The message of a client that wants to hear of progress."""
    params = message["params"]
    return {**message, "params": {**params, "_meta": {**params["_meta"], "progressToken": known_as}}}


def fetch(message: Message, headers: dict[str, str | None] | None = None) -> tuple[Response, list[dict[str, Any]]]:
    """The response, and what its events carry."""

    async def story() -> tuple[Response, list[dict[str, Any]]]:
        response = await HANDLER.fetch(post(message, headers))
        parts = [part async for part in response.stream] if response.stream else []
        return response, [json.loads(part.removeprefix(b"event: message\ndata: ")) for part in parts]

    return asyncio.run(story())


def test_progress_comes_before_the_answer() -> None:
    """In order, each with the client's token; the answer is the very one that JSON would have carried."""
    response, events = fetch(tracked(call("work")))
    assert (response.status, header(response, "content-type")) == (200, "text/event-stream")
    *told, last = events
    assert [event["params"] for event in told] == [
        {"progressToken": "t", "progress": done, "total": 3, "message": f"step {done}"} for done in (1, 2, 3)
    ]
    assert {event["method"] for event in told} == {"notifications/progress"}
    assert not any("id" in event for event in told)
    assert last == fetch(call("work"))[0].json()


@pytest.mark.parametrize("token", ["t", "", 0, -7, 2**60])
def test_the_token_comes_back_as_it_was_sent(token: object) -> None:
    """A text or a whole number."""
    _, (event, *_) = fetch(tracked(call("work"), token))
    assert event["params"]["progressToken"] == token
    assert type(event["params"]["progressToken"]) is type(token)


@pytest.mark.parametrize("token", [None, 1.5, True, [], {}])
def test_what_is_no_token_asks_for_nothing(token: object) -> None:
    """The answer is JSON, as if it had not been there."""
    result_of(fetch(tracked(call("work"), token))[0], "tools/call")


@pytest.mark.parametrize(
    "accept", [None, "application/json", "*/*", "application/json, text/event-stream;q=0", "text/event-streams"]
)
def test_who_takes_no_events_gets_json(accept: str | None) -> None:
    """The progress is lost, the answer is not."""
    result_of(fetch(tracked(call("work")), {"accept": accept})[0], "tools/call")


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json;q=1, Text/Event-Stream;q=0.1"])
def test_who_takes_events_gets_them(accept: str) -> None:
    """Whichever they would rather have: a JSON answer has no room for progress."""
    assert len(fetch(tracked(call("work")), {"accept": accept})[1]) == 4


def test_who_did_not_ask_is_told_nothing() -> None:
    """Without a token there is no progress, and no stream."""
    assert fetch(call("work"))[0].stream is None


def test_a_tool_that_tells_nothing_answers_in_json() -> None:
    """A stream of one event would only cost."""
    result_of(fetch(tracked(call("work", steps=0)))[0], "tools/call")


def test_progress_increases() -> None:
    """What stands still, goes back or is no number is not told (Specification: Progress)."""
    _, (*told, last) = fetch(tracked(call("jumps")))
    assert [event["params"]["progress"] for event in told] == [1, 2, 2.5]
    assert last["result"]["isError"] is False


def test_many_steps_at_once_keep_the_last_ones() -> None:
    """A tool that tells faster than a client reads fills no memory; the newest are worth most."""
    _, (*told, _) = fetch(tracked(call("work", steps=10_000)))
    assert len(told) <= MOST_WAITING + 1
    assert told[-1]["params"]["progress"] == 10_000


def test_a_failure_in_the_middle_is_the_last_event(caplog: pytest.LogCaptureFixture) -> None:
    """With nothing of what it said."""
    with caplog.at_level(logging.DEBUG):
        _, (_, last) = fetch(tracked(call("fails")))
    assert last["result"]["_meta"]["code"] == "TOOL_FAILED"
    assert PRIVATE not in caplog.text + json.dumps(last)


def test_a_refusal_in_the_middle_is_the_last_event() -> None:
    """As the tool said it."""
    _, (_, last) = fetch(tracked(call("refuses")))
    assert last["result"]["content"][0]["text"] == "Not today."


def test_a_question_in_the_middle_is_the_last_event() -> None:
    """The stream ends with what the client has to answer, never with a request of the server's own."""
    _, (_, last) = fetch(tracked(able(call("asks"), ALL)))
    assert last["result"]["resultType"] == "input_required"


def test_a_client_that_cannot_be_asked_learns_it_in_the_stream() -> None:
    """The status is out by then; the error says what is missing."""
    _, (_, last) = fetch(tracked(call("asks")))
    assert (last["id"], last["error"]["code"]) == (1, -32021)


def test_a_tool_that_cancels_itself_fails(caplog: pytest.LogCaptureFixture) -> None:
    """The client gets an end."""
    _, (_, last) = fetch(tracked(call("gives_up")))
    assert (last["id"], last["error"]["code"]) == (1, -32603)
    assert "CancelledError" in caplog.text


def test_a_refusal_before_anything_was_told_is_a_refusal() -> None:
    """With its status, since nothing is out yet."""
    error_of(fetch(tracked(call("wrok")))[0], 400, -32602)


class Endless:
    """A handler whose tool tells of progress and then waits for ever, and whether it was stopped."""

    def __init__(self, *, fails: bool = False) -> None:
        self.stopped = False

        @tool
        async def wait(context: Context) -> str:
            """Wait."""
            await context.progress(1)
            try:
                await asyncio.Event().wait()
            finally:
                self.stopped = True
                if fails:
                    raise RuntimeError(PRIVATE)
            return "never"

        self.handler: FetchHandler = create_fetch_handler(App("waits", tools=[wait]), environ={}, auth=KEYS)

    async def begin(self) -> Any:
        response = await self.handler.fetch(post(tracked(call("wait"))))
        assert response.stream is not None
        return response.stream


@pytest.mark.parametrize("read", [0, 1], ids=["before the first event", "after it"])
@pytest.mark.parametrize("fails", [False, True], ids=["quietly", "with an error"])
def test_a_stream_that_is_closed_stops_the_tool(read: int, *, fails: bool, caplog: pytest.LogCaptureFixture) -> None:
    """MCP: to disconnect is to cancel. What the tool says to that is nobody's business."""

    async def story() -> None:
        endless = Endless(fails=fails)
        stream = await endless.begin()
        for _ in range(read):
            await anext(stream)
        await stream.aclose()
        assert endless.stopped
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())
    assert PRIVATE not in caplog.text


def test_who_waits_for_the_next_event_and_leaves_stops_the_tool() -> None:
    """Cancelled while there is nothing to read."""

    async def story() -> None:
        endless = Endless()
        stream = await endless.begin()
        await anext(stream)
        reading = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert endless.stopped
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())


def test_who_leaves_before_anything_is_told_stops_the_tool() -> None:
    """There is no stream yet, and the work ends all the same."""
    stopped: list[bool] = []

    async def story() -> None:
        begun = asyncio.Event()

        @tool
        async def silent() -> str:
            """Say nothing."""
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                stopped.append(True)
            return "never"

        handler = create_fetch_handler(App("silent", tools=[silent]), environ={}, auth=KEYS)
        fetching = asyncio.ensure_future(handler.fetch(post(tracked(call("silent")))))
        await begun.wait()
        fetching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await fetching
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())
    assert stopped == [True]
