"""A client that can ask its person (MCP 2026-07-28, MRTR): a call, the question that came back, the call again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.standins.client import META, Client, Reply

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
YES: dict[str, Any] = {"action": "accept", "content": {"delete": True}}
NO_ANSWERS: dict[str, Any] = {
    "no": {"action": "accept", "content": {"delete": False}},
    "declined": {"action": "decline"},
    "dismissed": {"action": "cancel"},
    "declined with a yes inside": {"action": "decline", "content": {"delete": True}},
    "an empty form": {"action": "accept", "content": {}},
    "no form": {"action": "accept"},
    "yes as text": {"action": "accept", "content": {"delete": "true"}},
    "yes as a number": {"action": "accept", "content": {"delete": 1}},
    "a form that is none": {"action": "accept", "content": True},
    "nothing": {},
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person is asked, and what the client has to bring back with the answer."""

    message: str
    schema: dict[str, Any]
    state: str


class Person:
    """One caller whose client declares elicitation."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def call(self, tool: str, arguments: dict[str, Any], **more: Any) -> Reply:
        """The reply to a call of a client that can ask."""
        meta = META | {CAPABILITIES: {"elicitation": {}}}
        return self.client.rpc("tools/call", {"name": tool, "arguments": arguments, "_meta": meta, **more})

    def asked(self, tool: str, **arguments: Any) -> Asked:
        """The one question that a call leads to."""
        result = self.call(tool, arguments).result
        assert result["resultType"] == "input_required"
        ((name, request),) = result["inputRequests"].items()
        assert (name, request["method"]) == ("delete", "elicitation/create")
        params = request["params"]
        return Asked(params["message"], params["requestedSchema"], result["requestState"])

    def answers(self, asked: Asked, answer: dict[str, Any], tool: str, **arguments: Any) -> Reply:
        """The reply to the same call with the person's answer."""
        return self.call(tool, arguments, requestState=asked.state, inputResponses={"delete": answer})
