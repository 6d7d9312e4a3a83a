"""Notes on the artefacts: compared by what they mean, forgotten as agreed, in a process that stays small."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.deploy.conftest import Artefact, Runtime
from tests.deploy.over_http import content, send
from tests.protocol.requests import ANA, BOB, call, post

pytestmark = pytest.mark.deploy

MOST_MB = 110
"""Of memory, as the bench has it too. Numpy and the weights come to 35 of it."""

LAUNCH, MOVED, CAT = "The launch is on October 15th", "The launch is on October 16th", "The cat sleeps on the sofa"


class Caller:
    """One person at one instance; each call must succeed."""

    def __init__(self, function: Runtime, key: str = ANA) -> None:
        self._function = function
        self._key = key

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return content(send(self._function.port, post(call(tool, **arguments), key=self._key)))

    def keeps(self, *notes: str, **fields: Any) -> list[str]:
        """Their ids."""
        return [str(self("engram_remember", content=note, **fields)["id"]) for note in notes]

    def finds(self, query: str = "*", **filters: Any) -> list[str]:
        """What the notes say, best first; compared by what they mean."""
        found = self("engram_recall", query=query, **filters)
        assert found["embedding"] == "minilm"
        return [str(note["content"]) for note in found["memories"]]


@pytest.fixture
def ana(deployed: Runtime) -> Caller:
    return Caller(deployed)


def test_a_note_is_found_by_what_it_means(ana: Caller, deployed: Runtime) -> None:
    """In no word of its own; and by nobody else."""
    kept = ana("engram_remember", content=CAT)
    assert (kept["outcome"], kept["embedding"], kept["conflicts_with"]) == ("created", "minilm", [])
    ana.keeps("Interest rates rose in March", "The bakery opens at six")
    assert ana.finds("Where does the kitten nap?")[0] == CAT
    assert Caller(deployed, BOB).finds("Where does the kitten nap?") == []


def test_a_contradiction_is_kept_beside_the_older_note(ana: Caller) -> None:
    """And told, until the newer one replaces it."""
    (older,) = ana.keeps(LAUNCH)
    newer = ana("engram_remember", content=MOVED)
    assert newer["outcome"] == "created"
    assert [conflict["id"] for conflict in newer["conflicts_with"]] == [older]
    assert sorted(ana.finds("When is the launch?")) == [LAUNCH, MOVED]
    assert ana("engram_remember", content=MOVED, supersedes=older)["supersedes"] == older
    assert ana.finds("When is the launch?") == [MOVED]


def test_the_next_instance_finds_what_the_first_one_kept(artefact: Artefact, settings: dict[str, str]) -> None:
    """The first one is taken away the moment that it has answered."""
    with artefact.start(settings) as first:
        Caller(first).keeps(CAT)
    with artefact.start(settings) as second:
        assert Caller(second).finds("a kitten's nap") == [CAT]


def test_a_filter_deletes_what_it_has_shown(artefact: Artefact, settings: dict[str, str]) -> None:
    """With the confirmation, at any instance; with another filter it says nothing."""
    with artefact.start(settings) as first, artefact.start(settings) as second:
        ana, elsewhere = Caller(first), Caller(second)
        shop = set(ana.keeps("The till is by the door", "Bread is sold out by noon", namespace="shop"))
        ana.keeps(CAT)
        shown = ana("engram_forget", namespace="shop")
        assert (shown["dry_run"], {note["id"] for note in shown["memories"]}) == (True, shop)
        assert len(elsewhere.finds()) == 3
        gone = elsewhere("engram_forget", namespace="shop", confirmation=shown["confirmation"])
        assert (gone["dry_run"], gone["count"]) == (False, 2)
        assert ana.finds() == [CAT]


def test_forget_all_empties_the_caller_s_scope_in_two_steps(ana: Caller, deployed: Runtime) -> None:
    """Values and notes, those that were shown; what others keep stays."""
    bob = Caller(deployed, BOB)
    for caller in (ana, bob):
        caller("remember_this", key="k", value=1, scope="user")
        caller.keeps(CAT, scope="user")
    shown = ana("forget_all", scope="user")
    assert (shown["deleted"], shown["values"], shown["notes"]) == (False, 1, 1)
    assert ana.finds(scope="user") == [CAT]
    gone = ana("forget_all", scope="user", confirmation=shown["confirmation"])
    assert (gone["deleted"], gone["values"], gone["notes"]) == (True, 1, 1)
    assert ana.finds(scope="user") == []
    assert ana("recall", key="k", scope="user")["found"] is False
    assert bob.finds(scope="user") == [CAT]
    assert bob("recall", key="k", scope="user")["found"] is True


def test_a_time_zone_is_known_where_the_platform_has_none(artefact: Artefact, settings: dict[str, str]) -> None:
    """In Berlin it was later than in Greenwich when the note was kept: half an hour later by the clock, it was not yet.

    A slim image has no time zones of its own.
    """
    with artefact.start(settings, PYTHONTZPATH="") as function:
        ana = Caller(function)
        kept = datetime.fromisoformat(ana("engram_remember", content=CAT)["created_at"])
        later = f"{kept + timedelta(minutes=30):%Y-%m-%dT%H:%M}"
        assert ana.finds(time_filter={"after": later, "timezone": "Europe/Berlin"}) == [CAT]
        assert ana.finds(time_filter={"after": later}) == []


def test_notes_leave_the_process_small(ana: Caller, deployed: Runtime) -> None:
    """The most memory that it ever had; its values alone take less than half of that."""
    ana("remember_this", key="k", value=1)
    with_values = deployed.process.peak_mb
    ana.keeps(LAUNCH, MOVED, CAT)
    ana.finds("Where does the kitten nap?")
    print(f"{with_values:.0f} MB with values, {deployed.process.peak_mb:.0f} with notes")  # noqa: T201  figures
    assert with_values < MOST_MB / 2 < deployed.process.peak_mb < MOST_MB
