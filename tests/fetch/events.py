"""Lambda events, one for each of the four ways in front of a function, with the request of a test in them.

Shapes: AWS Lambda Developer Guide (Function URL, payload 2.0), API Gateway (HTTP API payload 2.0, REST API proxy),
Elastic Load Balancing (targets that are functions).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from remember import Request

Event = dict[str, Any]
Make = Callable[..., Event]


def _body(request: Request, *, base64: bool) -> Event:
    body = request.body or b""
    return {"body": b64encode(body).decode() if base64 else body.decode(), "isBase64Encoded": base64}


def function_url(request: Request, *, base64: bool = False, query: str = "") -> Event:
    """A Function URL: payload 2.0, header names in lower case, the path as it is."""
    host = "abcdefghij.lambda-url.eu-central-1.on.aws"
    headers = {name.lower(): value for name, value in request.headers}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": request.path,
        "rawQueryString": query,
        "headers": {"host": host, "x-forwarded-proto": "https", "x-forwarded-port": "443", **headers},
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "abcdefghij",
            "domainName": host,
            "domainPrefix": "abcdefghij",
            "http": {
                "method": request.method,
                "path": request.path,
                "protocol": "HTTP/1.1",
                "sourceIp": "203.0.113.7",
                "userAgent": "tests",
            },
            "requestId": "e1506fd5-9e7b-434f-bd42-4f8fa224b599",
            "routeKey": "$default",
            "stage": "$default",
            "time": "12/Mar/2026:19:03:58 +0000",
            "timeEpoch": 1583348638390,
        },
        **_body(request, base64=base64),
    }


def http_api(request: Request, *, base64: bool = False, query: str = "") -> Event:
    """An HTTP API with a stage: payload 2.0, and the stage is part of the path."""
    event = function_url(request, base64=base64, query=query)
    path = f"/prod{request.path}"
    context = event["requestContext"]
    return event | {
        "routeKey": "ANY /{proxy+}",
        "rawPath": path,
        "pathParameters": {"proxy": request.path.strip("/")},
        "requestContext": context | {"stage": "prod", "http": context["http"] | {"path": path}},
    }


def rest_api(request: Request, *, base64: bool = False, query: str = "") -> Event:
    """A REST API: proxy payload 1.0, header names as the client wrote them, each once and in a list."""
    parameters = dict(pair.split("=", 1) for pair in query.split("&")) if query else None
    headers = {name.title(): value for name, value in request.headers}
    headers = {"Host": "abcdefghij.execute-api.eu-central-1.amazonaws.com", "X-Forwarded-Proto": "https", **headers}
    return {
        "resource": "/{proxy+}",
        "path": request.path,
        "httpMethod": request.method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": parameters,
        "multiValueQueryStringParameters": parameters and {name: [value] for name, value in parameters.items()},
        "pathParameters": {"proxy": request.path.strip("/")},
        "stageVariables": None,
        "requestContext": {
            "resourcePath": "/{proxy+}",
            "httpMethod": request.method,
            "path": f"/prod{request.path}",
            "stage": "prod",
            "identity": {"sourceIp": "203.0.113.7", "userAgent": "tests"},
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
        },
        **_body(request, base64=base64),
    }


def load_balancer(request: Request, *, base64: bool = False, query: str = "") -> Event:
    """An application load balancer with multi-value headers on: every value in a list, names in lower case."""
    parameters = dict(pair.split("=", 1) for pair in query.split("&")) if query else {}
    headers: dict[str, list[str]] = {"host": ["memory.example"], "x-forwarded-proto": ["https"]}
    for name, value in request.headers:
        headers.setdefault(name.lower(), []).append(value)
    group = "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/memory/49e9d65c45c6791a"
    return {
        "requestContext": {"elb": {"targetGroupArn": group}},
        "httpMethod": request.method,
        "path": request.path,
        "multiValueQueryStringParameters": {name: [value] for name, value in parameters.items()},
        "multiValueHeaders": headers,
        **_body(request, base64=base64),
    }


EVENTS: dict[str, Make] = {
    "Function URL": function_url,
    "HTTP API": http_api,
    "REST API": rest_api,
    "load balancer": load_balancer,
}
