"""The accessor's members, each with the rules that the page and its published types give it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from remember import (
    Caller,
    Context,
    InvalidInput,
    Remember,
    RememberConflict,
    RememberIdentityError,
    RememberNotInstalled,
    accessor,
    get_remember,
    try_get_remember,
)
from remember.entry import BRANDS, MAX_TTL_SECONDS
from remember.owned import Memory
from remember.scope import SCOPES, Scope
from remember.sealing import Secrets, SecretSealer
from remember.settings import Secret
from remember.stores.memory import MemoryStore
from tests.standins.clock import START, MovingClock


@pytest.fixture
def memory(clock: MovingClock) -> Memory:
    return Memory(MemoryStore(clock), SecretSealer(Secrets(Secret("bench-secret-0123456789"))), clock, "remember:")


@pytest.fixture
def nour(memory: Memory) -> Remember:
    return Remember(memory, Caller("nour"), "app:tool")


def run(story: Awaitable[object]) -> Any:
    async def running() -> object:
        return await story

    return asyncio.run(running())


class TestGet:
    @pytest.mark.promise("accessor.get-default")
    def test_what_is_missing_gives_the_default(self, nour: Remember) -> None:
        """None, unless another default is given."""
        assert run(nour.get("k")) is None
        assert run(nour.get("k", default_value="(none)")) == "(none)"

    @pytest.mark.promise("accessor.get-null")
    def test_a_stored_null_is_null_and_not_the_default(self, nour: Remember) -> None:
        """Null is a value: knows says so, and so does list."""
        run(nour.set("k", None))
        assert run(nour.get("k", default_value="(none)")) is None
        assert run(nour.knows("k")) is True
        assert run(nour.list()) == ["k"]

    @pytest.mark.promise("accessor.get-default", "accessor.knows", "accessor.list")
    def test_what_does_not_open_gives_the_default(self, nour: Remember, memory: Memory) -> None:
        """A changed text reads as missing: get, get_entry, knows, list, update and forget agree."""
        run(nour.set("k", 1))
        (place,) = [held.place for held in memory.store._entries.values()]  # type: ignore[attr-defined]
        run(memory.store.put(place, "{}", None))
        assert run(nour.get("k", default_value=5)) == 5
        assert run(nour.get_entry("k")) is None
        assert run(nour.knows("k")) is False
        assert run(nour.list()) == []
        assert run(nour.update("k", 2)) is False
        assert run(nour.forget("k")) is False

    @pytest.mark.promise("stores.reads-back")
    @pytest.mark.parametrize(
        "value",
        [
            None,
            True,
            False,
            0,
            -1,
            2**80,
            1.5,
            "",
            "ü\u0000\U0001f600",
            [],
            {},
            [None, [1, {"a": "ü"}]],
            {"": {"k": []}},
        ],
    )
    def test_every_json_value_reads_back_as_it_was(self, nour: Remember, value: Any) -> None:
        """With its type: True is not 1, and 1.0 is not 1."""
        run(nour.set("k", value))
        read = run(nour.get("k", default_value="(none)"))
        assert (type(read), read) == (type(value), value)

    @pytest.mark.promise("stores.reads-back")
    @pytest.mark.parametrize(
        "value", [float("nan"), float("inf"), (1, 2), {1: 2}, {"a": {1}}, b"bytes", "\ud83c", object(), "x" * 1_000_001]
    )
    def test_what_could_not_read_back_is_refused(self, nour: Remember, value: Any) -> None:
        """And nothing is written, not even over what was there."""
        run(nour.set("k", "before"))
        with pytest.raises(InvalidInput, match="value"):
            run(nour.set("k", value))
        with pytest.raises(InvalidInput, match="value"):
            run(nour.update("k", value))
        assert run(nour.get("k")) == "before"


class TestSet:
    @pytest.mark.promise("accessor.set", "accessor.get-entry")
    def test_an_entry_has_its_times_brand_and_metadata(self, nour: Remember) -> None:
        """In milliseconds; what was not given is None."""
        run(nour.set("k", 1))
        entry = run(nour.get_entry("k"))
        assert (entry.value, entry.created_at, entry.updated_at) == (1, START, START)
        assert (entry.expires_at, entry.brand, entry.metadata) == (None, None, None)
        stored = run(nour.set("k", 2, ttl=60, brand="preference", metadata={"by": ["nour"]}))
        entry = run(nour.get_entry("k"))
        assert (stored.replaced, stored.expires_at) == (True, START + 60_000)
        assert (entry.expires_at, entry.brand, entry.metadata) == (START + 60_000, "preference", {"by": ["nour"]})

    @pytest.mark.promise("accessor.set")
    def test_set_overwrites_everything(self, nour: Remember, clock: MovingClock) -> None:
        """A new creation time; brand, metadata and expiry of before are gone."""
        run(nour.set("k", 1, ttl=60, brand="cache", metadata={"a": 1}))
        clock.advance(1000)
        run(nour.set("k", 2))
        entry = run(nour.get_entry("k"))
        assert (entry.value, entry.created_at, entry.updated_at) == (2, START + 1000, START + 1000)
        assert (entry.expires_at, entry.brand, entry.metadata) == (None, None, None)

    @pytest.mark.promise("accessor.brands")
    def test_every_brand_is_kept_and_no_other(self, nour: Remember) -> None:
        """approval, preference, cache, state, conversation, custom."""
        assert BRANDS == ("approval", "preference", "cache", "state", "conversation", "custom")
        for brand in BRANDS:
            run(nour.set("k", 1, brand=brand))
            assert run(nour.get_entry("k")).brand == brand
        with pytest.raises(InvalidInput, match=r"brand must be one of approval, .*'vip'"):
            run(nour.set("k", 1, brand="vip"))  # type: ignore[arg-type]

    @pytest.mark.promise("accessor.ttl")
    @pytest.mark.parametrize("ttl", [0, -1, 1.5, "60", True, MAX_TTL_SECONDS + 1])
    def test_a_ttl_that_is_no_life_is_refused(self, nour: Remember, ttl: Any) -> None:
        """0 too: to end something at once is to forget it. Nothing is written."""
        for attempt in (nour.set("k", 1, ttl=ttl), nour.update("k", 1, ttl=ttl)):
            with pytest.raises(InvalidInput, match="ttl must be whole seconds"):
                run(attempt)
        assert run(nour.knows("k")) is False

    @pytest.mark.promise("caveat.ttl")
    def test_the_store_itself_is_told_the_expiry(self, nour: Remember, memory: Memory) -> None:
        """So that an expired value does not stay in it."""
        run(nour.set("k", 1, ttl=60))
        (held,) = memory.store._entries.values()  # type: ignore[attr-defined]
        assert held.expires_at == START + 60_000

    @pytest.mark.promise("accessor.default-scope")
    def test_the_scope_is_session_unless_given(self, nour: Remember) -> None:
        """In every method."""
        run(nour.set("k", 1))
        assert run(nour.get("k", scope="session")) == 1
        for scope in ("user", "tool", "global"):
            assert run(nour.knows("k", scope=scope)) is False
        assert run(nour.knows("k"))
        assert run(nour.list()) == ["k"]
        assert run(nour.update("k", 2))
        assert run(nour.get_entry("k")).value == 2
        assert run(nour.forget("k"))

    @pytest.mark.promise("accessor.default-scope")
    def test_an_unknown_scope_is_named(self, nour: Remember) -> None:
        """With the four that there are."""
        with pytest.raises(InvalidInput, match="scope must be one of session, user, tool, global; got 'team'"):
            run(nour.get("k", scope="team"))  # type: ignore[arg-type]


class TestUpdate:
    @pytest.mark.promise("accessor.update-keeps", "caveat.update-keeps-expiry")
    def test_update_changes_the_value_and_keeps_the_rest(
        self, nour: Remember, memory: Memory, clock: MovingClock
    ) -> None:
        """Creation time, brand, metadata and expiry, in the store as well."""
        run(nour.set("k", 1, ttl=60, brand="state", metadata={"a": 1}))
        clock.advance(10_000)
        assert run(nour.update("k", 2)) is True
        entry = run(nour.get_entry("k"))
        assert (entry.value, entry.created_at, entry.updated_at) == (2, START, START + 10_000)
        assert (entry.expires_at, entry.brand, entry.metadata) == (START + 60_000, "state", {"a": 1})
        (held,) = memory.store._entries.values()  # type: ignore[attr-defined]
        assert held.expires_at == START + 60_000

    @pytest.mark.promise("accessor.update-ttl")
    def test_update_with_ttl_sets_a_new_expiry_from_now(self, nour: Remember, clock: MovingClock) -> None:
        """Longer or shorter, and also where there was none."""
        for before in (None, 5, 500):
            run(nour.set("k", 1, ttl=before))
            clock.advance(1000)
            assert run(nour.update("k", 2, ttl=60))
            assert run(nour.get_entry("k")).expires_at == clock.now + 60_000

    @pytest.mark.promise("accessor.update-missing")
    def test_update_of_nothing_writes_nothing(self, nour: Remember) -> None:
        """False, and no function is called."""
        assert run(nour.update("k", 1)) is False
        assert run(nour.update("k", lambda _: pytest.fail("called"))) is False
        assert run(nour.knows("k")) is False

    @pytest.mark.promise("accessor.update-never-revives")
    def test_what_expires_while_a_function_thinks_stays_gone(self, nour: Remember, clock: MovingClock) -> None:
        """update then says False."""
        run(nour.set("k", 1, ttl=1))

        def slowly(value: int) -> int:
            clock.advance(1000)
            return value + 1

        assert run(nour.update("k", slowly, ttl=60)) is False
        assert run(nour.knows("k")) is False

    @pytest.mark.promise("accessor.update-never-revives")
    def test_what_is_forgotten_while_a_function_thinks_stays_gone(self, nour: Remember) -> None:
        """A compare-and-swap notices; the key does not come back."""

        async def forgetting(value: int) -> int:
            await nour.forget("k")
            return value + 1

        run(nour.set("k", 1))
        assert run(nour.update("k", forgetting)) is False
        assert run(nour.knows("k")) is False

    @pytest.mark.promise("accessor.update-function")
    def test_a_hundred_concurrent_increments_are_a_hundred(self, nour: Remember) -> None:
        """The function runs again on what another writer left."""

        async def story() -> None:
            await nour.set("count", 0)
            done = await asyncio.gather(*(nour.update("count", lambda n: n + 1) for _ in range(100)))
            assert all(done)
            assert await nour.get("count") == 100

        asyncio.run(story())

    @pytest.mark.promise("accessor.update-function")
    def test_an_update_that_always_comes_second_gives_up_with_a_word(
        self, nour: Remember, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """RememberConflict after the last try, rather than for ever or silently."""
        monkeypatch.setattr(accessor, "_MAX_TRIES", 20)  # of 500, which take seconds
        tries = 0

        async def overtaken(value: int) -> int:
            nonlocal tries
            tries += 1
            await nour.set("k", tries)
            return -1

        async def story() -> None:
            await nour.set("k", 0)
            await nour.update("k", overtaken)

        with pytest.raises(RememberConflict):
            asyncio.run(story())
        assert run(nour.get("k")) == tries == 20


class TestForgetKnowsList:
    @pytest.mark.promise("accessor.forget")
    def test_forget_takes_the_key_literally(self, nour: Remember) -> None:
        """A star forgets a key called star; the answer tells whether there was one."""
        for key in ("a", "*"):
            run(nour.set(key, 1))
        assert run(nour.forget("*")) is True
        assert run(nour.forget("*")) is False
        assert run(nour.list()) == ["a"]

    @pytest.mark.promise("accessor.knows", "accessor.list")
    def test_knows_and_list_agree_with_get(self, nour: Remember, clock: MovingClock) -> None:
        """For what is there, what expired, what was forgotten, what never was."""
        for key, ttl in (("stays", None), ("expires", 1), ("forgotten", None)):
            run(nour.set(key, key, ttl=ttl))
        run(nour.forget("forgotten"))
        clock.advance(1000)
        for key in ("stays", "expires", "forgotten", "never"):
            readable = run(nour.get(key)) == key
            assert run(nour.knows(key)) is readable
            assert (key in run(nour.list())) is readable
        assert run(nour.list()) == ["stays"]

    @pytest.mark.promise("accessor.list")
    @pytest.mark.parametrize(
        ("pattern", "found"),
        [
            ("*", ["[a]*", "a", "a.c", "abc", "abcd", "é:1"]),
            ("a*", ["a", "a.c", "abc", "abcd"]),
            ("a?c", ["a.c", "abc"]),
            ("a.c", ["a.c"]),
            ("[a]*", ["[a]*"]),
            ("[abc]", []),
            ("*c*", ["a.c", "abc", "abcd"]),
            ("?:1", ["é:1"]),
            ("e\u0301:*", ["é:1"]),
            ("%", []),
        ],
    )
    def test_only_star_and_question_mark_are_special(self, nour: Remember, pattern: str, found: list[str]) -> None:
        """Everything else in a pattern is itself; the answer is in code point order."""
        for key in ("abcd", "é:1", "abc", "a", "a.c", "[a]*"):
            run(nour.set(key, 1))
        assert run(nour.list(pattern=pattern)) == found

    @pytest.mark.promise("accessor.list")
    def test_list_gives_everything_however_many(self, nour: Remember) -> None:
        """More than one page of the store, each key once."""

        async def story() -> None:
            names = [f"k{number:03}" for number in range(250)]
            for name in names:
                await nour.set(name, 1)
            assert await nour.list() == names

        asyncio.run(story())

    @pytest.mark.promise("house.4")
    @pytest.mark.parametrize("other", ["*", "n*", "nou?", "[n]our", "nour:", "nour%3A", "%6Eour", "NOUR", "n\u043eur"])
    def test_no_name_lists_another_names_keys(self, memory: Memory, nour: Remember, other: str) -> None:
        """Whatever somebody is called, they see, read and remove nothing of anybody else's."""
        stranger = Remember(memory, Caller(other), "app:tool")
        scopes: tuple[Scope, ...] = ("user", "session", "tool")
        for scope in scopes:
            run(nour.set("k", 1, scope=scope))
            assert run(stranger.list(scope=scope)) == []
            assert run(stranger.get("k", scope=scope)) is None
            assert run(stranger.forget("k", scope=scope)) is False
            assert run(stranger.forget_all(scope=scope)) == 0
            assert run(nour.get("k", scope=scope)) == 1

    @pytest.mark.promise("accessor.forget")
    def test_forget_all_empties_one_scope_of_one_caller(self, memory: Memory, nour: Remember) -> None:
        """Ours beyond the page; nothing else is touched."""
        sam = Remember(memory, Caller("sam"), "app:tool")
        for scope in SCOPES:
            run(nour.set("k", 1, scope=scope))
            run(sam.set("k2", 1, scope=scope))
        assert run(nour.forget_all(scope="user")) == 1
        assert run(nour.list(scope="user")) == []
        assert run(nour.list(scope="session")) == ["k"]
        assert run(sam.list(scope="user")) == ["k2"]


class TestIdentity:
    @pytest.mark.promise("accessor.user-id")
    def test_user_id_and_session_id_are_the_callers(self, memory: Memory) -> None:
        """sub, static: or anon:; a session only where the server opened one."""
        signed_in = Remember(memory, Caller("nour"), "app:tool")
        assert (signed_in.user_id, signed_in.session_id) == ("nour", None)
        unknown = [Remember(memory, Caller.unknown(), "app:tool").user_id for _ in range(2)]
        assert all(user_id.startswith("anon:") for user_id in unknown)
        assert unknown[0] != unknown[1]
        assert Remember(memory, Caller("nour", "session:1"), "app:tool").session_id == "session:1"

    @pytest.mark.promise("scope.anonymous-global-only", "error.identity.session", "error.identity.user")
    def test_an_anonymous_caller_is_refused_by_every_method(self, memory: Memory) -> None:
        """Before the store is asked anything; listing and forgetting too."""
        nobody = Remember(memory, Caller.unknown(), "app:tool")
        scopes: tuple[Scope, ...] = ("user", "session", "tool")
        for scope in scopes:
            for attempt in (
                nobody.set("k", 1, scope=scope),
                nobody.get("k", scope=scope),
                nobody.get_entry("k", scope=scope),
                nobody.knows("k", scope=scope),
                nobody.update("k", 1, scope=scope),
                nobody.forget("k", scope=scope),
                nobody.forget_all(scope=scope),
                nobody.list(scope=scope),
            ):
                with pytest.raises(RememberIdentityError) as refused:
                    run(attempt)
                assert refused.value.code == "REMEMBER_IDENTITY_REQUIRED"
        run(nobody.set("k", 1, scope="global"))
        assert run(nobody.get("k", scope="global")) == 1

    @pytest.mark.promise("accessor.get-remember", "accessor.try-get", "trouble.not-installed")
    def test_get_remember_raises_where_there_is_none_and_try_get_remember_does_not(self, memory: Memory) -> None:
        """The message says what to add where."""
        without = Context(Caller("nour"), "app", "tool", None)
        with pytest.raises(RememberNotInstalled) as refused:
            get_remember(without)
        assert str(refused.value) == "RememberPlugin is not installed. Add RememberPlugin.init() to your plugins array."
        assert try_get_remember(without) is None
        installed = Context(Caller("nour"), "app", "tool", memory)
        run(get_remember(installed).set("k", 1, scope="user"))
        found = try_get_remember(installed)
        assert found is not None
        assert run(found.get("k", scope="user")) == 1
