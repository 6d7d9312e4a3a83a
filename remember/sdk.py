"""The official SDK's server, an `mcp.server.MCPServer` or a low-level `Server`, behind our gate.

`create_fetch_handler(server)` comes here, and nothing else imports `mcp`. The gate has read the message and knows the
caller; the SDK answers, from a copy of the server that lives for one request. So nothing has to be started before the
first request, nothing is left for the next one or for another event loop, and the author's own server stays as it was.
What the plugins bring in is listed beside the server's tools, and answered as everywhere else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Protocol
from urllib.parse import quote

from remember.app import Catalog, PluginLike
from remember.caller import Caller
from remember.engine import OwnEngine, SdkServer
from remember.errors import ConfigurationError, nearest
from remember.plugin import Surroundings
from remember.protocol import (
    INVALID_PARAMS,
    VERSION,
    Message,
    Request,
    Response,
    ServerInfo,
    described,
    failure,
    open_to,
    trace_of,
)
from remember.settings import MAX_BODY_BYTES
from remember.tools import Context
from remember.tools.context import CALL

try:
    import mcp_types as types
    from mcp.server import MCPServer, Server, ServerRequestContext
    from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken
    from mcp.server.context import CallNext, HandlerResult
    from mcp.server.extension import RequestHandler, compose_tool_call_handler
    from mcp.server.mcpserver import Context as SdkContext
    from mcp.server.mcpserver.exceptions import ToolError, UnexpectedResourceError, UnexpectedToolError
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp.shared.exceptions import MCPError
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    if VERSION not in MODERN_PROTOCOL_VERSIONS:
        raise ImportError(VERSION)
except ImportError:
    raise ConfigurationError(
        "mcp",
        f"A server of the official SDK needs the package mcp, from 2.3 on and below 3, which serves MCP {VERSION}; "
        "there is none here, or another one. `pip install 'remember[sdk]'` brings it.",
    ) from None

_BEHIND_THE_GATE = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The gate looks at the origin; the host is whatever address the deployment has."""


class Annotated(Protocol):
    """A tool of the SDK's, as its server keeps it or as a client is shown it."""

    @property
    def annotations(self) -> types.ToolAnnotations | None: ...


class SdkEngine:
    """One server of the SDK's.

    Raises:
        ConfigurationError: the object is no server that this SDK knows, or has an authentication of its own.
    """

    def __init__(self, server: SdkServer) -> None:
        if isinstance(server, MCPServer):
            _refuse_auth(server)
            self._high: MCPServer[Any] | None = server
            self._low: Server[Any] = server._lowlevel_server  # noqa: SLF001  not to be had otherwise
        elif isinstance(server, Server):
            self._high, self._low = None, server
        else:
            raise ConfigurationError(
                "app", f"create_fetch_handler serves an MCPServer or a Server of the SDK, not {type(server).__name__}."
            )
        self.info = ServerInfo(self._low.name, self._low.version, self._low.title or self._low.name)
        self._ours = OwnEngine(())
        self._ours.info = self.info
        self._app_id = quote(self._low.name, safe="")  # it is a part of where tool scope keeps values
        # That a manager starts and ends is news where it serves for hours, and none with every request.
        logging.getLogger("mcp.server.streamable_http_manager").setLevel(logging.WARNING)

    def offer(self, plugins: Sequence[PluginLike], surroundings: Surroundings) -> Catalog | Awaitable[Catalog]:
        """What the plugins bring in; the server's own tools are with the SDK."""
        catalog = self._ours.offer(plugins, surroundings)
        if isinstance(catalog, Catalog):
            self._check_names(catalog)
        return catalog

    async def tool_names(self, catalog: Catalog) -> list[str]:
        """The server's own, and then the plugins'. A low-level server's are known to its handler alone."""
        return [*self._own_names(), *catalog.tools]

    def writes(self, tool: str, catalog: Catalog) -> bool:
        """As its annotations say. A low-level server's tools are known to its handler alone, so all of them do."""
        if tool in catalog.tools:
            return self._ours.writes(tool, catalog)
        if self._high is None:
            return True
        own = self._high._tool_manager.get_tool(tool)  # noqa: SLF001  as in _own_names
        return own is not None and not _reads(own)

    async def answer(self, request: Request, message: Message, catalog: Catalog, caller: Caller) -> Response:
        """Ours for a plugin's tool; else the SDK's, once it has been told who calls and with which memory."""
        self._check_names(catalog)
        place = message.params["name"] if message.method == "tools/call" else message.method
        if message.method == "tools/call" and place in catalog.tools:
            return await self._ours.answer(request, message, catalog, caller)
        memory = next(iter(catalog.memories), None)
        exchange = _Exchange(request, Context(caller, self._app_id, place, memory))
        manager = StreamableHTTPSessionManager(
            self._copy(catalog, caller),
            json_response=True,
            stateless=True,
            security_settings=_BEHIND_THE_GATE,
            max_request_body_size=MAX_BODY_BYTES,
        )
        async with manager.run():
            await AuthContextMiddleware(manager.handle_request)(exchange.scope, exchange.receive, exchange.send)
        return exchange.response

    def _own_names(self) -> list[str]:
        tools = self._high._tool_manager.list_tools() if self._high else []  # noqa: SLF001  list_tools() is async
        return [tool.name for tool in tools]

    def _check_names(self, catalog: Catalog) -> None:
        """With every request, since a tool may be registered after the handler was made."""
        for name in self._own_names():
            if name in catalog.tools:
                raise ConfigurationError(
                    "tools",
                    f"The tool {name} is registered twice, by {self.info.name} and by RememberPlugin. "
                    "Keep one: drop it from the server, or drop tools.enabled, or set tools.prefix.",
                )

    def _copy(self, catalog: Catalog, caller: Caller) -> Server[Any]:
        """The server as it is now, with what differs behind our gate."""
        handlers = dict(self._low._request_handlers)  # noqa: SLF001  without a copy ours would stay in the author's
        handlers.pop("subscriptions/listen", None)  # a stream without an end; nothing of a function outlives a request
        serving = copy(self._low)
        serving._request_handlers = handlers  # noqa: SLF001  as above
        serving.middleware = [_echo_trace, *self._low.middleware]
        serving.instructions = "\n\n".join(filter(None, (self._low.instructions, catalog.instructions))) or None
        serving.add_request_handler("server/discover", types.RequestParams, partial(_discover, serving))
        entry = self._low.get_request_handler("tools/list")
        if entry or catalog.tools:
            listed = entry and (self._high or caller.may_write)
            listing = partial(_list_tools, entry.handler if entry and listed else None, catalog, caller)
            serving.add_request_handler("tools/list", types.PaginatedRequestParams, listing)
        if self._high:
            calls = compose_tool_call_handler(self._high._extensions, partial(_call_own, self._high, catalog))  # noqa: SLF001  the author's go around every call
            serving.add_request_handler("tools/call", types.CallToolRequestParams, calls)
        return serving


def _refuse_auth(server: MCPServer[Any]) -> None:
    """What an author has asked for must not be left out silently."""
    if server.settings.auth is not None:
        raise ConfigurationError(
            "auth",
            "This MCPServer has auth settings of its own, which create_fetch_handler would not ask. Leave auth and its "
            "verifier out; the environment, or create_fetch_handler(auth=…), says who may call.",
        )


async def _call_own(
    server: MCPServer[Any],
    catalog: Catalog,
    ctx: ServerRequestContext[Any, Any],
    params: types.CallToolRequestParams,
) -> HandlerResult:
    """As MCPServer calls its tools, but for what fails: our errors reach the model, and no log line holds content."""
    names = [tool.name for tool in await server.list_tools()]
    if params.name not in names:
        close = nearest(params.name, (*names, *catalog.tools))
        raise MCPError(INVALID_PARAMS, f"There is no tool {params.name!r:.150}{close}")
    bus = server._subscriptions  # noqa: SLF001  what ctx.notify_… publishes to
    context = SdkContext(request_context=ctx, mcp_server=server, input_params=params, subscriptions=bus)
    try:
        return await server.call_tool(params.name, params.arguments or {}, context)
    except UnexpectedToolError as exc:
        return types.CallToolResult.model_validate(failure(params.name, _cause(exc)))
    except ToolError as exc:
        return types.CallToolResult(content=[types.TextContent(text=str(exc))], is_error=True)


def _cause(exc: BaseException) -> BaseException:
    """What really failed, under what the SDK says about it."""
    while isinstance(exc, UnexpectedToolError | UnexpectedResourceError) and exc.__cause__ is not None:
        exc = exc.__cause__
    return exc


async def _list_tools(
    own: RequestHandler | None,
    catalog: Catalog,
    caller: Caller,
    ctx: ServerRequestContext[Any, Any],
    params: types.PaginatedRequestParams,
) -> HandlerResult:
    """The server's tools, and after them, on the first page, the plugins'; of both what this caller may call."""
    result = types.ListToolsResult(tools=[]) if own is None else await own(ctx, params)
    if isinstance(result, dict):
        result = types.ListToolsResult.model_validate(result)
    if not isinstance(result, types.ListToolsResult):
        return result
    tools = [tool for tool in result.tools if caller.may_write or _reads(tool)]
    if params.cursor is None:
        tools += [types.Tool.model_validate(described(tool)) for tool in open_to(caller, catalog)]
    return result.model_copy(update={"tools": tools, "cache_scope": "private"})  # it goes by what a caller may do


def _reads(tool: Annotated) -> bool:
    """Whether it says that it changes nothing; the SDK has two classes of tools that can say it."""
    return tool.annotations is not None and tool.annotations.read_only_hint is True


async def _discover(
    serving: Server[Any],
    ctx: ServerRequestContext[Any, Any],
    params: types.RequestParams,  # noqa: ARG001  a handler's form
) -> HandlerResult:
    """As the SDK's own handler, which would speak of the author's server and not of the copy."""
    return types.DiscoverResult(
        supported_versions=[VERSION],
        capabilities=serving.get_capabilities(protocol_version=ctx.protocol_version),
        instructions=serving.instructions,
    )


async def _echo_trace(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    result = await call_next(ctx)
    trace = trace_of((ctx.params or {}).get("_meta", {}))
    return {**result, "_meta": {**result.get("_meta", {}), **trace}} if trace and isinstance(result, dict) else result


class _Exchange:
    """One request as the SDK's ASGI side takes it, and the response that it gave.

    The Authorization header stays at the gate: whom it named goes on, and the credential does not.
    """

    def __init__(self, request: Request, call: Context) -> None:
        kept = ("authorization", "accept", "content-length")
        headers = [
            (name.lower(), value.strip(" \t"))  # around a value it is no part of it, and the SDK counts on that
            for name, value in request.headers
            if name.lower() not in kept
        ]
        headers.append(("accept", "application/json, text/event-stream"))  # what was asked for, the gate sees to
        self._body = request.body or b""
        self._received = False
        self._start: Mapping[str, Any] = {}
        self._chunks: list[bytes] = []
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": "https",
            "path": request.path,
            "query_string": b"",
            "root_path": "",
            "headers": [tuple(part.encode("latin-1", "replace") for part in header) for header in headers],
            CALL: call,
        }
        if not call.caller.anonymous:
            user = call.caller.user_id
            self.scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=user, scopes=[], subject=user))

    async def receive(self) -> dict[str, Any]:
        """The whole body at once. A caller who hangs up cancels the request from outside."""
        if self._received:
            await asyncio.Event().wait()
        self._received = True
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def send(self, event: Mapping[str, Any]) -> None:
        """Keep a part of the response."""
        if event["type"] == "http.response.start":
            self._start = event
        else:
            self._chunks.append(event.get("body", b""))

    @property
    def response(self) -> Response:
        """What was sent; its length is for whoever sends it on."""
        sent = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in self._start["headers"]]
        headers = [(name, value) for name, value in sent if name != "content-length"]
        return Response(self._start["status"], (*headers, ("cache-control", "no-store")), b"".join(self._chunks))
