"""Static keys: who may come in by a key that the owner wrote down.

`REMEMBER_API_KEYS` holds entries between commas or line breaks:

    alice=<key>              known as `static:alice`; a name may have several keys
    alice=sha256:<64 hex>    the same, without the key itself in the settings
    <key>                    known as `static:` and the first 12 hex digits of the key's SHA-256
    sha256:<64 hex>          the same, without the key itself in the settings

Only digests are kept. Every entry is compared on every look-up, each in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from remember.caller import STATIC_PREFIX
from remember.errors import ConfigurationError

VARIABLE = "REMEMBER_API_KEYS"
MIN_KEY = 16  # characters; `remember keygen` makes 43

_NAME = re.compile(r"[A-Za-z0-9._@+-]{1,64}")
_BARE_ID = re.compile(r"[0-9a-f]{12}")
_DIGEST = re.compile(r"sha256:([0-9a-fA-F]{64})")
_KEY = re.compile(r"[\x21-\x2b\x2d-\x3a\x3c-\x7e]+")  # visible ASCII, as a client can send it, without `,` and `;`
# Base64 of 16 bytes or more, with its padding. The mixture is what tells it from `some-name=` with the key missing.
_PADDED = re.compile(r"(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(.{4}){5,}[A-Za-z0-9+/_-]{2}(=|[A-Za-z0-9+/_-])=")


@dataclass(frozen=True, slots=True, repr=False)
class StaticKeys:
    """The keys that are let in, as digests, each with its user id."""

    _entries: tuple[tuple[bytes, str], ...] = field(default=())

    @staticmethod
    def parse(text: str) -> StaticKeys:
        """The keys that `REMEMBER_API_KEYS` holds; see the module for its form.

        Raises:
            ConfigurationError: an entry does not fit. It is told by its number, never by what it holds.
        """
        if ";" in text:
            raise ConfigurationError(
                VARIABLE, f"{VARIABLE} holds a `;`. Commas or line breaks separate entries, and no key may hold one."
            )
        entries = [_unquoted(entry) for entry in re.split(r"[,\r\n]", text) if entry.strip()]
        return StaticKeys(_distinct(_entry(number, *_halves(number, entry)) for number, entry in enumerate(entries, 1)))

    @staticmethod
    def of(keys: Mapping[str, str]) -> StaticKeys:
        """The same from Python: a key, or its `sha256:<hex>`, for each name.

        Raises:
            ConfigurationError: as for `parse`.
        """
        for number, pair in enumerate(keys.items(), 1):
            if not all(isinstance(part, str) for part in pair):
                raise ConfigurationError(VARIABLE, f"{VARIABLE}: entry {number} must be a name and a key, both text.")
        return StaticKeys(_distinct(_entry(number, name, key) for number, (name, key) in enumerate(keys.items(), 1)))

    @property
    def users(self) -> tuple[str, ...]:
        """The user ids that the keys let in, one for each key."""
        return tuple(user for _, user in self._entries)

    def find(self, token: str) -> str | None:
        """The user id whose key `token` is."""
        digest = _digest(token)
        found = None
        for known, user_id in self._entries:
            if hmac.compare_digest(known, digest):
                found = user_id  # and on, so that the time taken does not tell which entry it was
        return found

    def __repr__(self) -> str:
        return f"StaticKeys({len(self._entries)} of them)"


def _halves(number: int, entry: str) -> tuple[str | None, str]:
    """The name, None where there is none, and the key. What stands at the end as base64 padding divides nothing."""
    if "=" in entry.rstrip("="):
        name, _, key = entry.partition("=")
        return name.strip(), _unquoted(key)
    if entry.endswith("=") and not _PADDED.fullmatch(entry):
        # `alice=$KEY` with KEY unset must not make "alice=" a key that opens.
        raise _wrong(number, "ends in '='. After a name its key is missing; a key that ends so needs a name: name=key")
    if ":" in entry and not entry.lower().startswith("sha256:"):
        raise _wrong(number, "holds ':'. A name is divided from its key by '=', as in name=key")
    return None, entry


def _entry(number: int, name: str | None, key: str) -> tuple[bytes, str]:
    """One key's digest and user id."""
    digest = _known_digest(number, key)
    if name is None:
        return digest, STATIC_PREFIX + digest.hex()[:12]
    if not _NAME.fullmatch(name):
        raise _wrong(number, "has a name that does not fit. A name has 1 to 64 characters of A-Z a-z 0-9 . _ @ + -")
    if _BARE_ID.fullmatch(name):
        raise _wrong(number, "has a name of 12 hex digits, like the id of a key without a name. Choose another")
    return digest, STATIC_PREFIX + name


def _known_digest(number: int, key: str) -> bytes:
    if written := _DIGEST.fullmatch(key):
        return bytes.fromhex(written[1])
    if key.lower().startswith("sha256:"):
        raise _wrong(number, "has a digest that does not fit. Write sha256: and 64 hex digits")
    if len(key) < MIN_KEY:
        raise _wrong(
            number,
            f"has a key of {len(key)} characters; at least {MIN_KEY} are needed. `remember keygen` prints a good one",
        )
    if not _KEY.fullmatch(key):
        raise _wrong(number, "has a key with spaces, commas or characters beyond ASCII, which no client could send")
    return _digest(key)


def _distinct(entries: Iterable[tuple[bytes, str]]) -> tuple[tuple[bytes, str], ...]:
    """The entries, each once. One key for two names would leave it open who is calling."""
    seen: dict[bytes, tuple[int, str]] = {}
    for number, (digest, user_id) in enumerate(entries, 1):
        first, known_as = seen.setdefault(digest, (number, user_id))
        if known_as != user_id:
            raise _wrong(number, f"has the same key as entry {first}, under another name. Give each name its own key")
    if not seen:
        raise ConfigurationError(VARIABLE, f"{VARIABLE} holds no key. `remember keygen` prints one.")
    return tuple((digest, user_id) for digest, (_, user_id) in seen.items())


def _wrong(number: int, what: str) -> ConfigurationError:
    return ConfigurationError(VARIABLE, f"{VARIABLE}: entry {number} {what}.")


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _unquoted(text: str) -> str:
    """Without the white space, and one pair of quotes, that come along when settings are copied."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].strip()
    return text
