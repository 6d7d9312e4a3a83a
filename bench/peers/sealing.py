"""AES-256-GCM under a key from HKDF, bound to a place: what the peers seal with, as Remember does."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def seal(text: str, place: str) -> str:
    """A text that only `unseal` with the same place reads."""
    iv = os.urandom(12)
    return urlsafe_b64encode(iv + _cipher().encrypt(iv, text.encode(), place.encode())).decode()


def unseal(sealed: str, place: str) -> str:
    """The text that was sealed for a place."""
    raw = urlsafe_b64decode(sealed)
    return _cipher().decrypt(raw[:12], raw[12:], place.encode()).decode()


def _cipher() -> AESGCM:
    """One caller's, derived for each call, as a server with many callers does."""
    secret = os.environ["REMEMBER_SECRET"].encode()
    return AESGCM(HKDF(SHA256(), 32, b"bench", b"one caller").derive(secret))
