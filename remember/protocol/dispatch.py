"""The methods that are served. Tools here; prompts, resources and completion are loaded where an app has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from remember.app import Catalog
from remember.caller import Caller
from remember.errors import nearest
from remember.protocol.message import VERSION, Message
from remember.protocol.param_headers import check_param_headers
from remember.protocol.refusal import INVALID_PARAMS, METHOD_NOT_FOUND, Refusal
from remember.protocol.result import call_tool, failure
from remember.protocol.serving import TTL_MS, Serving, converse, whole_list
from remember.tools import Tool

_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_TRACE = ("traceparent", "tracestate", "baggage")


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
    method = message.method
    if method == "server/discover":
        result = discover(catalog)
    elif method == "tools/list":
        result = whole_list(message, "tools", [described(tool) for tool in open_to(caller, catalog)])
    elif method == "tools/call":
        result = await _call_tool(message, catalog, caller, serving)
    elif method.startswith("prompts/") and catalog.prompts:
        result = await _prompts(message, catalog, caller, serving)
    elif method.startswith("resources/") and catalog.resources:
        result = await _resources(message, catalog, caller, serving)
    elif method == "completion/complete" and _completes(catalog):
        from remember.protocol.completion import complete_argument  # noqa: PLC0415  lazy: the memory server has none

        result = await complete_argument(message, catalog, caller)
    else:
        raise _not_served(message, catalog)
    return complete(message, result, info)


async def _prompts(message: Message, catalog: Catalog, caller: Caller, serving: Serving) -> dict[str, Any]:
    from remember.protocol.prompts import get_prompt, list_prompts  # noqa: PLC0415  lazy: the memory server has none

    if message.method == "prompts/list":
        return list_prompts(message, catalog)
    if message.method == "prompts/get":
        return await get_prompt(message, catalog, caller, serving)
    raise _not_served(message, catalog)


async def _resources(message: Message, catalog: Catalog, caller: Caller, serving: Serving) -> dict[str, Any]:
    from remember.protocol import resources  # noqa: PLC0415  lazy: the memory server has none

    if message.method == "resources/list":
        return resources.list_resources(message, catalog)
    if message.method == "resources/templates/list":
        return resources.list_templates(message, catalog)
    if message.method == "resources/read":
        return await resources.read_resource(message, catalog, caller, serving)
    raise _not_served(message, catalog)


def _completes(catalog: Catalog) -> bool:
    return any(offered.prompt.completions for offered in catalog.prompts.values()) or any(
        offered.resource.completions for offered in catalog.resources.values()
    )


def _not_served(message: Message, catalog: Catalog) -> Refusal:
    served = ["server/discover", "tools/list", "tools/call"]
    served += ["prompts/list", "prompts/get"] if catalog.prompts else []
    served += ["resources/list", "resources/templates/list", "resources/read"] if catalog.resources else []
    served += ["completion/complete"] if _completes(catalog) else []
    return Refusal(
        METHOD_NOT_FOUND,
        f"{message.method!r:.80} is not served here; this server has {', '.join(served[:-1])} and {served[-1]}.",
        status=404,
        id=message.id,
    )


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
    if catalog.prompts:
        capabilities["prompts"] = {}
    if catalog.resources:
        capabilities["resources"] = {}
    if _completes(catalog):
        capabilities["completions"] = {}
    return {
        "supportedVersions": [VERSION],
        "capabilities": capabilities,
        **words,
        "ttlMs": TTL_MS,
        "cacheScope": "public",
    }


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
    run = partial(call_tool, tool, message.params.get("arguments"))
    try:
        return await converse(message, caller, serving, offered, name, run)
    except Refusal:
        raise
    except Exception as exc:  # noqa: BLE001  a store that cannot be asked, or a question that is no JSON
        return failure(name, exc)
