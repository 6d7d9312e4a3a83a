"""The methods that are served: server/discover, tools/list, tools/call. Everything else is not found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from remember.app import Catalog
from remember.caller import Caller
from remember.errors import nearest
from remember.owned import Memory
from remember.protocol.message import META_CAPABILITIES, VERSION, Message
from remember.protocol.param_headers import check_param_headers
from remember.protocol.refusal import INVALID_PARAMS, METHOD_NOT_FOUND, Refusal
from remember.protocol.result import call_tool
from remember.tools import Context, Tool
from remember.tools.asking import Ask, Conversation, Report

if TYPE_CHECKING:
    from remember.protocol.states import States

TTL_MS = 300_000
"""How long a client may keep a list: it changes only with a deployment."""

_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_TRACE = ("traceparent", "tracestate", "baggage")


@dataclass(frozen=True, slots=True)
class Serving:
    """What an answer may need besides the message: how to tell of progress, and what keeps questions to the client."""

    states: Callable[[], States]
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What the server says of itself."""

    name: str
    version: str
    title: str


async def answer(
    message: Message, catalog: Catalog, caller: Caller, info: ServerInfo, serving: Serving
) -> dict[str, Any]:
    """The JSON-RPC response to a request.

    Raises:
        Refusal: the method is not served, or its parameters do not fit.
    """
    if message.method == "server/discover":
        result = discover(catalog)
    elif message.method == "tools/list":
        result = _list_tools(message, catalog, caller)
    elif message.method == "tools/call":
        result = await _call_tool(message, catalog, caller, serving)
    else:
        raise Refusal(
            METHOD_NOT_FOUND,
            f"{message.method!r:.80} is not served here; this server has server/discover, tools/list and tools/call.",
            status=404,
            id=message.id,
        )
    return complete(message, result, info)


def complete(message: Message, result: Mapping[str, Any], info: ServerInfo) -> dict[str, Any]:
    """A result as the response that carries it: complete, signed by the server, with the request's trace."""
    server = {"name": info.name, "version": info.version, "title": info.title}
    meta = {**result.get("_meta", {}), **trace_of(message.meta), _SERVER_INFO: server}
    return {"jsonrpc": "2.0", "id": message.id, "result": {"resultType": "complete", **result, "_meta": meta}}


def trace_of(meta: Mapping[str, Any]) -> dict[str, str]:
    """What of a request's `_meta` its answer repeats, so that a trace goes on."""
    return {name: value for name in _TRACE if isinstance(value := meta.get(name), str)}


def discover(catalog: Catalog) -> dict[str, Any]:
    """What the server speaks and has; the same for everybody."""
    words = {"instructions": catalog.instructions} if catalog.instructions else {}
    capabilities: dict[str, Any] = {"tools": {}}
    return {
        "supportedVersions": [VERSION],
        "capabilities": capabilities,
        **words,
        "ttlMs": TTL_MS,
        "cacheScope": "public",
    }


def _list_tools(message: Message, catalog: Catalog, caller: Caller) -> dict[str, Any]:
    if message.params.get("cursor") is not None:
        raise Refusal(INVALID_PARAMS, "cursor is not one that this server gave: all tools come at once.", id=message.id)
    tools = [described(tool) for tool in open_to(caller, catalog)]
    return {"tools": tools, "ttlMs": TTL_MS, "cacheScope": "private"}


def open_to(caller: Caller, catalog: Catalog) -> Iterator[Tool]:
    """The tools that a caller may call: where they may only read, those that say that they do nothing else."""
    for offered in catalog.tools.values():
        tool = offered.tool
        if caller.may_write or tool.reads:
            yield tool


def described(tool: Tool) -> dict[str, Any]:
    """A tool as tools/list shows it."""
    shown: dict[str, Any] = {"name": tool.name}
    if tool.title is not None:
        shown["title"] = tool.title
    shown |= {"description": tool.description, "inputSchema": dict(tool.input_schema)}
    if tool.output_schema is not None:
        shown["outputSchema"] = dict(tool.output_schema)
    if tool.annotations:
        shown["annotations"] = dict(tool.annotations)
    return shown


async def _call_tool(message: Message, catalog: Catalog, caller: Caller, serving: Serving) -> dict[str, Any]:
    name = message.params["name"]
    offered = catalog.tools.get(name)
    if offered is None:
        raise Refusal(INVALID_PARAMS, f"There is no tool {name!r:.150}{nearest(name, catalog.tools)}", id=message.id)
    tool = offered.tool
    check_param_headers(message, tool.input_schema)
    conversation = await conversation_of(message, caller, offered.memory, serving)
    context = Context(caller, offered.app_id, name, offered.memory, conversation)
    try:
        return await call_tool(tool, message.params.get("arguments"), context)
    except Ask as ask:
        return serving.states().asked(ask, message, caller)


async def conversation_of(message: Message, caller: Caller, memory: Memory | None, serving: Serving) -> Conversation:
    """What a request brings besides its arguments."""
    capabilities = message.meta[META_CAPABILITIES]
    if message.params.get("requestState") is None:
        return Conversation(capabilities, report=serving.report)
    opened = await serving.states().conversation(message, caller, memory)
    return replace(opened, report=serving.report)
