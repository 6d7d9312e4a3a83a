"""@prompt: what may be one, and what it says."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from remember import (
    App,
    Arg,
    Context,
    Embedded,
    Image,
    InvalidInput,
    Notebook,
    Prompt,
    PromptMessage,
    Remember,
    RememberPlugin,
    ToolError,
    create_direct,
    prompt,
)


class Tone(Enum):
    DRY = "dry"
    WARM = "warm"


@prompt
async def greet(name: Annotated[str, Arg("Whom", max_length=20)], times: int = 1, tone: Tone = Tone.DRY) -> str:
    """Greet somebody.

    More than once, if need be.
    """
    return f"Greet {name} {times} times, {tone.value}."


def said(one: Prompt, **arguments: Any) -> dict[str, Any]:
    return asyncio.run(create_direct(App("app", prompts=[one]), environ={}).get_prompt(one.name, arguments))


def test_a_function_becomes_a_prompt() -> None:
    """Its name and docstring are the prompt's, its parameters the arguments."""
    assert (greet.name, greet.description) == ("greet", "Greet somebody.\n\nMore than once, if need be.")
    assert list(greet.schema["properties"]) == ["name", "times", "tone"]
    assert greet.schema["required"] == ["name"]


def test_what_is_given_goes_before_what_the_function_says() -> None:
    """As for a tool."""

    @prompt(name="other.name", title="Title", description="Words")
    async def mine() -> str:
        return "?"

    assert (mine.name, mine.title, mine.description) == ("other.name", "Title", "Words")


def test_arguments_arrive_as_texts_and_are_read() -> None:
    """MCP has no other arguments for prompts."""
    expected = [{"role": "user", "content": {"type": "text", "text": "Greet Ana 3 times, warm."}}]
    assert said(greet, name="Ana", times="3", tone="warm")["messages"] == expected


@pytest.mark.parametrize(
    "arguments",
    [{}, {"name": "x" * 21}, {"name": "Ana", "times": "often"}, {"name": "Ana", "tone": "loud"}, {"nmae": "Ana"}],
    ids=["missing", "long", "no number", "no choice", "unknown"],
)
def test_arguments_that_do_not_fit_are_refused(arguments: dict[str, str]) -> None:
    """By name, before the function runs."""
    with pytest.raises(InvalidInput):
        said(greet, **arguments)


@pytest.mark.parametrize(
    ("answer", "messages"),
    [
        ("Hi", [("user", "text")]),
        (Image(b"1", "image/png"), [("user", "image")]),
        (PromptMessage("Hi", "assistant"), [("assistant", "text")]),
        (["Hi", PromptMessage(Embedded("x:y", "z"), "assistant"), Image(b"1", "image/png")],
         [("user", "text"), ("assistant", "resource"), ("user", "image")]),
        (("Hi", "Ho"), [("user", "text"), ("user", "text")]),
    ],
    ids=["text", "picture", "message", "several", "tuple"],
)  # fmt: skip
def test_a_prompt_says_one_message_or_several(answer: object, messages: list[tuple[str, str]]) -> None:
    """Text and blocks are the user's, unless a message says whose they are."""

    @prompt
    async def say() -> Any:
        """Say something."""
        return answer

    assert [(one["role"], one["content"]["type"]) for one in said(say)["messages"]] == messages


@pytest.mark.parametrize("answer", [None, 7, {"role": "user"}, [], [None], ["Hi", 7]], ids=repr)
def test_what_is_no_message_is_a_failure(answer: object) -> None:
    """A client is not sent what it cannot read."""

    @prompt
    async def say() -> Any:
        """Say something."""
        return answer

    with pytest.raises(ToolError, match="The prompt failed"):
        said(say)


def test_a_prompt_has_the_caller_s_memory() -> None:
    """By annotation, as a tool; what it keeps in tool scope is its own and not that of a tool of its name."""

    @prompt
    async def recall_colour(remember: Remember, context: Context, notebook: Notebook | None) -> str:
        """Say the colour."""
        await remember.set("colour", "green", scope="tool")
        return f"{await remember.get('colour', scope='tool')} {context.tool_name} {remember.user_id} {notebook is None}"

    app = App("app", prompts=[recall_colour], plugins=[RememberPlugin])
    direct = create_direct(app, user_id="ana", environ={})
    (message,) = asyncio.run(direct.get_prompt("recall_colour"))["messages"]
    assert message["content"]["text"] == "green prompts/recall_colour ana False"


def sync() -> str:
    """Not async."""
    return ""


async def wordless() -> str:
    return ""


async def listing(names: list[str]) -> str:
    """A list."""
    return ""


async def anything(names: Any) -> str:
    """Anything."""
    return ""


async def unannotated(name) -> str:  # type: ignore[no-untyped-def]
    """Nothing said."""
    return ""


@pytest.mark.parametrize("function", [sync, wordless, listing, anything, unannotated])
def test_what_cannot_be_a_prompt_is_refused_at_its_definition(function: Any) -> None:
    """Not when a person first asks for it."""
    with pytest.raises(TypeError):
        prompt(function)


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 129])
def test_a_name_is_a_tool_s_name(name: str) -> None:
    """The same letters."""
    with pytest.raises(ValueError, match="1 to 128"):
        prompt(name=name, description="Words")(wordless) if name else Prompt("", "Words", {}, run=lambda *_: wordless())


async def cities(value: str, country: str) -> list[str]:
    """Cities of a country."""
    return [f"{country}:{value}"]


async def no_value(country: str) -> list[str]:
    """Takes no value."""
    return []


async def of_itself(value: str, city: str) -> list[str]:
    """Takes the argument that it completes."""
    return []


async def of_another(value: str, planet: str) -> list[str]:
    """Takes an argument that is none."""
    return []


async def travel(country: Literal["de", "dk"], city: str = "", fast: bool = False) -> str:
    """Travel."""
    return ""


def test_completions_are_for_arguments() -> None:
    """Choices complete themselves; a function may take the other arguments."""
    made = prompt(completions={"city": cities})(travel)
    assert set(made.completions) == {"country", "city", "fast"}


@pytest.mark.parametrize(
    "completions",
    [{"town": cities}, {"city": no_value}, {"city": of_itself}, {"city": of_another}, {"city": sync}],
    ids=["no argument", "no value", "itself", "unknown", "sync"],
)
def test_what_cannot_complete_is_refused_at_the_definition(completions: Any) -> None:
    """With what it has to take."""
    with pytest.raises(TypeError):
        prompt(completions=completions)(travel)
