"""Nobody reads another's memory: not under load, not by the tricks that an id or a key can play."""

from __future__ import annotations

import asyncio
import itertools
import json

import pytest

from remember import Authenticator, FetchHandler, JwtVerifier, KeySet, create_fetch_handler
from remember.stores.memory import MemoryStore
from tests.fetch.stores import Slow
from tests.identity.issuer import AUDIENCE, ISSUER, MovedClock, Published, jwk, rsa_key, token
from tests.protocol.requests import ANA, BOB, call, memory_handler, post, two_clients
from tests.standins.client import Client

ROUNDS = 1_000
AT_ONCE = 50


def test_a10_requests_that_meet_get_each_their_own_answer() -> None:
    """A10: 50 at once, of two users with the same JSON-RPC id, 1,000 times over; 0 cross answers.

    Unsealed, so that no seal could hide that a request read at another's place.
    """
    handler = memory_handler(Slow(), environ={"REMEMBER_ENCRYPTION": "off", "REMEMBER_RATE_LIMIT": "0"})
    owners = [("ana", ANA), ("bob", BOB)] * (AT_ONCE // 2)
    requests = [post(call("recall", key="who") | {"id": 2}, key=key) for _, key in owners]

    async def story() -> int:
        for name, key in owners[:2]:
            await handler.fetch(post(call("remember_this", key="who", value=f"it is {name}"), key=key))
        wrong = 0
        for _ in range(ROUNDS):
            responses = await asyncio.gather(*(handler.fetch(request) for request in requests))
            for (name, _), response in zip(owners, responses, strict=True):
                wrong += f'"value":"it is {name}"'.encode() not in response.body
        return wrong

    assert asyncio.run(story()) == 0


def test_a10_writes_that_meet_stay_apart_too() -> None:
    """A10: each user's 25 writers at once, under the same keys and ids; each key holds what its owner wrote."""
    handler = memory_handler(Slow())
    ana, bob = two_clients(handler)

    async def story() -> None:
        writes = [
            client.call_async("remember_this", {"key": f"k{number}", "value": [name, number]}, id=2)
            for number in range(25)
            for name, client in (("ana", ana), ("bob", bob))
        ]
        await asyncio.gather(*writes)
        for number, (name, client) in itertools.product(range(25), (("ana", ana), ("bob", bob))):
            assert (await client.call_async("recall", {"key": f"k{number}"})).data["value"] == [name, number]

    asyncio.run(story())


# --- identities --------------------------------------------------------------------------------------------------

TRICKY = [
    "*", "**", "?", "[a-z]", "a", "a:b", "a:b:c", ":", "::", "%", "%3A", "a%3Ab", "a%b", "\\", "a\\:b", "..", "../bob",
    "/", "global", "user", "index", "index:user:a", "v2", "__layout__", "remember:v2:user:a", "A", " a", "a ", "á",
    "a\u0301", "106242075399214372653", "106242075399214372650", "106242075399214370000", "0", "-1", "null", "true",
    "{}", "$", "#", "|", "a|b", "{v1}", "a[b]?\\", "anon", "static", "alice@example.com",
    "123e4567-e89b-12d3-a456-426614174000", "x" * 255,
]  # fmt: skip


def server_for_tokens(store: MemoryStore) -> FetchHandler:
    """The memory server for the tokens of the tests' issuer."""
    clock = MovedClock()
    published = Published()
    published.keys(jwk(rsa_key(), kid="one"))
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=published)
    auth = Authenticator(jwt=JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock))
    return create_fetch_handler(environ={}, auth=auth, store=store, clock=clock)


@pytest.mark.parametrize("scope", ["user", "session", "tool"])
def test_a1_a3_a4_a8_no_two_ids_share_anything(scope: str) -> None:
    """A1, A3, A4, A8: each of these callers finds, lists and forgets their own, and all others keep theirs."""
    store = MemoryStore(MovedClock())
    handler = server_for_tokens(store)
    clients = {sub: Client(handler, token(sub=sub)) for sub in TRICKY}

    async def story() -> None:
        for sub, client in clients.items():
            kept = await client.call_async("remember_this", {"key": "x", "value": f"of {sub}", "scope": scope})
            assert kept.data["replaced"] is False, sub
        assert len(store._entries) == len(TRICKY)
        if scope == "tool":
            return
        for sub, client in clients.items():
            assert (await client.call_async("recall", {"key": "x", "scope": scope})).data["value"] == f"of {sub}"
            assert (await client.call_async("list_memories", {"scope": scope})).data["keys"] == ["x"]
        for gone, client in enumerate(clients.values(), 1):
            assert (await client.call_async("forget", {"key": "x", "scope": scope})).data["existed"] is True
            assert len(store._entries) == len(TRICKY) - gone

    asyncio.run(story())


def test_a1_an_id_and_a_key_cannot_be_cut_elsewhere() -> None:
    """A1: `u` with the key `x:y` and `u:x` with the key `y` are two things, in every scope that has an owner."""
    handler = server_for_tokens(MemoryStore(MovedClock()))
    first, second = Client(handler, token(sub="u")), Client(handler, token(sub="u:x"))
    for scope in ("user", "session"):
        first.call("remember_this", {"key": "x:y", "value": 1, "scope": scope})
        assert second.call("recall", {"key": "y", "scope": scope}).data["found"] is False
        assert second.call("list_memories", {"scope": scope}).data["keys"] == []


@pytest.mark.parametrize(
    "sub", ["stateless-user:bob", "anon:0123456789abcdef", "static:ana", "session:x", "stateless-user:", "anon:"]
)
def test_a3_a_reserved_word_in_an_id_is_refused(sub: str) -> None:
    """A3: nobody's identity provider may name them like an identity of another source."""
    reply = Client(server_for_tokens(MemoryStore(MovedClock())), token(sub=sub)).rpc("tools/list")
    assert reply.status == 401
    assert sub not in json.dumps(reply.body)


def test_a3_a_key_may_be_called_like_anything_of_ours() -> None:
    """A3: they are names of the caller's own, in every scope, and touch nothing else in the store."""
    store = MemoryStore(MovedClock())
    ana, bob = two_clients(memory_handler(store))
    names = [
        "__layout__",
        "index",
        "v2",
        "remember:__layout__",
        "stateless-user:bob",
        "user:bob",
        "index:user:static%3Abob",
    ]
    for name, scope in itertools.product(names, ("session", "user", "tool", "global")):
        assert ana.call("remember_this", {"key": name, "value": 1, "scope": scope}).data["replaced"] is False
    assert len(store._entries) == len(names) * 4
    assert "remember:__layout__" not in store._entries
    for scope in ("session", "user"):
        assert ana.call("list_memories", {"scope": scope}).data["keys"] == sorted(names)
        assert bob.call("list_memories", {"scope": scope}).data["keys"] == []


def test_a4_a_key_is_taken_literally() -> None:
    """A4: `*` forgets a key called `*`, and recalls it, and nothing else."""
    ana, _ = two_clients(memory_handler())
    for key in ("*", "draft[1]", "draft1", "a?c", "abc"):
        ana.call("remember_this", {"key": key, "value": key})
    assert ana.call("recall", {"key": "draft[1]"}).data["value"] == "draft[1]"
    assert ana.call("list_memories", {"pattern": "draft[1]"}).data["keys"] == ["draft[1]"]
    assert ana.call("forget", {"key": "*"}).data["existed"] is True
    assert ana.call("forget", {"key": "*"}).data["existed"] is False
    assert ana.call("list_memories").data["keys"] == ["a?c", "abc", "draft1", "draft[1]"]


def test_a8_an_id_of_21_digits_is_stored_to_the_last_digit() -> None:
    """A8: and so is a value of that size, as text and as a number."""
    store = MemoryStore(MovedClock())
    client = Client(server_for_tokens(store), token(sub="106242075399214372653"))
    for value in ("106242075399214372653", 106242075399214372653, 2**53 + 1):
        client.call("remember_this", {"key": "k", "value": value, "scope": "user"})
        got = client.call("recall", {"key": "k", "scope": "user"}).data["value"]
        assert (got, type(got)) == (value, type(value))
    assert list(store._entries) == ["remember:v2:user:106242075399214372653:k"]


@pytest.mark.parametrize(
    "intruding",
    [{"user_id": "static:bob"}, {"sub": "static:bob"}, {"userId": "static:bob"}, {"owner": "static:bob"},
     {"namespace": "../bob"}, {"session_id": "stateless-user:static:bob"}],
)  # fmt: skip
def test_a11_who_is_meant_cannot_be_said_in_the_arguments(intruding: dict[str, str]) -> None:
    """A11: the credential alone says it; an argument that tries is refused by name."""
    ana, bob = two_clients(memory_handler())
    bob.call("remember_this", {"key": "k", "value": "of bob", "scope": "user"})
    reply = ana.call("recall", {"key": "k", "scope": "user", **intruding})
    assert reply.code == "INVALID_INPUT"
    assert next(iter(intruding)) in reply.text


@pytest.mark.parametrize("name", ["x-user-id", "x-forwarded-user", "x-remember-user", "mcp-session-id", "cookie"])
def test_a11_a14_who_is_meant_cannot_be_said_in_a_header(name: str) -> None:
    """A11, A14: no header but Authorization says who calls."""
    ana, bob = two_clients(memory_handler())
    bob.call("remember_this", {"key": "k", "value": "of bob", "scope": "user"})
    for value in ("static:bob", "bob", "stateless-user:static:bob", f"session={BOB}"):
        reply = ana.call("recall", {"key": "k", "scope": "user"}, headers=[(name, value)])
        assert reply.data["found"] is False
        assert reply.header(name) is None


def test_a12_the_widest_forgetting_ends_at_its_owner() -> None:
    """A12: everything of Ana's goes, key by key, and Bob still has his three."""
    ana, bob = two_clients(memory_handler())
    for client, key in itertools.product((ana, bob), "abc"):
        client.call("remember_this", {"key": key, "value": 1, "scope": "user"})
    for key in ("*", "a", "b", "c", ""):
        ana.call("forget", {"key": key, "scope": "user"})
    assert ana.call("list_memories", {"scope": "user"}).data["keys"] == []
    assert bob.call("list_memories", {"scope": "user"}).data["keys"] == ["a", "b", "c"]


def test_a14_a_session_id_without_a_credential_opens_nothing() -> None:
    """A14: 401, as for anybody else."""
    handler = memory_handler()
    stranger = Client(handler, headers=[("mcp-session-id", "stateless-user:static:bob")])
    assert stranger.call("recall", {"key": "k"}, headers=[]).status == 401


def test_a_cursor_of_one_caller_is_none_of_another() -> None:
    """I11: a place in a list belongs to whose list it is."""
    ana, bob = two_clients(memory_handler())
    for client, key in itertools.product((ana, bob), "abc"):
        client.call("remember_this", {"key": key, "value": 1})
    cursor = ana.call("list_memories", {"limit": 1}).data["next_cursor"]
    assert ana.call("list_memories", {"cursor": cursor}).data["keys"] == ["b", "c"]
    assert bob.call("list_memories", {"cursor": cursor}).code == "INVALID_INPUT"
    assert ana.call("list_memories", {"cursor": cursor, "scope": "global"}).code == "INVALID_INPUT"
