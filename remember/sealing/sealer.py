"""Sealing: text in, envelope out, readable only by its owner's key and only at its own place.

The key is HKDF-SHA256 over a server secret and the owner's identity (first seed, Encryption; the vectors are in
tests/sealing). The storage key is AES-GCM's associated data, so an envelope copied elsewhere does not open.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

from remember.caller import Owner
from remember.sealing.envelope import IV_BYTES, TAG_BYTES, Envelope, Unreadable
from remember.sealing.secrets import Secrets, key_id
from remember.settings import Secret

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_SALT = b"remember-plugin-v1"


class Seal(Protocol):
    """One owner's way of writing text into a store, and of reading it back."""

    def seal(self, text: str, key: str) -> str:
        """What to store under the storage key `key`."""

    def open(self, stored: str, key: str) -> str:
        """The text that was sealed for `key`.

        Raises:
            Unreadable: it does not open.
        """

    def seal_bytes(self, data: bytes, key: str) -> str:
        """As `seal`, for what is no text."""

    def open_bytes(self, stored: str, key: str) -> bytes:
        """As `open`, for what `seal_bytes` gave."""

    def name(self, data: bytes, size: int) -> bytes:
        """`size` bytes (at most 32) that stand for `data`: always the same, and to be had by this owner's seal only."""


class Sealer(Protocol):
    """Gives each owner their seal."""

    def of(self, owner: Owner) -> Seal: ...


class PlainSealer:
    """`encryption.enabled` False: what is stored is the text itself."""

    def of(self, owner: Owner) -> Seal:  # noqa: ARG002  the same for everybody
        return _PlainSeal()


class _PlainSeal:
    def seal(self, text: str, key: str) -> str:  # noqa: ARG002  a plain text is not bound to its place
        return text

    def open(self, stored: str, key: str) -> str:  # noqa: ARG002  as above
        return stored

    def seal_bytes(self, data: bytes, key: str) -> str:  # noqa: ARG002  as above
        return b64encode(data).decode()

    def open_bytes(self, stored: str, key: str) -> bytes:  # noqa: ARG002  as above
        try:
            return b64decode(stored, validate=True)
        except ValueError:
            raise Unreadable("not plain bytes") from None

    def name(self, data: bytes, size: int) -> bytes:
        return _name(data, size, b"")


class SecretSealer:
    """Seals under the current secret; opens what any known secret sealed.

    `read_seed` also opens the first seed's own stored form, which has no key id and is not bound to its place.
    """

    def __init__(
        self, secrets: Secrets, *, random_bytes: Callable[[int], bytes] = os.urandom, read_seed: bool = False
    ) -> None:
        self._secrets = secrets
        self._random_bytes = random_bytes
        self._read_seed = read_seed

    def of(self, owner: Owner) -> Seal:
        return _SecretSeal(self._secrets, owner, self._random_bytes, read_seed=self._read_seed)


class _SecretSeal:
    def __init__(
        self, secrets: Secrets, owner: Owner, random_bytes: Callable[[int], bytes], *, read_seed: bool
    ) -> None:
        self._secrets = secrets
        self._owner = owner
        self._random_bytes = random_bytes
        self._read_seed = read_seed
        self._openers: dict[str, AESGCM] = {}
        """By key id: one call of a notebook opens hundreds of texts, and their secret is the same."""

    def seal(self, text: str, key: str) -> str:
        return self.seal_bytes(text.encode(), key)

    def open(self, stored: str, key: str) -> str:
        try:
            return self.open_bytes(stored, key).decode()
        except UnicodeDecodeError:
            raise Unreadable("not text") from None

    def seal_bytes(self, data: bytes, key: str) -> str:
        secret = self._secrets.current
        iv = self._random_bytes(IV_BYTES)
        sealed = _cipher(secret, self._owner).encrypt(iv, data, key.encode())
        return Envelope(key_id(secret), iv, sealed[-TAG_BYTES:], sealed[:-TAG_BYTES]).to_text()

    def open_bytes(self, stored: str, key: str) -> bytes:
        try:
            envelope = Envelope.from_text(stored)
        except Unreadable:
            if self._read_seed:
                return self._open_seed(Envelope.from_seed_text(stored))
            raise
        return self._decrypt(self._opener(envelope.kid or ""), envelope, key.encode())

    def name(self, data: bytes, size: int) -> bytes:
        return _name(data, size, derive_key(self._secrets.current, self._owner))

    def _open_seed(self, envelope: Envelope) -> bytes:
        for secret in self._secrets.all():
            try:
                return self._decrypt(_cipher(secret, self._owner), envelope, None)
            except Unreadable:
                continue
        raise Unreadable("the seed's form, under an unknown secret")

    def _opener(self, kid: str) -> AESGCM:
        if kid not in self._openers:
            secret = self._secrets.find(kid)
            if secret is None:
                raise Unreadable("sealed under an unknown secret", kid)
            self._openers[kid] = _cipher(secret, self._owner)
        return self._openers[kid]

    def _decrypt(self, cipher: AESGCM, envelope: Envelope, place: bytes | None) -> bytes:
        try:
            return cipher.decrypt(envelope.iv, envelope.data + envelope.tag, place)
        except Exception as exc:
            from cryptography.exceptions import InvalidTag  # noqa: PLC0415  lazy: only what does not open needs it

            if not isinstance(exc, InvalidTag):
                raise
            raise Unreadable("changed, or moved from another place", envelope.kid) from None


def _name(data: bytes, size: int, key: bytes) -> bytes:
    return blake2b(data, digest_size=size, key=key, person=b"remember-name-v1").digest()


@lru_cache(maxsize=256)
def _cipher(secret: Secret, owner: Owner) -> AESGCM:
    """An owner's cipher; deriving it costs more than using it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415  lazy: a list of tools needs none

    return AESGCM(derive_key(secret, owner))


def derive_key(secret: Secret, owner: Owner) -> bytes:
    """An owner's 32-byte key under a secret, as the first seed derives it."""
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415  lazy: as above
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415  lazy: as above

    info = ":".join(["remember", owner.scope, *(part for part in (owner.tool, owner.id) if part)])
    material = secret.reveal() + owner.id
    return HKDF(SHA256(), 32, _SALT, info.encode()).derive(material.encode())
