"""An author's own tool: what may be one, what it is given, and that its results keep its promise."""

from __future__ import annotations

import logging
from typing import Annotated, Any, TypedDict

import pytest

from remember import App, Context, Remember, RememberPlugin, Store, tool
from tests.seed.served import serve

PRIVATE = "a-private-word"


class Count(TypedDict):
    count: int


def sync() -> Count:
    """Count."""
    return {"count": 1}


async def generating() -> Any:
    """Count."""
    yield {"count": 1}


@pytest.mark.parametrize("function", [sync, generating, len])
@pytest.mark.parametrize("decorate", [tool, tool(name="other")], ids=["@tool", "@tool(…)"])
def test_a_function_that_cannot_be_awaited_is_refused_at_its_definition(function: Any, decorate: Any) -> None:
    """Not at its first call, when a person waits; the message says what to write."""
    with pytest.raises(TypeError, match="async def"):
        decorate(function)


def answering(result: object) -> Any:
    async def answer() -> Count:
        """Count."""
        return result  # type: ignore[return-value]

    return tool(answer)


@pytest.mark.parametrize(
    "result",
    [
        {"count": PRIVATE},
        {"count": True},
        {"count": None},
        {"count": 1, PRIVATE: 2},
        {PRIVATE: 1},
        {},
        None,
        PRIVATE,
        [1],
        {"count": float("nan")},
    ],
    ids=repr,
)
def test_a_result_that_breaks_the_tools_own_schema_does_not_leave(
    result: object, caplog: pytest.LogCaptureFixture
) -> None:
    """The model learns that the tool failed, the log which one; neither shows what came."""
    caplog.set_level(logging.DEBUG)
    reply = serve(App("app", tools=(answering(result),))).ana.call("answer")
    assert (reply.status, reply.failed, reply.code) == (200, True, "TOOL_FAILED")
    assert "structuredContent" not in reply.result
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "answer" in record.getMessage()
    assert record.exc_info is None
    assert PRIVATE not in caplog.text + reply.response.body.decode()


def test_a_result_that_fits_leaves_as_it_is() -> None:
    """The counterpart."""
    assert serve(App("app", tools=(answering({"count": 7}),))).ana.call("answer").data == {"count": 7}


def given(annotation: object) -> Any:
    """A tool that tells what its parameter of this annotation was given."""

    async def tell(thing: Any) -> dict[str, str]:
        """Tell."""
        return {"given": type(thing).__name__}

    tell.__annotations__["thing"] = annotation
    return tool(tell)


@pytest.mark.parametrize(
    ("annotation", "with_memory", "without"),
    [
        (Remember, "Remember", None),
        (Annotated[Remember, "a note"], "Remember", None),
        (Remember | None, "Remember", "NoneType"),
        (Annotated[Remember | None, "a note"], "Remember", "NoneType"),
        (Annotated[Remember, "a note"] | None, "Remember", "NoneType"),
        (Annotated[Store, "a note"], "MemoryStore", None),
        (Annotated[Context, "a note"], "Context", "Context"),
        (Context | None, "Context", "Context"),
    ],
    ids=str,
)
def test_what_is_given_is_known_under_any_dress(annotation: object, with_memory: str, without: str | None) -> None:
    """With a note or without, required or not; and the model sees no such parameter."""
    teller = given(annotation)
    assert not teller.input_schema["properties"]
    assert serve(App("app", tools=(teller,), plugins=(RememberPlugin,))).ana.call("tell").data == {"given": with_memory}
    reply = serve(App("app", tools=(teller,))).ana.call("tell")
    if without is None:
        assert reply.code == "REMEMBER_NOT_INSTALLED"
    else:
        assert reply.data == {"given": without}


@pytest.mark.parametrize("annotation", [list[Remember], dict[str, Store], Remember | str, Remember | Context], ids=str)
def test_what_only_holds_something_that_is_given_is_an_annotation_like_any(annotation: object) -> None:
    """One that no schema can say, so it is refused at the definition."""
    with pytest.raises(TypeError, match="'thing'"):
        given(annotation)
