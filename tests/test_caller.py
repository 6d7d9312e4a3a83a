"""Whose memory a scope means for a caller, or the refusal."""

from __future__ import annotations

import asyncio

import pytest

from remember.accessor import Remember
from remember.caller import RESERVED_PREFIXES, Caller, Owner, owner_of
from remember.errors import InsufficientScope, RememberIdentityError
from remember.notebook.notebook import Notebook
from remember.owned import Memory
from remember.scope import SCOPES
from remember.sealing import PlainSealer
from remember.stores.memory import MemoryStore
from tests.standins.clock import MovingClock

SIGNED_IN, IN_SESSION = Caller("nour"), Caller("nour", "session:1")
NOBODY, NOBODY_IN_SESSION = Caller("anon:1"), Caller("anon:1", "session:1")


@pytest.mark.parametrize(
    ("caller", "scope", "owner"),
    [
        (SIGNED_IN, "user", Owner("user", "nour")),
        (SIGNED_IN, "session", Owner("session", "stateless-user:nour")),
        (SIGNED_IN, "tool", Owner("tool", "stateless-user:nour", "app:tool")),
        (SIGNED_IN, "global", Owner("global")),
        (IN_SESSION, "user", Owner("user", "nour")),
        (IN_SESSION, "session", Owner("session", "session:1")),
        (IN_SESSION, "tool", Owner("tool", "session:1", "app:tool")),
        (IN_SESSION, "global", Owner("global")),
        (NOBODY, "user", None),
        (NOBODY, "session", None),
        (NOBODY, "tool", None),
        (NOBODY, "global", Owner("global")),
        (NOBODY_IN_SESSION, "user", None),
        (NOBODY_IN_SESSION, "session", Owner("session", "session:1")),
        (NOBODY_IN_SESSION, "tool", Owner("tool", "session:1", "app:tool")),
        (NOBODY_IN_SESSION, "global", Owner("global")),
    ],
)
def test_the_table_of_owners(caller: Caller, scope: str, owner: Owner | None) -> None:
    """Signed in or not, with a session of the server's own or without, in each scope."""
    known = next(known for known in SCOPES if known == scope)
    if owner is not None:
        assert owner_of(caller, known, "app:tool") == owner
        return
    with pytest.raises(RememberIdentityError) as refused:
        owner_of(caller, known, "app:tool")
    wanted = "user scope without an authenticated user" if scope == "user" else "session or tool scope"
    assert wanted in str(refused.value)
    assert "'global'" in str(refused.value)


def test_an_unknown_caller_is_new_every_time() -> None:
    """So that two of them never share anything but global scope."""
    assert len({Caller.unknown().user_id for _ in range(100)}) == 100
    assert Caller.unknown().anonymous
    assert Caller.unknown("session:1").session_id == "session:1"


def test_only_the_prefix_makes_a_caller_anonymous() -> None:
    """Not a name that holds it elsewhere."""
    assert not any(Caller(user_id).anonymous for user_id in ("nour", "nour anon:", "Anon:1", "static:anon"))


def test_what_the_server_names_itself_is_reserved() -> None:
    """No token's sub may begin so: a sub that reads like another kind of caller would be taken for one."""
    for user_id in (Caller.unknown().user_id, "static:ana", "stateless-user:nour", "session:1"):
        assert user_id.startswith(RESERVED_PREFIXES)


def test_a_caller_who_may_read_changes_nothing_whatever_calls_for_them() -> None:
    """Every method that writes refuses before the store is asked, of values and of notes; reading goes on."""
    store = MemoryStore(MovingClock())
    memory = Memory(store, PlainSealer(), MovingClock(), "remember:", model="/nowhere")
    reader = Caller("ana", may_write=False)
    values, notes = Remember(memory, reader, "app:tool"), Notebook(memory, reader, "app:tool")

    async def story() -> None:
        await Remember(memory, Caller("ana"), "app:tool").set("tea", "green")
        for refused in (
            values.set("tea", "black"),
            values.update("tea", "black"),
            values.forget("tea"),
            values.forget_all(),
            notes.remember("tea is green"),
            notes.forget("0" * 24),
            notes.feedback("0" * 24, True),
            notes.forget_matching(namespaces="default", confirmation="x"),
        ):
            with pytest.raises(InsufficientScope, match="Nothing was changed"):
                await refused
        assert await values.get("tea") == "green"
        assert (await notes.recall("*")).hits == ()

    asyncio.run(story())
