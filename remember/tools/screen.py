"""What becomes of secrets on their way into memory, and out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remember.entry import check_value
from remember.errors import SecretRefused
from remember.settings import Redaction

if TYPE_CHECKING:
    from remember.text.redaction import Found

REDACTED = {
    "type": "array",
    "description": "Secrets that were taken out of the value, where [REDACTED] stands now: their kinds, and how many.",
    "items": {
        "type": "object",
        "properties": {"kind": {"type": "string"}, "count": {"type": "integer"}},
        "required": ["kind", "count"],
        "additionalProperties": False,
    },
}


def keepable(redaction: Redaction, key: str, value: Any) -> tuple[Any, dict[str, Any]]:
    """The value to store under `key`, and what the answer has to say about it.

    Raises:
        SecretRefused: a secret in the key, which is stored in the clear; or anywhere, where they are to be rejected.
        InvalidInput: what is no value in the first place.
    """
    if redaction == "off":
        return value, {}
    from remember.text.redaction import redact, redact_json  # noqa: PLC0415  lazy: only calls with a text need it

    check_value(value)
    if in_key := redact(key).found:
        raise SecretRefused("key", _counts(in_key))
    clean, found = redact_json(value, key)
    if found and redaction == "reject":
        raise SecretRefused("value", _counts(found))
    return clean, _said(found)


def showable(redaction: Redaction, key: str, value: Any) -> tuple[Any, dict[str, Any]]:
    """The value to show of what lies under `key`: it may have been stored when nobody looked."""
    if redaction == "off":
        return value, {}
    from remember.text.redaction import redact_json  # noqa: PLC0415  lazy: as above

    clean, found = redact_json(value, key)
    return clean, _said(found)


def _said(found: tuple[Found, ...]) -> dict[str, Any]:
    return {"redacted": [{"kind": kind, "count": count} for kind, count in _counts(found)]} if found else {}


def _counts(found: tuple[Found, ...]) -> list[tuple[str, int]]:
    return [(one.kind, one.count) for one in found]
