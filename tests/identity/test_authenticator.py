"""From the header to the caller (cases A3, A11, A14, E4, F3, F8, F10)."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from remember.caller import Caller
from remember.errors import ConfigurationError, CredentialRefused, KeysUnavailable
from remember.identity import Authenticator, JwtVerifier, StaticKeys, challenge, open_authenticator
from remember.settings import Settings
from tests.identity.issuer import AUDIENCE, ISSUER, NOW, MovedClock, Published, Server, document, jwk, rsa_key, token

KEY = "key-of-ana-0123456789"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def static() -> StaticKeys:
    return StaticKeys.parse(f"ana={KEY}")


def identify(authenticator: Authenticator, *headers: str) -> Caller:
    return asyncio.run(authenticator.identify(headers))


def refused(authenticator: Authenticator, *headers: str) -> CredentialRefused:
    with pytest.raises(CredentialRefused) as caught:
        identify(authenticator, *headers)
    return caught.value


def test_a_static_key_names_its_caller(static: StaticKeys) -> None:
    """Without a session, for a request has none."""
    caller = identify(Authenticator(static=static), f"Bearer {KEY}")
    assert caller == Caller("static:ana", None)
    assert not caller.anonymous


def test_a_token_names_its_subject(verifier: JwtVerifier) -> None:
    """As the issuer wrote it."""
    sub = "106242075399214372653"
    assert identify(Authenticator(jwt=verifier), f"bearer {token(sub=sub)}") == Caller(sub)


def test_both_ways_work_side_by_side(static: StaticKeys, verifier: JwtVerifier, published: Published) -> None:
    """Static keys first, which costs the issuer nothing."""
    both = Authenticator(static=static, jwt=verifier)
    assert identify(both, f"Bearer {KEY}").user_id == "static:ana"
    assert published.fetched == []
    assert identify(both, f"Bearer {token()}").user_id == "ana"


def test_a_static_key_that_looks_like_a_token_is_found_first(verifier: JwtVerifier) -> None:
    """Whatever form the owner gave it."""
    both = Authenticator(static=StaticKeys.of({"ana": "aaaaaaaa.bbbbbbbb.cccccccc"}), jwt=verifier)
    assert identify(both, "Bearer aaaaaaaa.bbbbbbbb.cccccccc").user_id == "static:ana"


def test_identities_of_the_two_sources_never_meet(static: StaticKeys, verifier: JwtVerifier) -> None:
    """An issuer that signs `static:ana` does not become the owner of that key's memory."""
    both = Authenticator(static=static, jwt=verifier)
    for sub in ("static:ana", "stateless-user:bob", "anon:x", "session:x"):
        assert refused(both, f"Bearer {token(sub=sub)}").presented
    assert identify(both, f"Bearer {token(sub='global')}").user_id == "global"


@pytest.mark.parametrize("anonymous", [True, False])
def test_without_a_header_it_depends_on_whether_strangers_may_come_in(static: StaticKeys, anonymous: bool) -> None:
    """A stranger is told apart from every other; where none may come in, the refusal says that nothing was sent."""
    authenticator = Authenticator(static=static, anonymous=anonymous)
    if not anonymous:
        assert not refused(authenticator).presented
        return
    first, second = identify(authenticator), identify(authenticator)
    assert first.anonymous
    assert first.user_id.startswith("anon:")
    assert first != second


BAD = [
    "", "Bearer", "Bearer ", "Basic x", "Bearer anything", "Bearer .", "Bearer a.b.c", f"Bearer {KEY}x",
    f"Bearer {KEY[:-1]}",
    f"Basic {KEY}", KEY, f"Bearer ana={KEY}", "Bearer static:ana", "Bearer \xc3\xa1", "Bearer \xff",
    "Bearer " + "x" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("header", BAD)
@pytest.mark.parametrize("way", ["static", "jwt", "both", "none"])
def test_a_bad_credential_is_refused_and_never_a_stranger(
    static: StaticKeys, verifier: JwtVerifier, way: str, header: str, published: Published
) -> None:
    """With strangers allowed in, too; and each gets a challenge with an error code, without the credential in it."""
    authenticator = Authenticator(
        static=static if way in ("static", "both") else None,
        jwt=verifier if way in ("jwt", "both") else None,
        anonymous=True,
    )
    error = refused(authenticator, header)
    assert error.presented
    assert 'error="invalid_token"' in challenge(error, metadata_url=None)
    assert KEY not in str(error)
    assert published.fetched == []


def test_missing_junk_and_expired_all_get_a_challenge(verifier: JwtVerifier) -> None:
    """Case E4: a rejected token's answer has the header as well as a missing one's."""
    authenticator = Authenticator(jwt=verifier)
    for headers, code in (((), False), (("Bearer junk",), True), ((f"Bearer {token(exp=NOW - 7200)}",), True)):
        value = challenge(refused(authenticator, *headers), metadata_url=None)
        assert value.startswith('Bearer realm="remember"')
        assert ("invalid_token" in value) is code


def test_two_headers_are_refused_even_if_both_are_good(static: StaticKeys) -> None:
    """The first is not taken for the one that counts."""
    assert refused(Authenticator(static=static), f"Bearer {KEY}", f"Bearer {KEY}").presented


def test_nothing_but_the_header_can_say_who_is_calling() -> None:
    """Cases A11, A14, F8: there is no way in for a query, a session id, another header or an argument."""
    assert list(inspect.signature(Authenticator.identify).parameters) == ["self", "authorization"]


def test_keys_that_cannot_be_had_are_not_a_bad_token(verifier: JwtVerifier, published: Published) -> None:
    """Strangers allowed or not: 503, and the token is not taken for none."""
    published.documents = {}
    with pytest.raises(KeysUnavailable):
        identify(Authenticator(jwt=verifier, anonymous=True), f"Bearer {token()}")


def test_it_says_what_it_can_do(static: StaticKeys, verifier: JwtVerifier) -> None:
    """`oauth` and `issuer` for the documents, `ways` for the health page."""
    nobody, everybody = Authenticator(), Authenticator(static=static, jwt=verifier, anonymous=True)
    assert (nobody.oauth, nobody.issuer, nobody.ways) == (False, None, ())
    assert (everybody.oauth, everybody.issuer) == (True, ISSUER)
    assert everybody.ways == ("static keys", "bearer tokens", "anonymous")
    assert not Authenticator(static=static, anonymous=True).oauth


def test_fifty_callers_at_once_stay_apart(static: StaticKeys, verifier: JwtVerifier) -> None:
    """Each gets the answer to its own credential, while the keys are still being fetched."""
    authenticator = Authenticator(static=static, jwt=verifier)
    users = [f"user-{number}" for number in range(50)]
    headers = [[f"Bearer {token(sub=user)}"] for user in users]

    async def all_at_once() -> list[Caller]:
        return await asyncio.gather(*(authenticator.identify(header) for header in headers))

    assert [caller.user_id for caller in asyncio.run(all_at_once())] == users


def test_no_log_line_holds_a_key_or_a_token(
    static: StaticKeys, verifier: JwtVerifier, caplog: pytest.LogCaptureFixture
) -> None:
    """With every logger turned up, for what is let in and what is refused."""
    caplog.set_level(logging.DEBUG)
    authenticator = Authenticator(static=static, jwt=verifier)
    for credential in (KEY, KEY + "x", token(), token(exp=1)):
        with contextlib.suppress(CredentialRefused):
            identify(authenticator, f"Bearer {credential}")
        assert credential not in caplog.text


# ── from the settings ─────────────────────────────────────────────────────────────────────────


def opened(**environ: str) -> Authenticator:
    return open_authenticator(Settings.read(environ), clock=MovedClock())


def test_settings_with_static_keys() -> None:
    """The variable's keys, and no tokens."""
    authenticator = opened(REMEMBER_API_KEYS=f"ana={KEY}\n")
    assert identify(authenticator, f"Bearer {KEY}").user_id == "static:ana"
    assert not authenticator.oauth
    assert not refused(authenticator).presented


@pytest.mark.parametrize("discover", [True, False])
def test_settings_with_an_issuer(server: Server, discover: bool) -> None:
    """Issuer and audience, with or without the address of the keys; over real HTTP."""
    server.publish(jwk(rsa_key(), kid="one"))
    server.answers["/.well-known/openid-configuration"] = document(server.url, server.url + "/keys")
    where = {} if discover else {"REMEMBER_JWKS_URL": server.url + "/keys"}
    authenticator = opened(REMEMBER_ISSUER=server.url, REMEMBER_AUDIENCE=f"{AUDIENCE}, other", **where)
    assert authenticator.issuer == server.url
    for audience in (AUDIENCE, "other"):
        assert identify(authenticator, f"Bearer {token(iss=server.url, aud=audience)}").user_id == "ana"


def test_settings_pin_the_algorithms(server: Server) -> None:
    """RS256 and ES256 unless said otherwise."""
    server.publish(jwk(rsa_key(), kid="one"))
    where = {"REMEMBER_ISSUER": server.url, "REMEMBER_AUDIENCE": AUDIENCE, "REMEMBER_JWKS_URL": server.url + "/keys"}
    assert refused(opened(**where), f"Bearer {token(algorithm='PS256', iss=server.url)}").presented
    assert identify(opened(**where, REMEMBER_ALGORITHMS="PS256"), f"Bearer {token(algorithm='PS256', iss=server.url)}")


def test_settings_that_let_strangers_in() -> None:
    """Alone that is enough to start; a credential is then one too many."""
    authenticator = opened(REMEMBER_ANONYMOUS="allow")
    assert identify(authenticator).anonymous
    assert refused(authenticator, f"Bearer {KEY}").presented


def test_settings_that_let_nobody_in_say_what_to_set() -> None:
    """All three ways, by the names to type, and where a key comes from."""
    with pytest.raises(ConfigurationError) as wrong:
        opened()
    assert wrong.value.variable == "REMEMBER_API_KEYS"
    ways = ("REMEMBER_API_KEYS", "remember keygen", "REMEMBER_ISSUER", "REMEMBER_AUDIENCE", "REMEMBER_ANONYMOUS=allow")
    assert all(name in str(wrong.value) for name in ways)


@pytest.mark.parametrize(
    ("environ", "variable"),
    [
        ({"REMEMBER_API_KEYS": f"alice:{KEY}"}, "REMEMBER_API_KEYS"),
        ({"REMEMBER_API_KEYS": f"alice={KEY},bob={KEY}"}, "REMEMBER_API_KEYS"),
        ({"REMEMBER_API_KEYS": f"ana={KEY}", "REMEMBER_ISSUER": ISSUER}, "REMEMBER_AUDIENCE"),
        ({"REMEMBER_API_KEYS": f"ana={KEY}", "REMEMBER_AUDIENCE": AUDIENCE}, "REMEMBER_ISSUER"),
        ({"REMEMBER_ISSUER": "http://issuer.example", "REMEMBER_AUDIENCE": AUDIENCE}, "REMEMBER_ISSUER"),
        (
            {"REMEMBER_ISSUER": ISSUER, "REMEMBER_AUDIENCE": AUDIENCE, "REMEMBER_JWKS_URL": "http://keys.example"},
            "REMEMBER_JWKS_URL",
        ),
        (
            {"REMEMBER_ISSUER": ISSUER, "REMEMBER_AUDIENCE": AUDIENCE, "REMEMBER_ALGORITHMS": "RS256,HS256"},
            "REMEMBER_ALGORITHMS",
        ),
        ({"REMEMBER_API_KEYS": f"ana={KEY}", "REMEMBER_ANONYMOUS": "yes"}, "REMEMBER_ANONYMOUS"),
    ],
)
def test_settings_that_are_wrong_stop_the_start(environ: dict[str, str], variable: str) -> None:
    """Rather than serving with half of what was meant."""
    with pytest.raises(ConfigurationError) as wrong:
        opened(**environ)
    assert wrong.value.variable == variable
    assert KEY not in str(wrong.value)


# ── cold start ────────────────────────────────────────────────────────────────────────────────


def test_static_keys_load_neither_pyjwt_nor_cryptography_nor_an_http_client() -> None:
    """In a fresh process, with keys and a refused token, as a cold function does it."""
    script = f"""
import asyncio, sys
from remember.clock import system_clock
from remember.identity import open_authenticator
from remember.errors import CredentialRefused
from remember.settings import Settings
authenticator = open_authenticator(Settings.read({{"REMEMBER_API_KEYS": "ana={KEY}"}}), clock=system_clock)
assert asyncio.run(authenticator.identify(["Bearer {KEY}"])).user_id == "static:ana"
try:
    asyncio.run(authenticator.identify(["Bearer a.b.c"]))
except CredentialRefused:
    print(*sorted(set(sys.modules) & {{"jwt", "cryptography", "urllib.request", "http.client"}}), "nothing else")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "nothing else"
