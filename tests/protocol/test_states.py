"""Tools that ask in the middle: what a client carries to its next call is sealed, for one caller and call, and once."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from typing import Any

import pytest

from remember import (
    App,
    Ask,
    Context,
    FetchHandler,
    RememberPlugin,
    Response,
    Store,
    StoreUnavailable,
    create_fetch_handler,
    elicit,
    list_roots,
    sample,
    tool,
)
from remember.stores.base import Charge
from remember.stores.memory import MemoryStore
from tests.protocol.asking import YES, Message, able, again, question_of
from tests.protocol.oracle import error_of, result_of
from tests.protocol.requests import ANA, BOB, KEYS, call, post
from tests.standins.clock import MovingClock

FORM = {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}
SURE = elicit("Sure?", FORM)
TEN_MINUTES = 600_000
ENVIRON = {"REMEMBER_SECRET": "a-secret-of-0123456789", "REMEMBER_ANONYMOUS": "allow"}


class Broken(MemoryStore):
    """Cannot be asked."""

    async def get(self, key: str, *, charge: Charge | None = None) -> str | None:  # noqa: ARG002  never looks
        raise StoreUnavailable("timeout", "The store did not answer in time.")


class Deeds:
    """A handler whose tools do something only after an answer, and a count of what was done."""

    def __init__(self, store: Store | None = None, environ: dict[str, str] | None = None, plugins: Any = None) -> None:
        self.clock = MovingClock()
        self.done: Counter[str] = Counter()
        self.store = store or MemoryStore(self.clock)
        self.environ = ENVIRON if environ is None else environ
        self.plugins = [RememberPlugin.init(type="global-store")] if plugins is None else plugins
        self.handler = self.another_instance()

    def another_instance(self) -> FetchHandler:
        @tool
        async def send(context: Context, to: str = "bob") -> str:
            """Send a letter, once the person is sure."""
            if not context.answers:
                raise Ask({"sure": SURE}, {"to": to})
            self.done["send"] += 1
            return f"{context.answers['sure']['action']} {context.state['to']}"

        @tool
        async def burn(context: Context, to: str = "bob") -> str:
            """Burn a letter, once the person is sure."""
            if not context.answers:
                raise Ask({"sure": SURE})
            self.done["burn"] += 1
            return "burnt"

        @tool
        async def look(context: Context) -> str:
            """Look as often as one likes, once the person is sure."""
            if not context.answers:
                raise Ask({"sure": SURE}, once=False)
            self.done["look"] += 1
            return "seen"

        return create_fetch_handler(
            App("letters", tools=[send, burn, look], plugins=self.plugins),
            environ=self.environ,
            auth=KEYS,
            store=self.store,
            clock=self.clock,
        )

    def fetch(self, message: Message, key: str | None = ANA) -> Response:
        return asyncio.run(self.handler.fetch(post(message, key=key)))

    def state(self, message: Message, key: str | None = ANA) -> str:
        """What the client is given to carry."""
        state = question_of(self.fetch(message, key))["requestState"]
        assert isinstance(state, str)
        return state


SEND = able(call("send", to="cleo"))


@pytest.fixture
def deeds() -> Deeds:
    return Deeds()


def test_a_tool_asks_and_goes_on_with_the_answer(deeds: Deeds) -> None:
    """The question as it was put, and on return the answer and the state that it was put with."""
    asked = question_of(deeds.fetch(SEND))
    assert asked["inputRequests"] == {
        "sure": {"method": "elicitation/create", "params": {"message": "Sure?", "requestedSchema": FORM}}
    }
    assert not deeds.done
    result = result_of(deeds.fetch(again(SEND, asked["requestState"], sure=YES)), "tools/call")
    assert result["content"] == [{"type": "text", "text": "accept cleo"}]
    assert deeds.done == {"send": 1}


@pytest.mark.parametrize("key", [ANA, None], ids=["signed in", "anonymous"])
def test_another_instance_takes_the_answer(deeds: Deeds, key: str | None) -> None:
    """Nothing of a question stays in the process that put it; an anonymous caller has a question too."""
    state = deeds.state(SEND, key)
    deeds.handler = deeds.another_instance()
    result_of(deeds.fetch(again(SEND, state, sure=YES), key), "tools/call")
    assert deeds.done == {"send": 1}


def test_what_the_client_carries_says_nothing(deeds: Deeds) -> None:
    """It is sealed, so neither state nor names can be read in it."""
    state = deeds.state(SEND)
    assert not any(word in state for word in ("cleo", "sure", "ana", "send"))


def flipped(state: str) -> str:
    """The state with one character of its sealed part changed."""
    envelope = json.loads(state)
    data = envelope["data"]
    envelope["data"] = ("A" if data[0] != "A" else "B") + data[1:]
    return json.dumps(envelope)


def loosened(state: str) -> str:
    """The state in base64 that says the same and is not canonical: with bits set that decoders ignore."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    envelope = json.loads(state)
    tag = envelope["tag"]  # 16 bytes in 22 characters, so the last has four bits to spare
    envelope["tag"] = tag[:-1] + letters[letters.index(tag[-1]) ^ 1]
    return json.dumps(envelope)


def padded(state: str) -> str:
    """The state with padding that its base64 does not have."""
    envelope = json.loads(state)
    return json.dumps({**envelope, "tag": envelope["tag"] + "=="})


@pytest.mark.parametrize(
    "change",
    [
        flipped,
        loosened,
        padded,
        lambda state: state + "-TAMPERED",
        lambda state: state[:-1],
        lambda state: [state],
        lambda state: {"state": state},
    ],
    ids=["flipped", "loose base64", "padded", "longer", "shorter", "list", "object"],
)
def test_a_state_that_was_changed_is_refused(deeds: Deeds, change: Any) -> None:
    """Whatever was done to it; nothing runs."""
    state = change(deeds.state(SEND))
    error_of(deeds.fetch(again(SEND, state, sure=YES)), 400, -32602)
    assert not deeds.done


@pytest.mark.parametrize(
    "state", ["", "{}", "null", 7, True, [], "\ud83c", "[" * 100_000], ids=lambda one: repr(one)[:8]
)
def test_a_state_that_is_made_up_is_refused(deeds: Deeds, state: object) -> None:
    """Whatever it looks like."""
    error_of(deeds.fetch(again(SEND, state, sure=YES)), 400, -32602)
    assert not deeds.done


@pytest.mark.parametrize(
    ("message", "key"),
    [
        (SEND, BOB),
        (SEND, None),
        (able(call("send", to="dora")), ANA),
        (able(call("send")), ANA),
        (able(call("burn", to="cleo")), ANA),
    ],
    ids=["another's", "a stranger's", "other arguments", "no arguments", "another tool"],
)
def test_a_state_is_for_one_caller_and_one_call(deeds: Deeds, message: Message, key: str | None) -> None:
    """What was agreed to is this, by this person; nothing else runs by it."""
    error_of(deeds.fetch(again(message, deeds.state(SEND), sure=YES), key), 400, -32602)
    assert not deeds.done


def test_a_stranger_s_state_is_no_user_s(deeds: Deeds) -> None:
    """The other way round: what an anonymous caller was asked signs nobody in."""
    error_of(deeds.fetch(again(SEND, deeds.state(SEND, None), sure=YES)), 400, -32602)


def test_a_state_ends_after_ten_minutes(deeds: Deeds) -> None:
    """Until the last millisecond it is good."""
    early, late = deeds.state(SEND), deeds.state(SEND)
    deeds.clock.advance(TEN_MINUTES - 1)
    result_of(deeds.fetch(again(SEND, early, sure=YES)), "tools/call")
    deeds.clock.advance(1)
    error_of(deeds.fetch(again(SEND, late, sure=YES)), 400, -32602)
    assert deeds.done == {"send": 1}


@pytest.mark.parametrize("plugins", [None, []], ids=["noted in the store", "noted in the process"])
def test_a_state_is_good_for_once(plugins: Any) -> None:
    """A letter is sent once, however often the answer comes, also with another answer and much later."""
    deeds = Deeds(plugins=plugins)
    state = deeds.state(SEND)
    result_of(deeds.fetch(again(SEND, state, sure=YES)), "tools/call")
    for wait in (0, TEN_MINUTES - 1, 1, TEN_MINUTES):
        deeds.clock.advance(wait)
        error_of(deeds.fetch(again(SEND, state, sure={"action": "decline"})), 400, -32602)
    assert deeds.done == {"send": 1}


@pytest.mark.parametrize("plugins", [None, []], ids=["noted in the store", "noted in the process"])
def test_of_answers_at_the_same_time_one_counts(plugins: Any) -> None:
    """Twenty at once: one runs, nineteen are refused."""
    deeds = Deeds(plugins=plugins)
    state = deeds.state(SEND)
    request = post(again(SEND, state, sure=YES))

    async def story() -> list[Response]:
        return await asyncio.gather(*(deeds.handler.fetch(request) for _ in range(20)))

    assert Counter(response.status for response in asyncio.run(story())) == {200: 1, 400: 19}
    assert deeds.done == {"send": 1}


def test_another_instance_knows_that_a_state_was_used(deeds: Deeds) -> None:
    """The store says so, not the process."""
    state = deeds.state(SEND)
    result_of(deeds.fetch(again(SEND, state, sure=YES)), "tools/call")
    deeds.handler = deeds.another_instance()
    error_of(deeds.fetch(again(SEND, state, sure=YES)), 400, -32602)


def test_an_author_may_let_a_state_be_used_again(deeds: Deeds) -> None:
    """Where nothing happens by it."""
    look = able(call("look"))
    state = deeds.state(look)
    for _ in range(2):
        result_of(deeds.fetch(again(look, state, sure=YES)), "tools/call")
    assert deeds.done == {"look": 2}


def test_without_a_secret_a_state_is_good_in_its_own_process() -> None:
    """Sealed under a secret that no other process can know."""
    deeds = Deeds(environ={})
    first, second = deeds.state(SEND), deeds.state(SEND)
    result_of(deeds.fetch(again(SEND, first, sure=YES)), "tools/call")
    deeds.handler = deeds.another_instance()
    error_of(deeds.fetch(again(SEND, second, sure=YES)), 400, -32602)


def test_a_secret_that_is_rotated_still_opens(deeds: Deeds) -> None:
    """A person who thinks for a minute meanwhile is not asked again."""
    state = deeds.state(SEND)
    deeds.environ = {
        "REMEMBER_SECRET": "another-secret-9876543210",
        "REMEMBER_SECRET_PREVIOUS": ENVIRON["REMEMBER_SECRET"],
    }
    deeds.handler = deeds.another_instance()
    result_of(deeds.fetch(again(SEND, state, sure=YES)), "tools/call")


@pytest.mark.parametrize(
    "answers",
    [{}, {"other": YES}, {"sure": True}, {"sure": None}, {"sure": [YES]}, {"sure": 12345}],
    ids=["none", "to another question", "true", "null", "list", "number"],
)
def test_what_is_no_answer_leads_to_the_question_again(deeds: Deeds, answers: dict[str, object]) -> None:
    """Not to an error, and the state is not used up by it."""
    state = deeds.state(SEND)
    asked = question_of(deeds.fetch(again(SEND, state, **answers)))
    assert not deeds.done
    for one in (state, asked["requestState"]):
        result_of(deeds.fetch(again(SEND, one, sure=YES)), "tools/call")


@pytest.mark.parametrize("responses", [None, [], "sure", 7])
def test_answers_that_are_no_object_are_none(deeds: Deeds, responses: object) -> None:
    """Null, a list, text, a number: the question comes again."""
    message = again(SEND, deeds.state(SEND))
    message["params"]["inputResponses"] = responses
    question_of(deeds.fetch(message))
    assert not deeds.done


def test_answers_without_a_state_are_not_answers(deeds: Deeds) -> None:
    """A client that was never asked cannot say yes."""
    message = again(SEND, None, sure=YES)
    question_of(deeds.fetch(message))
    del message["params"]["requestState"]
    question_of(deeds.fetch(message))
    assert not deeds.done


def test_a_tool_may_look_at_what_was_not_asked() -> None:
    """`unasked` has it, apart from the answers, and without what no answer can be."""

    @tool
    async def show(context: Context) -> dict[str, Any]:
        """Show what came."""
        return {"answers": dict(context.answers), "unasked": dict(context.unasked)}

    handler = create_fetch_handler(App("a", tools=[show]), environ={}, auth=KEYS)
    message = able(call("show"))
    message["params"]["inputResponses"] = {"sure": YES, "wrong": 7}
    shown = result_of(asyncio.run(handler.fetch(post(message))), "tools/call")["structuredContent"]
    assert shown == {"answers": {}, "unasked": {"sure": YES}}


def asking(*questions: Any, state: object = None) -> FetchHandler:
    """A handler with one tool, which asks these questions."""

    @tool
    async def ask() -> str:
        """Ask."""
        raise Ask({str(number): question for number, question in enumerate(questions)}, state)

    return create_fetch_handler(App("a", tools=[ask]), environ={}, auth=KEYS)


@pytest.mark.parametrize(
    ("capabilities", "missing"),
    [
        ({}, ["elicitation", "sampling", "roots"]),
        ({"elicitation": {}}, ["sampling", "roots"]),
        ({"elicitation": {"url": {}}, "sampling": {}, "roots": {}}, ["elicitation"]),
        ({"elicitation": True, "sampling": None, "roots": {}}, ["elicitation", "sampling"]),
    ],
    ids=["nothing", "forms", "addresses alone", "no objects"],
)
def test_a_client_is_asked_for_what_it_declared(capabilities: dict[str, Any], missing: list[str]) -> None:
    """Else it learns what this call would need."""
    handler = asking(
        SURE, sample([{"role": "user", "content": {"type": "text", "text": "?"}}], max_tokens=9), list_roots()
    )
    response = asyncio.run(handler.fetch(post(able(call("ask"), capabilities))))
    error = error_of(response, 400, -32021)
    assert error["data"] == {"requiredCapabilities": {name: {} for name in missing}}


@pytest.mark.parametrize("capability", [{}, {"form": {}}, {"form": {}, "url": {}}], ids=["{}", "form", "both"])
def test_a_form_can_be_shown_where_forms_are_declared(capability: dict[str, Any]) -> None:
    """An empty object means forms."""
    question_of(asyncio.run(asking(SURE).fetch(post(able(call("ask"), {"elicitation": capability})))))


def test_a_tool_may_ask_nothing_and_be_called_again() -> None:
    """Only a state, to go on later; it is good for once as well."""
    counted: Counter[str] = Counter()

    @tool
    async def later(context: Context) -> str:
        """Go on in the next call."""
        if context.state is None:
            raise Ask({}, "half")
        counted["later"] += 1
        return str(context.state)

    handler = create_fetch_handler(App("a", tools=[later]), environ={}, auth=KEYS)
    message = able(call("later"), {})
    asked = question_of(asyncio.run(handler.fetch(post(message))))
    assert "inputRequests" not in asked
    request = post(again(message, asked["requestState"]))
    assert [asyncio.run(handler.fetch(request)).status for _ in range(2)] == [200, 400]
    assert counted == {"later": 1}


def test_a_state_that_is_no_json_is_the_tool_s_failure(caplog: pytest.LogCaptureFixture) -> None:
    """As any mistake of an author's; the log says where, and nothing of what it held."""
    with caplog.at_level(logging.ERROR):
        response = asyncio.run(asking(SURE, state={"s3cret", 1}).fetch(post(able(call("ask")))))
    assert result_of(response, "tools/call")["_meta"]["code"] == "TOOL_FAILED"
    assert "s3cret" not in caplog.text + response.body.decode()


def test_a_store_that_cannot_note_the_use_keeps_the_tool_from_running() -> None:
    """It could have been used already; the model reads what is wrong."""
    deeds = Deeds()
    state = deeds.state(SEND)
    deeds.store = Broken(deeds.clock)
    deeds.handler = deeds.another_instance()
    result = result_of(deeds.fetch(again(SEND, state, sure=YES)), "tools/call")
    assert result["_meta"]["code"] == "REMEMBER_STORE_UNAVAILABLE"
    assert not deeds.done
