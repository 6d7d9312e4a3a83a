"""Every failure that Remember names.

    RememberError
    ├── InvalidInput                 INVALID_INPUT                 a value that does not fit; names the field
    ├── RememberScopeNotAllowedError REMEMBER_SCOPE_NOT_ALLOWED    a scope outside the allowed ones
    ├── RememberIdentityError        REMEMBER_IDENTITY_REQUIRED    a scope that needs to know who is calling
    ├── RememberNotInstalled         REMEMBER_NOT_INSTALLED        a tool whose app has no Remember plugin
    ├── RememberConflict             REMEMBER_CONFLICT             an update that others overtook too often
    ├── RateLimited                  REMEMBER_RATE_LIMITED         a caller who asks too often; says how long to wait
    ├── QuotaExceeded                REMEMBER_QUOTA_EXCEEDED       an owner who keeps as much as they may
    ├── SecretRefused                REMEMBER_SECRET_REFUSED       a text that holds a secret, where none may be kept
    ├── StoreUnavailable             REMEMBER_STORE_UNAVAILABLE    the store did not give an answer to build on
    ├── ConfigurationError           REMEMBER_CONFIGURATION        a setting that is missing or wrong
    ├── CredentialRefused            REMEMBER_CREDENTIAL_REFUSED   a bearer credential that identifies nobody
    ├── InsufficientScope            REMEMBER_INSUFFICIENT_SCOPE   a token whose scopes do not allow what it is used for
    ├── ToolError                    TOOL_ERROR                    what an author's tool wants the model to read
    └── KeysUnavailable              REMEMBER_KEYS_UNAVAILABLE     the identity provider's keys cannot be had

Messages are read by people and by models. They say what to do next, and never hold a secret, a token,
a stored value or the store's address.
"""

from __future__ import annotations

from collections.abc import Iterable


class RememberError(Exception):
    """What all of Remember's errors are; `code` is stable, `str(error)` is a sentence."""

    code: str = "REMEMBER_ERROR"


class InvalidInput(RememberError):
    """An argument that does not fit. `field` names it."""

    code = "INVALID_INPUT"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class RememberScopeNotAllowedError(RememberError):
    """The scope of a memory tool's call is outside `tools.allowed_scopes` (first seed, its own section)."""

    code = "REMEMBER_SCOPE_NOT_ALLOWED"

    def __init__(self, scope: str, allowed: Iterable[str]) -> None:
        super().__init__(f"Scope '{scope}' is not allowed. Allowed scopes: {', '.join(allowed)}")


class RememberIdentityError(RememberError):
    """A scope has no caller to keep values apart with (first seed, its own section)."""

    code = "REMEMBER_IDENTITY_REQUIRED"


class RememberNotInstalled(RememberError):
    """A tool asked for memory in an app that has none (first seed, Troubleshooting)."""

    code = "REMEMBER_NOT_INSTALLED"

    def __init__(self) -> None:
        super().__init__("RememberPlugin is not installed. Add RememberPlugin.init() to your plugins array.")


class RememberConflict(RememberError):
    """An update lost the race against other writers on every try; nothing was written, repeat it later."""

    code = "REMEMBER_CONFLICT"


class RateLimited(RememberError):
    """A caller has asked as often as they may in this minute, and nothing was done; `retry_after` is in seconds."""

    code = "REMEMBER_RATE_LIMITED"

    def __init__(self, wait_ms: int) -> None:
        self.retry_after = max(1, -(-wait_ms // 1000))
        seconds = "1 second" if self.retry_after == 1 else f"{self.retry_after} seconds"
        super().__init__(f"Too many calls to the memory in this minute; nothing was done. Go on in {seconds}.")


class QuotaExceeded(RememberError):
    """An owner's memory is full, and nothing was stored; `limit` is how many of `bound` there may be: entries, chars
    (of large values), notes, or notes in one namespace."""

    code = "REMEMBER_QUOTA_EXCEEDED"

    def __init__(self, bound: str, limit: int) -> None:
        kept = f"{limit:,} {'characters of large values' if bound == 'chars' else bound}"
        super().__init__(f"This memory is full: it may hold {kept}. Nothing was stored; forget something first.")
        self.bound = bound
        self.limit = limit


class SecretRefused(RememberError):
    """A text holds what looks like a secret, and nothing was stored; `found` are kinds and counts, never characters."""

    code = "REMEMBER_SECRET_REFUSED"

    def __init__(self, field: str, found: Iterable[tuple[str, int]]) -> None:
        self.field = field
        self.found = tuple(found)
        kinds = ", ".join(f"{count} × {kind}" for kind, count in self.found)
        super().__init__(
            f"{field} holds what looks like a secret ({kinds}). Nothing was stored. "
            "Leave it out, and say where it is kept instead."
        )


class StoreUnavailable(RememberError):
    """The store gave no answer that can be built on.

    `reason` is one of: refused, timeout, reset, unauthorized, read-only, rate-limited, failed, garbled.
    `maybe_applied` is True where a write may have happened all the same; repeating a write is safe.
    """

    code = "REMEMBER_STORE_UNAVAILABLE"

    def __init__(self, reason: str, message: str, *, maybe_applied: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.maybe_applied = maybe_applied


class ConfigurationError(RememberError):
    """A setting is missing or wrong; `variable` names the environment variable or the option."""

    code = "REMEMBER_CONFIGURATION"

    def __init__(self, variable: str, message: str) -> None:
        super().__init__(message)
        self.variable = variable


class CredentialRefused(RememberError):
    """A bearer credential is missing or does not identify anybody.

    `presented` is False where no credential came at all: the challenge then carries no error code (RFC 6750 §3).
    The message says what kind of thing was wrong, never a part of the credential.
    """

    code = "REMEMBER_CREDENTIAL_REFUSED"

    def __init__(self, message: str, *, presented: bool = True) -> None:
        super().__init__(message)
        self.presented = presented


class InsufficientScope(RememberError):
    """A good token does not allow what it is used for; with `scope` it would (RFC 6750 §3.1)."""

    code = "REMEMBER_INSUFFICIENT_SCOPE"

    def __init__(self, message: str, *, scope: str) -> None:
        super().__init__(message)
        self.scope = scope


class KeysUnavailable(RememberError):
    """The identity provider's keys cannot be fetched and none are cached; try again in `retry_after` seconds."""

    code = "REMEMBER_KEYS_UNAVAILABLE"

    def __init__(self, message: str, *, retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ToolError(RememberError):
    """Raised by an author's tool: the model reads the message, and `code` in the result's `_meta`."""

    def __init__(self, message: str, *, code: str = "TOOL_ERROR") -> None:
        super().__init__(message)
        self.code = code


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: `; did you mean …?`, or a full stop where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415  lazy: only a mistake needs it

    close = get_close_matches(name, tuple(known), n=1)
    return f"; did you mean {close[0]}?" if close else "."


def unsaid(text: str) -> str:
    """A wrong value, without saying it: it may be a secret in the wrong variable, and problems are public."""
    return f"something else ({len(text)} characters)"
