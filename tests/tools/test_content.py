"""Blocks of content: what a tool may answer besides text and objects."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from mcp_types.methods import validate_server_result

from remember import App, Audio, Embedded, Image, Text, create_direct, tool
from tests.standins.client import VERSION

PICTURE = {"type": "image", "data": "AP8=", "mimeType": "image/png"}


def answered(annotation: Any, answer: object) -> dict[str, Any]:
    """The result of a tool with this return annotation."""

    async def answering() -> Any:
        """Answer."""
        return answer

    answering.__annotations__["return"] = annotation
    made = tool(answering)
    assert made.output_schema is None
    result = asyncio.run(create_direct(App("app", tools=[made]), environ={}).call_tool("answering"))
    validate_server_result("tools/call", VERSION, {"resultType": "complete", **result})
    return result


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        (Text("Hi"), {"type": "text", "text": "Hi"}),
        (Image(b"\x00\xff", "image/png"), PICTURE),
        (Audio(b"\x00\xff", "audio/wav"), {"type": "audio", "data": "AP8=", "mimeType": "audio/wav"}),
        (
            Embedded("a:b", "Hi"),
            {"type": "resource", "resource": {"uri": "a:b", "mimeType": "text/plain", "text": "Hi"}},
        ),
        (
            Embedded("a:b", b"\x00\xff", "image/png"),
            {"type": "resource", "resource": {"uri": "a:b", "mimeType": "image/png", "blob": "AP8="}},
        ),
    ],
    ids=["text", "picture", "sound", "resource", "resource of bytes"],
)
def test_a_block_is_an_answer(block: object, shown: dict[str, Any]) -> None:
    """As the protocol carries it, without structured content."""
    assert answered(type(block), block) == {"content": [shown], "isError": False}


@pytest.mark.parametrize(
    "annotation",
    [
        Image,
        Image | None,
        Image | str,
        list[Image],
        list[Text | Image],
        Sequence[Text | Image],
        tuple[Text, Image],
        list[Image] | str,
        Any,
    ],
    ids=str,
)
def test_blocks_may_be_annotated_as_they_come(annotation: Any) -> None:
    """One or several, or something else instead."""
    assert answered(annotation, Image(b"\x00\xff", "image/png"))["content"] == [PICTURE]
    assert answered(annotation, [Text("Hi"), Image(b"\x00\xff", "image/png")])["content"][1] == PICTURE


@pytest.mark.parametrize(("answer", "text"), [([], "[]"), (["x"], '["x"]'), (None, "null"), (7, "7")], ids=str)
def test_what_has_no_block_in_it_is_json(answer: object, text: str) -> None:
    """As ever."""
    assert answered(Any, answer) == {"content": [{"type": "text", "text": text}], "isError": False}


def test_texts_between_blocks_are_blocks_of_text() -> None:
    """An author need not say so."""
    assert answered(list[Image | str], ["Hi", Image(b"\x00\xff", "image/png")])["content"] == [
        {"type": "text", "text": "Hi"},
        PICTURE,
    ]


def test_something_else_between_blocks_is_a_failure() -> None:
    """It could be said neither as a block nor as JSON."""
    assert answered(Any, [7, Image(b"1", "image/png")])["_meta"] == {"code": "TOOL_FAILED"}


def test_what_acts_on_a_terminal_is_shown() -> None:
    """In a block as in a plain answer."""
    assert answered(Text, Text("a\x1b[31mb"))["content"] == answered(str, "a\x1b[31mb")["content"]


@dataclass(frozen=True)
class Report:
    """Has a picture in it."""

    title: str


def test_a_record_is_structured_content_still() -> None:
    """What is no block is as it was."""

    @tool
    async def reporting() -> Report:
        """Report."""
        return Report("x")

    result = asyncio.run(create_direct(App("app", tools=[reporting]), environ={}).call_tool("reporting"))
    assert result["structuredContent"] == {"title": "x"}
