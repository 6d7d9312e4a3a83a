"""remember serve: the memory server on this machine, for its owner alone."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from remember.cli.clients import connection_lines, first_call
from remember.cli.local import KEY_VARIABLE, Local, prepare
from remember.errors import ConfigurationError
from remember.fetch import FetchHandler, create_fetch_handler
from remember.protocol import Request
from remember.scope import Scope
from remember.version import VERSION

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(arguments: Sequence[str]) -> int:
    """Serve until Ctrl-C.

    Raises:
        ConfigurationError: it cannot start; the message says what to do.
    """
    options = _parser().parse_args(arguments)
    with suppress(KeyboardInterrupt), _listen(options.host, options.port) as listener:
        serve = _server()
        origin = _origin(options.host, listener)
        local = prepare(os.environ, store=options.store, origin=origin)
        handler = create_fetch_handler(environ=local.environ)
        _check(handler)
        serve(handler, listener, _welcome(f"{origin}/mcp", local))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="remember serve",
        description="Serve a memory on this machine. What the environment does not say is made up and kept in "
        ".remember/: a key, a secret, and the memory itself.",
    )
    parser.add_argument(
        "--host", default=LOOPBACK[0], choices=LOOPBACK, help="this machine's own names only (default: %(default)s)"
    )
    parser.add_argument("--port", type=_port, default=8787, help="0 takes a free one (default: %(default)s)")
    parser.add_argument(
        "--store",
        type=_store,
        metavar="sqlite:PATH|memory",
        help="where to keep memory (default: what the environment says, else sqlite:.remember/memory.db)",
    )
    return parser


def _port(text: str) -> int:
    if text.isdecimal() and int(text) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is 0 to 65535; got {text!r:.20}")


def _store(text: str) -> str:
    kind, _, path = text.partition(":")
    if text == "memory" or (kind == "sqlite" and path):
        return text
    raise argparse.ArgumentTypeError(f"must be memory, or sqlite: and a file's path; got {text!r:.60}")


def _listen(host: str, port: int) -> socket.socket:
    try:
        if host == "::1":
            return socket.create_server((host, port), family=socket.AF_INET6)
        return socket.create_server((host, port))
    except OSError as exc:
        raise ConfigurationError(
            "--port",
            f"Port {port} on {host} cannot be used: {os.strerror(exc.errno or 0).lower()}. "
            "Choose another with --port, or --port 0 for any free one.",
        ) from exc


def _origin(host: str, listener: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def _check(handler: FetchHandler) -> None:
    """Refuse to start a server that could only answer with what is wrong with it."""
    response = asyncio.run(handler.fetch(Request("GET", "/health", (), b"")))
    report: dict[str, Any] = json.loads(response.body)
    for problem in report["problems"]:
        raise ConfigurationError("environment", problem)
    for store, state in report["store"].items():
        if state != "ok":
            raise ConfigurationError("REMEMBER_STORE", f"The {store} store cannot be used: {state}.")


def _welcome(url: str, local: Local) -> str:
    settings = local.settings
    curl = first_call(url, local.credential, tool=f"{settings.tools_prefix}remember_this", scope=_scope(local))
    sealed = ", sealed" if settings.encryption else ", NOT sealed (REMEMBER_ENCRYPTION is off)"
    wanted = f"\nSet {KEY_VARIABLE} to one of the credentials that this server knows.\n"
    return (
        f"Remember {VERSION}. Memory lies in {local.place}{sealed}.\n"
        f"URL: {url}   Ctrl-C stops.\n"
        f"{wanted if local.credential == f'${KEY_VARIABLE}' else ''}"
        f"\nA first call:\n\n{curl}\n\n{connection_lines(url, local.credential)}\n"
    )


def _scope(local: Local) -> Scope:
    """A scope that the first call may use: of the caller's own, where there is one."""
    allowed = local.settings.allowed_scopes
    wanted: tuple[Scope, ...] = ("global",) if local.credential is None else ("user", "session", "tool", "global")
    return next((scope for scope in wanted if scope in allowed), allowed[0])


def _server() -> Callable[[FetchHandler, socket.socket, str], None]:
    """What serves a handler on a socket until Ctrl-C, and prints a text once it does."""
    try:
        import uvicorn  # noqa: PLC0415  lazy: an extra, which only this command needs
    except ModuleNotFoundError:
        raise ConfigurationError(
            "uvicorn", "`serve` needs uvicorn, which is not installed: pip install uvicorn"
        ) from None

    class Announcing(uvicorn.Server):
        welcome = ""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(self.welcome, flush=True)

    def serve(handler: FetchHandler, listener: socket.socket, welcome: str) -> None:
        config = uvicorn.Config(
            handler,
            lifespan="off",
            ws="none",
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        server = Announcing(config)
        server.welcome = welcome
        server.run(sockets=[listener])

    return serve
