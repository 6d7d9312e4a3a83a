"""From checked JSON to the author's own types, and back."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from pydantic import BaseModel, Field

from remember.schema import conform
from remember.schema.arg import Arg
from remember.schema.build import converter, serializer
from remember.schema.derive import output_schema


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    colour: Colour = Colour.RED
    label: str | None = None
    inner: list[Point2] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x lies outside the map")


@dataclass
class Point2:
    z: float


class Person(BaseModel):
    name: str = Field(pattern="^[a-z]+$", alias="fullName")
    home: Point | None = None


class Trip(TypedDict):
    stops: list[Point]
    by: NotRequired[Colour]
    note: str | None


class Plain(TypedDict):
    a: int


@pytest.mark.parametrize(
    ("annotation", "given", "built"),
    [
        (Colour, "red", Colour.RED),
        (Annotated[Colour, Arg("Which")] | None, "red", Colour.RED),
        (Colour | None, None, None),
        (list[Colour], ["red"], [Colour.RED]),
        (dict[str, Colour], {"a": "red"}, {"a": Colour.RED}),
        (Point, {"x": 1, "colour": "red", "inner": [{"z": 1}]}, Point(1, Colour.RED, None, [Point2(1)])),
        (Person, {"fullName": "ana", "home": {"x": 1}}, Person(fullName="ana", home=Point(1))),
        (Trip, {"stops": [{"x": 1}], "by": "red"}, {"stops": [Point(1)], "by": Colour.RED}),
        (list[list[Point2]], [[{"z": 2}]], [[Point2(2)]]),
    ],
)
def test_checked_json_becomes_the_annotated_object(annotation: object, given: object, built: object) -> None:
    """A tool's function receives what its annotation promises."""
    convert = converter(annotation)
    assert convert is not None
    assert convert(given) == built


@pytest.mark.parametrize(
    "annotation", [str, int | None, Any, Literal["a"], list[str], list, dict[str, Any], dict, Plain, list[Plain]]
)
def test_what_json_has_itself_needs_no_conversion(annotation: object) -> None:
    """No work is done, and none is paid for, where the value is already right."""
    assert converter(annotation) is None
    assert serializer(annotation) is None


def test_a_refusal_of_the_class_itself_is_one_sentence() -> None:
    """It says where and what, and does not repeat the value."""
    person, point = converter(Person), converter(Point)
    assert person is not None
    assert point is not None
    with pytest.raises(ValueError, match=r"^fullName: String should match pattern") as error:
        person({"fullName": "SECRET"})
    assert "SECRET" not in str(error.value)
    with pytest.raises(ValueError, match=r"^x lies outside the map$"):
        point({"x": -1})


@pytest.mark.parametrize(
    ("annotation", "result", "dumped"),
    [
        (Point, Point(1), {"x": 1, "colour": "red", "inner": []}),
        (
            Point,
            Point(1, label="a", inner=[Point2(1.5)]),
            {"x": 1, "colour": "red", "label": "a", "inner": [{"z": 1.5}]},
        ),
        (Person, Person(fullName="ana"), {"fullName": "ana"}),
        (Trip, {"stops": [Point(1)], "note": None}, {"stops": [{"x": 1, "colour": "red", "inner": []}]}),
        (Trip, {"stops": [], "by": Colour.RED, "note": "n"}, {"stops": [], "by": "red", "note": "n"}),
        (dict[str, Colour], {"a": Colour.RED}, {"a": "red"}),
        (dict[str, list[Point2]], {"a": [Point2(1)]}, {"a": [{"z": 1}]}),
    ],
)
def test_a_result_becomes_json_that_fits_its_schema(annotation: object, result: object, dumped: object) -> None:
    """What the schema promises is what goes out; a None that the schema cannot say is left out."""
    dump, schema = serializer(annotation), output_schema(annotation)
    assert dump is not None
    assert schema is not None
    assert dump(result) == dumped
    conform(schema, dumped)
