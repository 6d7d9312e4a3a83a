"""Sealing: text in, envelope out, readable only by its owner's key and only at its own place.

The key is HKDF-SHA256 over a server secret and the owner's identity (first seed, Encryption; the vectors are in
tests/sealing). The storage key is AES-GCM's associated data, so an envelope copied elsewhere does not open.
"""

from __future__ import annotations

import os
from collections.abc import Callable
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
    """Derives each key once in its short life: a page of fifty entries needs one."""

    def __init__(
        self, secrets: Secrets, owner: Owner, random_bytes: Callable[[int], bytes], *, read_seed: bool
    ) -> None:
        self._secrets = secrets
        self._owner = owner
        self._random_bytes = random_bytes
        self._read_seed = read_seed
        self._ciphers: dict[Secret, AESGCM] = {}

    def seal(self, text: str, key: str) -> str:
        secret = self._secrets.current
        iv = self._random_bytes(IV_BYTES)
        sealed = self._cipher(secret).encrypt(iv, text.encode(), key.encode())
        return Envelope(key_id(secret), iv, sealed[-TAG_BYTES:], sealed[:-TAG_BYTES]).to_text()

    def open(self, stored: str, key: str) -> str:
        try:
            envelope = Envelope.from_text(stored)
        except Unreadable:
            if self._read_seed:
                return self._open_seed(Envelope.from_seed_text(stored))
            raise
        secret = self._secrets.find(envelope.kid or "")
        if secret is None:
            raise Unreadable("sealed under an unknown secret", envelope.kid)
        return self._decrypt(secret, envelope, key.encode())

    def _open_seed(self, envelope: Envelope) -> str:
        for secret in self._secrets.all():
            try:
                return self._decrypt(secret, envelope, None)
            except Unreadable:
                continue
        raise Unreadable("the seed's form, under an unknown secret")

    def _decrypt(self, secret: Secret, envelope: Envelope, place: bytes | None) -> str:
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415  lazy: 40 ms a listing of tools does not need

        try:
            return self._cipher(secret).decrypt(envelope.iv, envelope.data + envelope.tag, place).decode()
        except (InvalidTag, UnicodeDecodeError):
            raise Unreadable("changed, or moved from another place", envelope.kid) from None

    def _cipher(self, secret: Secret) -> AESGCM:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415  lazy: as above

        if secret not in self._ciphers:
            self._ciphers[secret] = AESGCM(derive_key(secret, self._owner))
        return self._ciphers[secret]


def derive_key(secret: Secret, owner: Owner) -> bytes:
    """An owner's 32-byte key under a secret, as the first seed derives it."""
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415  lazy: as above
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415  lazy: as above

    info = ":".join(["remember", owner.scope, *(part for part in (owner.tool, owner.id) if part)])
    material = secret.reveal() + owner.id
    return HKDF(SHA256(), 32, _SALT, info.encode()).derive(material.encode())
