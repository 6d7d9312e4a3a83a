"""Whatever is sent to a server of the SDK's: an answer in JSON, no failure, no credential or content told or logged."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember import FetchHandler
from tests.protocol.requests import call, post
from tests.protocol.test_fuzz import FUZZ, MARKER, arguments, header_changes, judge, keys, messages, repeating, values
from tests.sdk.servers import handler as handler_of

names = st.sampled_from(["set_language", "language", "recall", "remember_this"])


@pytest.fixture(scope="module")
def handler() -> FetchHandler:
    made = handler_of(environ={"REMEMBER_ENCRYPTION": "off", "REMEMBER_RATE_LIMIT": "0"})
    asyncio.run(made.fetch(post(call("remember_this", key="marked", value=MARKER))))
    return made


@FUZZ
@given(message=messages, changes=header_changes, key=keys)
def test_a_structured_message_never_makes_the_server_fail(
    handler: FetchHandler,
    caplog: pytest.LogCaptureFixture,
    message: Any,
    changes: dict[str, str | None],
    key: str | None,
) -> None:
    """Messages that are nearly right, with the headers that repeat them, or nearly."""
    caplog.set_level(logging.DEBUG)
    judge(handler, post(json.dumps(message).encode(), repeating(message) | changes, key=key), caplog)


@FUZZ
@given(given_arguments=arguments | st.fixed_dictionaries({"language": values}), tool=names)
def test_a_tool_answers_whatever_its_arguments_are(
    handler: FetchHandler, caplog: pytest.LogCaptureFixture, given_arguments: Any, tool: str
) -> None:
    """With a result, with an error that the model can read, or as parameters that do not fit."""
    caplog.set_level(logging.DEBUG)
    message = call(tool)
    message["params"]["arguments"] = given_arguments
    response = judge(handler, post(message), caplog)
    assert response.status in (200, 400)
    if response.status == 200:
        result = response.json()["result"]
        assert result.get("_meta", {}).get("code") != "TOOL_FAILED", (given_arguments, caplog.text)
