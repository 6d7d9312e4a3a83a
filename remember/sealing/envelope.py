"""A sealed text as it lies in the store: `{"alg","kid","iv","tag","data"}`, compact JSON, unpadded base64url."""

from __future__ import annotations

import json
import re
from binascii import a2b_base64, b2a_base64
from typing import NamedTuple

ALGORITHM = "A256GCM"
IV_BYTES = 12
TAG_BYTES = 16


class Unreadable(Exception):
    """A stored text that does not open. `reason` is for the log; `kid` names the secret it asks for, if it is known.

    Outward it means one thing: there is nothing here.
    """

    def __init__(self, reason: str, kid: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kid = kid


# Of what `to_text` writes: to read it as JSON takes as long as to decrypt it.
_BEGINNING = re.compile(
    r'\{"alg":"A256GCM","kid":"([\w-]+)","iv":"([\w-]{16})","tag":"([\w-]{22})","data":"', flags=re.ASCII
)
_load = json.JSONDecoder().decode
_dump = json.JSONEncoder(separators=(",", ":")).encode


class Envelope(NamedTuple):
    """What a sealed text is made of. `kid` is None only in the first seed's own form."""

    kid: str | None
    iv: bytes
    tag: bytes
    data: bytes

    def to_text(self) -> str:
        parts = {"iv": self.iv, "tag": self.tag, "data": self.data}
        return _dump({"alg": ALGORITHM, "kid": self.kid} | {name: _encode(part) for name, part in parts.items()})

    @staticmethod
    def from_text(text: str) -> Envelope:
        """Read what `to_text` wrote.

        Raises:
            Unreadable: it is something else; canonical base64 only, so that one envelope has one form.
        """
        begun = _BEGINNING.match(text)
        if begun and text.endswith('"}') and text.find('"', begun.end()) == len(text) - 2:
            kid, iv, tag = begun.groups()
            both = _decode(iv + tag, kid)
            return Envelope(kid, both[:IV_BYTES], both[IV_BYTES:], _decode(text[begun.end() : -2], kid))
        envelope = _read(text, {"alg", "kid", "iv", "tag", "data"})
        if envelope.kid is None:
            raise Unreadable("no key id")
        return envelope

    @staticmethod
    def from_seed_text(text: str) -> Envelope:
        """Read what the first seed's own plugin wrote: the same without key id, as a JSON string.

        Raises:
            Unreadable: it is something else.
        """
        try:
            inner = json.loads(text)
        except (ValueError, RecursionError):
            raise Unreadable("not JSON") from None
        if not isinstance(inner, str):
            raise Unreadable("not the seed's form")
        return _read(inner, {"alg", "iv", "tag", "data"})


def _read(text: str, names: set[str]) -> Envelope:
    try:
        record: object = _load(text)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None
    if not isinstance(record, dict) or record.keys() != names:
        raise Unreadable("not an envelope")
    kid = record.get("kid")
    if record["alg"] != ALGORITHM or not isinstance(kid, str | None):
        raise Unreadable("unknown algorithm")
    iv, tag, data = (_decode(record[name], kid) for name in ("iv", "tag", "data"))
    if len(iv) != IV_BYTES or len(tag) != TAG_BYTES:
        raise Unreadable("wrong lengths", kid)
    return Envelope(kid, iv, tag, data)


_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_PADDING = ("", "!", "==", "=")


def _encode(part: bytes) -> str:
    return b2a_base64(part, newline=False).translate(_URL_SAFE, b"=").decode()


def _decode(text: object, kid: str | None) -> bytes:
    if not isinstance(text, str) or "+" in text or "/" in text or "=" in text:  # what only other alphabets have
        raise Unreadable("bad base64", kid)
    standard = text.replace("-", "+").replace("_", "/") + _PADDING[len(text) % 4]
    try:
        part = a2b_base64(standard, strict_mode=True)
    except ValueError:
        raise Unreadable("bad base64", kid) from None
    over = len(part) % 3
    if over and _encode(part[-over:]) != text[-over - 1 :]:  # even the strict decoder ignores trailing bits
        raise Unreadable("bad base64", kid)
    return part
