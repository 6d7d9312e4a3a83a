"""Bearer credentials that somebody might try: good ones, others' changed or cut, and tokens with every usual trick."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.identity.issuer import NOW, b64, claims, ec_key, jwk, rsa_key, token
from tests.protocol.requests import BOB


@dataclass(frozen=True)
class Credential:
    """A bearer credential, and whose it is: None where it is nobody's."""

    text: str
    owner: str | None = None


@cache
def good_token() -> str:
    return token(sub="ana", exp=NOW + 3_000_000)


@cache
def credentials() -> tuple[Credential, ...]:
    """Good ones of Ana's, Bob's changed or cut, and tokens with every usual trick."""
    good = good_token()
    head, body, signature = good.split(".")
    public = rsa_key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    ends: dict[str, Any] = {"exp": NOW + 3_000_000}
    as_bob = claims(sub="static:bob", **ends)
    refused = [
        *(_signed({"alg": alg}, as_bob, b"") for alg in ("none", "None", "nOnE", "")),
        _signed({"alg": "HS256", "kid": "one"}, as_bob, public),
        _signed({"alg": "HS256", "kid": "one"}, as_bob, b""),
        f"{head}.{b64(json.dumps(as_bob).encode())}.{signature}",
        f"{head}.{body}.",
        f"{head}.{body}",
        good[:-1],
        good[: len(good) // 2],
        f"{good}.{signature}",
        token(rsa_key(2), sub="bob", **ends),
        token(ec_key(), "ES256", "one", sub="bob", **ends),
        token(sub="static:bob", **ends),
        token(sub="anon:1", **ends),
        token(sub="stateless-user:bob", **ends),
        token(sub="", **ends),
        token(sub=["bob"], **ends),
        token(sub="ana", aud="https://other.example", **ends),
        token(sub="ana", aud=..., **ends),
        token(sub="ana", iss="https://other.example", **ends),
        token(sub="ana", exp=NOW - 3_600),
        token(sub="ana", exp="never"),
        token(sub="ana", exp=1e308),
        token(sub="ana", exp=...),
        token(sub="ana", nbf=NOW + 9_000_000, **ends),
        token(sub="ana", headers={"crit": ["b64"]}, **ends),
        token(sub="ana", headers={"jwk": jwk(rsa_key(2))}, kid=None, **ends)[:-4],
        token(sub="ana", kid="../../../etc/passwd", **ends)[:-4],
        token(sub="x" * 7_000, **ends),
        BOB[:-1],
        BOB.upper(),
        "a." * 4_000,
        "x" * 9_000,
    ]
    return (
        Credential(good, "ana"),
        Credential(token(ec_key(), "ES256", "two", sub="ana", scope="memory:read memory:write", **ends), "ana"),
        Credential(token(sub="ana", scope="memory:read", **ends), "ana"),
        Credential(token(sub="ana", scope="other", **ends)),
        Credential(token(sub="b*b", **ends), "b*b"),
        Credential(token(sub="static%3Abob", **ends), "static%3Abob"),
        *(Credential(text) for text in refused),
    )


def _signed(header: Mapping[str, str], payload: Mapping[str, Any], key: bytes) -> str:
    """A token by hand, since no library makes these; an empty key leaves the signature out."""
    parts = ".".join(b64(json.dumps(part).encode()) for part in (header, payload))
    return f"{parts}.{b64(hmac.digest(key, parts.encode(), hashlib.sha256)) if key else ''}"
