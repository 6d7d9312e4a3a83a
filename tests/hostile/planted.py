"""A server with two people's things in it, and what the one has seen of the other's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from remember import Authenticator, JwtVerifier, KeySet, StaticKeys, Store, create_fetch_handler
from tests.hostile.credentials import good_token
from tests.identity.issuer import AUDIENCE, ISSUER, MovedClock, Published, ec_key, jwk, rsa_key
from tests.protocol.requests import BOB
from tests.standins.client import META, Client

CANARIES = {"ana": "canaryofana", "bob": "canaryofbob"}
"""Words that stand in everything that one of the two has kept."""

SECRETS = ("a-server-secret-of-the-hostile-tests",)
ENVIRON = {"REMEMBER_RATE_LIMIT": "0", "REMEMBER_SECRET": SECRETS[0]}
WORDS_ALONE = {"REMEMBER_MODEL": "/there/is/no/such/file"}
SCOPES = ("user", "session")


@dataclass(frozen=True)
class Planted:
    """The server, and what an attacker may have seen of it: ids, cursors, confirmations and states of both people."""

    clock: MovedClock
    attacker: Client
    bob: Client
    seen: tuple[str, ...] = ()
    before: Mapping[str, Any] = field(default_factory=dict)

    def all_of_bob(self) -> dict[str, Any]:
        """Everything that Bob finds, the times of looking left out."""
        return {scope: _everything(self.bob, scope) for scope in SCOPES}


def plant(store: Store, clock: MovedClock, *, model: bool = False) -> Planted:
    """The memory server over `store`, with things of Ana and Bob in it."""
    published = Published()
    published.keys(jwk(rsa_key(), kid="one"), jwk(ec_key(), kid="two"))
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=published)
    auth = Authenticator(
        static=StaticKeys.of({"bob": BOB}), jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock), anonymous=True
    )
    environ = ENVIRON | ({} if model else WORDS_ALONE)
    handler = create_fetch_handler(environ=environ, auth=auth, store=store, clock=clock)
    ana, bob = Client(handler, good_token()), Client(handler, BOB)
    for name, client in (("ana", ana), ("bob", bob)):
        _fill(client, CANARIES[name])
    made = Planted(clock, ana, bob)
    return Planted(clock, ana, bob, (*_seen(ana), *_seen(bob)), made.all_of_bob())


def _fill(client: Client, canary: str) -> None:
    for scope in (*SCOPES, "tool"):
        for number in range(3):
            value = {"text": f"{canary} {number}", "long": f"{canary} " * (2_000 if number == 2 else 1)}
            kept = client.call("remember_this", {"key": f"{canary}:{number}", "value": value, "scope": scope})
            assert kept.data["success"] is True
    for scope in SCOPES:
        for content in (
            "drinks tea at five",
            "decided for Postgres over MySQL",
            "prefers dark themes",
            "lives in Bonn",
        ):
            note = {"content": f"{canary} {content}", "tags": [canary, content.split()[0]], "namespace": canary}
            assert client.call("engram_remember", {**note, "scope": scope}).data["outcome"] == "created"


def _everything(client: Client, scope: str) -> dict[str, Any]:
    keys = client.call("list_memories", {"scope": scope, "limit": 100}).data["keys"]
    notes = client.call("engram_recall", {"query": "*", "scope": scope, "limit": 20}).data["memories"]
    return {
        "values": {key: client.call("recall", {"key": key, "scope": scope}).result["content"] for key in keys},
        "notes": sorted((note["id"], note["content"]) for note in notes),
    }


def _seen(client: Client) -> list[str]:
    """What one person's client was told and another's may have got hold of."""
    able = {"_meta": META | {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}}
    asked = client.rpc("tools/call", {"name": "forget_all", "arguments": {"scope": "user"}, **able}).result
    notes = client.call("engram_recall", {"query": "*", "limit": 2})
    return [
        *(note["id"] for note in notes.data["memories"]),
        notes.data["next_cursor"],
        client.call("list_memories", {"limit": 1}).data["next_cursor"],
        client.call("forget_all", {"scope": "session"}).data["confirmation"],
        asked["requestState"],
    ]


def bob_lost_nothing(planted: Planted) -> None:
    """Whatever was tried in Ana's name and in nobody's, Bob has what he had."""
    assert planted.all_of_bob() == planted.before
