"""The four scopes, and what each means, in the words that a model reads.

A scope decides which callers share a value:

- `session`: one session; without one (stateless HTTP, MCP 2026-07-28) the signed-in caller, across requests.
- `user`: the signed-in caller, across all sessions.
- `tool`: one tool, for the same caller as `session`.
- `global`: every caller.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from remember.errors import InvalidInput, RememberScopeNotAllowedError

Scope = Literal["session", "user", "tool", "global"]

SCOPES: tuple[Scope, ...] = get_args(Scope)
DEFAULT_SCOPE: Scope = "session"
NOTE_SCOPES: tuple[Scope, ...] = ("session", "user", "global")  # in tool scope no other tool would find a note
DEFAULT_NOTE_SCOPE: Scope = "user"

_MEANINGS: dict[Scope, str] = {
    "session": "this session; where there is none (stateless HTTP, MCP 2026-07-28), the signed-in caller, "
    "from one request to the next",
    "user": "the signed-in caller, in every session",
    "tool": "the running tool alone, for the same caller as session; every memory tool has its own, "
    "so another memory tool does not find it",
    "global": "shared by every caller",
}


def describe_scopes(allowed: Iterable[Scope] = SCOPES, *, default: Scope = DEFAULT_SCOPE) -> str:
    """The one description of `scope` that all tools of a family share (first seed, The memory tools)."""
    allowed = tuple(allowed)
    usual = (
        f"default: {default}"
        if default in allowed
        else f"pass one of: {', '.join(allowed)}; the default, {default}, is not allowed here"
    )
    meanings = " ".join(f"{name}: {_MEANINGS[name]}." for name in allowed)
    by_session = " and ".join(name for name in ("session", "tool") if name in allowed)
    without = f"; {by_session} {'need' if ' ' in by_session else 'needs'} a session then" if by_session else ""
    return f"Whose memory to use ({usual}). {meanings} A caller who is not signed in can use global only{without}."


def parse_scope(value: object) -> Scope:
    """The scope that `value` names.

    Raises:
        InvalidInput: it names none.
    """
    for scope in SCOPES:
        if value == scope:
            return scope
    raise InvalidInput("scope", f"scope must be one of {', '.join(SCOPES)}; got {value!r:.60}.")


def check_allowed(scope: Scope, allowed: Iterable[Scope]) -> None:
    """Refuse a scope that the owner did not allow.

    Raises:
        RememberScopeNotAllowedError: naming the allowed ones, in their own order.
    """
    allowed = tuple(allowed)
    if scope not in allowed:
        raise RememberScopeNotAllowedError(scope, allowed)
