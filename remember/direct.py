"""create_direct: the same apps and plugins without HTTP, for a caller in the same process."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from remember.app import App, Catalog, PluginLike, build_catalog
from remember.caller import SESSION_PREFIX, Caller
from remember.clock import Clock, system_clock
from remember.errors import InvalidInput, nearest
from remember.keys import check_user_id
from remember.plugin import Surroundings
from remember.protocol import call_tool
from remember.protocol.prompts import said
from remember.protocol.resources import find, held
from remember.settings import Settings
from remember.stores.base import Store
from remember.tools import Context
from remember.tools.asking import CAPABLE, Conversation

T = TypeVar("T")

_CAPABLE = Conversation(CAPABLE)
"""A caller in the same process sees every question."""


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

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None = None, conversation: Conversation = _CAPABLE
    ) -> dict[str, Any]:
        """The tool's result as a client would read it: `content`, `isError`, and `structuredContent` where it has one.

        A tool that asks raises `Ask` here; call again with `ask.answered(…)` as the conversation. It may also say
        less of the client, which can do everything otherwise, or have a function that is told of progress.

        Raises:
            InvalidInput: there is no such tool.
            Ask: the tool has questions.
        """
        tools = (await self._offer()).tools
        offered = _named("tool", name, tools)
        context = Context(self.caller, offered.app_id, name, offered.memory, conversation)
        return await call_tool(offered.tool, dict(arguments or {}), context)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, Any] | None = None, conversation: Conversation = _CAPABLE
    ) -> dict[str, Any]:
        """What a prompt says: `description` and `messages`.

        Raises:
            InvalidInput: there is no such prompt, or its arguments do not fit.
            Ask: as for a tool.
        """
        offered = _named("prompt", name, (await self._offer()).prompts)
        context = Context(self.caller, offered.app_id, f"prompts/{name}", offered.memory, conversation)
        return await said(offered.prompt, dict(arguments or {}), context)

    async def read_resource(self, uri: str, conversation: Conversation = _CAPABLE) -> dict[str, Any]:
        """What a resource holds: `contents`, and for how long that may be kept.

        Raises:
            InvalidInput: there is no such resource, or its variables do not fit.
            Ask: as for a tool.
        """
        found = find(await self._offer(), uri)
        if found is not None:
            offered, variables = found
            place = f"resources/{offered.resource.name}"
            context = Context(self.caller, offered.app_id, place, offered.memory, conversation)
            if (result := await held(offered.resource, uri, variables, context)) is not None:
                return result
        raise InvalidInput("uri", f"There is no resource {uri!r:.150}.")

    async def _offer(self) -> Catalog:
        if not isinstance(self._catalog, Catalog):
            self._catalog = await self._catalog
        return self._catalog


def _named(kind: str, name: str, offered: Mapping[str, T]) -> T:
    if name not in offered:
        raise InvalidInput("name", f"There is no {kind} {name!r:.150}{nearest(name, offered)}")
    return offered[name]
