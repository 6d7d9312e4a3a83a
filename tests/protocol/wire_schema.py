"""The official JSON schema of MCP 2026-07-28, as the models of `mcp_types` carry it, held against raw messages.

Those models are generated from the specification's schema.json, whose hash stands in their file and in
`OFFICIAL_SHA256`. Made into JSON schemas again, they judge what goes over the wire as another language's client would:
nothing is converted, no optional member may be null, and no member may be there that the schema does not name.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp_types import _v2026_07_28 as official
from mcp_types.methods import CLIENT_REQUESTS
from pydantic import BaseModel, TypeAdapter

from tests.standins.client import VERSION

OFFICIAL_SHA256 = "6293cdfe015c14bd36eda4b1331ce37bda377609e58ed6d09d16f28e7d3c7ad4"

RESPONSES: dict[str, type[BaseModel]] = {
    "server/discover": official.DiscoverResultResponse,
    "tools/list": official.ListToolsResultResponse,
    "tools/call": official.CallToolResultResponse,
    "prompts/list": official.ListPromptsResultResponse,
    "prompts/get": official.GetPromptResultResponse,
    "resources/list": official.ListResourcesResultResponse,
    "resources/templates/list": official.ListResourceTemplatesResultResponse,
    "resources/read": official.ReadResourceResultResponse,
    "completion/complete": official.CompleteResultResponse,
}
ERRORS: dict[int, type[BaseModel]] = {
    -32700: official.ParseError,
    -32600: official.InvalidRequestError,
    -32601: official.MethodNotFoundError,
    -32602: official.InvalidParamsError,
    -32603: official.InternalError,
    -32020: official.HeaderMismatchError,
    -32021: official.MissingRequiredClientCapabilityError,
    -32022: official.UnsupportedProtocolVersionError,
}
"""Every error of the revision by its code; the last three are whole responses there, the others the error alone."""


def check_request(message: dict[str, Any]) -> None:
    """Raise unless this is a request of the revision."""
    _check(CLIENT_REQUESTS[message["method"], VERSION], message)


def check_response(message: dict[str, Any], method: str) -> None:
    """Raise unless this answers a request for `method`."""
    _check(RESPONSES[method], message)


def check_error(message: dict[str, Any]) -> None:
    """Raise unless this is a JSON-RPC error of the revision, with what its code asks for."""
    _check(official.JSONRPCErrorResponse, message)
    kind = ERRORS[message["error"]["code"]]
    _check(kind, message if "error" in kind.model_fields else message["error"])


def check_progress(message: dict[str, Any]) -> None:
    """Raise unless this is a notification of progress."""
    _check(official.ProgressNotification, message)


def _check(kind: type[BaseModel], message: object) -> None:
    _validator(kind).validate(json.loads(json.dumps(message)))


@cache
def _validator(kind: type[BaseModel]) -> Any:
    return Draft202012Validator(_as_written(TypeAdapter(kind).json_schema(by_alias=True)))


def _as_written(schema: Any) -> Any:
    """What pydantic adds taken away, null for what may be left out, and surplus members refused."""
    if isinstance(schema, list):
        return [_as_written(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: _as_written(one) for name, one in schema.items()}
    if kept.get("default", ...) is None and "anyOf" in kept:
        kept["anyOf"] = [one for one in kept["anyOf"] if one != {"type": "null"}]
    if kept.get("type") == "object" and "properties" in kept:
        kept.setdefault("additionalProperties", False)
    return kept
