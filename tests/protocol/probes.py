"""Raw requests, replayed on three servers: ours, the official SDK's behind our gate, and the SDK's by itself.

`python -m tests.protocol.probes` prints the table. What a server answers otherwise than ours stands in DIFFERENCES,
with the reason; `test_probes.py` fails where a difference is new, and where one is gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from bench.peers.mcpserver import DictShelf, build_server
from remember import Request, create_fetch_handler
from tests.protocol.probe_requests import PROBES
from tests.protocol.requests import KEYS, memory_handler

SERVERS = ("ours", "guarded SDK", "SDK alone")


GUARDED: dict[str, tuple[str, ...]] = {}
"""Why the SDK's server behind our gate answers otherwise than our engine, and to which probes: it does not."""

ALONE: dict[str, tuple[str, ...]] = {
    "it serves older revisions too, and takes every sign of one for such a client; we serve this one alone": (
        "a notification of an older version", "no version header", "an older version in the header",
        "an older version in both", "legacy tools/list", "legacy initialize", "legacy initialize with its header",
        "legacy initialize of this version", "legacy initialize without params",
    ),
    "the message is a JSON-RPC request; its params are wrong, which has a code of its own": ("params: a list",),
    "the revision asks for -32602 and 400 where no tool has the name; its MCPServer leaves that to the tool's result": (
        "a tool that nobody knows",
    ),
    "NaN and Infinity are no JSON (RFC 8259); it reads them, and so looks at the headers, or makes null of them": (
        "NaN", "a number beyond every range",
    ),
    "JSON between systems is UTF-8 without a mark (RFC 8259, section 8.1); it takes what else Python can read": (
        "a byte order mark", "UTF-16",
    ),
    "a refusal is a JSON-RPC error here, so that a client of MCP can show it": ("a byte over the limit",),
    "the revision names no code for another method; our body says which one is taken": ("GET", "DELETE", "PUT"),
    "415 is the status of a wrong content type": ("content type: text", "content type: a form", "content type: none"),
    "a client that takes one of JSON and events, or says nothing, is answered in what it takes (E1)": (
        "accept: nothing said", "accept: events", "accept: HTML",
    ),
    "it guards a server on localhost against web pages; a deployed one is called by any name and origin, with a bearer "
    "credential (E3, E10)": ("OPTIONS", "an origin", "another host"),
    "a stream without an end cannot be served by a function, and nothing here changes while it runs": (
        "subscriptions/listen",
    ),
    "every spelling of the path is answered directly: a redirect would lose the credential, and platforms put a stage "
    "before it (E2, D6)": ("/mcp/", "//mcp", "/x/mcp"),
    "nothing but the MCP endpoint and a few pages is there, and that is said in JSON": ("/MCP", "/mcp/x"),
    "it is given no way to tell who calls, as its own bearer checks are all or nothing; so it lets everybody in": (
        "no credential", "a wrong credential", "a token of nobody's", "no word behind Bearer", "another scheme",
        "two credentials", "a credential beyond ASCII", "a credential in the query",
    ),
    "white space around a header's value is no part of it (RFC 9110, section 5.5); servers take it away before an app "
    "sees it, and platforms that call without one may not": ("Mcp-Name with white space around it",),
}  # fmt: skip
"""Why the SDK's own app answers otherwise, and to which probes."""

DIFFERENCES = {
    (server, probe): why
    for server, reasons in zip(SERVERS[1:], (GUARDED, ALONE), strict=True)
    for why, probes in reasons.items()
    for probe in probes
}
"""(server, probe) to the reason why that server answers otherwise than ours."""


class Answer(NamedTuple):
    """What one server made of one probe: the status, and the JSON-RPC code or what else came."""

    status: int
    what: str

    def __str__(self) -> str:
        return f"{self.status} {self.what}".strip()


async def replay() -> dict[str, dict[str, Answer]]:
    """Each probe's answers, by server."""
    ours, guarded = memory_handler(), create_fetch_handler(build_server(DictShelf()), environ={}, auth=KEYS)
    alone = build_server(DictShelf()).streamable_http_app(json_response=True, stateless_http=True)
    async with alone.router.lifespan_context(alone):
        apps = dict(zip(SERVERS, (ours, guarded, alone), strict=True))
        return {
            name: {server: await _ask(app, probe) for server, app in apps.items()} for name, probe in PROBES.items()
        }


async def _ask(app: Any, probe: Request) -> Answer:
    """What an ASGI app sends, until it is whole or turns out to be a stream without an end."""
    sent: list[Mapping[str, Any]] = []
    waiting = [{"type": "http.request", "body": probe.body or b"", "more_body": False}]
    streaming = asyncio.Event()

    async def receive() -> Mapping[str, Any]:
        return waiting.pop() if waiting else await asyncio.Event().wait()  # type: ignore[return-value]

    async def send(event: Mapping[str, Any]) -> None:
        sent.append(event)
        if (b"content-type", b"text/event-stream") in event.get("headers", ()):
            streaming.set()

    serving = [asyncio.ensure_future(app(_scope(probe), receive, send)), asyncio.ensure_future(streaming.wait())]
    await asyncio.wait(serving, return_when=asyncio.FIRST_COMPLETED)
    endless = streaming.is_set() and not serving[0].done()
    for task in serving:
        task.cancel()
    await asyncio.gather(*serving, return_exceptions=True)
    if endless:
        return Answer(200, "a stream without an end")
    start, *parts = sent
    body = b"".join(part.get("body", b"") for part in parts)
    return Answer(start["status"], _what(body))


def _what(body: bytes) -> str:
    if not body:
        return ""
    text = body.decode()
    text = text.partition("data: ")[2] or text
    try:
        message = json.loads(text)
    except ValueError:
        return "no JSON"
    if "error" in message and "jsonrpc" in message:
        return str(message["error"]["code"])
    if "result" not in message:
        return "page"
    return "isError" if message["result"].get("isError") else "result"


def _scope(probe: Request) -> dict[str, Any]:
    path, _, query = probe.path.partition("?")
    named = any(name == "host" for name, _ in probe.headers)
    headers = [*probe.headers, *([] if named else [("host", "127.0.0.1:8000")])]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": probe.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
    }


def differences(answers: Mapping[str, Mapping[str, Answer]]) -> dict[tuple[str, str], tuple[Answer, Answer]]:
    """(server, probe) to our answer and that server's, where they are two."""
    ours = SERVERS[0]
    return {
        (server, name): (by[ours], by[server])
        for name, by in answers.items()
        for server in SERVERS[1:]
        if by[server] != by[ours]
    }


def table(answers: Mapping[str, Mapping[str, Answer]]) -> str:
    """One line a probe: what each server said, and why one says otherwise."""
    rows: list[Sequence[str]] = [("probe", *SERVERS, "why")]
    for name, by in answers.items():
        why = "; ".join(dict.fromkeys(DIFFERENCES[server, name] for server in SERVERS if (server, name) in DIFFERENCES))
        rows.append((name, *(str(by[server]) for server in SERVERS), why))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]) for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


if __name__ == "__main__":
    found = asyncio.run(replay())
    print(f"{table(found)}\n{len(found)} probes, {len(differences(found))} differences")  # noqa: T201  a command
