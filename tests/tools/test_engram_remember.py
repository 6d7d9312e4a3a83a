"""engram_remember: what a model is told about what became of its note."""

from __future__ import annotations

from typing import Any

import pytest

from remember.notebook.fields import MAX_CONTENT, MAX_TAGS
from tests.standins.clock import MovingClock
from tests.tools.noting import TOKEN, WORDS_ALONE, Notes, OpenStore, memory_server, notes_of

FASTIFY = "Ana prefers Fastify over Express for Node.js APIs"
TAKEN = [{"kind": "github-token", "count": 1}]


@pytest.mark.promise("notes.outcome", "notes.created", "notes.auto", "notes.embedding")
def test_a_new_note_is_told_whole(ana: Notes) -> None:
    """With its id, what was told from the content, and what compares; times are ISO 8601 in UTC."""
    done = ana("remember", content=FASTIFY, tags=["backend"])
    assert len(done.pop("id")) == 24
    assert done == {
        "outcome": "created",
        "content": FASTIFY,
        "category": "preference",
        "entity": "Fastify",
        "tags": ["backend"],
        "confidence": 0.8,
        "namespace": "default",
        "created_at": "2027-01-15T08:00:00.000Z",
        "updated_at": "2027-01-15T08:00:00.000Z",
        "auto": {"category": True, "entity": True},
        "redacted": [],
        "conflicts_with": [],
        "embedding": "minilm",
        "scope": "user",
        "message": "Remembered as a new preference.",
    }


@pytest.mark.promise("notes.persists", "notes.sealed")
def test_a_note_is_there_for_its_owner_alone(open_store: OpenStore, clock: MovingClock) -> None:
    """Another instance finds it on a later request; another caller finds nothing."""
    notes_of("ana", memory_server(open_store(), clock=clock))("remember", content=FASTIFY)
    later = memory_server(open_store(), clock=clock)
    assert notes_of("ana", later).found() == [FASTIFY]
    assert notes_of("ben", later).found() == []


@pytest.mark.promise("notes.duplicate", "notes.duplicate.folded")
def test_what_is_there_already_is_not_stored_again(ana: Notes, clock: MovingClock) -> None:
    """White space aside; the older note keeps its id and creation and gains the new tags and the confidence."""
    first = ana("remember", content=FASTIFY, tags=["backend"])
    clock.advance(1_000)
    again = ana("remember", content=f"{FASTIFY} ", tags=["api"], confidence=1)
    assert (again["outcome"], again["id"], again["existing_id"]) == ("duplicate", first["id"], first["id"])
    assert (again["existing_content"], again["similarity"]) == (FASTIFY, 1.0)
    assert (again["tags"], again["confidence"], again["folded"]) == (["backend", "api"], 1.0, ["tags", "confidence"])
    assert (again["created_at"], again["updated_at"]) == (first["created_at"], "2027-01-15T08:00:01.000Z")
    assert ana.found() == [FASTIFY]


@pytest.mark.promise("notes.merged")
def test_what_is_nearly_the_same_is_merged(ana: Notes) -> None:
    """One note stands for both, with the tags of both."""
    first = ana("remember", content="They're renovating the kitchen", tags=["home"])
    merged = ana("remember", content="They are renovating the kitchen", tags=["works"])
    assert (merged["outcome"], merged["id"]) == ("merged", first["id"])
    assert 0.92 <= merged["similarity"] < 0.95
    assert merged["tags"] == ["home", "works"]
    assert len(ana.found()) == 1


@pytest.mark.promise("notes.force")
def test_force_stores_a_copy(ana: Notes) -> None:
    """Under an id of its own."""
    first = ana("remember", content=FASTIFY)
    copy = ana("remember", content=FASTIFY, force=True)
    assert copy["outcome"] == "created"
    assert copy["id"] != first["id"]
    assert ana.found() == [FASTIFY, FASTIFY]


@pytest.mark.promise("notes.guard", "notes.supersedes")
def test_an_update_is_kept_beside_what_it_updates_until_it_supersedes_it(ana: Notes) -> None:
    """The answer names the older note and the difference; called again with its id, the newer one alone is left."""
    old = ana("remember", content="The launch is on October 15th")
    new = ana("remember", content="The launch is on October 16th")
    (conflict,) = new["conflicts_with"]
    assert (new["outcome"], conflict["id"]) == ("created", old["id"])
    assert "differ" in conflict["reason"]
    assert "supersedes" in new["message"]
    assert len(ana.found()) == 2
    replaced = ana("remember", content="The launch is on October 16th", supersedes=old["id"])
    assert (replaced["supersedes"], replaced["id"]) == (old["id"], new["id"])
    assert ana.found() == ["The launch is on October 16th"]


@pytest.mark.promise("notes.redacted")
def test_a_secret_is_taken_out_of_every_field(ana: Notes) -> None:
    """Kinds and counts are told, no character of it; in a namespace, by which notes are told apart, it is refused."""
    for fields in ({"content": f"CI uses {TOKEN} now"}, {"tags": [TOKEN]}, {"entity": TOKEN}):
        reply = ana.client.call("engram_remember", {"content": f"A note about {sorted(fields)}", **fields})
        assert reply.data["redacted"] == TAKEN
        assert TOKEN not in str(reply.body)
    assert ana.refused("remember", content="A note", namespace=TOKEN).code == "REMEMBER_SECRET_REFUSED"
    assert TOKEN not in str(ana.client.call("engram_recall", {"query": "*"}).body)


@pytest.mark.promise("notes.rejected")
def test_where_secrets_are_rejected_nothing_is_stored(open_store: OpenStore, clock: MovingClock) -> None:
    """The kind is told, and the code."""
    ana = notes_of("ana", memory_server(open_store(), clock=clock, REMEMBER_REDACTION="reject"))
    reply = ana.refused("remember", content=f"CI uses {TOKEN}")
    assert reply.code == "REMEMBER_SECRET_REFUSED"
    assert "github-token" in reply.text
    assert TOKEN not in str(reply.body)
    assert ana.found() == []


@pytest.mark.promise("notes.lexical", "notes.duplicate")
def test_without_a_model_the_answer_says_so(open_store: OpenStore, clock: MovingClock) -> None:
    """The same text is known all the same, and found by its words, a question mark or not."""
    ana = notes_of("ana", memory_server(open_store(), clock=clock, **WORDS_ALONE))
    assert ana("remember", content=FASTIFY)["embedding"] == "lexical"
    assert ana("remember", content=FASTIFY)["outcome"] == "duplicate"
    found = ana("recall", query="What about Fastify?")
    assert (found["count"], found["embedding"]) == (1, "lexical")
    assert "no embedding model" in found["message"]


@pytest.mark.promise("notes.null-is-auto")
def test_null_is_as_if_it_were_left_out(ana: Notes) -> None:
    """For clients that fill in what they do not know; the schema's only defaults are harmless ones."""
    nothing = dict.fromkeys(("category", "entity", "tags", "confidence", "namespace", "force", "supersedes", "scope"))
    done = ana("remember", content=FASTIFY, **nothing)
    assert (done["category"], done["auto"]) == ("preference", {"category": True, "entity": True})
    given = ana("remember", content="Tea is at five", category="pattern", entity="tea")
    assert (given["category"], given["entity"], given["auto"]) == (
        "pattern",
        "tea",
        {"category": False, "entity": False},
    )
    schema = ana.client.tools()["engram_remember"]["inputSchema"]["properties"]
    assert {name for name in schema if "default" in schema[name]} == {"namespace", "scope"}


@pytest.mark.promise("notes.namespace")
def test_notes_of_two_namespaces_never_meet(ana: Notes) -> None:
    """The same text is new in each of them."""
    assert ana("remember", content=FASTIFY)["namespace"] == "default"
    assert ana("remember", content=FASTIFY, namespace="shop")["outcome"] == "created"
    assert ana.found(namespace="shop") == [FASTIFY]
    assert len(ana.found(namespaces=["shop", "default"])) == len(ana.found()) == 2


@pytest.mark.promise("notes.confidence", "notes.input")
def test_numbers_and_lists_may_come_as_text(ana: Notes) -> None:
    """Nothing is lost by reading them, and the result tells which they were."""
    reply = ana.client.call("engram_remember", {"content": FASTIFY, "confidence": "0.5", "tags": "api, backend"})
    assert (reply.data["confidence"], reply.data["tags"]) == (0.5, ["api", "backend"])
    assert reply.result["_meta"]["coerced"] == ["confidence", "tags"]
    assert ana("remember", content="Tea is at five", tags='["a"]')["tags"] == ["a"]


@pytest.mark.promise("notes.input", "notes.confidence")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ("content is required",)),
        ({"content": ""}, ("content must be", "at least 1 character")),
        ({"content": "  \n"}, ("content is empty",)),
        ({"content": "x" * (MAX_CONTENT + 1)}, ("content has 8,001 characters", "8,000")),
        ({"content": 5}, ("content must be a string", "the number 5")),
        ({"content": "x", "confidence": 7}, ("confidence must be a number from 0 to 1", "the number 7")),
        ({"content": "x", "confidence": "high"}, ("confidence must be a number", "'high'")),
        ({"content": "x", "category": "idea"}, ("category must be one of", "'decision'", "'idea'")),
        ({"content": "x", "tags": [1]}, ("tags.0 must be a string", "the number 1")),
        ({"content": "x", "tags": ["y" * 65]}, ("tags must be 1 to 64 characters", "65")),
        ({"content": "x", "tags": [str(number) for number in range(MAX_TAGS + 1)]}, ("tags may hold 32", "33")),
        ({"content": "x", "force": "perhaps"}, ("force must be true or false", "'perhaps'")),
        ({"content": "x", "supersedes": "0" * 24}, ("supersedes names no note", "Nothing was stored")),
        ({"content": "x", "contnet": "y"}, ("unknown argument 'contnet'", "did you mean content?")),
        ({"content": "x", "scope": "mine"}, ("scope must be one of", "'mine'")),
    ],
)
def test_what_does_not_fit_is_refused_by_name(ana: Notes, arguments: dict[str, Any], words: tuple[str, ...]) -> None:
    """Which field, what arrived, what is allowed; and nothing is stored."""
    reply = ana.refused("remember", **arguments)
    assert reply.code == "INVALID_INPUT"
    for said in words:
        assert said in reply.text
    assert ana.found() == []


@pytest.mark.promise("notes.scope")
def test_scopes_are_apart_and_user_is_the_default(ana: Notes, open_store: OpenStore, clock: MovingClock) -> None:
    """Global is everybody's; nobody has global alone; tool scope is none of the notes'."""
    for scope in ("user", "session", "global"):
        assert ana("remember", content=f"kept in {scope}", scope=scope)["scope"] == scope
    assert ana.found() == ana.found(scope="user") == ["kept in user"]
    assert ana.found(scope="session") == ["kept in session"]
    nobody = notes_of(None, memory_server(open_store(), clock=clock))
    assert nobody.found(scope="global") == ["kept in global"]
    for scope in ("user", "session"):
        assert nobody.refused("remember", content="x", scope=scope).code == "REMEMBER_IDENTITY_REQUIRED"
    refused = ana.refused("remember", content="x", scope="tool")
    assert refused.code == "REMEMBER_SCOPE_NOT_ALLOWED"
    assert refused.text == "Scope 'tool' is not allowed. Allowed scopes: session, user, global"
