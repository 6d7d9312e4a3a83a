"""forget_all: a whole scope of the caller's, deleted once the person has agreed to exactly that (cases A4, A12)."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from remember import App, FetchHandler, RememberPlugin, create_fetch_handler
from tests.seed.served import serve
from tests.standins.client import Client, Reply
from tests.standins.clock import MovingClock
from tests.standins.upstash_rest import UpstashRest
from tests.tools.noting import KEYS, OpenStore, memory_server
from tests.tools.person import NO_ANSWERS, YES, Person

TEN_MINUTES_MS = 600_000
NAME = "forget_all"


@pytest.fixture
def handler(open_store: OpenStore, clock: MovingClock) -> FetchHandler:
    return memory_server(open_store(), clock=clock)


@pytest.fixture
def ana(handler: FetchHandler) -> Client:
    return Client(handler, KEYS["ana"])


@pytest.fixture
def ben(handler: FetchHandler) -> Client:
    return Client(handler, KEYS["ben"])


def kept(client: Client, scope: str) -> tuple[list[str], list[str]]:
    """The keys and the notes that a caller has in a scope."""
    keys = client.call("list_memories", {"scope": scope}).data["keys"]
    notes = client.call("engram_recall", {"query": "*", "scope": scope, "limit": 20}).data["memories"]
    return keys, sorted(note["content"] for note in notes)


def fill(client: Client, scope: str, name: str) -> tuple[list[str], list[str]]:
    """Three values and two notes in a scope."""
    for number in range(3):
        assert client.call("remember_this", {"key": f"{name}:{number}", "value": number, "scope": scope}).data[
            "success"
        ]
    for content in (f"{name} drinks tea at five", f"The cat of {name} is grey"):
        assert client.call("engram_remember", {"content": content, "scope": scope}).data["outcome"] == "created"
    return kept(client, scope)


def told(client: Client, reply: Reply) -> dict[str, Any]:
    """The answer, once it fits the tool's schema."""
    Draft202012Validator(client.tools()[NAME]["outputSchema"]).validate(reply.data)
    data: dict[str, Any] = reply.data
    return data


@pytest.mark.parametrize("scope", ["user", "session"])
def test_in_two_steps_it_shows_first_and_deletes_with_the_confirmation(ana: Client, scope: str) -> None:
    """Where the client cannot ask: the counts and a confirmation, then exactly that."""
    before = fill(ana, scope, "Ana")
    shown = told(ana, ana.call(NAME, {"scope": scope}))
    assert (shown["deleted"], shown["values"], shown["notes"], shown["scope"]) == (False, 3, 2, scope)
    assert kept(ana, scope) == before
    gone = told(ana, ana.call(NAME, {"scope": scope, "confirmation": shown["confirmation"]}))
    assert (gone["deleted"], gone["values"], gone["notes"]) == (True, 3, 2)
    assert "confirmation" not in gone
    assert kept(ana, scope) == ([], [])
    assert ana.call("recall", {"key": "Ana:0", "scope": scope}).data["found"] is False


def test_a12_what_others_have_stays(ana: Client, ben: Client) -> None:
    """A12: two people, three scopes, one of them emptied; neither another scope nor another person loses anything."""
    others = {(who, scope): fill(who, scope, "Somebody") for who in (ana, ben) for scope in ("user", "session")}
    others[ana, "global"] = fill(ana, "global", "Everybody")
    del others[ana, "user"]
    token = ana.call(NAME, {"scope": "user"}).data["confirmation"]
    assert ana.call(NAME, {"scope": "user", "confirmation": token}).data["deleted"] is True
    assert kept(ana, "user") == ([], [])
    assert {(who, scope): kept(who, scope) for who, scope in others} == others


def test_a4_names_that_look_like_patterns_reach_nobody(open_store: OpenStore, clock: MovingClock) -> None:
    """A4: a caller called `*` empties the scope of a caller called `*`."""
    keys = {"star": "a-key-of-somebody-else", "ana": KEYS["ana"]}
    store = open_store()
    handler = create_fetch_handler(environ={"REMEMBER_SECRET": "a-secret-of-the-tests"}, auth=keys, store=store)
    star, ana = (Client(handler, key) for key in keys.values())
    before = fill(ana, "user", "Ana")
    star.call("remember_this", {"key": "*", "value": 1, "scope": "user"})
    token = star.call(NAME, {"scope": "user"}).data["confirmation"]
    assert star.call(NAME, {"scope": "user", "confirmation": token}).data["values"] == 1
    assert kept(ana, "user") == before


@pytest.mark.parametrize(
    "changed", ["a value", "a new value", "a value gone", "a note", "a note gone", "a vote", "late"]
)
def test_a_confirmation_is_for_what_was_shown(ana: Client, clock: MovingClock, changed: str) -> None:
    """Whatever has come, gone or changed since was not looked at; nor is anything deleted after ten minutes."""
    fill(ana, "user", "Ana")
    (note, _) = ana.call("engram_recall", {"query": "*", "scope": "user"}).data["memories"]
    token = ana.call(NAME, {"scope": "user"}).data["confirmation"]
    if changed == "a value":
        ana.call("remember_this", {"key": "Ana:0", "value": 0, "scope": "user"})
    elif changed == "a new value":
        ana.call("remember_this", {"key": "new", "value": 0, "scope": "user"})
    elif changed == "a value gone":
        ana.call("forget", {"key": "Ana:0", "scope": "user"})
    elif changed == "a note":
        ana.call("engram_remember", {"content": "Milk comes on Monday", "scope": "user"})
    elif changed == "a note gone":
        ana.call("engram_forget", {"memory_id": note["id"], "scope": "user"})
    elif changed == "a vote":
        ana.call("engram_feedback", {"memory_id": note["id"], "helpful": True, "scope": "user"})
    else:
        clock.advance(TEN_MINUTES_MS)
    before = kept(ana, "user")
    refused = ana.call(NAME, {"scope": "user", "confirmation": token})
    assert (refused.failed, refused.code) == (True, "INVALID_INPUT")
    assert "Nothing was deleted" in refused.text
    assert kept(ana, "user") == before


def test_a_confirmation_is_for_one_caller_one_scope_and_one_time(ana: Client, ben: Client) -> None:
    """Not for another's same things, not for another scope's, not once more; and what is made up is for nothing."""
    for who in (ana, ben):
        fill(who, "user", "Somebody")
    fill(ana, "session", "Somebody")
    fill(ana, "global", "Everybody")
    token = ana.call(NAME, {"scope": "user"}).data["confirmation"]
    shared = ana.call(NAME, {"scope": "global"}).data["confirmation"]
    for who, scope, given in (
        (ben, "user", token),
        (ana, "session", token),
        (ana, "global", token),
        (ben, "global", shared),
        (ana, "user", shared),
        (ana, "user", "made-up"),
        (ana, "user", token[:-1]),
    ):
        assert who.call(NAME, {"scope": scope, "confirmation": given}).code == "INVALID_INPUT"
    assert ana.call(NAME, {"scope": "user", "confirmation": token}).data["deleted"] is True
    fill(ana, "user", "Somebody")
    again = ana.call(NAME, {"scope": "user", "confirmation": token})
    assert again.code == "INVALID_INPUT"
    assert kept(ana, "user") != ([], [])


def test_recalling_between_the_two_steps_changes_nothing(ana: Client) -> None:
    """A look, and what it counts, is no change."""
    fill(ana, "user", "Ana")
    token = ana.call(NAME, {"scope": "user"}).data["confirmation"]
    ana.call("engram_recall", {"query": "tea", "scope": "user"})
    ana.call("recall", {"key": "Ana:1", "scope": "user"})
    assert ana.call(NAME, {"scope": "user", "confirmation": token}).data["deleted"] is True


def test_another_instance_takes_the_confirmation(ana: Client, open_store: OpenStore, clock: MovingClock) -> None:
    """It is kept nowhere: any instance with the same secret and store knows it."""
    fill(ana, "user", "Ana")
    token = ana.call(NAME, {"scope": "user"}).data["confirmation"]
    elsewhere = Client(memory_server(open_store(), clock=clock), KEYS["ana"])
    assert elsewhere.call(NAME, {"scope": "user", "confirmation": token}).data["deleted"] is True
    assert kept(ana, "user") == ([], [])


# --- where the client can ask ----------------------------------------------------------------------------------------


def test_a_client_that_can_ask_is_told_what_to_ask(ana: Client) -> None:
    """How much, of whose; in a form with one switch that stands on no. Nothing is deleted yet."""
    before = fill(ana, "user", "Ana")
    asked = Person(ana).asked(NAME, scope="user")
    assert asked.message == "Delete 3 values and 2 notes that you keep, for good?"
    assert asked.schema["required"] == ["delete"]
    assert asked.schema["properties"]["delete"]["type"] == "boolean"
    assert asked.schema["properties"]["delete"]["default"] is False
    assert kept(ana, "user") == before


def test_the_person_s_yes_deletes(ana: Client) -> None:
    """Once: the same answer again is refused, whatever has come since."""
    fill(ana, "user", "Ana")
    person = Person(ana)
    asked = person.asked(NAME, scope="user")
    gone = told(ana, person.answers(asked, YES, NAME, scope="user"))
    assert (gone["deleted"], gone["values"], gone["notes"]) == (True, 3, 2)
    after = fill(ana, "user", "Ana")
    again = person.answers(asked, YES, NAME, scope="user")
    assert again.error["code"] == -32602
    assert kept(ana, "user") == after


@pytest.mark.parametrize("answer", NO_ANSWERS.values(), ids=list(NO_ANSWERS))
def test_anything_but_a_yes_deletes_nothing(ana: Client, answer: dict[str, Any]) -> None:
    """A no, a form that was put away, one that says something else; and the model is told not to go on."""
    before = fill(ana, "user", "Ana")
    person = Person(ana)
    reply = person.answers(person.asked(NAME, scope="user"), answer, NAME, scope="user")
    data = told(ana, reply)
    assert (data["deleted"], data["values"], data["notes"]) == (False, 3, 2)
    assert "did not agree" in data["message"]
    assert "confirmation" not in data
    assert kept(ana, "user") == before


@pytest.mark.parametrize(
    "spoiled", ["another caller", "another scope", "another tool", "changed", "too late", "made up"]
)
def test_an_answer_is_for_the_question_that_was_asked(
    ana: Client, ben: Client, clock: MovingClock, spoiled: str
) -> None:
    """The state is for one caller, one call, ten minutes; and what was agreed to is what there was."""
    for one in (ana, ben):
        fill(one, "user", "Somebody")
    fill(ana, "session", "Somebody")
    person = Person(ana)
    asked = person.asked(NAME, scope="user")
    who, tool, arguments = person, NAME, {"scope": "user"}
    if spoiled == "another caller":
        who = Person(ben)
    elif spoiled == "another scope":
        arguments = {"scope": "session"}
    elif spoiled == "another tool":
        tool, arguments = "engram_forget", {"scope": "user", "namespace": "default"}
    elif spoiled == "changed":
        ana.call("remember_this", {"key": "new", "value": 0, "scope": "user"})
    elif spoiled == "too late":
        clock.advance(TEN_MINUTES_MS)
    state = asked.state if spoiled != "made up" else asked.state[:-4] + "AAAA"
    before = [(kept(one, "user"), kept(one, "session")) for one in (ana, ben)]
    reply = who.call(tool, arguments, requestState=state, inputResponses={"delete": YES})
    if spoiled == "changed":
        assert reply.code == "INVALID_INPUT"
    else:
        assert reply.error["code"] == -32602
    assert [(kept(one, "user"), kept(one, "session")) for one in (ana, ben)] == before


def test_an_answer_without_a_question_is_none(ana: Client) -> None:
    """A model that fills in the form itself is asked like any other."""
    before = fill(ana, "user", "Ana")
    reply = Person(ana).call(NAME, {"scope": "user"}, inputResponses={"delete": YES})
    assert reply.result["resultType"] == "input_required"
    assert ana.call(NAME, {"scope": "user", "delete": True}).code == "INVALID_INPUT"
    assert kept(ana, "user") == before


# --- which scopes, and who -------------------------------------------------------------------------------------------


def test_global_scope_is_everybody_s(ana: Client, ben: Client) -> None:
    """Whoever is signed in may empty it; the question says whose it is."""
    before = fill(ben, "global", "Everybody")
    person = Person(ana)
    asked = person.asked(NAME, scope="global")
    assert "that everybody here shares" in asked.message
    assert kept(ben, "global") == before
    assert person.answers(asked, YES, NAME, scope="global").data["deleted"] is True
    assert kept(ben, "global") == ([], [])


@pytest.mark.parametrize("scope", ["user", "session", "tool", "global"])
def test_somebody_unknown_empties_nothing(handler: FetchHandler, ana: Client, scope: str) -> None:
    """Not even what they may read and write; nor by a filter that fits everything."""
    before = fill(ana, "global", "Everybody")
    nobody = Client(handler)
    assert nobody.call("list_memories", {"scope": "global"}).data["keys"] == before[0]
    assert nobody.call(NAME, {"scope": scope}).code == "REMEMBER_IDENTITY_REQUIRED"
    wide = {"scope": "global", "time_filter": {"after": "1970-01-02"}}
    refused = nobody.call("engram_forget", wide)
    assert refused.code == "REMEMBER_IDENTITY_REQUIRED"
    assert "Nothing was deleted" in refused.text
    assert kept(ana, "global") == before


def test_tool_scope_holds_what_remember_this_kept_there(ana: Client, ben: Client) -> None:
    """No other tool finds it, and this one deletes it."""
    for who in (ana, ben):
        who.call("remember_this", {"key": "k", "value": 1, "scope": "tool"})
    shown = told(ana, ana.call(NAME, {"scope": "tool"}))
    assert (shown["values"], shown["notes"]) == (1, 0)
    assert ana.call(NAME, {"scope": "tool", "confirmation": shown["confirmation"]}).data["deleted"] is True
    assert ana.call(NAME, {"scope": "tool"}).data["values"] == 0
    assert ben.call(NAME, {"scope": "tool"}).data["values"] == 1


@pytest.mark.parametrize("able", [False, True])
def test_where_there_is_nothing_nobody_is_asked(ana: Client, able: bool) -> None:
    """And there is nothing to confirm."""
    reply = Person(ana).call(NAME, {"scope": "user"}) if able else ana.call(NAME, {"scope": "user"})
    data = told(ana, reply)
    assert (data["deleted"], data["values"], data["notes"]) == (False, 0, 0)
    assert "confirmation" not in data
    assert "will not change" in data["message"]


def test_the_scope_has_to_be_said(ana: Client) -> None:
    """There is no default for so much; and a scope that is not allowed is refused as that."""
    assert ana.call(NAME).text.startswith("scope is required")
    few = Client(memory_server(REMEMBER_ALLOWED_SCOPES="user,session"), KEYS["ana"])
    assert few.tools()[NAME]["inputSchema"]["properties"]["scope"]["enum"] == ["user", "session"]
    assert few.call(NAME, {"scope": "global"}).code == "REMEMBER_SCOPE_NOT_ALLOWED"


def test_notes_that_are_not_offered_are_not_touched(open_store: OpenStore, clock: MovingClock, ana: Client) -> None:
    """A server without their family counts and deletes values alone."""
    fill(ana, "user", "Ana")
    values = Client(memory_server(open_store(), clock=clock, REMEMBER_TOOLS="memory,wipe"), KEYS["ana"])
    shown = told(values, values.call(NAME, {"scope": "user"}))
    assert (shown["values"], "notes" in shown) == (3, False)
    assert told(values, values.call(NAME, {"scope": "user", "confirmation": shown["confirmation"]}))["deleted"] is True
    assert kept(ana, "user") == ([], ["Ana drinks tea at five", "The cat of Ana is grey"])


def test_what_does_not_open_goes_too(open_store: OpenStore, clock: MovingClock, ana: Client) -> None:
    """Sealed under a secret that is lost: values are counted, and afterwards nothing is left in the store."""
    fill(ana, "user", "Ana")
    other = Client(memory_server(open_store(), clock=clock, REMEMBER_SECRET="another-secret-of-the-tests"), KEYS["ana"])
    shown = told(other, other.call(NAME, {"scope": "user"}))
    assert (shown["values"], shown["notes"]) == (3, 0)
    assert other.call(NAME, {"scope": "user", "confirmation": shown["confirmation"]}).data["deleted"] is True
    assert other.call("engram_recall", {"query": "*"}).data.get("unreadable") is None
    assert kept(Client(memory_server(open_store(), clock=clock), KEYS["ana"]), "user") == ([], [])


def test_more_than_a_page_is_looked_at_and_deleted(clock: MovingClock) -> None:
    """Every value counts, those behind the first page too."""
    handler = memory_server(clock=clock, REMEMBER_RATE_LIMIT="0", REMEMBER_ENCRYPTION="off")
    many = Client(handler, KEYS["ana"])
    for number in range(1_003):
        many.call("remember_this", {"key": f"k{number:04}", "value": number, "scope": "user"})
    shown = many.call(NAME, {"scope": "user"}).data
    assert shown["values"] == 1_003
    many.call("remember_this", {"key": "k1002", "value": "another", "scope": "user"})
    assert many.call(NAME, {"scope": "user", "confirmation": shown["confirmation"]}).code == "INVALID_INPUT"
    token = many.call(NAME, {"scope": "user"}).data["confirmation"]
    assert many.call(NAME, {"scope": "user", "confirmation": token}).data["values"] == 1_003
    assert kept(many, "user")[0] == []


def test_an_app_offers_it_where_it_is_chosen() -> None:
    """With the app's prefix, beside the four."""
    plugin = RememberPlugin.init(tools={"enabled": True, "families": ["memory", "wipe"], "prefix": "my_"})
    ana = serve(App("desk", plugins=[plugin])).ana
    ana.call("my_remember_this", {"key": "k", "value": 1, "scope": "tool"})
    shown = ana.call("my_forget_all", {"scope": "tool"}).data
    assert shown["values"] == 1
    assert ana.call("my_forget_all", {"scope": "tool", "confirmation": shown["confirmation"]}).data["deleted"] is True


def test_over_rest_a_scope_costs_four_requests(upstash: UpstashRest, clock: MovingClock) -> None:
    """One page of values and one look at the notes; then the notes and the values go, and others' stay."""
    store = {"REMEMBER_STORE": "upstash", "KV_REST_API_URL": upstash.url, "KV_REST_API_TOKEN": upstash.token}
    settings = store | {"REMEMBER_SECRET": "a-secret-of-the-tests", "REMEMBER_ALLOWED_SCOPES": "session,user,global"}
    handler = create_fetch_handler(environ=settings, auth=KEYS, clock=clock)
    ana, ben = (Client(handler, key) for key in KEYS.values())
    before = fill(ben, "user", "Ben")
    fill(ana, "user", "Ana")
    upstash.requests.clear()
    token = ana.call(NAME, {"scope": "user"}).data["confirmation"]
    looked = len(upstash.requests)
    gone = ana.call(NAME, {"scope": "user", "confirmation": token}).data
    assert (gone["deleted"], gone["values"], gone["notes"]) == (True, 3, 2)
    assert (looked, len(upstash.requests) - looked) == (2, 4)
    assert (kept(ana, "user"), kept(ben, "user")) == (([], []), before)
