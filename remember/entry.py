"""One remembered thing: a value and what is known about it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from remember.errors import InvalidInput

Brand = Literal["approval", "preference", "cache", "state", "conversation", "custom"]
BRANDS: tuple[Brand, ...] = get_args(Brand)

MAX_VALUE_BYTES = 1_000_000
MAX_TTL_SECONDS = 10 * 365 * 86_400
_MAX_DEPTH = 100  # far above any real value, far below where a JSON reader gives up
_PLAIN = frozenset({str, int, float, bool, type(None)})


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with its times, in milliseconds since 1970; `expires_at` None means it stays until forgotten."""

    value: Any
    created_at: int
    updated_at: int
    expires_at: int | None = None
    brand: Brand | None = None
    metadata: dict[str, Any] | None = None

    def expired(self, now: int) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    def to_json(self) -> str:
        """The entry as the store keeps it (first seed): camelCase, absent parts left out, compact."""
        record: dict[str, Any] = {"value": self.value}
        if self.brand is not None:
            record["brand"] = self.brand
        record |= {"createdAt": self.created_at, "updatedAt": self.updated_at}
        if self.expires_at is not None:
            record["expiresAt"] = self.expires_at
        if self.metadata is not None:
            record["metadata"] = self.metadata
        return dump_json(record)

    @staticmethod
    def from_json(text: str) -> Entry:
        """Read back what `to_json` wrote.

        Raises:
            ValueError: the text is no entry.
        """
        record: object = _decode(text)
        if not isinstance(record, dict) or "value" not in record:
            raise ValueError("no value")
        created, updated, expires = (record.get(name) for name in ("createdAt", "updatedAt", "expiresAt"))
        if type(created) is not int or type(updated) is not int or (expires is not None and type(expires) is not int):
            raise ValueError("times are not whole milliseconds")
        brand, metadata = record.get("brand"), record.get("metadata")
        if brand is not None and brand not in BRANDS:
            raise ValueError("unknown brand")
        if not isinstance(metadata, dict | None):
            raise ValueError("metadata is no object")  # noqa: TRY004  as above
        return Entry(record["value"], created, updated, expires, brand, metadata)


_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def dump_json(value: object) -> str:
    """Compact JSON as UTF-8 text; refuses what JSON has no word for (NaN, cycles, other types)."""
    return _encode(value)


def check_value(value: object, field: str = "value") -> None:
    """Refuse a value that could not be read back exactly as it was given.

    Raises:
        InvalidInput: too large, too deep, not JSON, or holding half a character (a lone surrogate).
    """
    if type(value) is str and value.isascii() and len(value) <= MAX_VALUE_BYTES // 6 - 1:
        return  # the usual value: no escape makes more than six bytes of a character, so it need not be written to see
    try:
        size = len(dump_json(value).encode())
    except UnicodeEncodeError:
        raise InvalidInput(
            field,
            f"{field} holds half of a character (a lone surrogate such as \\ud83c); send whole characters.",
        ) from None
    except ValueError:
        raise InvalidInput(
            field,
            f"{field} holds a number that JSON cannot write (NaN, Infinity or too long), or holds itself.",
        ) from None
    except (TypeError, RecursionError):
        size = 0  # what is wrong is said below, with the type or the depth
    if size > MAX_VALUE_BYTES:
        raise InvalidInput(
            field,
            f"{field} is {size:,} bytes of JSON; at most {MAX_VALUE_BYTES:,} are allowed. Store a shorter one.",
        )
    _check_plain((value,), field, 0)


def _check_plain(values: Iterable[object], field: str, depth: int) -> None:
    """JSON's own types only: a tuple or an integer key would come back as something else."""
    for value in values:
        if type(value) in _PLAIN:
            continue
        if depth >= _MAX_DEPTH:
            raise InvalidInput(field, f"{field} is nested deeper than {_MAX_DEPTH} levels; flatten it.")
        if isinstance(value, list):
            _check_plain(value, field, depth + 1)
        elif isinstance(value, dict):
            for name in value:
                if not isinstance(name, str):
                    raise InvalidInput(
                        field, f"{field} has a key of type {type(name).__name__}; JSON keys are strings."
                    )
            _check_plain(value.values(), field, depth + 1)
        else:
            kind = type(value).__name__
            raise InvalidInput(
                field, f"{field} holds a {kind}; JSON has text, numbers, true, false, null, lists and objects."
            )


def check_metadata(metadata: object) -> None:
    """Metadata is a JSON object, bounded like a value.

    Raises:
        InvalidInput: it is not.
    """
    if not isinstance(metadata, dict):
        raise InvalidInput("metadata", f"metadata must be an object; got {type(metadata).__name__}.")
    check_value(metadata, "metadata")


def check_brand(brand: object) -> Brand:
    """The brand that `brand` names.

    Raises:
        InvalidInput: it names none.
    """
    for known in BRANDS:
        if brand == known:
            return known
    raise InvalidInput("brand", f"brand must be one of {', '.join(BRANDS)}; got {brand!r:.60}.")


def check_ttl(ttl: object, field: str = "ttl") -> int:
    """A life in whole seconds, 1 to ten years.

    Raises:
        InvalidInput: it is not.
    """
    if type(ttl) is not int or not 1 <= ttl <= MAX_TTL_SECONDS:
        raise InvalidInput(
            field,
            f"{field} must be whole seconds from 1 to {MAX_TTL_SECONDS} (ten years); got {ttl!r:.60}. "
            "Leave it out for something that should stay.",
        )
    return ttl
