"""The issuer's keys: fetched once, kept, fetched anew (cases F5, F7)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import select
import threading
from http.server import BaseHTTPRequestHandler

import pytest

from remember.caller import Caller
from remember.errors import ConfigurationError, CredentialRefused, KeysUnavailable
from remember.identity import JwtVerifier, KeySet
from remember.identity.download import MAX_BYTES, FetchFailed, download
from remember.identity.jwks import Fetch
from tests.identity.issuer import (
    AUDIENCE,
    ISSUER,
    Answer,
    MovedClock,
    Published,
    Server,
    answer,
    b64,
    claims,
    document,
    ec_key,
    jwk,
    rsa_key,
    token,
)

OPENID = "/.well-known/openid-configuration"
OAUTH = "/.well-known/oauth-authorization-server"


def accepted(verifier: JwtVerifier, kid: str = "one") -> bool:
    """Whether a token under the key of that name is accepted; keys that cannot be had are an error of their own."""
    try:
        return asyncio.run(verifier.verify(token(rsa_key(2) if kid == "two" else rsa_key(), kid=kid))) == Caller("ana")
    except CredentialRefused:
        return False


def opened(verifier: JwtVerifier, credential: str) -> bool:
    try:
        return asyncio.run(verifier.verify(credential)) == Caller("ana")
    except CredentialRefused:
        return False


def unsigned(kid: str | None) -> str:
    """A token with good claims and a signature of nobody's."""
    header = {"alg": "RS256", **({} if kid is None else {"kid": kid})}
    parts = (json.dumps(header).encode(), json.dumps(claims()).encode(), b"\0" * 256)
    return ".".join(map(b64, parts))


def served_by(server: Server, clock: MovedClock, deadline: float = 30.0) -> JwtVerifier:
    keys = KeySet(ISSUER, server.url + "/keys", clock=clock, deadline=deadline)
    return JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock)


def fetching_with(fetch: Fetch, clock: MovedClock) -> JwtVerifier:
    keys = KeySet(ISSUER, f"{ISSUER}/keys", clock=clock, fetch=fetch)
    return JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock)


# ── kept, and fetched anew ────────────────────────────────────────────────────────────────────


def test_keys_are_fetched_once_for_many_tokens(verifier: JwtVerifier, published: Published, clock: MovedClock) -> None:
    """Until their life of ten minutes ends."""
    assert all(accepted(verifier) for _ in range(20))
    clock.forward(599)
    assert accepted(verifier)
    assert len(published.fetched) == 1
    clock.forward(1)
    assert accepted(verifier)
    assert len(published.fetched) == 2


def test_a_rotated_key_is_found_at_once(verifier: JwtVerifier, published: Published) -> None:
    """A token under a new name costs one more fetch, although the old keys are a moment old."""
    assert accepted(verifier)
    published.keys(jwk(rsa_key(), kid="one"), jwk(rsa_key(2), kid="two"))
    assert accepted(verifier, "two")
    assert accepted(verifier, "one")
    assert len(published.fetched) == 2


def test_unknown_key_names_cost_one_fetch_in_half_a_minute(
    verifier: JwtVerifier, published: Published, clock: MovedClock
) -> None:
    """A thousand made-up tokens do not become a thousand requests to the issuer."""
    assert accepted(verifier)

    async def all_refused() -> None:
        for number in range(1000):
            with pytest.raises(CredentialRefused):
                await verifier.verify(unsigned(f"made-up-{clock.ms}-{number}"))

    asyncio.run(all_refused())
    assert len(published.fetched) == 2
    clock.forward(29.9)
    asyncio.run(all_refused())
    assert len(published.fetched) == 2
    clock.forward(0.1)
    asyncio.run(all_refused())
    assert len(published.fetched) == 3
    assert accepted(verifier)


def test_a_rotated_key_without_a_name_is_found_at_once(
    verifier: JwtVerifier, published: Published, clock: MovedClock
) -> None:
    """A token that names no key, and that no known one opens, is worth a look too; again after half a minute."""
    published.keys(jwk(rsa_key()))
    assert opened(verifier, token(kid=None))
    published.keys(jwk(rsa_key(2)))
    assert opened(verifier, token(rsa_key(2), kid=None))
    assert len(published.fetched) == 2
    published.keys(jwk(rsa_key(3)))
    assert not opened(verifier, token(rsa_key(3), kid=None))
    assert len(published.fetched) == 2
    clock.forward(30)
    assert opened(verifier, token(rsa_key(3), kid=None))
    assert len(published.fetched) == 3


def test_made_up_tokens_without_a_name_cost_one_fetch_in_half_a_minute(
    verifier: JwtVerifier, published: Published, clock: MovedClock
) -> None:
    """They share the cool-down with unknown names; and on a cold server the keys have only just come."""
    assert not opened(verifier, unsigned(None))
    assert len(published.fetched) == 1
    for _ in range(3):
        for number in range(300):
            assert not opened(verifier, unsigned(None if number % 2 else f"made-up-{number}"))
        clock.forward(30)
    assert len(published.fetched) == 1 + 3
    assert accepted(verifier)


def test_a_signature_under_a_known_name_is_not_worth_a_fetch(verifier: JwtVerifier, published: Published) -> None:
    """The key of that name is there, and did not sign this."""
    assert accepted(verifier)
    assert not opened(verifier, token(rsa_key(2)))
    assert len(published.fetched) == 1


def test_on_a_cold_server_made_up_tokens_at_once_cost_one_fetch(verifier: JwtVerifier, published: Published) -> None:
    """Keys that have just arrived are not asked for again."""

    async def at_once() -> list[Caller | BaseException]:
        calls = (verifier.verify(token(rsa_key(2), kid=f"made-up-{number}")) for number in range(100))
        return await asyncio.gather(*calls, return_exceptions=True)

    assert all(isinstance(result, CredentialRefused) for result in asyncio.run(at_once()))
    assert len(published.fetched) == 1


def test_tokens_under_a_new_key_that_arrive_together_are_all_accepted(clock: MovedClock) -> None:
    """Who comes while the keys are being fetched waits for them, and is not refused by the cool-down."""
    documents = [[jwk(rsa_key(), kid="one")], [jwk(rsa_key(2), kid="two")]]
    fetched: list[str] = []

    async def fetch(url: str) -> bytes:
        fetched.append(url)
        for _ in range(5):
            await asyncio.sleep(0)
        return json.dumps({"keys": documents[len(fetched) - 1]}).encode()

    verifier = fetching_with(fetch, clock)

    async def scene() -> list[Caller]:
        await verifier.verify(token())
        return await asyncio.gather(*(verifier.verify(token(rsa_key(2), kid="two")) for _ in range(50)))

    assert asyncio.run(scene()) == [Caller("ana")] * 50
    assert len(fetched) == 2


def test_old_keys_stay_in_use_while_the_issuer_is_away(
    verifier: JwtVerifier, published: Published, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    """For a day after the last fetch that worked; then nothing can be said any more."""
    good = published.documents
    assert accepted(verifier)
    published.documents = {}
    clock.forward(24 * 3600 - 1)
    assert asyncio.run(verifier.verify(token(exp=clock.ms // 1000 + 60))) == Caller("ana")
    assert "could not be fetched" in caplog.text
    clock.forward(1)
    with pytest.raises(KeysUnavailable):
        asyncio.run(verifier.verify(token(exp=clock.ms // 1000 + 60)))
    published.documents = good
    clock.forward(5)
    assert asyncio.run(verifier.verify(token(exp=clock.ms // 1000 + 60))) == Caller("ana")


def test_a_failed_fetch_is_not_repeated_at_once(verifier: JwtVerifier, published: Published, clock: MovedClock) -> None:
    """Five seconds apart, however many ask; the answer says when to come again."""
    published.documents = {}
    for passed, retry_after in ((0, 5), (0.5, 5), (3.5, 1), (0.999, 1)):
        clock.forward(passed)
        with pytest.raises(KeysUnavailable) as away:
            accepted(verifier)
        assert away.value.retry_after == retry_after
        assert "issuer.example" not in str(away.value)
    assert len(published.fetched) == 1
    clock.forward(0.001)
    published.keys(jwk(rsa_key(), kid="one"))
    assert accepted(verifier)
    assert len(published.fetched) == 2


def test_when_old_keys_cannot_be_renewed_the_issuer_is_left_alone_for_a_while(
    verifier: JwtVerifier, published: Published, clock: MovedClock
) -> None:
    """Good tokens and made-up ones alike cost one fetch in five seconds."""
    assert accepted(verifier)
    published.documents = {}
    clock.forward(601)
    for _ in range(100):
        assert asyncio.run(verifier.verify(token(exp=clock.ms // 1000 + 60))) == Caller("ana")
        assert not accepted(verifier, "two")
    assert len(published.fetched) == 2


def test_a_clock_that_jumps_back_does_not_freeze_the_keys(
    verifier: JwtVerifier, published: Published, clock: MovedClock
) -> None:
    """Keys from the future are fetched anew."""
    assert accepted(verifier)
    clock.forward(-3000)
    assert asyncio.run(verifier.verify(token(iat=..., exp=clock.ms // 1000 + 60))) == Caller("ana")
    assert len(published.fetched) == 2


# ── event loops and waiters ───────────────────────────────────────────────────────────────────


def test_three_event_loops_in_one_process_share_the_keys(server: Server, clock: MovedClock) -> None:
    """As a function's instance runs them; with a real fetch in each."""
    server.publish(jwk(rsa_key(), kid="one"))
    verifier = served_by(server, clock)
    for _ in range(3):
        assert asyncio.run(verifier.verify(token(exp=clock.ms // 1000 + 60))) == Caller("ana")
        clock.forward(601)
    assert server.asked == ["/keys"] * 3


def test_many_waiters_share_one_fetch(server: Server, clock: MovedClock) -> None:
    """A hundred requests on a cold server."""
    server.publish(jwk(rsa_key(), kid="one"))
    verifier = served_by(server, clock)

    async def all_at_once() -> list[Caller]:
        return await asyncio.gather(*(verifier.verify(token()) for _ in range(100)))

    assert asyncio.run(all_at_once()) == [Caller("ana")] * 100
    assert server.asked == ["/keys"]


class SlowIssuer:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.fetched = 0
        self.let_go: asyncio.Event | None = None

    async def __call__(self, _: str) -> bytes:
        self.fetched += 1
        self.let_go = asyncio.Event()
        await self.let_go.wait()
        return json.dumps({"keys": [jwk(rsa_key(), kid="one")]}).encode()


async def turns(count: int = 5) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_a_cancelled_waiter_does_not_take_the_others_along(clock: MovedClock) -> None:
    """The first one, which began the fetch, goes; the second gets its keys from the same fetch."""
    issuer = SlowIssuer()
    verifier = fetching_with(issuer, clock)

    async def scene() -> Caller:
        first = asyncio.create_task(verifier.verify(token()))
        await turns()
        second = asyncio.create_task(verifier.verify(token()))
        await turns()
        first.cancel()
        await turns()
        assert first.cancelled()
        assert issuer.let_go is not None
        issuer.let_go.set()
        return await second

    assert asyncio.run(scene()) == Caller("ana")
    assert issuer.fetched == 1


def test_a_loop_that_ends_in_the_middle_of_a_fetch_does_not_block_the_next(clock: MovedClock) -> None:
    """Nothing of the dead loop is waited for, and its end is no failure of the issuer."""
    issuer = SlowIssuer()
    verifier = fetching_with(issuer, clock)

    async def leaves() -> None:
        asyncio.create_task(verifier.verify(token())).add_done_callback(lambda task: task.cancelled())
        await turns()

    async def stays() -> Caller:
        waiting = asyncio.create_task(verifier.verify(token()))
        await turns()
        assert issuer.let_go is not None
        issuer.let_go.set()
        return await waiting

    asyncio.run(leaves())
    assert asyncio.run(stays()) == Caller("ana")
    assert issuer.fetched == 2


def test_a_loop_that_was_stopped_without_an_end_does_not_block_the_next(clock: MovedClock) -> None:
    """The way a frozen function leaves one behind: the fetch is still pending, in a loop that no longer runs."""
    issuer = SlowIssuer()
    verifier = fetching_with(issuer, clock)
    frozen = asyncio.new_event_loop()
    left = frozen.create_task(verifier.verify(token()))
    frozen.run_until_complete(turns())

    async def stays() -> Caller:
        waiting = asyncio.create_task(verifier.verify(token()))
        await turns()
        assert issuer.let_go is not None
        issuer.let_go.set()
        return await waiting

    assert asyncio.run(stays()) == Caller("ana")
    left.cancel()
    for task in asyncio.all_tasks(frozen):
        task.cancel()
    frozen.run_until_complete(turns())
    frozen.close()
    assert accepted(verifier)


# ── a real server on loopback ─────────────────────────────────────────────────────────────────


def test_rotation_over_http(server: Server, clock: MovedClock) -> None:
    """Keys one, then one and two, then two alone once their life has ended."""
    server.publish(jwk(rsa_key(), kid="one"))
    verifier = served_by(server, clock)
    assert accepted(verifier)
    server.publish(jwk(rsa_key(), kid="one"), jwk(rsa_key(2), kid="two"))
    assert accepted(verifier, "two")
    server.publish(jwk(rsa_key(2), kid="two"))
    assert accepted(verifier)
    clock.forward(600)
    assert not accepted(verifier)
    assert accepted(verifier, "two")


def never(handler: BaseHTTPRequestHandler) -> None:
    """Says nothing until the client hangs up."""
    handler.connection.recv(1)
    handler.close_connection = True


def dripping(handler: BaseHTTPRequestHandler) -> None:
    """Sends a byte every few milliseconds, each well within the socket's timeout, until the client hangs up."""
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    while not select.select([handler.connection], [], [], 0.02)[0]:
        handler.wfile.write(b" ")


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    """Promises more than it sends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"keys":')
    handler.close_connection = True


def no_http(handler: BaseHTTPRequestHandler) -> None:
    """Speaks another protocol."""
    handler.wfile.write(b"220 mail.example ESMTP\r\n")
    handler.close_connection = True


GOOD = json.dumps(
    {"keys": [jwk(rsa_key(), kid="one")]}
).encode()  # so that it is not for the body that they are refused
BAD_ANSWERS: dict[str, Answer] = {
    "HTML": answer(200, b"<!doctype html><title>Sign in</title>"),
    "10 MB": answer(200, GOOD + b" " * 10_000_000),
    "a byte too many": answer(200, GOOD.ljust(MAX_BYTES + 1)),
    "a redirect": answer(302, GOOD, Location="/elsewhere"),
    "a permanent redirect": answer(308, GOOD, Location="/elsewhere"),
    "a server error": answer(503, GOOD),
    "not found": answer(404, GOOD),
    "another success": answer(203, GOOD),
    "an empty answer": answer(200, b""),
    "no content": answer(204, b""),
    "a list": answer(200, b"[]"),
    "no keys": answer(200, b"{}"),
    "keys that are no list": answer(200, b'{"keys": {"one": {}}}'),
    "an empty list": answer(200, b'{"keys": []}'),
    "keys that are no objects": answer(200, b'{"keys": ["one", 2, null]}'),
    "deep nesting": answer(200, b"[" * 200_000),
    "a number of a million digits": answer(200, b'{"keys": ' + b"9" * 1_000_000 + b"}"),
    "bad UTF-8": answer(200, b'{"keys": "\xff\xfe"}'),
    "less than promised": cut_short,
    "another protocol": no_http,
    "nothing": never,
    "a byte at a time": dripping,
}


@pytest.mark.parametrize("bad", BAD_ANSWERS)
def test_an_issuer_that_answers_badly_is_away_not_the_token_bad(
    server: Server, clock: MovedClock, bad: str, caplog: pytest.LogCaptureFixture
) -> None:
    """On a cold server that is 503 and never 401; keys at hand stay in use. The log says so without the address."""
    patience = 0.2 if bad in ("nothing", "a byte at a time") else 30.0

    async def fetch(url: str) -> bytes:
        return await download(url, deadline=patience)

    verifier = JwtVerifier(
        ISSUER, (AUDIENCE,), KeySet(ISSUER, server.url + "/keys", clock=clock, fetch=fetch, deadline=60), clock=clock
    )
    server.answers["/keys"] = BAD_ANSWERS[bad]
    server.publish(jwk(rsa_key(), kid="one"), path="/elsewhere")
    with pytest.raises(KeysUnavailable) as away:
        accepted(verifier)
    assert away.value.retry_after == 5
    assert server.asked == ["/keys"]
    assert "could not be fetched" in caplog.text
    assert "127.0.0.1" not in caplog.text + str(away.value)

    impatience, patience = patience, 30.0
    server.publish(jwk(rsa_key(), kid="one"))
    clock.forward(5)
    assert accepted(verifier)
    patience = impatience
    server.answers["/keys"] = BAD_ANSWERS[bad]
    clock.forward(601)
    assert asyncio.run(verifier.verify(token(exp=clock.ms // 1000 + 60))) == Caller("ana")
    assert len(server.asked) == 3


@pytest.mark.parametrize("jwks_url", [f"{ISSUER}/keys", None])
def test_the_deadline_covers_a_whole_refresh(clock: MovedClock, jwks_url: str | None) -> None:
    """Discovery and keys together: what does not come back is given up, and nothing else is asked for after it."""
    issuer = SlowIssuer()
    keys = KeySet(ISSUER, jwks_url, clock=clock, fetch=issuer, deadline=0.05)
    with pytest.raises(KeysUnavailable):
        asyncio.run(keys.open("one", tuple))
    assert issuer.fetched == 1


def test_an_issuer_that_is_down_is_away(server: Server, clock: MovedClock) -> None:
    """Nobody listens at its port."""
    verifier = served_by(server, clock)
    server.close()
    with pytest.raises(KeysUnavailable):
        accepted(verifier)


def test_the_event_loop_goes_on_during_a_fetch(server: Server, clock: MovedClock) -> None:
    """Others are served while one waits for the issuer: it answers only after the loop has done something else."""
    something_else = threading.Event()

    def waits(handler: BaseHTTPRequestHandler) -> None:
        assert something_else.wait(10)
        answer(200, json.dumps({"keys": [jwk(rsa_key(), kid="one")]}).encode())(handler)

    server.answers["/keys"] = waits
    verifier = served_by(server, clock)

    async def scene() -> Caller:
        waiting = asyncio.create_task(verifier.verify(token()))
        await turns()
        something_else.set()
        return await waiting

    assert asyncio.run(scene()) == Caller("ana")


def test_proxies_are_not_asked_for_this_machine(
    server: Server, clock: MovedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A development issuer on loopback works behind a company's proxy settings."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    server.publish(jwk(rsa_key(), kid="one"))
    assert accepted(served_by(server, clock))


# ── discovery ─────────────────────────────────────────────────────────────────────────────────


def discovering(server: Server, clock: MovedClock, path: str = "") -> tuple[str, JwtVerifier]:
    """The issuer's name, and a verifier that knows only that."""
    issuer = server.url + path
    return issuer, JwtVerifier(issuer, (AUDIENCE,), KeySet(issuer, clock=clock, deadline=30.0), clock=clock)


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("", [OPENID]),
        ("/", [OPENID]),
        ("/tenant/v2", ["/tenant/v2" + OPENID]),
        ("/tenant/", ["/tenant" + OPENID]),
        ("", [OPENID, OAUTH]),
        ("/", [OPENID, OAUTH]),
        ("/tenant/v2", ["/tenant/v2" + OPENID, OAUTH + "/tenant/v2"]),
        ("/tenant/", ["/tenant" + OPENID, OAUTH + "/tenant"]),
    ],
)
def test_keys_are_found_through_the_issuers_document(
    server: Server, clock: MovedClock, path: str, asked: list[str]
) -> None:
    """OpenID Connect's place first, then RFC 8414's, where the path comes after the well-known part."""
    issuer, verifier = discovering(server, clock, path)
    server.answers[asked[-1]] = document(issuer, server.url + "/keys")
    server.publish(jwk(rsa_key(), kid="one"))
    assert asyncio.run(verifier.verify(token(iss=issuer))) == Caller("ana")
    assert server.asked == [*asked, "/keys"]


@pytest.mark.parametrize("first", ["HTML", "10 MB", "a redirect", "a server error", "a list", "less than promised"])
def test_a_bad_first_document_leads_to_the_second(server: Server, clock: MovedClock, first: str) -> None:
    """Some servers answer every path with a page."""
    issuer, verifier = discovering(server, clock)
    server.answers[OPENID] = BAD_ANSWERS[first]
    server.answers[OAUTH] = document(issuer, server.url + "/keys")
    server.publish(jwk(rsa_key(), kid="one"))
    assert asyncio.run(verifier.verify(token(iss=issuer))) == Caller("ana")


@pytest.mark.parametrize("other", ["https://evil.example", "{}/", "{}/tenant", "", None])
def test_a_document_of_another_issuer_is_not_believed(server: Server, clock: MovedClock, other: str | None) -> None:
    """RFC 8414 §3.3: its `issuer` is the one that was configured, to the letter."""
    issuer, verifier = discovering(server, clock)
    body = json.dumps({"issuer": other and other.format(issuer), "jwks_uri": server.url + "/keys"}).encode()
    server.answers[OPENID] = server.answers[OAUTH] = answer(200, body)
    server.publish(jwk(rsa_key(), kid="one"))
    with pytest.raises(KeysUnavailable):
        asyncio.run(verifier.verify(token(iss=issuer)))
    assert server.asked == [OPENID, OAUTH]


BAD_ADDRESSES = [
    "",
    "/keys",
    "http://keys.example/keys",
    "file:///etc/hosts",
    "ftp://127.0.0.1/keys",
    "https://u:p@k.example/",
]


@pytest.mark.parametrize("jwks_uri", [None, 5, *BAD_ADDRESSES])
def test_keys_come_over_https_only(published: Published, clock: MovedClock, jwks_uri: object) -> None:
    """Or plainly from this machine; the document cannot send us anywhere else."""
    body = json.dumps({"issuer": ISSUER, "jwks_uri": jwks_uri}).encode()
    published.documents = {ISSUER + OPENID: body, str(jwks_uri): GOOD}
    with pytest.raises(KeysUnavailable):
        asyncio.run(KeySet(ISSUER, clock=clock, fetch=published).open("one", tuple))
    assert published.fetched == [ISSUER + OPENID, ISSUER + OAUTH]


@pytest.mark.parametrize("url", BAD_ADDRESSES)
def test_nothing_is_downloaded_from_anywhere_else(url: str) -> None:
    """No file of this machine, no plain HTTP to another."""
    with pytest.raises(FetchFailed, match="https"):
        asyncio.run(download(url, deadline=5))


def test_a_document_may_be_as_long_as_the_limit(server: Server) -> None:
    """The limit is inclusive."""
    server.answers["/keys"] = answer(200, GOOD.ljust(MAX_BYTES))
    assert len(asyncio.run(download(server.url + "/keys", deadline=30))) == MAX_BYTES


def test_keys_that_moved_are_found_again(server: Server, clock: MovedClock) -> None:
    """The document is read with each fetch, so a provider may put its keys elsewhere."""
    issuer, verifier = discovering(server, clock)
    server.answers[OPENID] = document(issuer, server.url + "/keys")
    server.publish(jwk(rsa_key(), kid="one"))
    assert asyncio.run(verifier.verify(token(iss=issuer))) == Caller("ana")
    server.answers[OPENID] = document(issuer, server.url + "/new-keys")
    server.publish(jwk(rsa_key(2), kid="two"), path="/new-keys")
    assert asyncio.run(verifier.verify(token(rsa_key(2), kid="two", iss=issuer))) == Caller("ana")


@pytest.mark.parametrize(
    "url", ["http://issuer.example", "issuer.example", "ftp://issuer.example", "https://", "file:///keys"]
)
def test_an_address_that_is_not_https_is_a_configuration_error(clock: MovedClock, url: str) -> None:
    """For the issuer and for the keys, each under its own variable's name."""
    with pytest.raises(ConfigurationError) as wrong:
        KeySet(url, clock=clock)
    assert wrong.value.variable == "REMEMBER_ISSUER"
    with pytest.raises(ConfigurationError) as wrong:
        KeySet(ISSUER, url, clock=clock)
    assert wrong.value.variable == "REMEMBER_JWKS_URL"


# ── logs ──────────────────────────────────────────────────────────────────────────────────────


def test_no_log_line_holds_a_piece_of_a_token(
    verifier: JwtVerifier, published: Published, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Good, bad and undecidable ones, with every logger turned up."""
    caplog.set_level(logging.DEBUG)
    tokens = [token(), token(rsa_key(2)), token(exp=1), token(kid="two"), token(ec_key(), "ES256"), "a.b.c" * 9]
    for documents in (published.documents, {}):
        published.documents = documents
        for credential in tokens:
            with contextlib.suppress(CredentialRefused, KeysUnavailable):
                asyncio.run(verifier.verify(credential))
        clock.forward(601)
    clock.forward(24 * 3600)
    with pytest.raises(KeysUnavailable):
        asyncio.run(verifier.verify(tokens[0]))
    assert "could not be fetched" in caplog.text
    for part in (part for credential in tokens for part in credential.split(".") if len(part) > 3):
        assert part not in caplog.text
