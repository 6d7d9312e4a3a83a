"""create_direct: the same apps and plugins without HTTP, for a caller in the same process."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from remember.app import App, Catalog, Offered, PluginLike, build_catalog
from remember.caller import SESSION_PREFIX, Caller
from remember.clock import Clock, system_clock
from remember.errors import InvalidInput, nearest
from remember.keys import check_user_id
from remember.plugin import Surroundings
from remember.protocol import call_tool
from remember.settings import Settings
from remember.stores.base import Store
from remember.tools import Context


def create_direct(
    app: App | Iterable[App],
    *,
    user_id: str | None = None,
    environ: Mapping[str, str] = os.environ,
    store: Store | None = None,
    plugins: Sequence[PluginLike] = (),
    clock: Clock | None = None,
) -> Direct:
    """Call an app's tools in process, as one caller with one session for the life of the object.

    `user_id` signs the caller in; without it they are anonymous, and have the session, tool and global scopes.

    Raises:
        ConfigurationError: apps, plugins, tools or the environment do not go together.
        InvalidInput: a user_id that is empty, too long, or not text.
    """
    settings = Settings.read(environ)
    for problem in settings.problems:
        raise problem
    if user_id is not None:
        check_user_id(user_id)
    apps = (app,) if isinstance(app, App) else tuple(app)
    session = SESSION_PREFIX + os.urandom(16).hex()
    caller = Caller.unknown(session) if user_id is None else Caller(user_id, session)
    return Direct(apps, plugins, Surroundings(settings, clock or system_clock, store), caller)


class Direct:
    """What `create_direct` gives."""

    def __init__(
        self, apps: Sequence[App], plugins: Sequence[PluginLike], surroundings: Surroundings, caller: Caller
    ) -> None:
        self._catalog = build_catalog(apps, plugins, surroundings)
        self.caller = caller

    async def list_tools(self) -> list[str]:
        """The names of the tools."""
        return list((await self._offer()).tools)

    async def call_tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The tool's result as a client would read it: `content`, `isError`, and `structuredContent` where it has one.

        Raises:
            InvalidInput: there is no such tool.
        """
        offered = await self._find(name)
        context = Context(self.caller, offered.app_id, name, offered.memory)
        return await call_tool(offered.tool, dict(arguments or {}), context)

    async def _find(self, name: str) -> Offered:
        tools = (await self._offer()).tools
        if name not in tools:
            raise InvalidInput("name", f"There is no tool {name!r:.150}{nearest(name, tools)}")
        return tools[name]

    async def _offer(self) -> Catalog:
        if not isinstance(self._catalog, Catalog):
            self._catalog = await self._catalog
        return self._catalog
