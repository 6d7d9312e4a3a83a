"""An issuer with real keys, a clock that tests move, and a real HTTP server on loopback."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

NOW = 1_800_000_000  # seconds
ISSUER = "https://issuer.example"
AUDIENCE = "https://memory.example/mcp"


def rsa_key(number: int = 1, bits: int = 2048) -> rsa.RSAPrivateKey:
    """One of several RSA keys; the issuer's own is the first."""
    return _rsa_key(number, bits)


@cache
def _rsa_key(number: int, bits: int) -> rsa.RSAPrivateKey:  # made once a run, for they are slow to make
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


@cache
def ec_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@cache
def ed_key() -> ed25519.Ed25519PrivateKey:
    return ed25519.Ed25519PrivateKey.generate()


def jwk(key: Any, **members: object) -> dict[str, Any]:
    """The public JWK of a private key, with `members` added."""
    algorithm: Any = OKPAlgorithm
    if isinstance(key, rsa.RSAPrivateKey):
        algorithm = RSAAlgorithm
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        algorithm = ECAlgorithm
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), **members}


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(**changes: object) -> dict[str, Any]:
    """Good claims, changed; a change to `...` takes one away."""
    good = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ana", "iat": NOW - 10, "exp": NOW + 600, **changes}
    return {name: value for name, value in good.items() if value is not ...}


def token(
    key: Any = None,
    algorithm: str = "RS256",
    kid: str | None = "one",
    headers: dict[str, Any] | None = None,
    **changes: object,
) -> str:
    """A token that `key` signed over good claims with `changes`."""
    headers = {**({"kid": kid} if kid is not None else {}), **(headers or {})}
    payload = json.dumps(claims(**changes)).encode()
    return jwt.PyJWS().encode(payload, key or rsa_key(), algorithm, headers)


class MovedClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.ms = NOW * 1000

    def __call__(self) -> int:
        return self.ms

    def forward(self, seconds: float) -> None:
        self.ms += int(seconds * 1000)


@dataclass
class Published:
    """A fetch function that answers with what a test put at each URL, and counts."""

    documents: dict[str, bytes] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)

    def keys(self, *jwks: dict[str, Any]) -> None:
        self.documents = {"https://issuer.example/keys": json.dumps({"keys": jwks}).encode()}

    async def __call__(self, url: str) -> bytes:
        self.fetched.append(url)
        if url not in self.documents:
            raise ConnectionRefusedError(url)
        return self.documents[url]


Answer = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """A real HTTP server on loopback; a test says what stands at each path, and which were asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                server.answers.get(self.path, answer(404, b"nothing here"))(self)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def publish(self, *jwks: dict[str, Any], path: str = "/keys") -> None:
        self.answers[path] = answer(200, json.dumps({"keys": jwks}).encode())

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def answer(status: int, body: bytes, **headers: str) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        try:
            handler.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True  # the client had enough

    return send


def document(issuer: str, jwks_uri: object) -> Answer:
    """An issuer's discovery document."""
    return answer(200, json.dumps({"issuer": issuer, "jwks_uri": jwks_uri}).encode())
