"""What an author's annotations become: flat JSON Schema, or an error that says what to write instead."""

from __future__ import annotations

import enum
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, NotRequired, Optional, Required, TypedDict

import annotated_types
import pytest
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, RootModel

from remember.schema.arg import Arg
from remember.schema.derive import input_schema, output_schema

Score = NewType("Score", int)
Words = typing_extensions.TypeAliasType("Words", list[str])


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    S = 1
    L = 2


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


@dataclass
class Point:
    x: int
    y: Annotated[float | None, Arg("Height", minimum=0)] = None
    marks: list[str] = field(default_factory=list)


class Trip(TypedDict, total=False):
    name: Required[str]
    stops: list[Point]
    note: str


class Answer(TypedDict):
    found: bool
    value: NotRequired[Any]
    expires: Annotated[NotRequired[int], Arg("When, in ms")]
    scope: str | None


class Address(BaseModel):
    """Where someone lives."""

    street: str = Field(min_length=1, pattern="^[A-Z]")
    code: int | None = Field(default=None, gt=0, description="Postal code")


class Person(BaseModel):
    name: Literal["ana", "nour"]
    kind: Literal["human"] = "human"
    address: Address | None = None
    others: dict[str, Address] = {}
    colour: Annotated[Colour, Field(description="Favourite")] = Colour.RED
    anything: Any = None
    tags: set[str] = Field(default_factory=set, max_length=3)


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int | None


class Rows(RootModel[list[int]]):
    pass


class Tree(BaseModel):
    leaves: list[Tree] = []


@dataclass
class Chain:
    next: Chain | None = None


class Injected:
    pass


async def plain(key: str, count: int, share: float, *, force: bool, what: Any, raw: object) -> None: ...


async def limited(
    key: Annotated[str, Arg("The name", min_length=1, max_length=512)],
    tags: Annotated[list[Annotated[str, Arg(max_length=64)]], Arg(max_items=32, min_items=1)],
    told: Annotated[str, "Just words"],
    *,
    ttl: Annotated[int, Arg("Life", minimum=1, maximum=100)] | None = None,
    scope: Literal["user", "global"] = "user",
    level: Literal[1, 2, None] = None,  # noqa: PYI061  this spelling is read too
    share: Annotated[float, annotated_types.Gt(0), annotated_types.Le(1)] = 0.5,
    age: Annotated[int, Field(gt=0, lt=10, description="Years")] = 1,
    size: Annotated[Sequence[str], annotated_types.Len(1, 3)] = ("a",),
) -> None: ...


async def records(  # noqa: PLR0917  one of each kind
    point: Point,
    trip: Trip,
    person: Person,
    colour: Colour,
    size: Size = Size.L,
    loose: Loose | None = None,
    rows: Rows | None = None,
    points: Mapping[str, Point] | None = None,
    score: Score = Score(3),
    words: Words | None = None,
    counts: Optional[dict[str, list[int]]] = None,  # noqa: UP045  the older spelling is read too
    bare: dict | None = None,  # type: ignore[type-arg]
    mixed: list | None = None,  # type: ignore[type-arg]
) -> None: ...


class Service:
    async def method(self, key: str, memory: Injected) -> None: ...


def nothing(_: object) -> bool:
    return False


SAMPLES: list[Callable[..., Any]] = [plain, limited, records, Service().method]
RESULTS = [Trip, Answer, Point, Person, Loose, dict[str, int], dict[str, Point]]
ALLOWED_WORDS = {
    "type", "enum", "description", "default", "items", "properties", "required", "additionalProperties",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
}  # fmt: skip


def walk(schema: dict[str, Any], *, untyped: bool = False) -> None:
    """Assert every rule of a flat schema, in every place of it."""
    assert schema.keys() <= ALLOWED_WORDS
    assert "type" in schema or untyped or not schema
    assert schema.get("type", "string") in ("string", "integer", "number", "boolean", "array", "object")
    if schema.get("type") == "array":
        walk(schema["items"])
    for inner in schema.get("properties", {}).values():
        walk(inner, untyped=True)
    assert set(schema.get("required", [])) <= set(schema.get("properties", {}))
    if isinstance(values := schema.get("additionalProperties"), dict):
        walk(values)


@pytest.mark.parametrize("function", SAMPLES)
def test_every_input_schema_is_flat_and_closed(function: Callable[..., Any]) -> None:
    """E11: no reference, no union and no list of types anywhere, and no argument that is not named."""
    schema = input_schema(function, skip=lambda kind: kind is Injected)
    walk(schema)
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("annotation", RESULTS)
def test_every_output_schema_is_flat(annotation: object) -> None:
    """E11 holds for results too."""
    schema = output_schema(annotation)
    assert schema is not None
    walk(schema)


def test_the_plain_types_have_their_json_names() -> None:
    """Text, numbers and booleans say their type; Any and object say none."""
    assert input_schema(plain, skip=nothing) == {
        "type": "object",
        "properties": {
            "key": {"type": "string"},
            "count": {"type": "integer"},
            "share": {"type": "number"},
            "force": {"type": "boolean"},
            "what": {},
            "raw": {},
        },
        "required": ["key", "count", "share", "force", "what", "raw"],
        "additionalProperties": False,
    }


def test_limits_and_descriptions_come_from_annotated() -> None:
    """Arg, a bare string, annotated_types and pydantic's Field all say limits in JSON Schema's words."""
    schema = input_schema(limited, skip=nothing)
    assert schema["required"] == ["key", "tags", "told"]
    assert schema["properties"] == {
        "key": {"type": "string", "description": "The name", "minLength": 1, "maxLength": 512},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 64}, "minItems": 1, "maxItems": 32},
        "told": {"type": "string", "description": "Just words"},
        "ttl": {"type": "integer", "description": "Life", "minimum": 1, "maximum": 100},
        "scope": {"type": "string", "enum": ["user", "global"], "default": "user"},
        "level": {"type": "integer", "enum": [1, 2]},
        "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 0.5},
        "age": {"type": "integer", "description": "Years", "minimum": 1, "maximum": 9, "default": 1},
        "size": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
    }


def test_records_are_written_out_in_place() -> None:
    """Dataclasses, TypedDicts, enums and pydantic models become objects and choices inside the schema."""
    properties = input_schema(records, skip=nothing)["properties"]
    point = {
        "type": "object",
        "properties": {
            "x": {"type": "integer"},
            "y": {"type": "number", "description": "Height", "minimum": 0},
            "marks": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["x"],
        "additionalProperties": False,
    }
    address = {
        "type": "object",
        "description": "Where someone lives.",
        "properties": {
            "street": {"type": "string", "minLength": 1},
            "code": {"type": "integer", "description": "Postal code", "minimum": 1},
        },
        "required": ["street"],
        "additionalProperties": False,
    }
    assert properties["point"] == point
    assert properties["trip"]["properties"]["stops"] == {"type": "array", "items": point}
    assert properties["trip"]["required"] == ["name"]
    assert properties["person"]["properties"] == {
        "name": {"type": "string", "enum": ["ana", "nour"]},
        "kind": {"type": "string", "enum": ["human"], "default": "human"},
        "address": address,
        "others": {"type": "object", "additionalProperties": address, "default": {}},
        "colour": {"type": "string", "enum": ["red", "blue"], "default": "red", "description": "Favourite"},
        "anything": {},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
    }
    assert properties["person"]["required"] == ["name"]
    assert properties["colour"] == {"type": "string", "enum": ["red", "blue"]}
    assert properties["size"] == {"type": "integer", "enum": [1, 2], "default": 2}
    assert properties["loose"] == {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    assert properties["rows"] == {"type": "array", "items": {"type": "integer"}}
    assert properties["points"] == {"type": "object", "additionalProperties": point}
    assert properties["score"] == {"type": "integer", "default": 3}
    assert properties["words"] == {"type": "array", "items": {"type": "string"}}
    assert properties["counts"]["additionalProperties"] == {"type": "array", "items": {"type": "integer"}}
    assert properties["bare"] == {"type": "object"}
    assert properties["mixed"] == {"type": "array", "items": {}}


def test_an_injected_parameter_and_self_are_not_in_the_schema() -> None:
    """What the tool room hands in is no business of the model."""
    schema = input_schema(Service().method, skip=lambda kind: kind is Injected)
    assert list(schema["properties"]) == ["key"]
    assert schema["required"] == ["key"]


def test_a_field_that_may_be_missing_or_none_is_not_required_of_a_result() -> None:
    """NotRequired counts even where annotations are text, and a result leaves a None out."""
    schema = output_schema(Answer)
    assert schema is not None
    assert schema["required"] == ["found"]
    assert schema["properties"]["expires"] == {"type": "integer", "description": "When, in ms"}
    loose = output_schema(Loose)
    assert loose is not None
    assert loose["required"] == []


def test_the_defaults_of_a_schema_are_its_own() -> None:
    """Changing what a schema shows does not change the function."""

    async def tool(tags: list[str] = ["a"]) -> None: ...  # noqa: B006  the mutable default is the point

    input_schema(tool, skip=nothing)["properties"]["tags"]["default"].append("b")
    assert input_schema(tool, skip=nothing)["properties"]["tags"]["default"] == ["a"]


@pytest.mark.parametrize("annotation", [None, str, Any, list[int], int | None, Point | None, Rows])
def test_a_result_that_is_no_object_has_no_schema(annotation: object) -> None:
    """Only an object can be structured content."""
    assert output_schema(annotation) is None


def tool_with(annotation: object, *default: object) -> Callable[..., Any]:
    async def tool(thing: Any) -> None: ...

    tool.__annotations__["thing"] = annotation
    tool.__defaults__ = default
    return tool


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (int | str, ["'thing'", "int | str", "supported are str"]),
        (int | str | None, ["'thing'", "supported are"]),
        (bytes, ["bytes", "supported are"]),
        (tuple[int, str], ["tuple[int, str]", "supported are"]),
        (set[str], ["set[str]", "supported are"]),
        (None, ["NoneType", "supported are"]),
        (Literal[1, "a"], ["'thing'", "one type"]),
        (Mixed, ["'thing'", "one type"]),
        (dict[int, str], ["keys of type int"]),
        (list[int | None], ["None is possible only for a whole argument"]),
        (dict[str, int | None], ["None is possible only for a whole argument"]),
        (Chain, ["Chain contains itself", "field 'next'"]),
        (Tree, ["Tree contains itself"]),
        (Annotated[str, Arg(minimum=1)], ["'minimum' is for integer and number, not for string"]),
        (Annotated[int, Arg(max_length=1)], ["'max_length' is for string and array, not for integer"]),
        (Annotated[Any, Arg(minimum=1)], ["'minimum'", "not for Any"]),
        (Annotated[str, Field(pattern="a")], ["'pattern' is not checked"]),
        (Annotated[int, annotated_types.MultipleOf(2)], ["'multiple_of' is not checked"]),
        (Annotated[int, annotated_types.Ge("a")], ["'ge' must be a number"]),
        ("Nowhere", ["'Nowhere' cannot be found", "top of the module"]),
    ],
)
def test_an_annotation_that_no_flat_schema_can_say_is_refused(annotation: object, words: list[str]) -> None:
    """The author reads, when the tool is made, which parameter it is and what to write instead."""
    with pytest.raises(TypeError) as error:
        input_schema(tool_with(annotation), skip=nothing)
    assert "tool" in str(error.value)
    for word in words:
        assert word in str(error.value)


class Union_(BaseModel):  # noqa: N801  a name beside typing.Union
    a: int | str


class Nulls(BaseModel):
    a: list[int | None]


class Pair(BaseModel):
    a: tuple[int, str]


class OnlyNull(BaseModel):
    a: None


class MixedChoice(BaseModel):
    a: Literal[1, "a"]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Union_, "a union of several types"),
        (Nulls, "null is possible only for a whole field"),
        (Pair, "'prefixItems'"),
        (OnlyNull, "only null"),
        (MixedChoice, "several types"),
    ],
)
def test_a_model_that_no_flat_schema_can_say_is_refused(model: type, words: str) -> None:
    """Pydantic can say more than many clients can read."""
    with pytest.raises(TypeError, match=words):
        input_schema(tool_with(model), skip=nothing)
    with pytest.raises(TypeError, match=words):
        output_schema(model)


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (int, "ten"),
        (int, True),
        (bool, 0),
        (str, 5),
        (list[str], [1]),
        (Literal["a"], "b"),
        (Annotated[int, Arg(maximum=3)], 5),
        (int | None, "none"),
    ],
    ids=str,
)
def test_a_default_that_does_not_fit_is_refused(annotation: object, default: object) -> None:
    """A client may send what the schema calls the default, and would be refused for it; told with the parameter."""
    with pytest.raises(TypeError, match=r"the default of parameter 'thing' does not fit its annotation: .* got "):
        input_schema(tool_with(annotation, default), skip=nothing)


def test_a_default_within_a_record_must_fit_too() -> None:
    """A field is told by its name."""

    @dataclass
    class Crooked:
        size: int = "small"  # type: ignore[assignment]

    with pytest.raises(TypeError, match="the default of field 'size' does not fit its annotation"):
        input_schema(tool_with(Crooked), skip=nothing)


def test_a_function_whose_parameters_have_no_names_or_types_is_refused() -> None:
    """*args, **kwargs, positional-only and unannotated parameters cannot be called by name or checked."""

    async def many(*names: str) -> None: ...
    async def named(**names: str) -> None: ...
    async def positional(key: str, /) -> None: ...
    async def bare(key) -> None: ...  # type: ignore[no-untyped-def]

    for function, words in ((many, "args"), (named, "kwargs"), (positional, "positional-only"), (bare, "'key' has no")):
        with pytest.raises(TypeError, match=words):
            input_schema(function, skip=nothing)
    with pytest.raises(TypeError, match="not a function"):
        input_schema(Injected, skip=nothing)


def test_the_room_imports_nothing_heavy() -> None:
    """Pydantic and what comes with it are the author's choice; nothing here pays for them at a cold start."""
    heavy = {"pydantic", "annotated_types", "typing_extensions", "difflib", "asyncio", "remember.schema.inline"}
    code = (
        "import sys, remember.schema; remember.schema.check_arguments({'type': 'object'}, {});"
        f"print(sorted({heavy!r} & sys.modules.keys()))"
    )
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
