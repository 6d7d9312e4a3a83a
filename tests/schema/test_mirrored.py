"""Arguments that a client repeats in headers: how an author says so, and where that cannot be."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

import pytest

from remember import Arg, Context, Tool, tool
from remember.schema import check_headers, mirrored


class Place(TypedDict):
    region: Annotated[str, Arg(header="Region")]


async def good(
    place: Place,
    tenant: Annotated[str | None, Arg("Whose", header="X-Tenant", max_length=8)] = None,
    number: Annotated[int, Arg(header="n!#$%&'*+-.^_`|~")] = 1,
    fast: Annotated[bool, Arg(header="fast")] = False,
    kind: Annotated[Literal["a", "b"], Arg(header="Kind")] = "a",
    note: str = "",
) -> str:
    """Take some."""
    return note


def test_an_author_names_the_header_beside_the_type() -> None:
    """Text, integers, booleans, choices, and fields of a record; limits and descriptions go with it."""
    made = tool(good)
    assert dict(mirrored(made.input_schema)) == {
        ("place", "region"): "Region",
        ("tenant",): "X-Tenant",
        ("number",): "n!#$%&'*+-.^_`|~",
        ("fast",): "fast",
        ("kind",): "Kind",
    }
    assert made.input_schema["properties"]["tenant"] == {
        "type": "string",
        "description": "Whose",
        "x-mcp-header": "X-Tenant",
        "maxLength": 8,
    }


async def a_float(number: Annotated[float, Arg(header="N")]) -> str:
    """A float has several spellings."""
    return ""


async def a_list(names: Annotated[list[str], Arg(header="N")]) -> str:
    """A list is no header."""
    return ""


async def in_a_list(names: list[Annotated[str, Arg(header="N")]]) -> str:
    """Which of them would it be."""
    return ""


async def in_a_dict(names: dict[str, Annotated[str, Arg(header="N")]]) -> str:
    """Nor here."""
    return ""


async def a_record(place: Annotated[Place, Arg(header="N")]) -> str:
    """A record is no header."""
    return ""


async def anything(value: Annotated[Any, Arg(header="N")]) -> str:
    """May be anything."""
    return ""


async def empty(name: Annotated[str, Arg(header="")]) -> str:
    """No name."""
    return ""


async def spaced(name: Annotated[str, Arg(header="a b")]) -> str:
    """A space."""
    return ""


async def broken(name: Annotated[str, Arg(header="a\r\nb")]) -> str:
    """A line break."""
    return ""


async def foreign(name: Annotated[str, Arg(header="Ü")]) -> str:
    """Not ASCII."""
    return ""


async def a_number(name: Annotated[str, Arg(header=7)]) -> str:
    """No text."""
    return ""


async def twice(one: Annotated[str, Arg(header="Same")], other: Annotated[str, Arg(header="sAME")]) -> str:
    """The same but for the case."""
    return ""


async def twice_deep(place: Place, region: Annotated[str, Arg(header="REGION")]) -> str:
    """The same as a field's."""
    return ""


NO_SPELLING = [a_float, a_list, in_a_list, in_a_dict, a_record, anything]
NO_NAME = [empty, spaced, broken, foreign, a_number]


@pytest.mark.parametrize("function", [*NO_SPELLING, *NO_NAME, twice, twice_deep])
def test_what_no_client_could_send_is_refused_at_the_definition(function: Any) -> None:
    """Clients drop a tool with such a schema, so its author should hear of it first."""
    with pytest.raises(ValueError, match="header"):
        tool(function)


async def done(context: Context, arguments: dict[str, Any]) -> str:
    """Do nothing."""
    return ""


NAMED = {"type": "string", "x-mcp-header": "N"}


@pytest.mark.parametrize(
    "schema",
    [
        NAMED,
        {"items": NAMED},
        {"allOf": [{"properties": {"n": NAMED}}]},
        {"$defs": {"n": NAMED}},
        {"properties": {"a": {"type": "array", "items": {"properties": {"n": NAMED}}}}},
        {"properties": {"a": {"additionalProperties": NAMED}}},
        {"properties": {"a": {"type": ["string", "null"], "x-mcp-header": "N"}}},
        {"properties": {"a": {"x-mcp-header": "N"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": None}}},
    ],
    ids=str,
)
def test_a_schema_written_by_hand_is_held_to_the_same(schema: dict[str, Any]) -> None:
    """Only a chain of properties leads to an argument."""
    with pytest.raises(ValueError, match="header"):
        Tool("raw", "Raw", {"type": "object", **schema}, run=done)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": {"a": True}},
        {"properties": {"a": {"default": NAMED, "const": NAMED, "enum": [NAMED], "examples": [NAMED]}}},
        {"properties": {"x-mcp-header": {"type": "string"}}},
        {"properties": {"properties": NAMED}},
    ],
    ids=str,
)
def test_what_only_looks_like_one_is_none(schema: dict[str, Any]) -> None:
    """Values are no schemas, and a property may have any name."""
    check_headers(schema)
