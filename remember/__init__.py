"""Private, encrypted memory for AI agents.

Import from here. Each name is loaded when it is first used: a cold function pays for every import.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remember.accessor import KeyPage, Remember, Stored
    from remember.app import App
    from remember.caller import Caller
    from remember.direct import Direct, create_direct
    from remember.entry import Entry
    from remember.errors import (
        ConfigurationError,
        CredentialRefused,
        InvalidInput,
        KeysUnavailable,
        RememberConflict,
        RememberError,
        RememberIdentityError,
        RememberNotInstalled,
        RememberScopeNotAllowedError,
        StoreUnavailable,
        ToolError,
    )
    from remember.fetch import FetchHandler, create_fetch_handler
    from remember.identity import Authenticator, JwtVerifier, KeySet, StaticKeys
    from remember.plugin import RememberPlugin
    from remember.protocol import Request, Response
    from remember.schema import Arg
    from remember.settings import Settings
    from remember.stores.base import Store
    from remember.tools import Context, Tool, get_remember, tool, try_get_remember
    from remember.tools.ready import forget, list_memories, recall, remember_this

__all__ = [
    "App",
    "Arg",
    "Authenticator",
    "Caller",
    "ConfigurationError",
    "Context",
    "CredentialRefused",
    "Direct",
    "Entry",
    "FetchHandler",
    "InvalidInput",
    "JwtVerifier",
    "KeyPage",
    "KeySet",
    "KeysUnavailable",
    "Remember",
    "RememberConflict",
    "RememberError",
    "RememberIdentityError",
    "RememberNotInstalled",
    "RememberPlugin",
    "RememberScopeNotAllowedError",
    "Request",
    "Response",
    "Settings",
    "StaticKeys",
    "Store",
    "StoreUnavailable",
    "Stored",
    "Tool",
    "ToolError",
    "create_direct",
    "create_fetch_handler",
    "forget",
    "get_remember",
    "list_memories",
    "recall",
    "remember_this",
    "tool",
    "try_get_remember",
]

_ROOMS = {
    "accessor": ("KeyPage", "Remember", "Stored"),
    "app": ("App",),
    "caller": ("Caller",),
    "direct": ("Direct", "create_direct"),
    "entry": ("Entry",),
    "errors": (
        "ConfigurationError",
        "CredentialRefused",
        "InvalidInput",
        "KeysUnavailable",
        "RememberConflict",
        "RememberError",
        "RememberIdentityError",
        "RememberNotInstalled",
        "RememberScopeNotAllowedError",
        "StoreUnavailable",
        "ToolError",
    ),
    "fetch": ("FetchHandler", "create_fetch_handler"),
    "identity": ("Authenticator", "JwtVerifier", "KeySet", "StaticKeys"),
    "plugin": ("RememberPlugin",),
    "protocol": ("Request", "Response"),
    "schema": ("Arg",),
    "settings": ("Settings",),
    "stores.base": ("Store",),
    "tools": ("Context", "Tool", "get_remember", "tool", "try_get_remember"),
    "tools.ready": ("forget", "list_memories", "recall", "remember_this"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
