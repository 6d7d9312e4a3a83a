"""One public key of an identity provider, and which algorithms it may verify."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jwt import PyJWK

MIN_RSA_BITS = 2048  # RFC 7518 §3.3

_RSA = ("RSA", (None,))
_FITTING: dict[str, tuple[str, tuple[object, ...]]] = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), _RSA),
    "ES256": ("EC", ("P-256",)),
    "ES384": ("EC", ("P-384",)),
    "ES512": ("EC", ("P-521",)),
    "EdDSA": ("OKP", ("Ed25519", "Ed448")),
}
"""The key type and curves of each algorithm. There is no HS*: its key would be a secret, and none is published."""

_PUBLIC = ("kty", "crv", "n", "e", "x", "y")


class SigningKey:
    """A JWK (RFC 7517); made ready for PyJWT when a token first needs it, once for each algorithm."""

    __slots__ = ("_jwk", "_ready", "kid")

    def __init__(self, jwk: Mapping[str, object]) -> None:
        kid = jwk.get("kid")
        self.kid = kid if isinstance(kid, str) else None
        self._jwk = jwk
        self._ready: dict[str, PyJWK | None] = {}

    def fits(self, algorithm: str) -> bool:
        """Whether the provider published this key for signatures of `algorithm`."""
        key_type, curves = _FITTING.get(algorithm, ("", ()))
        operations = self._jwk.get("key_ops", ["verify"])
        return (
            self._jwk.get("kty") == key_type
            and self._jwk.get("crv") in curves
            and self._jwk.get("use", "sig") == "sig"
            and self._jwk.get("alg", algorithm) == algorithm
            and isinstance(operations, list)
            and "verify" in operations
        )

    def ready(self, algorithm: str) -> PyJWK | None:
        """The key as PyJWT takes it; None where it is broken or too weak."""
        if algorithm not in self._ready:
            self._ready[algorithm] = self._make_ready(algorithm)
        return self._ready[algorithm]

    def _make_ready(self, algorithm: str) -> PyJWK | None:
        from jwt import PyJWK, PyJWTError  # noqa: PLC0415  lazy: a server with static keys never needs it

        # The public part alone: PyJWT makes a private key of a JWK that holds one, and that verifies nothing.
        public = {name: value for name in _PUBLIC if isinstance(value := self._jwk.get(name), str)}
        try:
            key = PyJWK(public, algorithm)
        except (PyJWTError, ValueError, TypeError, KeyError):
            return None
        if public["kty"] == "RSA" and key.key.key_size < MIN_RSA_BITS:
            return None
        return key
