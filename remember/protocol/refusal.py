"""Why a request is not served: a JSON-RPC error and the HTTP status it travels with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_PROTOCOL_VERSION = -32022

RequestId = str | int


class Refusal(Exception):
    """A request that gets a JSON-RPC error. `id` is left out of the answer where it is not known."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        status: int = 400,
        id: RequestId | None = None,  # noqa: A002  JSON-RPC's own word
        data: dict[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.id = id
        self.data = data
        self.headers = headers

    def body(self) -> dict[str, Any]:
        """The JSON-RPC error object."""
        error: dict[str, Any] = {"code": self.code, "message": str(self)}
        if self.data is not None:
            error["data"] = self.data
        known = {} if self.id is None else {"id": self.id}
        return {"jsonrpc": "2.0", **known, "error": error}
