"""create_direct: what is wrong with who calls, or with the settings, is said at once; and its caller can be asked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from remember import (
    App,
    Ask,
    ConfigurationError,
    Context,
    Conversation,
    InvalidInput,
    create_direct,
    elicit,
    prompt,
    resource,
    tool,
)


@pytest.mark.parametrize(
    "user_id", ["", 5, b"ana", "\ud800", "a\nb", "x" * 513], ids=["empty", "number", "bytes", "half", "break", "long"]
)
def test_a_user_id_that_is_none_is_refused(user_id: Any) -> None:
    """As one that stands in a token would be, and by the field's name."""
    with pytest.raises(InvalidInput) as refused:
        create_direct(App("app"), user_id=user_id, environ={})
    assert refused.value.field == "user_id"
    assert str(refused.value).startswith("user_id ")


def test_a_user_id_signs_in() -> None:
    """The counterpart: bounded text is one, and none at all is nobody."""
    assert create_direct(App("app"), user_id="x" * 512, environ={}).caller.user_id == "x" * 512
    assert create_direct(App("app"), environ={}).caller.anonymous


@pytest.mark.parametrize(
    ("name", "wrong"), [("REMEMBER_DEFAULT_TTL", "s3cr3t"), ("REMEMBER_ENCRYPTION", "s3cr3t"), ("REMEMBER_SECRET", ",")]
)
def test_a_wrong_setting_is_raised(name: str, wrong: str) -> None:
    """No handler stands between that could answer with it; the value is not said."""
    with pytest.raises(ConfigurationError) as refused:
        create_direct(App("app"), environ={name: wrong})
    assert refused.value.variable == name
    assert "s3cr3t" not in str(refused.value)


@tool
async def send(to: str, context: Context) -> str:
    """Send a letter, once the person is sure."""
    await context.progress(1, 2)
    if not context.declares("elicitation"):
        return "cannot ask"
    if not context.answers:
        raise Ask({"sure": elicit("Sure?", {"type": "object", "properties": {}})}, {"to": to})
    return f"{context.answers['sure']['action']} {context.state['to']}"


@prompt
async def letter(context: Context) -> str:
    """Write a letter."""
    if not context.answers:
        raise Ask({"mood": elicit("Which mood?", {"type": "object", "properties": {}})})
    return str(context.answers["mood"]["content"])


@resource("letters://{number}")
async def kept(number: int, context: Context) -> str:
    """A letter that was kept."""
    if not context.answers:
        raise Ask({"sure": elicit("Sure?", {"type": "object", "properties": {}})})
    return f"{number} {context.answers['sure']}"


APP = App("letters", tools=[send], prompts=[letter], resources=[kept])
YES = {"action": "accept", "content": {"mood": "kind"}}


def test_what_asks_raises_its_question_and_takes_the_answer() -> None:
    """A tool, a prompt, a resource: the caller in the same process is the client."""

    async def story() -> list[object]:
        direct = create_direct(APP, environ={})
        with pytest.raises(Ask) as asked:
            await direct.call_tool("send", {"to": "bob"})
        sent = await direct.call_tool("send", {"to": "bob"}, asked.value.answered({"sure": YES}))
        with pytest.raises(Ask) as asked:
            await direct.get_prompt("letter")
        written = await direct.get_prompt("letter", None, asked.value.answered({"mood": YES}))
        with pytest.raises(Ask) as asked:
            await direct.read_resource("letters://7")
        read = await direct.read_resource("letters://7", asked.value.answered({"sure": YES}))
        return [
            sent["content"][0]["text"], written["messages"][0]["content"]["text"], read["contents"][0]["text"]
        ]  # fmt: skip

    assert asyncio.run(story()) == ["accept bob", "{'mood': 'kind'}", f"7 {YES}"]


def test_a_caller_may_say_less_of_the_client_and_hear_of_progress() -> None:
    """A conversation is whatever a client would have brought."""
    told: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None, words: str | None) -> None:
        told.append((done, total, words))

    direct = create_direct(APP, environ={})
    result = asyncio.run(direct.call_tool("send", {"to": "bob"}, Conversation(report=report)))
    assert result["content"][0]["text"] == "cannot ask"
    assert told == [(1, 2, None)]


@pytest.mark.parametrize("what", ["tool", "prompt", "resource"])
def test_what_is_not_there_is_invalid_input(what: str) -> None:
    """By the field's name."""
    direct = create_direct(APP, environ={})
    call = {
        "tool": direct.call_tool("sned"),
        "prompt": direct.get_prompt("lettre"),
        "resource": direct.read_resource("letters:8"),
    }
    with pytest.raises(InvalidInput, match=f"There is no {what}"):
        asyncio.run(call.pop(what))
    for other in call.values():
        other.close()
