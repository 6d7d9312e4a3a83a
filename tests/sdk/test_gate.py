"""The same gate stands before the SDK's server as before our engine: what one refuses, the other does, in its words."""

from __future__ import annotations

import asyncio
import json

import pytest
from mcp.server import CacheHint

from remember import FetchHandler, RememberPlugin, Request
from tests.protocol.oracle import error_of, header, result_of
from tests.protocol.requests import META_CAPABILITIES, META_VERSION, call, in_base64, memory_handler, post, rpc
from tests.sdk.servers import handler, server
from tests.standins.client import META, VERSION

LIST = rpc("tools/list")
RECALL = call("recall", key="k")

REFUSED: dict[str, Request] = {
    "GET": post(LIST, method="GET"),
    "DELETE": post(LIST, method="DELETE"),
    "PUT": post(LIST, method="PUT"),
    "a body beyond the limit": post(b" " * (4 * 1024 * 1024 + 1)),
    "a body of unknown size": Request("POST", "/mcp", post(LIST).headers, None),
    "text": post(LIST, {"content-type": "text/plain"}),
    "no content type": post(LIST, {"content-type": None}),
    "no key": post(LIST, key=None),
    "a wrong key": post(LIST, key="a-key-that-nobody-gave-out"),
    "another scheme": post(LIST, {"authorization": "Basic YTpi"}),
    "two keys": post(LIST, more=[("authorization", "Bearer another-key-0123456789")]),
    "no version": post(LIST, {"mcp-protocol-version": None}),
    "an older version": post(LIST, {"mcp-protocol-version": "2025-06-18"}),
    "a version that is none": post(LIST, {"mcp-protocol-version": "2099-01-01"}),
    "two versions": post(LIST, more=[("mcp-protocol-version", VERSION)]),
    "another version in the body": post(rpc("tools/list", {"_meta": META | {META_VERSION: "2025-11-25"}})),
    "no version in the body": post(rpc("tools/list", {"_meta": {META_CAPABILITIES: {}}})),
    "no capabilities": post(rpc("tools/list", {"_meta": {META_VERSION: VERSION}})),
    "no _meta": post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    "no method header": post(LIST, {"mcp-method": None}),
    "another method header": post(LIST, {"mcp-method": "tools/call"}),
    "no name header": post(RECALL, {"mcp-name": None}),
    "another name header": post(RECALL, {"mcp-name": "forget"}),
    "a name header in bad base64": post(RECALL, {"mcp-name": in_base64("recall")[:-3] + "!?="}),
    "a legacy initialize": post(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"mcp-protocol-version": None},
    ),
    "no JSON": post(b"{"),
    "no UTF-8": post(b'"\xff"'),
    "NaN": post(json.dumps(call("remember_this", key="k", value=float("nan"))).encode()),
    "nested without end": post(b"[" * 5_000 + b"]" * 5_000),
    "a batch": post(json.dumps([LIST]).encode()),
    "a response": post(b'{"jsonrpc":"2.0","id":1,"result":{}}'),
    "id null": post(rpc("tools/list", id=None)),
    "id true": post(rpc("tools/list", id=True)),
    "id 1.5": post(rpc("tools/list", id=1.5)),
    "jsonrpc 1.0": post(rpc("tools/list", jsonrpc="1.0")),
    "a notification of an older version": post(
        {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"mcp-protocol-version": "2025-06-18"}
    ),
    "an origin that is not let in": post(LIST, {"origin": "https://elsewhere.example"}),
}


@pytest.fixture(scope="module")
def both() -> tuple[FetchHandler, FetchHandler]:
    """Our engine and the SDK's, let in from one origin alone."""
    environ = {"REMEMBER_ALLOWED_ORIGINS": "https://claude.ai"}
    return memory_handler(environ=environ), handler(environ=environ)


@pytest.mark.parametrize("request_", REFUSED.values(), ids=list(REFUSED))
def test_what_our_engine_refuses_is_refused_here_too(
    both: tuple[FetchHandler, FetchHandler], request_: Request
) -> None:
    """With the same status, code, sentence and headers."""
    ours, theirs = (asyncio.run(handler.fetch(request_)) for handler in both)
    assert ours.status >= 400
    assert theirs == ours


@pytest.mark.parametrize("method", ["no/such", "ping", "logging/setLevel", "initialize", "subscriptions/listen"])
def test_what_is_not_served_is_404(both: tuple[FetchHandler, FetchHandler], method: str) -> None:
    """A method that nobody has, those that this revision no longer has, and the stream that would not end."""
    response = asyncio.run(both[1].fetch(post(rpc(method, {"level": "info", "notifications": {}}))))
    assert response.status == 404
    assert response.json()["error"]["code"] == -32601
    assert response.json()["id"] == 1


@pytest.mark.parametrize(
    "host", ["memory.example", "abcdefghij.lambda-url.eu-central-1.on.aws", "localhost:3000", None]
)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/prod/mcp"])
def test_every_host_is_answered(both: tuple[FetchHandler, FetchHandler], host: str | None, path: str) -> None:
    """No 421: behind a real address the SDK's own check of the host would refuse it."""
    request = post(LIST, {"host": host, "origin": "https://claude.ai"}, path=path)
    response = asyncio.run(both[1].fetch(request))
    result_of(response, "tools/list")
    assert header(response, "access-control-allow-origin") == "https://claude.ai"


@pytest.mark.parametrize("accept", ["application/json", "*/*", None, "text/html, application/json;q=0.2", "text/plain"])
def test_json_is_the_answer(both: tuple[FetchHandler, FetchHandler], accept: str | None) -> None:
    """Whatever is asked for, and where nothing is; the SDK alone would say 406."""
    for request in (LIST, call("language"), RECALL):
        response = asyncio.run(both[1].fetch(post(request, {"accept": accept})))
        result_of(response, str(request["method"]))
        assert header(response, "cache-control") == "no-store"


def test_an_event_stream_is_the_answer_where_nothing_else_is_taken(both: tuple[FetchHandler, FetchHandler]) -> None:
    """One event that carries it."""
    response = asyncio.run(both[1].fetch(post(call("language"), {"accept": "text/event-stream"})))
    assert header(response, "content-type") == "text/event-stream"
    head, data = response.body.decode().strip().split("\n")
    assert head == "event: message"
    assert json.loads(data.removeprefix("data: "))["result"]["content"][0]["text"] == "None"


def test_a_notification_is_accepted_and_empty(both: tuple[FetchHandler, FetchHandler]) -> None:
    """202, as the specification has it."""
    response = asyncio.run(both[1].fetch(post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}})))
    assert (response.status, response.body) == (202, b"")


def test_a_preflight_is_answered_before_anybody_is_asked_who_they_are(both: tuple[FetchHandler, FetchHandler]) -> None:
    """As on our engine."""
    request = Request("OPTIONS", "/mcp", (("origin", "https://claude.ai"),))
    ours, theirs = (asyncio.run(handler.fetch(request)) for handler in both)
    assert theirs.status == 204
    assert theirs == ours


def test_no_session_id_is_given_or_heeded(both: tuple[FetchHandler, FetchHandler]) -> None:
    """A request stands for itself."""
    response = asyncio.run(both[1].fetch(post(LIST, {"mcp-session-id": "x", "last-event-id": "7"})))
    result_of(response, "tools/list")
    assert header(response, "mcp-session-id") is None


def test_discover_tells_of_this_server() -> None:
    """One version, the author's name and words with the memory's, and nothing of streams that are not served."""
    made = handler(server(instructions="Be brief.", title="The assistant"))
    result = result_of(asyncio.run(made.fetch(post(rpc("server/discover")))), "server/discover")
    assert result["supportedVersions"] == [VERSION]
    assert result["instructions"].startswith("Be brief.\n\nThis server is a private memory")
    assert result["capabilities"]["tools"] == {"listChanged": False}
    assert result["capabilities"]["resources"] == {"listChanged": False, "subscribe": False}
    told = result["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert told == {"name": "assistant", "version": "1.2", "title": "The assistant"}


def test_the_list_of_tools_is_each_caller_s_own() -> None:
    """A client may keep it as long as the author says, and share it with nobody: it goes by what the caller may do."""
    made = handler(server(cache_hints={"tools/list": CacheHint(ttl_ms=60_000, scope="public")}))
    result = result_of(asyncio.run(made.fetch(post(LIST))), "tools/list")
    assert (result["ttlMs"], result["cacheScope"]) == (60_000, "private")


@pytest.mark.parametrize("request_", [rpc("tools/list"), call("language"), call("recall", key="k")])
def test_a_trace_goes_on(request_: dict[str, object]) -> None:
    """What the request's _meta says of it, the answer repeats."""
    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "a=b"}
    params = request_["params"]
    assert isinstance(params, dict)
    message = request_ | {"params": params | {"_meta": META | trace}}
    result = result_of(asyncio.run(handler().fetch(post(message))), str(request_["method"]))
    assert result["_meta"].items() >= trace.items()


def test_the_pages_are_there() -> None:
    """The landing page names the server's tools and ours, the health looks at the store, well-known paths are 404."""
    made = handler()
    page = asyncio.run(made.fetch(Request("GET", "/", (("host", "memory.example"),))))
    assert page.status == 200
    assert b"<code>set_language</code>, <code>language</code>, <code>remember_this</code>" in page.body
    health = asyncio.run(made.fetch(Request("GET", "/health"))).json()
    assert (health["status"], health["store"], health["identity"]) == ("ok", {"memory": "ok"}, ["static keys"])
    assert asyncio.run(made.fetch(Request("GET", "/.well-known/oauth-protected-resource"))).status == 404


def test_the_health_looks_at_a_store_without_tools() -> None:
    """Where the plugin gives a memory to the server's own tools alone."""
    made = handler(plugins=[RememberPlugin.init(type="global-store")])
    assert asyncio.run(made.fetch(Request("GET", "/health"))).json()["store"] == {"memory": "ok"}


def test_what_the_environment_lacks_is_said() -> None:
    """503 with what to set, as on our engine; discover still says what this is."""
    environ = {"VERCEL": "1", "REMEMBER_API_KEYS": "ana=key-of-ana-0123456789"}
    made = handler(plugins=[RememberPlugin.init(type="auto")], environ=environ)
    error = error_of(asyncio.run(made.fetch(post(LIST))), 503, -32603)
    assert error["data"]["code"] == "REMEMBER_CONFIGURATION"
    result_of(asyncio.run(made.fetch(post(rpc("server/discover")))), "server/discover")
