"""The same failures, tried on the tools for notes; each test carries its case's id."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from typing import Any

import pytest

from remember import FetchHandler
from remember.stores.memory import MemoryStore
from tests.standins.client import Client
from tests.standins.clock import MovingClock
from tests.tools.noting import KEYS, TOKEN, WORDS_ALONE, Notes, memory_server, notes_of

REPLY_CHARS = 33_000


@pytest.fixture
def store(clock: MovingClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def handler(store: MemoryStore, clock: MovingClock) -> FetchHandler:
    """Notes are told apart by their words alone, which costs these tests no model; what they pin does not need one."""
    return memory_server(store, clock=clock, REMEMBER_RATE_LIMIT="0", **WORDS_ALONE)


@pytest.fixture
def ana(handler: FetchHandler) -> Notes:
    return notes_of("ana", handler)


@pytest.fixture
def ben(handler: FetchHandler) -> Notes:
    return notes_of("ben", handler)


# --- A: keys and identities ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["*", "?", "[a]", "../ben", "%2F", "a:b", "default*", "__layout__"])
def test_a4_a_namespace_is_a_name_and_no_pattern(ana: Notes, sign: str) -> None:
    """It finds and empties what has exactly this name, and nothing else."""
    ana("remember", content="The office is in Bonn", namespace="default")
    ana("remember", content="The cat is grey", namespace="work")
    ana("remember", content="The tea is green", namespace=sign)
    assert ana.found(namespace=sign) == ["The tea is green"]
    shown = ana("forget", namespace=sign)
    assert (shown["dry_run"], shown["count"]) == (True, 1)
    ana("forget", namespace=sign, confirmation=shown["confirmation"])
    assert sorted(ana.found()) == ["The cat is grey", "The office is in Bonn"]


def test_a7_a_note_is_found_however_its_accents_are_written(ana: Notes) -> None:
    """By a question, an entity or a tag in the other form."""
    ana("remember", content="The depot is in Z\u00fcrich", entity="Z\u00fcrich", tags=["caf\u00e9"])
    apart = "Zu\u0308rich"
    assert len(ana.found(apart)) == len(ana.found(entity=apart)) == len(ana.found(tags=["cafe\u0301"])) == 1


@pytest.mark.parametrize("argument", ["user_id", "sub", "owner", "user", "X-User-Id"])
def test_a11_nobody_says_whose_notes_are_meant(ana: Notes, ben: Notes, argument: str) -> None:
    """An argument that would is refused, and a namespace called like somebody is one's own."""
    ben("remember", content="Ben drinks tea", namespace="ben")
    assert argument in ana.refused("recall", query="*", **{argument: "ben"}).text
    assert ana.found(namespace="ben") == []
    assert ana.found(namespace="static:ben") == []


def test_a12_the_widest_filter_is_one_s_own(ana: Notes, ben: Notes) -> None:
    """A and B each keep three; what A may delete by a filter is A's."""
    for who, name in ((ana, "Ana"), (ben, "Ben")):
        for number in range(3):
            who("remember", content=f"{name} has house number {number}", namespace="default")
    shown = ana("forget", namespace="default")
    assert shown["count"] == 3
    ana("forget", namespace="default", confirmation=shown["confirmation"])
    assert (len(ana.found()), len(ben.found())) == (0, 3)


@pytest.mark.parametrize(
    "name", ["my-app {v1}|x", 'c++ - "q"', "123e4567-e89b-12d3-a456-426614174000", "@tag:{a}", "-x"]
)
def test_a15_signs_in_a_name_are_no_query(ana: Notes, name: str) -> None:
    """In a namespace, a tag, an entity and a question."""
    ana("remember", content=f"This is about {name} alone", namespace=name, tags=[name], entity=name)
    ana("remember", content="That is about the weather")
    for filters in ({"namespace": name}, {"tags": [name]}, {"entity": name}):
        assert len(ana.found(**filters)) == 1, filters
    assert ana.found(name)[:1] == [f"This is about {name} alone"]


# --- B: texts and sizes ----------------------------------------------------------------------------------------------

FIELDS = [
    ("remember", "content", str), ("remember", "entity", str), ("remember", "namespace", str),
    ("remember", "tags", lambda text: [text]), ("recall", "query", str), ("recall", "tags", lambda text: [text]),
    ("recall", "cursor", str), ("context", "query", str), ("forget", "memory_id", str),
    ("forget", "confirmation", str), ("feedback", "context", str),
]  # fmt: skip
NEEDED: dict[str, dict[str, Any]] = {
    "remember": {"content": "The office is in Bonn"},
    "recall": {"query": "*"},
    "forget": {},
    "context": {},
    "feedback": {"memory_id": "0123456789ab", "helpful": True},
}


@pytest.mark.parametrize(("tool", "field", "dress"), FIELDS)
def test_b1_half_a_character_is_refused_by_the_name_of_its_field(ana: Notes, tool: str, field: str, dress: Any) -> None:
    """One policy for every field, and nothing is kept."""
    reply = ana.refused(tool, **{**NEEDED[tool], field: dress("bad \ud83c end")})
    assert reply.code == "INVALID_INPUT"
    assert field in reply.text
    assert ana.found() == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", ""), ("content", " \n\t"), ("content", "x" * 8_001), ("content", "\u200b\u200b"),
        ("entity", ""), ("entity", "x" * 65), ("namespace", ""), ("namespace", "x" * 65),
        ("tags", [""]), ("tags", ["x" * 65]), ("tags", [str(number) for number in range(33)]),
    ],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_b3_b4_what_is_no_text_or_too_long_is_refused_with_the_rule(ana: Notes, field: str, value: Any) -> None:
    """With the field's name, in a few words, and nothing is kept."""
    reply = ana.refused("remember", **{"content": "The office is in Bonn", field: value})
    assert reply.code == "INVALID_INPUT"
    assert field in reply.text
    assert len(reply.text) < 400
    assert ana.found() == []


def test_b3_nul_and_line_breaks_in_a_note_come_back(ana: Notes) -> None:
    """A value's text is the person's, to the last character."""
    content = "first\u0000line\r\nsecond\tline \u2028 third"
    ana("remember", content=content)
    assert ana.found() == [content]


# --- E: what clients send and take -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [{"tags": '["api","web"]'}, {"tags": "api, web"}, {"tags": "api,web", "confidence": "0.8", "force": "true"}],
)
def test_e12_lists_numbers_and_flags_may_come_as_text(ana: Notes, arguments: dict[str, Any]) -> None:
    """Read without loss, and the result names what was read."""
    reply = ana.client.call("engram_remember", {"content": "The API is at port 80", **arguments})
    assert reply.data["tags"] == ["api", "web"]
    assert reply.result["_meta"]["coerced"] == list(arguments)


def test_e13_e14_an_answer_stays_short_in_both_its_forms_together(ana: Notes) -> None:
    """Long notes come in pages, each note once; what the text and the structured content take together is bounded."""
    for number in range(12):
        ana("remember", content=f"Note {number} says {'that ' * 1_000}", force=True)
    found: list[str] = []
    more: dict[str, str] = {}
    while True:
        reply = ana.client.call("engram_recall", {"query": "*", "limit": 20, **more})
        assert len(reply.response.body) < REPLY_CHARS
        found += [memory["id"] for memory in reply.data["memories"]]
        if "next_cursor" not in reply.data:
            break
        more = {"cursor": reply.data["next_cursor"]}
    assert len(found) == len(set(found)) == 12
    assert len(ana.client.call("engram_context", {"max_tokens": 100_000}).response.body) < REPLY_CHARS


# --- H: secrets ------------------------------------------------------------------------------------------------------


def test_h4_a_secret_reaches_the_store_by_no_tool(clock: MovingClock) -> None:
    """In every text that any of them takes; the store is read as it is, unsealed."""
    store = MemoryStore(clock)
    server = memory_server(store, clock=clock, REMEMBER_ENCRYPTION="off", **WORDS_ALONE)
    client = Client(server, KEYS["ana"])
    client.call("remember_this", {"key": "plain", "value": {"deep": [f"use {TOKEN} now", {TOKEN: 1}]}})
    client.call("remember_this", {"key": f"of {TOKEN}", "value": 1})
    note = client.call("engram_remember", {"content": f"Deploy with {TOKEN} on Friday", "tags": ["deploy"]}).data
    for field in ({"tags": [TOKEN]}, {"entity": TOKEN}, {"namespace": TOKEN}):
        client.call("engram_remember", {"content": f"Other facts {len(str(field))}", **field})
    client.call("engram_feedback", {"memory_id": note["id"], "helpful": True, "context": f"with {TOKEN}"})
    assert "Deploy with [REDACTED] on Friday" in _all_of(store)
    assert TOKEN not in _all_of(store)


def _all_of(store: MemoryStore) -> str:
    """Everything that the store holds, as text."""
    waiting, seen, texts = [vars(store)], set[int](), list[str]()
    while waiting:
        one: Any = waiting.pop()
        if isinstance(one, str | bytes):
            text = one if isinstance(one, str) else one.decode("utf-8", "replace")
            sealed = re.sub(r"[^\w-]", "", text, flags=re.ASCII)  # as bodies lie there
            texts += [text, b64decode(sealed[: len(sealed) // 4 * 4], "-_").decode("utf-8", "replace")]
        elif id(one) not in seen:
            seen.add(id(one))
            parts = one if isinstance(one, dict | list | tuple | set | frozenset) else _fields(one)
            waiting += [*parts, *(parts.values() if isinstance(parts, dict) else ())]
    return "\n".join(texts)


def _fields(one: object) -> dict[str, Any]:
    slots = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
    return {**getattr(one, "__dict__", {}), **{name: getattr(one, name) for name in slots if hasattr(one, name)}}


# --- I: duplicates, lists, forgetting --------------------------------------------------------------------------------


def test_i2_i3_the_outcome_is_what_the_store_then_holds(ana: Notes) -> None:
    """Created is there at once; a duplicate names the note that is; a forced copy is a second one."""
    first = ana("remember", content="The office is in Bonn")
    again = ana("remember", content="The office is in Bonn")
    assert (first["outcome"], again["outcome"]) == ("created", "duplicate")
    assert (again["id"], again["content"]) == (first["id"], "The office is in Bonn")
    assert ana("status")["total"] == 1
    assert ana("remember", content="The office is in Bonn", force=True)["outcome"] == "created"
    assert ana("status")["total"] == 2


def test_i8_a_merge_keeps_the_tags_the_confidence_and_the_older_text(ana: Notes) -> None:
    """Nothing that was said is lost."""
    older = ana("remember", content="The person drinks green tea", tags=["tea"], confidence=0.6)
    merged = ana("remember", content="The person drinks green tea.", tags=["drinks"], confidence=0.9)
    assert merged["outcome"] in ("merged", "duplicate")
    assert merged["id"] == older["id"]
    assert set(merged["tags"]) == {"tea", "drinks"}
    assert merged["confidence"] == 0.9


def test_i10_what_is_forgotten_is_gone_for_every_instance(ana: Notes, store: MemoryStore, clock: MovingClock) -> None:
    """By every way of asking, at once; to forget it again is no error."""
    kept = ana("remember", content="The office is in Bonn", tags=["office"])
    elsewhere = notes_of("ana", memory_server(store, clock=clock, **WORDS_ALONE))
    assert elsewhere.found("office") == ["The office is in Bonn"]
    assert ana("forget", memory_id=kept["id"][:8])["count"] == 1
    for who in (ana, elsewhere):
        assert who.found() == who.found("office") == who.found(tags=["office"]) == []
        assert "Bonn" not in json.dumps(who("context"))
    assert elsewhere("forget", memory_id=kept["id"])["found"] is False


def test_i11_every_note_comes_once_and_the_counts_agree(ana: Notes, ben: Notes) -> None:
    """57 notes in pages of 20; another's cursor and a made-up one are refused."""
    for number in range(57):
        ana("remember", content=f"House {number} has {number + 3} rooms", force=True)
    seen: list[str] = []
    more: dict[str, str] = {}
    while True:
        page = ana("recall", query="*", limit=20, **more)
        seen += [memory["id"] for memory in page["memories"]]
        if "next_cursor" not in page:
            break
        more = {"cursor": page["next_cursor"]}
    assert len(seen) == len(set(seen)) == ana("status")["total"] == 57
    assert ben.refused("recall", query="*", limit=20, **more).code == "INVALID_INPUT"
    assert ana.refused("recall", query="*", cursor="made-up").code == "INVALID_INPUT"
    for limit in (0, -1, 10**9):
        assert "limit" in ana.refused("recall", query="*", limit=limit).text


WRITES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "remember_this": ({"key": "k", "value": 1}, {"success": True}),
    "forget": ({"key": "old"}, {"success": True, "existed": True}),
    "engram_remember": ({"content": "The cat is grey"}, {"outcome": "created"}),
    "engram_forget": ({"memory_id": "ID"}, {"found": True, "count": 1}),
    "engram_feedback": ({"memory_id": "ID", "helpful": True}, {"found": True, "helpful": 1}),
    "forget_all": ({"scope": "user", "confirmation": "CONFIRMATION"}, {"deleted": True}),
}


@pytest.mark.parametrize("tool", list(WRITES))
def test_i14_success_means_that_the_store_is_another(handler: FetchHandler, store: MemoryStore, tool: str) -> None:
    """Of each tool that writes: once it says so, another instance reads another thing."""
    client = Client(handler, KEYS["ana"])
    client.call("remember_this", {"key": "old", "value": 1})
    note = client.call("engram_remember", {"content": "The office is in Bonn"}).data["id"]
    given = {"ID": note, "CONFIRMATION": client.call("forget_all", {"scope": "user"}).data["confirmation"]}
    arguments, promised = WRITES[tool]

    def look() -> list[Any]:
        elsewhere = Client(
            memory_server(store, clock=MovingClock(), REMEMBER_RATE_LIMIT="0", **WORDS_ALONE), KEYS["ana"]
        )
        keys = elsewhere.call("list_memories").data["keys"]
        notes = elsewhere.call("engram_recall", {"query": "*", "limit": 20}).data["memories"]
        return [keys, [(note["id"], note["content"], note.get("helpful")) for note in notes]]

    before = look()
    data = client.call(tool, {name: given.get(value, value) for name, value in arguments.items()}).data
    assert {name: data[name] for name in promised} == promised
    assert look() != before


def test_i15_no_notes_is_no_error_and_asking_again_is_no_use(ana: Notes) -> None:
    """One sentence says so, for a question and for everything."""
    for query in ("*", "What about tea?"):
        answer = ana("recall", query=query)
        assert answer["count"] == 0
        assert "again" in json.dumps(answer)


def test_c1_many_at_once_are_all_kept(handler: FetchHandler, store: MemoryStore) -> None:
    """Twenty notes by two instances at the same time, each once, whatever is decided on what was read before."""
    two = [
        Client(handler, KEYS["ana"]),
        Client(memory_server(store, clock=MovingClock(), REMEMBER_RATE_LIMIT="0", **WORDS_ALONE), KEYS["ana"]),
    ]

    async def write() -> list[Any]:
        calls = [
            two[number % 2].call_async("engram_remember", {"content": f"Room {number} is for team {number * 7}"})
            for number in range(20)
        ]
        return [reply.data["outcome"] for reply in await asyncio.gather(*calls)]

    assert asyncio.run(write()).count("created") == 20
    assert len(notes_of("ana", handler).found(limit=20)) == 20
