"""Bearer JWTs: whose signature, for whom, when, and who (cases A3, A8, F1, F2, F3, F4, F11)."""

from __future__ import annotations

import asyncio
import hmac
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from remember.caller import RESERVED_PREFIXES, Caller
from remember.errors import ConfigurationError, CredentialRefused, InsufficientScope
from remember.identity import JwtVerifier, KeySet
from remember.identity.claims import canonical
from remember.identity.signing_key import SigningKey
from remember.settings import ALGORITHMS
from tests.identity.issuer import (
    AUDIENCE,
    ISSUER,
    NOW,
    MovedClock,
    Published,
    b64,
    claims,
    ec_key,
    ed_key,
    jwk,
    rsa_key,
    token,
)


def refusal(verifier: JwtVerifier, credential: str) -> str:
    """Why `credential` is refused; no reason may hold a piece of it."""
    with pytest.raises(CredentialRefused) as refused:
        asyncio.run(verifier.verify(credential))
    assert refused.value.presented
    assert not any(piece in str(refused.value) for piece in credential.split(".") if len(piece) > 3)
    return str(refused.value)


def subject_of(verifier: JwtVerifier, credential: str) -> str:
    return asyncio.run(verifier.verify(credential)).user_id


def test_a_good_token_gives_its_subject(verifier: JwtVerifier) -> None:
    """Signed by the issuer, for this server, in force."""
    assert subject_of(verifier, token()) == "ana"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_that_can_be_set_verifies(
    algorithm: str, clock: MovedClock, published: Published, keys: KeySet
) -> None:
    """RSA with both paddings, the three curves and Ed25519, each with a real key."""
    curves = {"ES384": ec.SECP384R1, "ES512": ec.SECP521R1}
    key: Any = rsa_key() if algorithm[0] in "RP" else ed_key() if algorithm == "EdDSA" else ec_key()
    if algorithm in curves:
        key = ec.generate_private_key(curves[algorithm]())
    published.keys(jwk(key, kid="one", alg=algorithm, use="sig", key_ops=["verify"]))
    verifier = JwtVerifier(ISSUER, (AUDIENCE,), keys, (algorithm,), clock=clock)
    assert subject_of(verifier, token(key, algorithm)) == "ana"
    assert "signature" in refusal(verifier, token(key, algorithm)[:-8] + "AAAAAAAA")


def test_ed448_is_eddsa_too(verifier: JwtVerifier, published: Published) -> None:
    """RFC 8037 has two curves under one algorithm."""
    key = ed448.Ed448PrivateKey.generate()
    published.keys(jwk(key, kid="one"))
    assert subject_of(verifier, token(key, "EdDSA")) == "ana"


def unsigned(algorithm: object, signature: bytes = b"") -> str:
    header = json.dumps({"alg": algorithm, "typ": "JWT", "kid": "one"}).encode()
    return f"{b64(header)}.{b64(json.dumps(claims()).encode())}.{b64(signature)}"


@pytest.mark.parametrize(
    "algorithm", ["none", "None", "NONE", "nOnE", "", None, "rs256", " RS256", ["RS256"], {"RS256": 1}, 1, True]
)
@pytest.mark.parametrize("signature", [b"", b"x" * 256])
def test_a_token_without_a_real_algorithm_is_refused(
    verifier: JwtVerifier, algorithm: object, signature: bytes
) -> None:
    """However `none` is written, with and without something where the signature would be."""
    refusal(verifier, unsigned(algorithm, signature))


def test_an_empty_signature_under_a_good_algorithm_is_refused(verifier: JwtVerifier) -> None:
    """RS256 in the header is no signature yet."""
    refusal(verifier, unsigned("RS256"))
    refusal(verifier, unsigned("RS256", b"\0"))


@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
def test_the_public_key_as_a_shared_secret_opens_nothing(
    verifier: JwtVerifier, algorithm: str, published: Published
) -> None:
    """The classic confusion: signed with what everybody may know, in every form it is published in."""
    public = rsa_key().public_key()
    published.keys(jwk(rsa_key(), kid="one"), {"kty": "oct", "k": b64(b"s" * 32), "kid": "one"})
    secrets = [
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        json.dumps(jwk(rsa_key(), kid="one")).encode(),
        b"s" * 32,
        b"",
    ]
    for secret in secrets:
        head = f"{b64(json.dumps({'alg': algorithm, 'kid': 'one'}).encode())}.{b64(json.dumps(claims()).encode())}"
        mac = hmac.new(secret, head.encode(), f"sha{algorithm[2:]}").digest()
        assert "algorithm" in refusal(verifier, f"{head}.{b64(mac)}")


def test_hs_algorithms_cannot_even_be_set(clock: MovedClock, keys: KeySet) -> None:
    """Nor `none`, nor no algorithm at all."""
    for algorithms in (("HS256",), ("RS256", "none"), ()):
        with pytest.raises(ConfigurationError) as wrong:
            JwtVerifier(ISSUER, (AUDIENCE,), keys, algorithms, clock=clock)
        assert wrong.value.variable == "REMEMBER_ALGORITHMS"


def test_an_algorithm_that_was_not_pinned_is_refused_although_the_key_could(verifier: JwtVerifier) -> None:
    """RS512 over the very same RSA key."""
    assert "algorithm" in refusal(verifier, token(algorithm="RS512"))


def test_the_key_type_must_be_the_algorithms(verifier: JwtVerifier, published: Published) -> None:
    """An RS256 header and an EC key of that name, and the reverse, verify nothing."""
    published.keys(jwk(ec_key(), kid="one"), jwk(rsa_key(), kid="two"))
    refusal(verifier, token(rsa_key(), "RS256", "one"))
    refusal(verifier, token(ec_key(), "ES256", "two"))
    ecdsa_under_another_name = token(ec_key(), "ES256", "one").split(".")
    ecdsa_under_another_name[0] = b64(b'{"alg":"RS256","kid":"one"}')
    refusal(verifier, ".".join(ecdsa_under_another_name))


@pytest.mark.parametrize(
    "members",
    [
        {"use": "enc"},
        {"alg": "RS512"},
        {"alg": "RSA-OAEP"},
        {"key_ops": ["encrypt"]},
        {"key_ops": []},
        {"key_ops": "verify"},
    ],
)
def test_a_key_published_for_something_else_verifies_nothing(
    verifier: JwtVerifier, published: Published, members: dict[str, object]
) -> None:
    """`use`, `alg` and `key_ops` of the JWK are kept to."""
    published.keys(jwk(rsa_key(), kid="one", **members))
    refusal(verifier, token())


@pytest.mark.parametrize(
    "broken",
    [
        {"n": "AQAB"}, {"n": 5}, {"n": ""}, {"e": "!!"}, {"n": "é"}, {"e": ""}, {"kty": "EC"}, {"kty": ["RSA"]},
        {"kty": None},
    ],
)  # fmt: skip
def test_a_broken_key_beside_a_good_one_does_no_harm(
    verifier: JwtVerifier, published: Published, broken: dict[str, object]
) -> None:
    """It verifies nothing, and the good one of the same name still does."""
    published.keys({**jwk(rsa_key(2), kid="one"), **broken}, jwk(rsa_key(), kid="one"))
    assert subject_of(verifier, token()) == "ana"


def test_keys_too_weak_for_the_algorithm_are_not_used(verifier: JwtVerifier, published: Published) -> None:
    """RFC 7518 asks for 2,048 bits of RSA."""
    weak = rsa_key(1, 1024)
    published.keys(jwk(weak, kid="one"))
    signed = f"{b64(json.dumps({'alg': 'RS256', 'kid': 'one'}).encode())}.{b64(json.dumps(claims()).encode())}"
    signature = RSAAlgorithm(RSAAlgorithm.SHA256).sign(signed.encode(), weak)
    assert "signature" in refusal(verifier, f"{signed}.{b64(signature)}")


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_a_provider_that_publishes_its_private_key_by_accident_is_still_understood(
    verifier: JwtVerifier, published: Published, algorithm: str
) -> None:
    """Only the public part of a JWK is looked at."""
    forms: dict[str, tuple[Any, Any]] = {
        "RS256": (rsa_key(), RSAAlgorithm), "ES256": (ec_key(), ECAlgorithm), "EdDSA": (ed_key(), OKPAlgorithm),
    }  # fmt: skip
    key, form = forms[algorithm]
    private = {**form.to_jwk(key, as_dict=True), "kid": "one", "key_ops": ["sign", "verify"]}
    assert "d" in private
    published.keys(private)
    assert subject_of(verifier, token(key, algorithm)) == "ana"


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "HS256", "none", ""])
def test_each_algorithm_takes_its_own_type_and_curve_only(algorithm: str) -> None:
    """Whatever PyJWT would make of the others."""
    families: dict[str, set[tuple[object, object]]] = {
        "R": {("RSA", None)},
        "P": {("RSA", None)},
        "EdDSA": {("OKP", "Ed25519"), ("OKP", "Ed448")},
    }
    curves = {"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}
    own = (
        {("EC", curves[algorithm])}
        if algorithm in curves
        else families.get(algorithm, families.get(algorithm[:1], set()))
    )
    types = ("RSA", "EC", "OKP", "oct", "", None, ["RSA"])
    names = (None, "P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed448", "X25519", "", ["P-256"])
    for kty in types:
        for crv in names:
            fits = SigningKey({"kty": kty, "crv": crv}).fits(algorithm)
            assert fits is (not isinstance(kty, list) and not isinstance(crv, list) and (kty, crv) in own)


@pytest.mark.parametrize(
    "headers",
    [
        {"crit": ["exp"], "exp": NOW},
        {"crit": []},
        {"crit": ["b64"], "b64": True},
        {"crit": "b64"},
    ],
)
def test_critical_extensions_are_refused(verifier: JwtVerifier, headers: dict[str, object]) -> None:
    """RFC 7515 §4.1.11: what is not understood must not be ignored, and none is understood here."""
    header = json.dumps({"alg": "RS256", "kid": "one", **headers}).encode()
    head = f"{b64(header)}.{b64(json.dumps(claims()).encode())}"
    signature = RSAAlgorithm(RSAAlgorithm.SHA256).sign(head.encode(), rsa_key())
    refusal(verifier, f"{head}.{b64(signature)}")


def test_a_key_that_the_token_brings_along_is_ignored(verifier: JwtVerifier, published: Published) -> None:
    """`jwk`, `jku` and `x5u` in the header name no key here, and nothing is fetched from them."""
    headers = {"jwk": jwk(rsa_key(2)), "jku": "https://evil.example/keys", "x5u": "https://evil.example/cert"}
    refusal(verifier, token(rsa_key(2), headers=headers))
    assert published.fetched == [f"{ISSUER}/keys"]


@pytest.mark.parametrize("kid", [1, None, ["one"], {"kid": "one"}, True])
def test_a_key_name_that_is_no_text_is_refused(verifier: JwtVerifier, kid: object) -> None:
    """Before any key is looked for."""
    header = b64(json.dumps({"alg": "RS256", "kid": kid}).encode())
    refusal(verifier, ".".join([header, *token().split(".")[1:]]))


def test_without_a_key_name_the_fitting_keys_are_tried(verifier: JwtVerifier, published: Published) -> None:
    """Several keys, one of which signed; up to eight, so that a token cannot make the server work."""
    published.keys(jwk(ec_key()), jwk(rsa_key(2)), jwk(rsa_key(1), kid="named"), jwk(ed_key()))
    for key, algorithm in ((rsa_key(1), "RS256"), (rsa_key(2), "RS256"), (ec_key(), "ES256"), (ed_key(), "EdDSA")):
        assert subject_of(verifier, token(key, algorithm, None)) == "ana"
    refusal(verifier, token(rsa_key(3), kid=None))


def test_no_more_than_eight_keys_are_tried(verifier: JwtVerifier, published: Published, clock: MovedClock) -> None:
    """The eighth is, the ninth is not."""
    published.keys(*[jwk(rsa_key(2))] * 7, jwk(rsa_key()))
    assert subject_of(verifier, token(kid=None)) == "ana"
    clock.forward(600)
    published.keys(*[jwk(rsa_key(2))] * 8, jwk(rsa_key()))
    assert "signature" in refusal(verifier, token(kid=None, exp=NOW + 1200))


def test_another_key_of_the_same_name_does_not_verify(verifier: JwtVerifier) -> None:
    """A stranger's key under the issuer's key name."""
    assert "signature" in refusal(verifier, token(rsa_key(2), kid="one"))


@pytest.mark.parametrize("place", range(3))
def test_any_changed_part_breaks_the_token(verifier: JwtVerifier, place: int) -> None:
    """A single bit in header, claims or signature."""
    parts = token().split(".")
    middle = len(parts[place]) // 2
    parts[place] = parts[place][:middle] + ("A" if parts[place][middle] != "A" else "B") + parts[place][middle + 1 :]
    refusal(verifier, ".".join(parts))


@pytest.mark.parametrize(
    "credential",
    [
        "", "anything", ".", "..", "...", "a.b.c", "a.b", "a.b.c.d", "a.b.c.d.e", "!.!.!", "é.é.é", "\ud83c.a.b",
        "e30.e30.e30", "bnVsbA.e30.AA", "W10.e30.AA", "MQ.e30.AA", b64(b"[" * 4000) + ".e30.AA",
        b64(b'{"alg":') + ".e30.AA",
        b64(b"\xff\xfe{") + ".e30.AA", b64(b'{"alg":"RS256"}') + "=.e30.AA", "eyJhbGciOiJSUzI1NiJ9..AA",
    ],
)  # fmt: skip
def test_what_is_no_token_is_refused_without_a_fetch(
    verifier: JwtVerifier, published: Published, credential: str
) -> None:
    """Junk of every shape; the issuer hears nothing of it."""
    refusal(verifier, credential)
    assert published.fetched == []


def test_an_over_long_token_is_refused_before_any_work(verifier: JwtVerifier, published: Published) -> None:
    """40 KB of perfectly signed token."""
    refusal(verifier, token(padding="x" * 40_000))
    assert published.fetched == []


@pytest.mark.parametrize("payload", [b"[]", b"1", b"null", b'"ana"', b"{", b"\xff", b"[" * 4000, b""])
def test_a_signed_payload_that_is_no_object_is_refused(verifier: JwtVerifier, payload: bytes) -> None:
    """Even the issuer's own signature makes no claims of it."""
    head = b64(b'{"alg":"RS256","kid":"one"}') + "." + b64(payload)
    refusal(verifier, f"{head}.{b64(RSAAlgorithm(RSAAlgorithm.SHA256).sign(head.encode(), rsa_key()))}")


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": NOW + 1}, {"exp": NOW - 1}, {"exp": NOW - 59}, {"exp": NOW + 0.5}, {"exp": 2**53 - 1},
        {"nbf": NOW + 59},
        {"iat": NOW + 59}, {"iat": ...}, {"nbf": NOW - 1}, {"iat": 0},
    ],
)  # fmt: skip
def test_a_minute_of_difference_between_clocks_is_forgiven(verifier: JwtVerifier, changes: dict[str, Any]) -> None:
    """In force, or out of it by less than the leeway of 60 seconds."""
    assert subject_of(verifier, token(**changes)) == "ana"


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": NOW - 60}, {"exp": NOW - 7200}, {"exp": ...}, {"exp": str(NOW + 600)}, {"exp": None}, {"exp": True},
        {"exp": [NOW + 600]}, {"exp": float("nan")}, {"exp": float("inf")}, {"exp": 10**400}, {"exp": -1},
        {"exp": 2**53},
        {"nbf": NOW + 61}, {"nbf": str(NOW)}, {"nbf": None}, {"nbf": float("nan")}, {"iat": NOW + 61}, {"iat": "now"},
        {"iat": False},
    ],
)  # fmt: skip
def test_a_token_out_of_its_time_is_refused(verifier: JwtVerifier, changes: dict[str, Any]) -> None:
    """Expired, not valid yet, without expiry, or with times that are no numbers."""
    refusal(verifier, token(**changes))


def test_time_is_the_clocks_that_was_passed_in(verifier: JwtVerifier, clock: MovedClock) -> None:
    """The same token is good, and with the clock moved expired; with it moved back not valid yet."""
    credential = token()
    assert subject_of(verifier, credential) == "ana"
    clock.forward(659)
    assert subject_of(verifier, credential) == "ana"
    clock.forward(1)
    assert "expired" in refusal(verifier, credential)
    clock.forward(-2000)
    assert "not valid yet" in refusal(verifier, credential)


def test_the_leeway_can_be_narrowed_and_not_widened(clock: MovedClock, keys: KeySet) -> None:
    """Nought to sixty seconds."""
    strict = JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock, leeway=0)
    assert subject_of(strict, token(exp=NOW + 1)) == "ana"
    assert "expired" in refusal(strict, token(exp=NOW))
    for leeway in (-1, 61, float("nan")):
        with pytest.raises(ConfigurationError, match="0 to 60"):
            JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock, leeway=leeway)


@pytest.mark.parametrize(
    "issuer",
    [
        ...,
        None,
        "",
        ISSUER + "/",
        ISSUER.upper(),
        "https://evil.example",
        [ISSUER],
        ISSUER + "\n",
        "http://issuer.example",
    ],
)
def test_the_issuer_is_compared_to_the_letter(verifier: JwtVerifier, issuer: object) -> None:
    """No slash, no case, no list."""
    assert "issue" in refusal(verifier, token(iss=issuer))


@pytest.mark.parametrize(
    "audience",
    [
        AUDIENCE, AUDIENCE + "/", "HTTPS://Memory.Example/mcp", "https://memory.example:443/mcp",
        ["https://other.example", AUDIENCE],
        [AUDIENCE], [1, None, AUDIENCE + "/"],
    ],
)  # fmt: skip
def test_our_own_address_is_known_however_it_is_written(verifier: JwtVerifier, audience: object) -> None:
    """Case of scheme and host, the default port and one end slash make no difference; a list may name others too."""
    assert subject_of(verifier, token(aud=audience)) == "ana"


@pytest.mark.parametrize(
    "audience",
    [
        ..., None, "", [], [[AUDIENCE]], {AUDIENCE: 1}, 1, True, "https://other.example/mcp",
        "https://memory.example", "memory.example",
        "https://memory.example/", "https://memory.example/MCP", "https://memory.example/mcp/x", AUDIENCE + "//",
        AUDIENCE + "?a=b",
        AUDIENCE + "#a", "http://memory.example/mcp", "https://memory.example:8443/mcp",
        "https://ana@memory.example/mcp",
        "https://memory.example.evil.example/mcp", " " + AUDIENCE, AUDIENCE + "\n", "https://memory.example/m\ncp",
        "\ud83c",
    ],
)  # fmt: skip
def test_a_token_for_anybody_else_is_refused(verifier: JwtVerifier, audience: object) -> None:
    """Missing, empty, of another kind, another server's, or another path of ours."""
    assert "aud" in refusal(verifier, token(aud=audience))


def test_several_audiences_and_names_that_are_no_address_can_be_set(clock: MovedClock, keys: KeySet) -> None:
    """Some providers put an API's name into `aud`; it is compared to the letter."""
    verifier = JwtVerifier(ISSUER, ("remember-api", "http://localhost:80/"), keys, clock=clock)
    for audience in ("remember-api", "http://localhost", "http://LOCALHOST/"):
        assert subject_of(verifier, token(aud=audience)) == "ana"
    for audience in ("Remember-API", "remember-api/", "http://localhost:8080", AUDIENCE):
        assert "aud" in refusal(verifier, token(aud=audience))


@pytest.mark.parametrize("audience", [(), "https://memory.example/mcp"])
def test_without_an_audience_there_is_no_verifier(clock: MovedClock, keys: KeySet, audience: Any) -> None:
    """A list of letters would be one too."""
    with pytest.raises(ConfigurationError) as wrong:
        JwtVerifier(ISSUER, audience, keys, clock=clock)
    assert wrong.value.variable == "REMEMBER_AUDIENCE"


def test_canonical_forms() -> None:
    """What counts as the same address, by example."""
    assert canonical("HTTP://[::1]:80/a/") == "http://[::1]/a"
    assert canonical("https://x:/a?B=C/") == "https://x/a?B=C/"
    assert canonical("https://x:80/") == "https://x:80"
    assert canonical("urn:Remember:API") == "urn:Remember:API"


@pytest.mark.parametrize("sub", [..., None, "", 0, 106242075399214372653, True, ["ana"], {"id": "ana"}, 1.5])
def test_a_subject_that_is_no_text_is_refused(verifier: JwtVerifier, sub: object) -> None:
    """A number would be rounded somewhere, and then be another's."""
    assert "sub" in refusal(verifier, token(sub=sub))


@pytest.mark.parametrize("sub", ["x" * 256, "x" * 5000, "a\x00", "a\nb", "\x7f", "\x85", "\ud83c", "ana\udc00"])
def test_a_subject_that_cannot_be_kept_is_refused(verifier: JwtVerifier, sub: str) -> None:
    """Over-long, with control characters, or with half a character."""
    assert "sub" in refusal(verifier, token(sub=sub))


@pytest.mark.parametrize("prefix", RESERVED_PREFIXES)
@pytest.mark.parametrize("rest", ["", "bob", "0123456789ab"])
def test_a_subject_that_looks_like_another_kind_of_identity_is_refused(
    verifier: JwtVerifier, prefix: str, rest: str
) -> None:
    """An issuer cannot name somebody who came in by a static key, or a session."""
    assert "sub" in refusal(verifier, token(sub=prefix + rest))


@pytest.mark.parametrize(
    "sub",
    [
        "106242075399214372653", "106242075399214372650", "x" * 255, "*", "a[b]?\\", "u:x", "global", "__layout__",
        "auth0|5f7", "Static:bob",
        "ana@example.com", "名前", "\U0001f600", " ana", "%3A",
    ],
)  # fmt: skip
def test_every_other_subject_arrives_as_it_is(verifier: JwtVerifier, sub: str) -> None:
    """21 digits, glob signs, separators, spaces: not rounded, not trimmed, not folded."""
    assert subject_of(verifier, token(sub=sub)) == sub


# ── what it allows ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("carried", "may_write"),
    [
        ({}, True),
        ({"scope": "memory:write"}, True),
        ({"scope": "memory:read memory:write"}, True),
        ({"scope": "openid memory:write profile"}, True),
        ({"scope": "memory:read"}, False),
        ({"scope": "openid memory:read"}, False),
        ({"scope": ["memory:read", "openid"]}, False),
        ({"scp": "memory:read"}, False),
        ({"scp": ["memory:write"]}, True),
        ({"scp": ["memory:read", 7, None]}, False),
        ({"scope": "openid", "scp": ["memory:read"]}, False),
        ({"scope": "memory:read", "scp": "memory:write"}, True),
    ],
)
def test_scopes_say_what_a_caller_may_do(verifier: JwtVerifier, carried: dict[str, Any], may_write: bool) -> None:
    """As text or as a list, under either name; writing includes reading, and a token without any may do both."""
    assert asyncio.run(verifier.verify(token(**carried))) == Caller("ana", may_write=may_write)


@pytest.mark.parametrize(
    "carried",
    [
        {"scope": ""},
        {"scope": "openid profile"},
        {"scope": "memory:admin"},
        {"scope": "memory:*"},
        {"scope": "Memory:Read"},
        {"scope": "memory:read,memory:write"},
        {"scope": "memory:readmemory:write"},
        {"scope": "memory:read\tx"},
        {"scope": None},
        {"scope": 1},
        {"scope": {"memory:write": True}},
        {"scope": [["memory:write"]]},
        {"scope": []},
        {"scp": []},
        {"scp": "openid", "scope": "profile"},
    ],
    ids=str,
)
def test_a_token_for_something_else_opens_nothing(verifier: JwtVerifier, carried: dict[str, Any]) -> None:
    """It carries scopes and none of ours: good, and not enough; to the letter."""
    with pytest.raises(InsufficientScope) as refused:
        asyncio.run(verifier.verify(token(**carried)))
    assert refused.value.scope == "memory:read memory:write"
    assert "profile" not in str(refused.value)


def test_scopes_are_looked_at_last(verifier: JwtVerifier) -> None:
    """A token that is not good is told so, whatever it carries."""
    assert "expired" in refusal(verifier, token(exp=NOW - 7_200, scope="openid"))
    assert "signature" in refusal(verifier, token(rsa_key(2), scope="memory:write"))


def test_an_issuer_whose_scopes_mean_nothing_here(clock: MovedClock, keys: KeySet) -> None:
    """Where they are not looked at, any token of the issuer may do everything, and no client is told to ask for one."""
    verifier = JwtVerifier(ISSUER, (AUDIENCE,), keys, clock=clock, scoped=False)
    for carried in ({}, {"scope": "openid"}, {"scope": "memory:read"}, {"scp": 5}):
        assert asyncio.run(verifier.verify(token(**carried))) == Caller("ana")
    assert verifier.scopes == ()


def test_the_tests_own_keys_are_what_they_say() -> None:
    """A guard for the tests above: the issuer's key is one and the same, and the second is another."""
    assert rsa_key() is rsa_key(1)
    assert jwk(rsa_key())["n"] != jwk(rsa_key(2))["n"]
