"""Calls of a client that can be asked: what it declares, and the same call again with the answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_types.methods import validate_server_result

from remember import Response
from tests.protocol.requests import META_CAPABILITIES
from tests.standins.client import VERSION

Message = dict[str, Any]

ALL: Mapping[str, Any] = {"elicitation": {}, "sampling": {}, "roots": {}}
YES: Mapping[str, Any] = {"action": "accept", "content": {"sure": True}}


def able(message: Message, capabilities: Mapping[str, Any] = ALL) -> Message:
    """The message of a client that declares these capabilities."""
    params = message["params"]
    return {**message, "params": {**params, "_meta": {**params["_meta"], META_CAPABILITIES: capabilities}}}


def again(message: Message, state: object, **answers: object) -> Message:
    """The same call, with what the client was given to carry and the answers."""
    return {**message, "params": {**message["params"], "requestState": state, "inputResponses": answers}}


def question_of(response: Response, method: str = "tools/call") -> dict[str, Any]:
    """The result that asks the client, once all that must be true of it is."""
    assert response.status == 200, response.body
    result: dict[str, Any] = response.json()["result"]
    validate_server_result(method, VERSION, result)
    assert result["resultType"] == "input_required"
    return result
