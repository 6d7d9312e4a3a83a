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
        InsufficientScope,
        InvalidInput,
        KeysUnavailable,
        QuotaExceeded,
        RateLimited,
        RememberConflict,
        RememberError,
        RememberIdentityError,
        RememberNotInstalled,
        RememberScopeNotAllowedError,
        SecretRefused,
        StoreUnavailable,
        ToolError,
    )
    from remember.fetch import FetchHandler, create_fetch_handler
    from remember.identity import Authenticator, JwtVerifier, KeySet, StaticKeys
    from remember.notebook.note import Note
    from remember.notebook.notebook import Notebook
    from remember.notebook.results import Conflict, Forgotten, Hit, Recalled, Remembered, Status
    from remember.plugin import RememberPlugin
    from remember.prompts import Prompt, PromptMessage, prompt
    from remember.protocol import Request, Response
    from remember.resources import Resource, resource
    from remember.schema.arg import Arg
    from remember.settings import Settings
    from remember.stores.base import Store
    from remember.tools import Context, Tool, get_notebook, get_remember, try_get_remember
    from remember.tools.asking import Ask, Conversation, elicit, list_roots, sample
    from remember.tools.content import Audio, Embedded, Image, Text
    from remember.tools.decorator import tool
    from remember.tools.ready import forget, list_memories, recall, remember_this

__all__ = [
    "App",
    "Arg",
    "Ask",
    "Audio",
    "Authenticator",
    "Caller",
    "ConfigurationError",
    "Conflict",
    "Context",
    "Conversation",
    "CredentialRefused",
    "Direct",
    "Embedded",
    "Entry",
    "FetchHandler",
    "Forgotten",
    "Hit",
    "Image",
    "InsufficientScope",
    "InvalidInput",
    "JwtVerifier",
    "KeyPage",
    "KeySet",
    "KeysUnavailable",
    "Note",
    "Notebook",
    "Prompt",
    "PromptMessage",
    "QuotaExceeded",
    "RateLimited",
    "Recalled",
    "Remember",
    "RememberConflict",
    "RememberError",
    "RememberIdentityError",
    "RememberNotInstalled",
    "RememberPlugin",
    "RememberScopeNotAllowedError",
    "Remembered",
    "Request",
    "Resource",
    "Response",
    "SecretRefused",
    "Settings",
    "StaticKeys",
    "Status",
    "Store",
    "StoreUnavailable",
    "Stored",
    "Text",
    "Tool",
    "ToolError",
    "create_direct",
    "create_fetch_handler",
    "elicit",
    "forget",
    "get_notebook",
    "get_remember",
    "list_memories",
    "list_roots",
    "prompt",
    "recall",
    "remember_this",
    "resource",
    "sample",
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
        "InsufficientScope",
        "InvalidInput",
        "KeysUnavailable",
        "QuotaExceeded",
        "RateLimited",
        "RememberConflict",
        "RememberError",
        "RememberIdentityError",
        "RememberNotInstalled",
        "RememberScopeNotAllowedError",
        "SecretRefused",
        "StoreUnavailable",
        "ToolError",
    ),
    "fetch": ("FetchHandler", "create_fetch_handler"),
    "identity": ("Authenticator", "JwtVerifier", "KeySet", "StaticKeys"),
    "notebook.note": ("Note",),
    "notebook.notebook": ("Notebook",),
    "notebook.results": ("Conflict", "Forgotten", "Hit", "Recalled", "Remembered", "Status"),
    "plugin": ("RememberPlugin",),
    "prompts": ("Prompt", "PromptMessage", "prompt"),
    "protocol": ("Request", "Response"),
    "resources": ("Resource", "resource"),
    "schema.arg": ("Arg",),
    "settings": ("Settings",),
    "stores.base": ("Store",),
    "tools": ("Context", "Tool", "get_notebook", "get_remember", "try_get_remember"),
    "tools.asking": ("Ask", "Conversation", "elicit", "list_roots", "sample"),
    "tools.content": ("Audio", "Embedded", "Image", "Text"),
    "tools.decorator": ("tool",),
    "tools.ready": ("forget", "list_memories", "recall", "remember_this"),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
