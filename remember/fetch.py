"""create_fetch_handler: from apps, plugins and an environment to an object that answers HTTP requests.

The object has `await handler.fetch(request)` and is an ASGI app. The same factory serves tests and deployments.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from remember.app import App, Catalog, PluginLike
from remember.asgi import Receive, Scope, Send, serve_asgi
from remember.clock import Clock, system_clock
from remember.cors import Origins
from remember.engine import Engine, OwnEngine, SdkServer, is_sdk_server
from remember.errors import ConfigurationError, CredentialRefused, InsufficientScope, KeysUnavailable, RememberError
from remember.flight import Flight
from remember.identity import (
    READ,
    WRITE,
    Authenticator,
    StaticKeys,
    challenge,
    open_authenticator,
    resource_metadata,
)
from remember.limits import RateLimit
from remember.options import StoreType
from remember.pages import Health, landing_page
from remember.plugin import RememberPlugin, Surroundings
from remember.protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Refusal,
    Request,
    RequestId,
    Response,
    complete,
    discover,
    id_of,
    json_response,
    read_message,
)
from remember.settings import MAX_BODY_BYTES, Settings, how_to_set
from remember.stores.base import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

_METADATA = "/.well-known/oauth-protected-resource"


def create_fetch_handler(
    app: App | Iterable[App] | SdkServer | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
    auth: Authenticator | Mapping[str, str] | None = None,
    store: Store | None = None,
    plugins: Sequence[PluginLike] = (),
    clock: Clock | None = None,
) -> FetchHandler:
    """A handler for one app or several, or for a server of the official SDK (`mcp.server.MCPServer`); with none, the
    memory server that the environment configures.

    `auth`: an Authenticator, or static keys as `{name: key}`; without it the environment says who may call.
    `store`: what plugins of the type `global-store` use, and the memory server. `plugins` serve every app.
    What the environment lacks does not raise: each call is then answered with what to set.

    Raises:
        ConfigurationError: apps, plugins or tools that do not go together.
    """
    settings = Settings.read(environ)
    clock = clock or system_clock
    rate_limit = RateLimit(settings.rate_limit, clock) if settings.rate_limit else None
    surroundings = Surroundings(settings, clock, store, rate_limit)
    if app is None and not plugins:
        kind: StoreType = "auto" if store is None else "global-store"
        plugins = (RememberPlugin.init(type=kind, tools={"enabled": True, "families": settings.families}),)
    return FetchHandler(_engine(app), plugins, surroundings, auth)


class FetchHandler:
    """Answers requests: `await handler.fetch(request)`, or as an ASGI app. Keeps nothing of a request."""

    def __init__(
        self,
        engine: Engine,
        plugins: Sequence[PluginLike],
        surroundings: Surroundings,
        auth: Authenticator | Mapping[str, str] | None,
    ) -> None:
        settings = surroundings.settings
        self._platform = settings.platform
        self._problems: dict[str, ConfigurationError] = {}
        for problem in settings.problems:
            self._note(problem)
        self._auth = self._try(lambda: _open_auth(auth, surroundings)) or Authenticator()
        self._engine = engine
        self._catalog = self._try(lambda: _Opening(lambda: engine.offer(plugins, surroundings)))
        self._origins = Origins(settings.allowed_origins)
        self._public_url = settings.public_url
        self._health = Health(settings, surroundings.clock)
        for sentence in (*self._problems, *settings.warnings):
            log.warning("%s", sentence)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve as an ASGI app; no lifespan is needed."""
        await serve_asgi(self.fetch, scope, receive, send)

    async def fetch(self, request: Request) -> Response:
        """The response to one request. Raises nothing but cancellation."""
        try:
            response = await self._route(request)
        except Refusal as refusal:
            response = json_response(refusal.status, refusal.body(), refusal.headers)
        except ConfigurationError as exc:  # from an async factory, which runs with the first request
            response = json_response(503, _misconfigured(exc).body())
        except Exception as exc:  # noqa: BLE001  the last wall: the caller gets an answer, and nothing of our inside
            log.error("A request failed with %s", type(exc).__name__)  # noqa: TRY400  a stack may hold content
            failure = Refusal(INTERNAL_ERROR, "The server failed; its log names the kind of failure.")
            response = json_response(500, failure.body())
        browser = self._origins.headers(request)
        return replace(response, headers=(*response.headers, *browser.items())) if browser else response

    async def _route(self, request: Request) -> Response:
        if not self._origins.allow(request):
            raise Refusal(
                INVALID_REQUEST, "This origin may not call; REMEMBER_ALLOWED_ORIGINS names those that may.", status=403
            )
        if request.method == "OPTIONS":
            return Response(204, tuple(self._origins.preflight(request).items()))
        base, _, last = request.path.rstrip("/").rpartition("/")
        if last == "mcp" and "/.well-known/" not in request.path:
            return await self._endpoint(request, base)
        if request.method not in ("GET", "HEAD"):
            return _not_found(request)
        if request.path in ("", "/"):
            return landing_page(self._url(request, ""), await self._engine.tool_names(await self._offer()))
        if last == "health":
            return await self._health.report(await self._offer(), self._problems.values(), self._auth.ways)
        return self._well_known(request)

    async def _endpoint(self, request: Request, base: str) -> Response:
        _check_measures(request)
        if self._problems:
            return self._answer_misconfigured(request)
        try:
            caller = await self._auth.identify(request.all("authorization"))
        except (CredentialRefused, InsufficientScope) as exc:
            raise self._challenging(exc, request, base, id_of(request)) from None
        except KeysUnavailable as exc:
            raise _refusal(503, exc, {"retry-after": str(exc.retry_after)}, id_of(request)) from None
        message = read_message(request)
        if message.id is None:
            return Response(202)
        catalog = await self._offer()
        if (
            not caller.may_write
            and message.method == "tools/call"
            and self._engine.writes(message.params["name"], catalog)
        ):
            raise self._challenging(_may_only_read(message.params["name"]), request, base, message.id)
        return _as_asked(request, await self._engine.answer(request, message, catalog, caller))

    def _challenging(
        self,
        error: CredentialRefused | InsufficientScope,
        request: Request,
        base: str,
        id: RequestId | None,  # noqa: A002  JSON-RPC's word
    ) -> Refusal:
        """The refusal with the challenge that leads a client to the credential that it needs."""
        metadata_url = self._url(request, base, _METADATA + "/mcp") if self._auth.oauth else None
        value = challenge(error, metadata_url=metadata_url, scopes=self._auth.scopes)
        status = 403 if isinstance(error, InsufficientScope) else 401
        return _refusal(status, error, {"www-authenticate": value}, id)

    def _answer_misconfigured(self, request: Request) -> Response:
        """A client can still learn what this server is; everything else is answered with what the owner has to set."""
        message = read_message(request)
        if message.method == "server/discover" and message.id is not None:
            content = complete(message, discover(Catalog()), self._engine.info)
            return _as_asked(request, json_response(200, content))
        raise _misconfigured(next(iter(self._problems.values())), message.id)

    def _well_known(self, request: Request) -> Response:
        base, here, resource = request.path.partition(_METADATA)
        resource = resource.rstrip("/")
        if self._auth.issuer and here and (not resource or (resource[0] == "/" and resource.endswith("/mcp"))):
            base += resource.removesuffix("/mcp")  # RFC 9728 puts a resource's path behind the well-known one
            return json_response(200, resource_metadata(self._url(request, base), self._auth.issuer, self._auth.scopes))
        return _not_found(request)

    def _url(self, request: Request, base: str, path: str = "/mcp") -> str:
        """This server's own address, as its owner set it or as the request came."""
        if self._public_url:
            return self._public_url.rstrip("/").removesuffix("/mcp") + path
        scheme = (request.one("x-forwarded-proto") or "http").split(",")[0].strip()
        return f"{scheme}://{request.one('host') or 'localhost'}{base}{path}"

    async def _offer(self) -> Catalog:
        return await self._catalog.get() if self._catalog else Catalog()

    def _try(self, make: Callable[[], T]) -> T | None:
        """What `make` makes; a problem of the environment is kept and told, one of the code is raised."""
        try:
            return make()
        except ConfigurationError as exc:
            if not exc.variable.isupper():
                raise
            self._note(exc)
            return None

    def _note(self, problem: ConfigurationError) -> None:
        """Keep a problem, with the command that sets what is wrong on this platform."""
        told = f"{problem}{how_to_set(problem, self._platform)}"
        self._problems.setdefault(told, ConfigurationError(problem.variable, told))


class _Opening:
    """A catalog that may need an event loop to be made; made once, by the first request that needs it."""

    def __init__(self, build: Callable[[], Catalog | Awaitable[Catalog]]) -> None:
        self._build = build
        self._built: Catalog | Awaitable[Catalog] | None = build()
        self._flight = Flight(self._make)

    async def get(self) -> Catalog:
        if not isinstance(self._built, Catalog):
            self._built = await self._flight.join()
        return self._built

    async def _make(self) -> Catalog:
        built, self._built = self._built, None  # an awaitable is good for once; after a failure a new one is made
        built = self._build() if built is None else built
        return built if isinstance(built, Catalog) else await built


def _engine(app: App | Iterable[App] | SdkServer | None) -> Engine:
    if is_sdk_server(app):
        from remember.sdk import SdkEngine  # noqa: PLC0415  lazy: the SDK costs 1.5 s of CPU

        return SdkEngine(app)
    apps = () if app is None else (app,) if isinstance(app, App) else tuple(cast(Iterable[App], app))
    for one in apps:
        if not isinstance(one, App):
            raise ConfigurationError(
                "app", f"create_fetch_handler takes Apps, or one MCPServer by itself; got {one!r:.80} in a list."
            )
    return OwnEngine(apps)


def _open_auth(auth: Authenticator | Mapping[str, str] | None, surroundings: Surroundings) -> Authenticator:
    if isinstance(auth, Authenticator):
        return auth
    if auth is None:
        return open_authenticator(surroundings.settings, clock=surroundings.clock)
    try:
        static = StaticKeys.of(auth)
    except ConfigurationError as exc:
        raise ConfigurationError("auth", str(exc).replace(exc.variable, "auth")) from None
    return Authenticator(static=static, anonymous=surroundings.settings.anonymous)


def _check_measures(request: Request) -> None:
    if request.method != "POST":
        raise Refusal(INVALID_REQUEST, "The MCP endpoint takes POST only.", status=405, headers={"allow": "POST"})
    if request.body is None or len(request.body) > MAX_BODY_BYTES:
        raise Refusal(
            INVALID_REQUEST, f"The body is larger than {MAX_BODY_BYTES:,} bytes; send less at once.", status=413
        )
    kind = (request.one("content-type") or "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(INVALID_REQUEST, f"The content type must be application/json; got {kind!r:.60}.", status=415)


def _as_asked(request: Request, response: Response) -> Response:
    """The answer as JSON; as one event for a client that takes nothing but an event stream."""
    if response.status != 200 or response.stream is not None or "application/json" in (request.one("accept") or ""):
        return response
    if request.takes("application/json", "application/*", "*/*") or not request.takes("text/event-stream"):
        return response
    headers = (("content-type", "text/event-stream"), ("cache-control", "no-store"))
    return Response(200, headers, b"event: message\ndata: " + response.body + b"\n\n")


def _misconfigured(problem: ConfigurationError, id: RequestId | None = None) -> Refusal:  # noqa: A002  JSON-RPC's word
    data = {"code": problem.code, "variable": problem.variable}
    return Refusal(INTERNAL_ERROR, str(problem), status=503, id=id, data=data)


def _refusal(
    status: int,
    error: RememberError,
    headers: Mapping[str, str],
    id: RequestId | None = None,  # noqa: A002  JSON-RPC's word
) -> Refusal:
    code = INTERNAL_ERROR if status == 503 else INVALID_REQUEST
    return Refusal(code, str(error), status=status, id=id, data={"code": error.code}, headers=headers)


def _may_only_read(tool: str) -> InsufficientScope:
    return InsufficientScope(
        f"The bearer token's scope {READ} does not allow {tool!r:.150}, which may change something; {WRITE} does.",
        scope=WRITE,
    )


def _not_found(request: Request) -> Response:
    message = f"There is nothing at {request.path!r:.80}; the MCP endpoint is /mcp."
    return json_response(404, {"error": "not_found", "message": message})
