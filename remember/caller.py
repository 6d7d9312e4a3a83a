"""Who is calling, and whose memory a scope means for them.

Identity comes from the verified bearer token and from nowhere else. Under MCP 2026-07-28 a request has no
session, so `session` and `tool` scope fall back to the signed-in caller, as `stateless-user:<user id>`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from remember.errors import InsufficientScope, RememberIdentityError
from remember.scope import Scope

ANONYMOUS_PREFIX = "anon:"
STATIC_PREFIX = "static:"
STATELESS_PREFIX = "stateless-user:"
SESSION_PREFIX = "session:"

RESERVED_PREFIXES = (ANONYMOUS_PREFIX, STATIC_PREFIX, STATELESS_PREFIX, SESSION_PREFIX)
"""What a token's `sub` may not begin with, so that identities of different sources never meet."""

_NO_USER = (
    "Remember cannot use user scope without an authenticated user: all unauthenticated callers would share one "
    "namespace. Authenticate the request or use the 'global' scope."
)
_NO_SESSION = (
    "Remember cannot use session or tool scope for an unauthenticated request without a verified session: there is "
    "nobody to keep the values apart by. Authenticate the request, use a stateful transport, or use the 'global' "
    "scope if every caller may share the data."
)

_NO_WIPE = (
    "Remember does not delete what all callers share for somebody who is not signed in. Nothing was deleted. "
    "Authenticate the request, or delete single things."
)


@dataclass(frozen=True, slots=True)
class Caller:
    """One request's caller.

    `user_id` is the token's `sub`, `static:…` for a static key, `anon:…` for somebody unknown, new on each
    request. `session_id` is set only where the server itself opened a session (`create_direct`). `may_write` is False
    where the token's scopes allow reading alone.
    """

    user_id: str
    session_id: str | None = None
    may_write: bool = True

    @property
    def anonymous(self) -> bool:
        return self.user_id.startswith(ANONYMOUS_PREFIX)

    @staticmethod
    def unknown(session_id: str | None = None) -> Caller:
        """Somebody without a credential, told apart from everybody else."""
        return Caller(ANONYMOUS_PREFIX + os.urandom(8).hex(), session_id)


def check_may_write(caller: Caller) -> None:
    """Let nobody change a memory whose token is for reading it, whatever calls on their behalf.

    Raises:
        InsufficientScope: it is.
    """
    if not caller.may_write:
        raise InsufficientScope(
            "This token may read the memory and not change it. Nothing was changed; get one with memory:write.",
            scope="memory:write",
        )


def check_may_wipe(caller: Caller, scope: Scope) -> None:
    """Let nobody delete at once what all share whom nobody could name afterwards.

    Raises:
        RememberIdentityError: it is global scope, and the caller is not signed in.
    """
    if scope == "global" and caller.anonymous:
        raise RememberIdentityError(_NO_WIPE)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose memory: a scope and the identities that keep it apart. The parts a scope has no use for are empty."""

    scope: Scope
    id: str = ""
    tool: str = ""


def owner_of(caller: Caller, scope: Scope, tool: str) -> Owner:
    """Whose memory `scope` means for `caller`; `tool` is `<app id>:<tool name>`.

    Raises:
        RememberIdentityError: the scope needs an identity that this caller does not have.
    """
    if scope == "global":
        return Owner("global")
    if scope == "user":
        if caller.anonymous:
            raise RememberIdentityError(_NO_USER)
        return Owner("user", caller.user_id)
    if caller.session_id is not None:
        session = caller.session_id
    elif caller.anonymous:
        raise RememberIdentityError(_NO_SESSION)
    else:
        session = STATELESS_PREFIX + caller.user_id
    return Owner("session", session) if scope == "session" else Owner("tool", session, tool)
