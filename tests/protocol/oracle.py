"""What every answer must be, whatever was asked: judged by the official models, and by the rules they do not know."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import JSONRPCResponse
from mcp_types.methods import validate_server_result
from pydantic import BaseModel

from remember import Response
from tests.protocol.requests import META_SERVER
from tests.standins.client import VERSION

CODES = frozenset({-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022})
"""All that this revision defines; none of our own among them."""


class Error(BaseModel, extra="forbid"):
    """A JSON-RPC error, with no member that the schema does not have."""

    code: int
    message: str
    data: Any = None


class ErrorResponse(BaseModel, extra="forbid"):
    """The schema's JSONRPCErrorResponse, where the id is left out or there, never null."""

    jsonrpc: str
    id: int | str = ""
    error: Error


def header(response: Response, name: str) -> str | None:
    """The one value under a response header's name, given in lower case."""
    values = [value for given, value in response.headers if given.lower() == name]
    assert len(values) < 2, f"{name} came {len(values)} times"
    return values[0] if values else None


def result_of(response: Response, method: str, *, id: str | int = 1) -> dict[str, Any]:  # noqa: A002  JSON-RPC's word
    """The result of a request that went well, once all that must be true of it is."""
    assert response.status == 200, response.body
    assert header(response, "content-type") == "application/json"
    body = json.loads(response.body.decode())
    assert set(body) == {"jsonrpc", "id", "result"}
    assert body["id"] == id
    assert type(body["id"]) is type(id)
    JSONRPCResponse.model_validate(body)
    result: dict[str, Any] = body["result"]
    validate_server_result(method, VERSION, result)
    assert result["resultType"] == "complete"
    assert set(result["_meta"][META_SERVER]) >= {"name", "version"}
    return result


def error_of(
    response: Response,
    status: int,
    code: int,
    *,
    id: str | int | None = 1,  # noqa: A002  as above
) -> dict[str, Any]:
    """The error of a request that was refused with this status and code. `id` None: it is left out."""
    assert response.status == status, response.body
    assert header(response, "content-type") == "application/json"
    body = json.loads(response.body.decode())
    assert ("id" in body) == (id is not None), body
    if id is not None:
        assert body["id"] == id
    ErrorResponse.model_validate(body)
    error: dict[str, Any] = body["error"]
    assert error["code"] == code, error
    assert error["code"] in CODES
    assert error["message"].endswith((".", "?"))
    assert not error["message"].endswith("?.")
    return error
