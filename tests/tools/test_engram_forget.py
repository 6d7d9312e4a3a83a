"""engram_forget, engram_feedback and engram_status: what a model does with notes that are there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.standins.clock import MovingClock
from tests.tools.noting import TOKEN, WORDS_ALONE, Notes, OpenStore, memory_server, notes_of
from tests.tools.person import NO_ANSWERS, YES, Person

TEN_MINUTES_MS = 600_000


@pytest.fixture
def ids(ana: Notes) -> list[str]:
    """Three notes, two of them in the shop."""
    return [
        ana("remember", content=content, namespace=namespace)["id"]
        for content, namespace in (
            ("Tea is at five", "home"),
            ("The till is by the door", "shop"),
            ("Bread is sold out by noon", "shop"),
        )
    ]


@pytest.mark.promise("notes.forget")
def test_a_note_is_deleted_by_its_id(ana: Notes, ids: list[str], open_store: OpenStore, clock: MovingClock) -> None:
    """For good, in every instance; a second time there is no such note, and that is no error."""
    gone = ana("forget", memory_id=ids[0])
    assert (gone["found"], gone["count"], gone["dry_run"], gone["missing"]) == (True, 1, False, [])
    assert gone["memories"][0]["content"] == "Tea is at five"
    again = ana("forget", memory_id=ids[0])
    assert (again["found"], again["count"], again["missing"]) == (False, 0, [ids[0]])
    assert "will not change" in again["message"]
    elsewhere = notes_of("ana", memory_server(open_store(), clock=clock))
    assert "Tea is at five" not in elsewhere.found()
    assert elsewhere("context", query="tea")["count"] == 0


@pytest.mark.promise("notes.forget")
def test_the_beginning_of_an_id_will_do(ana: Notes, ids: list[str]) -> None:
    """Eight characters or more; several at once, and those that are not there are named."""
    gone = ana("forget", memory_ids=[ids[0][:8], ids[1], "0" * 24])
    assert (gone["count"], gone["missing"]) == (2, ["0" * 24])
    assert ana.refused("forget", memory_id=ids[2][:7]).code == "INVALID_INPUT"
    assert ana.found() == ["Bread is sold out by noon"]


@pytest.mark.promise("notes.forget.filter")
def test_by_a_filter_it_shows_first_and_deletes_with_the_confirmation(ana: Notes, ids: list[str]) -> None:
    """Whether dry_run is given or not, nothing is deleted without one; and no other note than was shown."""
    for dry in ({}, {"dry_run": True}):
        shown = ana("forget", namespace="shop", **dry)
        assert (shown["dry_run"], shown["count"], shown["found"]) == (True, 2, True)
        assert {memory["id"] for memory in shown["memories"]} == set(ids[1:])
    assert len(ana.found()) == 3
    assert ana("forget", namespace="shop", dry_run=True, confirmation=shown["confirmation"])["dry_run"] is True
    gone = ana("forget", namespace="shop", confirmation=shown["confirmation"])
    assert (gone["dry_run"], gone["count"]) == (False, 2)
    assert "confirmation" not in gone
    assert ana.found() == ["Tea is at five"]


@pytest.mark.promise("notes.forget.filter")
@pytest.mark.parametrize("spoiled", ["another filter", "another note", "another caller", "too late", "made up"])
def test_a_confirmation_is_for_what_was_shown(
    ana: Notes, ids: list[str], open_store: OpenStore, clock: MovingClock, spoiled: str
) -> None:
    """By the same caller, for exactly these notes, in ten minutes; else nothing is deleted."""
    filters: dict[str, Any] = {"namespace": "shop"}
    token = ana("forget", **filters)["confirmation"]
    caller = ana
    if spoiled == "another filter":
        filters = {"namespace": "home"}
    elif spoiled == "another note":
        ana("remember", content="Milk comes on Monday", namespace="shop")
    elif spoiled == "another caller":
        caller = notes_of("ben", memory_server(open_store(), clock=clock))
        for content in ("The till is by the door", "Bread is sold out by noon"):
            caller("remember", content=content, namespace="shop")
    elif spoiled == "too late":
        clock.advance(TEN_MINUTES_MS + 1_000)
    else:
        token = "made-up"
    before = caller.found()
    refused = caller.refused("forget", confirmation=token, **filters)
    assert refused.code == "INVALID_INPUT"
    assert "confirmation" in refused.text
    assert caller.found() == before
    assert len(ids) == 3


@pytest.mark.promise("notes.forget", "notes.forget.filter", "notes.input")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ("memory_id", "at least one of category")),
        ({"memory_id": "0" * 24, "namespace": "shop"}, ("namespace and ids are both given",)),
        ({"memory_id": "0" * 24, "dry_run": True}, ("dry_run", "go with a filter")),
        ({"namespace": "shop", "dry_run": False}, ("confirmation", "Call without dry_run first")),
        ({"memory_ids": []}, ("memory_ids must be a list of 1 to 100",)),
        ({"time_filter": {}}, ("memory_id", "at least one of category")),
        ({"tags": []}, ("memory_id", "at least one of category")),
    ],
)
def test_a_delete_that_is_not_clear_is_refused(ana: Notes, arguments: dict[str, Any], words: tuple[str, ...]) -> None:
    """Ids or a filter, one of them; and an empty filter is none."""
    reply = ana.refused("forget", **arguments)
    assert reply.code == "INVALID_INPUT"
    for said in words:
        assert said in reply.text


def test_an_empty_filter_beside_an_id_is_none(ana: Notes, ids: list[str]) -> None:
    """Clients that fill every argument in send one."""
    assert ana("forget", memory_id=ids[0], tags=[], time_filter={})["count"] == 1


@pytest.mark.promise("notes.forget.filter")
def test_a_filter_that_fits_nothing_gives_no_confirmation(ana: Notes, ids: list[str]) -> None:
    """There is nothing to confirm."""
    nothing = ana("forget", namespace="nowhere")
    assert (nothing["found"], nothing["count"]) == (False, 0)
    assert "confirmation" not in nothing
    assert len(ana.found()) == len(ids)


def test_long_notes_are_shown_shortened(ana: Notes) -> None:
    """Enough of each to know it by: twenty whole ones would be 160,000 characters."""
    ana("remember", content="word " * 1_000)
    (shown,) = ana("forget", namespace="default")["memories"]
    assert len(shown["content"]) == 200
    assert shown["content"].endswith("…")


@pytest.mark.promise("notes.feedback")
def test_votes_are_counted_and_move_the_confidence_from_five_on(ana: Notes, ids: list[str]) -> None:
    """And recall tells them."""
    votes = [ana("feedback", memory_id=ids[0], helpful=True, context="planned tea") for _ in range(5)]
    assert [vote["helpful"] for vote in votes] == [1, 2, 3, 4, 5]
    assert [vote["confidence"] for vote in votes] == [0.8, 0.8, 0.8, 0.8, 0.85]
    assert votes[0]["found"] is True
    (memory,) = ana("recall", query="*", namespace="home")["memories"]
    assert (memory["helpful"], memory["unhelpful"], memory["confidence"]) == (5, 0, 0.85)


@pytest.mark.promise("notes.feedback", "notes.redacted")
def test_feedback_on_nothing_and_with_a_secret(ana: Notes, ids: list[str]) -> None:
    """An unknown note is told, not an error; a secret in the context goes no further."""
    nothing = ana("feedback", memory_id="0" * 24, helpful=False)
    assert (nothing["found"], nothing["id"]) == (False, "0" * 24)
    reply = ana.client.call("engram_feedback", {"memory_id": ids[0], "helpful": "false", "context": TOKEN})
    assert reply.data["unhelpful"] == 1
    assert TOKEN not in str(reply.body)
    assert ana.refused("feedback", memory_id=ids[0]).text.startswith("helpful is required")


@pytest.mark.promise("notes.status")
def test_the_status_counts(ana: Notes, ids: list[str]) -> None:
    """By type and by namespace; with the model and the limits."""
    status = ana("status")
    assert (status["total"], status["namespaces"]) == (len(ids), {"home": 1, "shop": 2})
    assert sum(status["categories"].values()) == len(ids)
    assert (status["embedding"], status["without_vector"], status["unreadable"]) == ("minilm", 0, 0)
    assert status["model"].startswith("minilm-int8:")
    assert status["limits"]["characters"] == 8_000


@pytest.mark.promise("notes.status", "notes.lexical")
def test_the_status_says_why_there_is_no_model(open_store: OpenStore, clock: MovingClock) -> None:
    """Without the path of what was not found."""
    status = notes_of("ana", memory_server(open_store(), clock=clock, **WORDS_ALONE))("status")
    assert status["embedding"] == "lexical"
    assert status["reason"]
    assert "model" not in status
    assert WORDS_ALONE["REMEMBER_MODEL"] not in str(status)


@pytest.mark.promise("notes.forget.filter")
@pytest.mark.parametrize("dry", [{}, {"dry_run": False}])
def test_a_client_that_can_ask_asks_before_a_filter_deletes(ana: Notes, ids: list[str], dry: dict[str, bool]) -> None:
    """How many notes, and by which filter; the yes deletes these, once, without a confirmation in the model's hands."""
    person = Person(ana.client)
    asked = person.asked("engram_forget", namespace="shop", **dry)
    assert asked.message == 'Delete 2 notes that you keep, for good? They fit {"namespace":"shop"}'
    assert len(ana.found()) == len(ids)
    gone = person.answers(asked, YES, "engram_forget", namespace="shop", **dry).data
    assert (gone["dry_run"], gone["count"]) == (False, 2)
    assert ana.found() == ["Tea is at five"]
    assert person.answers(asked, YES, "engram_forget", namespace="shop", **dry).error["code"] == -32602


@pytest.mark.promise("notes.forget.filter")
@pytest.mark.parametrize("answer", NO_ANSWERS.values(), ids=list(NO_ANSWERS))
def test_without_the_person_s_yes_a_filter_deletes_nothing(ana: Notes, ids: list[str], answer: dict[str, Any]) -> None:
    """And the answer says so."""
    person = Person(ana.client)
    asked = person.asked("engram_forget", namespace="shop")
    told = person.answers(asked, answer, "engram_forget", namespace="shop").data
    assert (told["dry_run"], told["count"]) == (True, 2)
    assert "did not agree" in told["message"]
    assert "confirmation" not in told
    assert len(ana.found()) == len(ids)


@pytest.mark.promise("notes.forget.filter")
def test_what_has_changed_since_the_question_is_not_deleted(ana: Notes, ids: list[str]) -> None:
    """The person agreed to two notes, and now there are three."""
    person = Person(ana.client)
    asked = person.asked("engram_forget", namespace="shop")
    ana("remember", content="Milk comes on Monday", namespace="shop")
    assert person.answers(asked, YES, "engram_forget", namespace="shop").code == "INVALID_INPUT"
    assert len(ana.found()) == len(ids) + 1


@pytest.mark.promise("notes.forget.filter")
def test_nobody_agrees_for_a_person_who_can_be_asked(ana: Notes, ids: list[str]) -> None:
    """A dry run there shows, and gives no confirmation; an id and a filter that fits nothing ask nobody."""
    person = Person(ana.client)
    shown = person.call("engram_forget", {"namespace": "shop", "dry_run": True}).data
    assert (shown["dry_run"], shown["count"], "confirmation" in shown) == (True, 2, False)
    assert "without dry_run" in shown["message"]
    assert person.call("engram_forget", {"namespace": "nowhere"}).data["count"] == 0
    assert person.call("engram_forget", {"memory_id": ids[0]}).data["count"] == 1


@pytest.mark.promise("notes.forget.filter")
def test_in_global_scope_a_confirmation_is_its_caller_s(ana: Notes, open_store: OpenStore, clock: MovingClock) -> None:
    """Both see the same notes there, and each has to look first."""
    ben = notes_of("ben", memory_server(open_store(), clock=clock))
    ana("remember", content="Tea is at five", namespace="shop", scope="global")
    token = ana("forget", namespace="shop", scope="global")["confirmation"]
    assert ben.refused("forget", namespace="shop", scope="global", confirmation=token).code == "INVALID_INPUT"
    assert ana("forget", namespace="shop", scope="global", confirmation=token)["count"] == 1
