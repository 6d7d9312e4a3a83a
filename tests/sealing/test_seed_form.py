"""Moving house: what the first seed's own plugin stored is read where REMEMBER_READ_SEED asks for it."""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from remember import Caller, Remember, Settings
from remember.caller import Owner, owner_of
from remember.keys import Place, Shelf, seed_key
from remember.plugin import Installed, RememberPlugin, Surroundings
from remember.scope import Scope
from remember.sealing.sealer import derive_key
from remember.settings import Secret
from remember.stores.memory import MemoryStore
from tests.standins.clock import START, MovingClock

T = TypeVar("T")

SECRET = "bench-secret-0123456789"
IV = bytes(range(12))
VECTOR_TEXT = '{"value":"en","createdAt":1700000000000,"updatedAt":1700000000000}'
VECTOR = {
    "alg": "A256GCM",
    "iv": "AAECAwQFBgcICQoL",
    "tag": "OPkvoO01ajj-FXvzKfpi5A",
    "data": "CjyagCq2-67U0NFtgsNfgR4tV-IjYZYHs5akTl4e9KqouehWpiMuW6jJlarnwikTgyPRgOLJ8dD_TqYK3aVFKp16",
}
NOUR = Owner("user", "nour")


def run(story: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(story)


@pytest.fixture
def store(clock: MovingClock) -> MemoryStore:
    return MemoryStore(clock)


def open_memory(store: MemoryStore, clock: MovingClock, **environ: str) -> Remember:
    """nour's accessor as a server with this environment gives it."""
    settings = Settings.read({"REMEMBER_SECRET": SECRET, "REMEMBER_READ_SEED": "on", **environ})
    installed = RememberPlugin.init(type="global-store").install(Surroundings(settings, clock, store))
    assert isinstance(installed, Installed)
    return Remember(installed.memory, Caller("nour"), "app:tool")


@pytest.fixture
def nour(store: MemoryStore, clock: MovingClock) -> Remember:
    return open_memory(store, clock)


def sealed_by_the_seed(text: str, owner: Owner, *, secret: str = SECRET) -> str:
    """What the seed's plugin stores: no key id, bound to no place, JSON-encoded once more."""
    sealed = AESGCM(derive_key(Secret(secret), owner)).encrypt(IV, text.encode(), None)
    parts = {"iv": IV, "tag": sealed[-16:], "data": sealed[:-16]}
    encoded = {name: urlsafe_b64encode(part).decode().rstrip("=") for name, part in parts.items()}
    return json.dumps(json.dumps({"alg": "A256GCM", **encoded}, separators=(",", ":")))


def left_by_the_seed(
    store: MemoryStore, key: str, value: object = "en", scope: Scope = "user", expires_at: int | None = None
) -> str:
    """Put an entry where the seed's plugin would have put it: in no index of ours. Returns its storage key."""
    owner = owner_of(Caller("nour"), scope, "app:tool")
    entry = {"value": value, "createdAt": START, "updatedAt": START}
    if expires_at is not None:
        entry["expiresAt"] = expires_at
    where = seed_key("remember:", owner, key)
    place = Place(Shelf("not-ours", ""), where, where)
    run(store.put(place, sealed_by_the_seed(json.dumps(entry), owner), expires_at))
    return where


@pytest.mark.promise("sealing.seed-form", "sealing.derivation")
def test_the_published_vector_is_what_the_seed_would_seal() -> None:
    """So what these tests seal themselves is its form too."""
    assert json.loads(json.loads(sealed_by_the_seed(VECTOR_TEXT, NOUR))) == VECTOR


@pytest.mark.promise("sealing.seed-form")
def test_the_published_vector_opens_where_it_is_asked_for(store: MemoryStore, nour: Remember) -> None:
    """With its value and its times."""
    place = Place(Shelf("not-ours", ""), "language", "remember:v2:user:nour:language")
    run(store.put(place, json.dumps(json.dumps(VECTOR)), None))
    entry = run(nour.get_entry("language", scope="user"))
    assert entry is not None
    assert (entry.value, entry.created_at) == ("en", 1_700_000_000_000)


@pytest.mark.promise("sealing.seed-form")
@pytest.mark.parametrize("environ", [{}, {"REMEMBER_READ_SEED": "off"}])
def test_it_is_not_read_unless_asked_for(store: MemoryStore, clock: MovingClock, environ: dict[str, str]) -> None:
    """That form is bound to no place, so it is not taken by default."""
    left_by_the_seed(store, "language")
    settings = {"REMEMBER_READ_SEED": "", **environ}
    assert run(open_memory(store, clock, **settings).knows("language", scope="user")) is False


@pytest.mark.promise("sealing.seed-form")
@pytest.mark.parametrize("scope", ["user", "session", "tool", "global"])
@pytest.mark.parametrize("key", ["language", "project:deadline", "a b*", "ü/%41", "v2"])
def test_every_scope_and_any_key_is_read_where_the_seed_kept_it(
    store: MemoryStore, nour: Remember, scope: Scope, key: str
) -> None:
    """Its keys are raw, and its global scope has no layout's name."""
    where = left_by_the_seed(store, key, {"in": scope}, scope)
    assert where.endswith(f":{key}")
    assert where.startswith("remember:global:" if scope == "global" else f"remember:v2:{scope}:")
    assert run(nour.get(key, scope=scope)) == {"in": scope}
    assert run(nour.knows(key, scope=scope)) is True


@pytest.mark.promise("sealing.seed-form")
@pytest.mark.parametrize("key", ["language", "project:deadline"])
def test_ours_stands_before_the_seeds(store: MemoryStore, nour: Remember, key: str) -> None:
    """What is written since is what is read, by a server that does not read the seed's form as well."""
    left_by_the_seed(store, key)
    run(nour.set(key, "fr", scope="user"))
    assert run(nour.get(key, scope="user")) == "fr"
    assert run(nour.list(scope="user")) == [key]


@pytest.mark.promise("sealing.seed-form")
@pytest.mark.parametrize("key", ["language", "project:deadline"])
@pytest.mark.parametrize("written", [False, True])
def test_forget_removes_both(store: MemoryStore, nour: Remember, key: str, *, written: bool) -> None:
    """Nothing of it stays, in either place."""
    where = left_by_the_seed(store, key)
    if written:
        run(nour.set(key, "fr", scope="user"))
    assert run(nour.forget(key, scope="user")) is True
    assert run(nour.knows(key, scope="user")) is False
    assert run(store.get(where)) is None
    assert run(nour.forget(key, scope="user")) is False


@pytest.mark.promise("sealing.seed-form")
@pytest.mark.parametrize("scope", ["user", "session", "tool", "global"])
def test_what_reads_as_an_encoded_name_is_a_thing_of_its_own(nour: Remember, scope: Scope) -> None:
    """The seed's raw `a%3Ab` would lie where our `a:b` does; writing, changing or forgetting one leaves the other."""

    async def story() -> None:
        await nour.set("a:b", "colon", scope=scope)
        assert await nour.get("a%3Ab", scope=scope) is None
        assert await nour.update("a%3Ab", "percent", scope=scope) is False
        assert await nour.forget("a%3Ab", scope=scope) is False
        await nour.set("a%3Ab", "percent", scope=scope)
        assert [await nour.get(key, scope=scope) for key in ("a:b", "a%3Ab")] == ["colon", "percent"]
        assert await nour.list(scope=scope) == ["a%3Ab", "a:b"]
        assert await nour.forget("a%3Ab", scope=scope) is True
        assert await nour.get("a:b", scope=scope) == "colon"
        await nour.set("a%3Ab", "percent", scope=scope)
        assert await nour.forget("a:b", scope=scope) is True
        assert await nour.get("a%3Ab", scope=scope) == "percent"

    run(story())


@pytest.mark.promise("sealing.seed-form")
@pytest.mark.parametrize("key", ["language", "project:deadline"])
def test_update_of_a_seeds_entry_seals_it_anew_in_our_form(
    store: MemoryStore, nour: Remember, clock: MovingClock, key: str
) -> None:
    """Where it lies, so that one compare-and-swap decides; its creation time and expiry stay."""
    where = left_by_the_seed(store, key, 1, expires_at=START + 60_000)
    clock.advance(1000)
    assert run(nour.update(key, lambda n: n + 1, scope="user")) is True
    assert "kid" in json.loads(run(store.get(where)) or "{}")
    entry = run(nour.get_entry(key, scope="user"))
    assert entry is not None
    assert (entry.value, entry.created_at, entry.expires_at) == (2, START, START + 60_000)


@pytest.mark.promise("sealing.seed-form")
def test_twenty_updates_of_a_seeds_entry_at_once_all_count(store: MemoryStore, nour: Remember) -> None:
    """Compare-and-swap holds in the seed's place too."""
    left_by_the_seed(store, "project:count", 0)

    async def story() -> None:
        done = await asyncio.gather(*(nour.update("project:count", lambda n: n + 1, scope="user") for _ in range(20)))
        assert all(done)

    run(story())
    assert run(nour.get("project:count", scope="user")) == 20


@pytest.mark.promise("sealing.seed-form", "accessor.update-never-revives")
@pytest.mark.parametrize("key", ["language", "project:deadline"])
def test_what_expires_does_not_uncover_an_older_value(
    store: MemoryStore, nour: Remember, clock: MovingClock, key: str
) -> None:
    """A value set over the seed's, with a ttl, is gone when it ends, and the seed's with it."""
    left_by_the_seed(store, key, "old")
    run(nour.set(key, "new", scope="user", ttl=60))
    clock.advance(60_000)
    assert run(nour.get(key, scope="user")) is None


@pytest.mark.promise("sealing.seed-form")
def test_an_expired_seeds_entry_is_gone(store: MemoryStore, nour: Remember, clock: MovingClock) -> None:
    """Its own expiry counts."""
    left_by_the_seed(store, "project:x", expires_at=START + 1000)
    clock.advance(1000)
    assert run(nour.knows("project:x", scope="user")) is False
    assert run(nour.update("project:x", 1, scope="user")) is False


@pytest.mark.promise("sealing.seed-form", "accessor.update-never-revives")
@pytest.mark.parametrize("key", ["language", "project:deadline"])
def test_a_seeds_entry_that_expires_while_a_function_thinks_stays_gone(
    store: MemoryStore, nour: Remember, clock: MovingClock, key: str
) -> None:
    """Nothing lies at our own place then, which must not read as leave to write there."""
    left_by_the_seed(store, key, 1, expires_at=START + 1000)

    def slowly(value: int) -> int:
        clock.advance(1000)
        return value + 1

    assert run(nour.update(key, slowly, scope="user", ttl=60)) is False
    assert run(nour.knows(key, scope="user")) is False


@pytest.mark.promise("sealing.seed-form", "accessor.update-never-revives")
def test_a_seeds_entry_that_is_forgotten_while_a_function_thinks_stays_gone(store: MemoryStore, nour: Remember) -> None:
    """Although update finds its own place as empty as before."""
    left_by_the_seed(store, "project:deadline", 1)

    async def forgetting(value: int) -> int:
        await nour.forget("project:deadline", scope="user")
        return value + 1

    assert run(nour.update("project:deadline", forgetting, scope="user")) is False
    assert run(nour.knows("project:deadline", scope="user")) is False


@pytest.mark.promise("sealing.seed-form")
def test_a_previous_secret_opens_the_seeds_form_too(store: MemoryStore, clock: MovingClock) -> None:
    """It has no key id, so each known secret is tried."""
    left_by_the_seed(store, "language")
    rotated = {"REMEMBER_SECRET": "the-secret-of-this-year", "REMEMBER_SECRET_PREVIOUS": f"another-old-secret,{SECRET}"}
    assert run(open_memory(store, clock, **rotated).get("language", scope="user")) == "en"
    assert (
        run(open_memory(store, clock, REMEMBER_SECRET="the-secret-of-this-year").get("language", scope="user")) is None
    )
