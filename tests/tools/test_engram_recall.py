"""engram_recall: what a model gets to read, page by page, and what narrows it."""

from __future__ import annotations

from typing import Any

import pytest

from remember.entry import dump_json
from tests.standins.clock import MovingClock
from tests.tools.noting import TOKEN, Notes, OpenStore, memory_server, notes_of

HALF_A_DAY_MS = 43_200_000
SEEDS = (
    {"content": "Ana prefers dark mode in every editor", "tags": ["ui", "editor"], "category": "preference"},
    {"content": "The API is deployed to Hetzner with Docker", "tags": ["deploy"], "entity": "API", "namespace": "shop"},
    {"content": "We chose PostgreSQL over MongoDB for the shop", "category": "decision", "namespace": "shop"},
)


@pytest.fixture
def filled(ana: Notes) -> Notes:
    for seed in SEEDS:
        ana("remember", **seed)
    return ana


@pytest.mark.promise("notes.recall", "notes.embedding")
@pytest.mark.parametrize("query", ["dark mode", "What does Ana's editor look like?", "which editor theme"])
def test_the_best_note_comes_first(filled: Notes, query: str) -> None:
    """By its words and by what it means."""
    found = filled("recall", query=query)
    assert found["memories"][0]["content"] == SEEDS[0]["content"]
    assert found["embedding"] == "minilm"
    assert [memory["score"] for memory in found["memories"]] == sorted(
        (memory["score"] for memory in found["memories"]), reverse=True
    )


@pytest.mark.promise("notes.recall")
def test_a_note_comes_with_where_it_is_from(filled: Notes) -> None:
    """Type, namespace, times, confidence, votes and uses, and the scope: what a reader needs to judge it."""
    found = filled("recall", query="Which database did we choose?", limit=1)
    (memory,) = found["memories"]
    assert {name: memory[name] for name in ("category", "namespace", "confidence", "created_at", "helpful")} == {
        "category": "decision",
        "namespace": "shop",
        "confidence": 0.8,
        "created_at": "2027-01-15T08:00:00.000Z",
        "helpful": 0,
    }
    assert found["scope"] == "user"
    assert "why" not in memory


@pytest.mark.promise("notes.recall.why")
def test_why_names_the_parts_of_the_score(filled: Notes) -> None:
    """Only where it is asked for."""
    (memory,) = filled("recall", query="PostgreSQL", why=True)["memories"]
    assert memory["why"]
    assert all(isinstance(part, int | float | str | list | bool) for part in memory["why"].values())


@pytest.mark.promise("notes.recall.filters")
@pytest.mark.parametrize(
    ("filters", "number"),
    [
        ({"category": "preference"}, 0),
        ({"tags": ["editor"]}, 0),
        ({"tags": "ui, editor"}, 0),
        ({"entity": "API"}, 1),
        ({"namespace": "shop", "category": "decision"}, 2),
        ({"namespaces": ["shop"], "tags": ["deploy"]}, 1),
    ],
)
def test_filters_narrow(filled: Notes, filters: dict[str, Any], number: int) -> None:
    """All of those that are given count."""
    assert filled.found(**filters) == [SEEDS[number]["content"]]


@pytest.mark.promise("notes.recall.filters")
@pytest.mark.parametrize(
    ("time_filter", "kept"),
    [
        ({"period": "today"}, ["new"]),
        ({"period": "yesterday"}, ["old"]),
        ({"after": "2027-01-14", "before": "2027-01-15"}, ["old"]),
        ({"after": "3 days ago"}, ["new", "old"]),
        ({"period": "today", "timezone": "Pacific/Pago_Pago"}, ["new", "old"]),
        ({"period": "yesterday", "timezone": "Pacific/Pago_Pago"}, []),
        ('{"period": "today"}', ["new"]),
        ({}, ["new", "old"]),
    ],
)
def test_time_narrows_in_words(open_store: OpenStore, clock: MovingClock, time_filter: object, kept: list[str]) -> None:
    """Days are those of the time zone given, else of UTC; twelve hours ago is today in Pago Pago."""
    ana = notes_of("ana", memory_server(open_store(), clock=clock))
    clock.advance(-HALF_A_DAY_MS)
    ana("remember", content="old")
    clock.advance(HALF_A_DAY_MS)
    ana("remember", content="new")
    assert ana.found(time_filter=time_filter) == kept


@pytest.mark.promise("notes.recall.threshold", "notes.recall.nothing")
def test_what_is_not_there_is_not_found(filled: Notes) -> None:
    """No error, and a sentence that says not to try again; the threshold is on relevance."""
    nothing = filled("recall", query="quantum chromodynamics")
    assert (nothing["memories"], nothing["count"], nothing["truncated"]) == ([], 0, False)
    assert "will not change" in nothing["message"]
    (best,) = filled("recall", query="PostgreSQL", limit=1)["memories"]
    assert filled.found("PostgreSQL", threshold=best["relevance"] - 0.01) == [best["content"]]
    assert filled.found("PostgreSQL", threshold=min(1, best["relevance"] + 0.01)) == []


@pytest.mark.promise("notes.recall.nothing")
def test_an_empty_memory_is_no_error(ana: Notes) -> None:
    """A model that asks is told once."""
    assert "Nothing" in ana("recall", query="anything")["message"]


@pytest.mark.promise("notes.recall.pages")
def test_everything_comes_in_pages_each_note_once(ana: Notes, clock: MovingClock) -> None:
    """Newest first, though notes come and go between the pages."""
    ids = []
    for number in range(9):
        clock.advance(1)
        ids.append(ana("remember", content=f"Room {number} is painted in shade {number * 7}")["id"])
    first = ana("recall", query="*", limit=4)
    assert (first["count"], first["truncated"]) == (4, True)
    ana("forget", memory_id=ids[0])
    ana("remember", content="The attic has no windows at all")
    rest = ana("recall", query="*", limit=20, cursor=first["next_cursor"])
    assert rest["truncated"] is False
    assert [memory["id"] for memory in first["memories"] + rest["memories"]] == list(reversed(ids[1:]))


@pytest.mark.promise("notes.recall.pages")
def test_an_answer_is_bounded_and_goes_on_behind_a_cursor(ana: Notes) -> None:
    """Long notes take fewer to a page; all of them come."""
    kept = {f"{number} {chr(97 + number) * 7_000}" for number in range(4)}
    for content in kept:
        ana("remember", content=content, namespace=content[0])
    found: list[str] = []
    more: dict[str, str] = {}
    while True:
        page = ana("recall", query="*", limit=20, **more)
        assert len(dump_json(page["memories"])) < 16_000
        found += [memory["content"] for memory in page["memories"]]
        if not page["truncated"]:
            break
        more = {"cursor": page["next_cursor"]}
    assert sorted(found) == sorted(kept)


@pytest.mark.promise("notes.recall.pages")
def test_a_cursor_is_for_its_question_and_its_owner(open_store: OpenStore, clock: MovingClock) -> None:
    """With another question, other filters, or in another's hands it is refused."""
    handler = memory_server(open_store(), clock=clock)
    ana, ben = notes_of("ana", handler), notes_of("ben", handler)
    for seed in SEEDS:
        ana("remember", **seed)
    cursor = ana("recall", query="*", limit=1)["next_cursor"]
    for asked, more in ((ana, {"query": "shop"}), (ana, {"query": "*", "namespace": "shop"}), (ben, {"query": "*"})):
        assert asked.refused("recall", cursor=cursor, **more).code == "INVALID_INPUT"


@pytest.mark.promise("notes.redacted")
def test_what_was_kept_when_nobody_looked_is_shown_without_secrets(open_store: OpenStore, clock: MovingClock) -> None:
    """Redaction was off once; now kinds and counts are told."""
    off = notes_of("ana", memory_server(open_store(), clock=clock, REMEMBER_REDACTION="off"))
    off("remember", content=f"CI uses {TOKEN}")
    reply = notes_of("ana", memory_server(open_store(), clock=clock)).client.call("engram_recall", {"query": "*"})
    assert reply.data["memories"][0]["content"] == "CI uses [REDACTED]"
    assert reply.data["redacted"] == [{"kind": "github-token", "count": 1}]
    assert TOKEN not in str(reply.body)


@pytest.mark.promise("notes.input")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ("query is required",)),
        ({"query": " "}, ("query is empty",)),
        ({"query": "x", "limit": 21}, ("limit must be an integer from 1 to 20", "21")),
        ({"query": "x", "limit": 0}, ("limit must be",)),
        ({"query": "x", "threshold": 2}, ("threshold must be a number from 0 to 1",)),
        ({"query": "x", "namespace": "a", "namespaces": ["b"]}, ("namespace and namespaces",)),
        ({"query": "x", "namespaces": []}, ("namespaces must be a list of at least 1",)),
        ({"query": "x", "time_filter": {"period": "soonish"}}, ("soonish", "last month")),
        ({"query": "x", "time_filter": {"since": "today"}}, ("time_filter has an unknown field 'since'", "after")),
        ({"query": "x", "time_filter": {"period": "today", "timezone": "Mars/Base"}}, ("Mars/Base", "Europe/Berlin")),
        ({"query": "x", "cursor": "made up"}, ("cursor", "next_cursor")),
    ],
)
def test_what_does_not_fit_is_refused_by_name(ana: Notes, arguments: dict[str, Any], words: tuple[str, ...]) -> None:
    """Which field, and what is allowed."""
    reply = ana.refused("recall", **arguments)
    assert reply.code == "INVALID_INPUT"
    for said in words:
        assert said in reply.text
