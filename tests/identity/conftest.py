"""The issuer's parts as fixtures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from remember.identity import JwtVerifier, KeySet
from tests.identity.issuer import AUDIENCE, ISSUER, MovedClock, Published, Server, jwk, rsa_key


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


@pytest.fixture
def published() -> Published:
    issuer = Published()
    issuer.keys(jwk(rsa_key(), kid="one"))
    return issuer


@pytest.fixture
def keys(clock: MovedClock, published: Published) -> KeySet:
    return KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=published)


@pytest.fixture
def verifier(clock: MovedClock, keys: KeySet) -> JwtVerifier:
    return JwtVerifier(ISSUER, (AUDIENCE,), keys, ("RS256", "ES256", "EdDSA"), clock=clock)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()
