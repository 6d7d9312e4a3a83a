"""The page's example: keeping users apart with tokens that an identity provider signs, over one server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest

from remember import create_fetch_handler
from tests.identity.issuer import AUDIENCE, MovedClock, Server, jwk, rsa_key, token
from tests.seed.apps import prefs
from tests.seed.served import SECRET
from tests.standins.client import Client

As = Callable[[str], Client]


@pytest.fixture
def issuer() -> Iterator[Server]:
    running = Server()
    running.publish(jwk(rsa_key(), kid="one"))
    yield running
    running.close()


@pytest.fixture
def as_user(issuer: Server) -> As:
    """Gives the client of a user whom the issuer knows by this `sub`; all of them call one handler."""
    environ = {
        "REMEMBER_SECRET": SECRET,
        "REMEMBER_ISSUER": issuer.url,
        "REMEMBER_AUDIENCE": AUDIENCE,
        "REMEMBER_JWKS_URL": f"{issuer.url}/keys",
    }
    handler = create_fetch_handler(prefs(), environ=environ, clock=MovedClock())
    return lambda sub: Client(handler, token(iss=issuer.url, sub=sub))


@pytest.mark.promise("usage.transparent", "accessor.user-id", "scope.user.apart", "trouble.other-user")
def test_two_users_of_one_server_keep_their_own_language(as_user: As) -> None:
    """user_id is the token's sub, and each sub has its own values."""
    as_user("nour").call("set_language", {"language": "ar"})
    as_user("sam").call("set_language", {"language": "en-GB"})
    assert as_user("nour").call("get_language").data == {"user": "nour", "language": "ar"}
    assert as_user("sam").call("get_language").data == {"user": "sam", "language": "en-GB"}


@pytest.mark.promise("usage.transparent")
def test_concurrent_users_never_get_each_others_answer(as_user: As) -> None:
    """The accessor is built for each request: 20 users at once, all with the same JSON-RPC id."""
    users = [f"user-{number}" for number in range(20)]

    async def story() -> None:
        clients = [as_user(user) for user in users]
        await asyncio.gather(
            *(
                client.call_async("set_language", {"language": user}, id=1)
                for client, user in zip(clients, users, strict=True)
            )
        )
        replies = await asyncio.gather(*(client.call_async("get_language", id=1) for client in clients))
        assert [reply.data for reply in replies] == [{"user": user, "language": user} for user in users]

    asyncio.run(story())


@pytest.mark.promise("house.4")
@pytest.mark.parametrize("sub", ["*", "n*", "no?r", "nour:", ":nour", "%6eour", "nou%72", "Nour", "nour ", "nоur"])
def test_a_sub_that_looks_like_another_finds_nothing_of_it(as_user: As, sub: str) -> None:
    """Separators, glob characters, percent signs, case and look-alike letters make a different user."""
    as_user("nour").call("set_language", {"language": "ar"})
    assert as_user(sub).call("get_language").data == {"user": sub, "language": "en"}


@pytest.mark.promise("house.3")
def test_a_token_of_somebody_else_is_refused(issuer: Server, as_user: As) -> None:
    """A bad token is 401, never anonymous."""
    forged = Client(as_user("nour").handler, token(rsa_key(2), iss=issuer.url, sub="nour"))
    reply = forged.call("get_language")
    assert reply.status == 401
    assert 'error="invalid_token"' in str(reply.header("www-authenticate"))
