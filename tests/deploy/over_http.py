"""One request over HTTP to a function that runs on this machine, and what a tool answers."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import Any

from remember import Request, Response
from tests.protocol.oracle import result_of


def send(port: int, request: Request) -> Response:
    """The answer, with header names in lower case."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(request.method, request.path, request.body, dict(request.headers))
        answer = connection.getresponse()
        headers = tuple((name.lower(), value) for name, value in answer.getheaders())
        return Response(answer.status, headers, answer.read())
    finally:
        connection.close()


def content(response: Response) -> dict[str, Any]:
    """What a tool answered, which must not be an error."""
    result = result_of(response, "tools/call")
    assert not result.get("isError"), result
    answer: dict[str, Any] = result["structuredContent"]
    return answer
