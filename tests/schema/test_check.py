"""What a tool's arguments may look like, what is read from them, and what a refusal says."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from remember.errors import InvalidInput
from remember.schema import check_arguments, conform
from remember.schema.arg import Arg
from remember.schema.derive import input_schema


class Place(TypedDict):
    city: str
    floor: NotRequired[int]


async def remember_this(
    key: Annotated[str, Arg(min_length=1, max_length=512)],
    value: Any,
    scope: Literal["session", "user"] = "session",
    ttl: Annotated[int, Arg(minimum=1, maximum=1000)] | None = None,
    *,
    confidence: Annotated[float, Arg(minimum=0, maximum=1)] | None = None,
    force: bool = False,
    tags: Annotated[list[Annotated[str, Arg(max_length=64)]], Arg(max_items=3)] | None = None,
    numbers: list[int] | None = None,
    counts: dict[str, int] | None = None,
    place: Place | None = None,
    places: list[Place] | None = None,
    extra: Any = None,
) -> None: ...


async def no_arguments() -> None: ...


SCHEMA = input_schema(remember_this, skip=lambda _: False)
NAMES = "key, value, scope, ttl, confidence, force, tags, numbers, counts, place, places, extra"


def check(**arguments: Any) -> tuple[dict[str, Any], list[str]]:
    checked, coerced = check_arguments(SCHEMA, {"key": "k", "value": 1} | arguments)
    return {name: checked[name] for name in arguments if name in checked}, coerced


def refusal(**arguments: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as error:
        check(**arguments)
    return error.value


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("ttl", "60", 60),
        ("ttl", 60.0, 60),
        ("confidence", "0.8", 0.8),
        ("confidence", "1", 1),
        ("confidence", "1e-3", 0.001),
        ("force", "true", True),
        ("force", "false", False),
        ("tags", '["a","b"]', ["a", "b"]),
        ("tags", "a, b", ["a", "b"]),
        ("tags", "work", ["work"]),
        ("tags", "[]", []),
        ("numbers", "[1, 2]", [1, 2]),
        ("numbers", ["1", 2, "-3"], [1, 2, -3]),
        ("counts", '{"a": 1}', {"a": 1}),
        ("place", '{"city": "Rome"}', {"city": "Rome"}),
    ],
)
def test_an_argument_in_another_form_is_read_where_nothing_is_lost(name: str, given: object, read: object) -> None:
    """E12: clients send numbers, booleans, lists and objects as text; the result names what was read so."""
    checked, coerced = check(**{name: given})
    assert checked == {name: read}
    assert type(checked[name]) is type(read)
    assert coerced == [name]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ttl", 1.5), ("ttl", 1e20), ("ttl", 9223372036854775807), ("ttl", True), ("ttl", []), ("ttl", "060"),
        ("ttl", "1.5"), ("ttl", "1e3"), ("ttl", " 60"), ("ttl", "60\n"), ("ttl", "+60"), ("ttl", "-0"), ("ttl", "6_0"),
        ("ttl", "٦"), ("ttl", ""), ("ttl", "0"), ("ttl", float("nan")), ("ttl", float("inf")), ("ttl", {}),
        ("confidence", "nan"), ("confidence", "Infinity"), ("confidence", ".5"), ("confidence", "1e999"),
        ("confidence", float("nan")), ("confidence", True), ("confidence", 1.01),
        ("force", 1), ("force", "True"), ("force", "yes"), ("force", 0),
        ("key", 5), ("key", ["k"]), ("key", ""), ("key", "x" * 513), ("key", True), ("key", None),
        ("scope", "tool"), ("scope", "User"), ("scope", ["user"]),
        ("tags", ""), ("tags", "a,,b"), ("tags", "[a, b]"), ("tags", '"a", "b"'), ("tags", '{"a": 1}'),
        ("tags", ["a"] * 4), ("tags", {"a": 1}), ("tags", 5),
        ("numbers", "1, 2"), ("numbers", 1),
        ("counts", '{"a": 1, "a": 2}'), ("counts", "[1]"), ("counts", []), ("counts", '{"a": NaN}'),
        ("place", "Rome"), ("places", '{"city": "Rome"}'),
    ],
)  # fmt: skip
def test_anything_else_is_refused_by_name(name: str, given: object) -> None:
    """B8: no number becomes text, no boolean a number, no fraction an integer; the answer is short and names all."""
    refused_shortly(name, given)


def test_what_is_enormous_is_refused_as_shortly() -> None:
    """Digits beyond what Python prints, and brackets beyond what it nests, get the same kind of answer."""
    for name, given in (
        ("ttl", 10**5000),
        ("ttl", "9" * 5000),
        ("confidence", "9" * 5000),
        ("numbers", "[" * 100_000),
        ("place", '{"city":' * 100_000),
        ("tags", ["a" * 100_000] * 4),
    ):
        refused_shortly(name, given)


def refused_shortly(name: str, given: object) -> None:
    error = refusal(**{name: given})
    assert error.field == name
    assert str(error).startswith(f"{name} must be ")
    assert "; got " in str(error)
    assert len(str(error).rpartition("; got ")[2]) <= 70


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ttl": "1.5"}, "ttl must be an integer from 1 to 1000; got the string '1.5'."),
        ({"ttl": True}, "ttl must be an integer from 1 to 1000; got the boolean true."),
        ({"ttl": [1]}, "ttl must be an integer from 1 to 1000; got a list of 1 item."),
        ({"confidence": 2}, "confidence must be a number from 0 to 1; got the number 2."),
        ({"scope": "all"}, "scope must be one of 'session', 'user'; got the string 'all'."),
        ({"force": None, "key": None}, "key must be a string of 1 to 512 characters; got null."),
        ({"key": "x" * 600},
         f"key must be a string of 1 to 512 characters; got 600 characters beginning '{'x' * 30}'."),
        ({"tags": ["a", 5]}, "tags.1 must be a string of at most 64 characters; got the number 5."),
        ({"counts": {"a": "x"}}, "counts.a must be an integer; got the string 'x'."),
        ({"place": {"city": 1}}, "place.city must be a string; got the number 1."),
        ({"place": 1}, "place must be an object with city, floor; got the number 1."),
        ({"place": {}}, "place.city is required (a string); nothing arrived."),
        ({"places": [{"floor": 1}]}, "places.0.city is required (a string); got only floor."),
        ({"place": {"city": "x", "flor": 1}},
         "place has an unknown field 'flor'; did you mean floor? Allowed: city, floor."),
        ({"tll": 5}, f"unknown argument 'tll'; did you mean ttl? Allowed: {NAMES}."),
        ({"xyzzy": 5}, f"unknown argument 'xyzzy'. Allowed: {NAMES}."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_arrived_and_what_is_allowed(given: dict[str, Any], message: str) -> None:
    """A model that reads the sentence can send the right thing next."""
    assert str(refusal(**given)) == message


def test_a_missing_argument_is_named_together_with_what_arrived() -> None:
    """E12: a client that drops arguments learns which one is missing."""
    for given, came in (({"scope": "user", "value": 1}, "got only scope, value"), ({}, "nothing arrived")):
        with pytest.raises(InvalidInput) as error:
            check_arguments(SCHEMA, given)
        assert error.value.field == "key"
        assert str(error.value) == f"key is required (a string of 1 to 512 characters); {came}."


@pytest.mark.parametrize(
    ("limit", "last", "first_refused"),
    [
        ({"minimum": 1}, 1, 0.5),
        ({"maximum": 1}, 1, 1.5),
        ({"exclusiveMinimum": 1}, 1.5, 1),
        ({"exclusiveMaximum": 1}, 0.5, 1),
        ({"type": "string", "minLength": 1}, "a", ""),
        ({"type": "string", "maxLength": 1}, "a", "ab"),
        ({"type": "array", "items": {}, "minItems": 1}, [1], []),
        ({"type": "array", "items": {}, "maxItems": 1}, [1], [1, 2]),
    ],
)
def test_each_limit_stands_exactly_where_it_says(limit: dict[str, Any], last: object, first_refused: object) -> None:
    """The last value inside passes, and the first one outside does not."""
    schema = {"type": "number"} | limit
    conform(schema, last)
    with pytest.raises(ValueError, match="must be"):
        conform(schema, first_refused)


def test_a_tool_without_arguments_says_so() -> None:
    """The list of allowed names is never an empty hole in the sentence."""
    with pytest.raises(InvalidInput, match=r"unknown argument 'a'\. Allowed: none\."):
        check_arguments(input_schema(no_arguments, skip=lambda _: False), {"a": 1})


def test_the_arguments_object_may_be_absent_or_text() -> None:
    """E12: None is no arguments, and a JSON string of an object is that object."""
    assert check_arguments(input_schema(no_arguments, skip=lambda _: False), None) == ({}, [])
    given = {"key": "k", "value": {"a": [1]}, "ttl": 5}
    assert check_arguments(SCHEMA, json.dumps(given)) == (given, ["arguments"])


@pytest.mark.parametrize("given", [[], "[]", "", "k", 5, True, '{"key": 1, "key": 2}', "[" * 5_000])
def test_arguments_that_are_no_object_are_refused(given: object) -> None:
    """The field is then the whole."""
    with pytest.raises(InvalidInput, match=r"^arguments must be an object; got ") as error:
        check_arguments(SCHEMA, given)
    assert error.value.field == "arguments"


def test_null_leaves_an_optional_argument_out() -> None:
    """Clients fill in null for what they have nothing to say about; inside a record too."""
    assert check(ttl=None, place={"city": "Rome", "floor": None}) == (
        {"place": {"city": "Rome"}},
        ["ttl", "place.floor"],
    )


def test_an_untyped_value_is_never_touched() -> None:
    """What looks like a number, a boolean or a list stays the text it is, and null stays null."""
    for given in ("60", "true", "[1]", "a, b", 60.0, None, True, {"a": "1"}):
        checked, coerced = check(value=given, extra=given)
        assert checked["value"] is given
        assert checked["extra"] is given
        assert coerced == []


def test_a_list_is_named_once_however_many_items_came_as_text() -> None:
    """The names of what was read differently stay few; in a record the name is dotted."""
    assert check(numbers=["1"] * 3, counts={"a": "1", "b": 2})[1] == ["numbers", "counts.a"]
    assert check(places='[{"city": "Rome", "floor": "1"}]')[1] == ["places"]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"value": "bad \ud83c end"}, "value"),
        ({"value": {"a": ["\ud83c"]}}, "value"),
        ({"value": [{"\ud83c": 1}]}, "value"),
        ({"key": "\udc00"}, "key"),
        ({"tags": ["a", "\ud83c"]}, "tags.1"),
        ({"tags": "a, \ud83c"}, "tags.1"),
        ({"counts": {"\ud83c": 1}}, r"counts.\ud83c"),
        ({"counts": '{"\\ud83c": 1}'}, r"counts.\ud83c"),
        ({"place": {"city": "\ud83c"}}, "place.city"),
        ({"\ud83c": 1}, r"\ud83c"),
        ({"scope": "\ud83c"}, "scope"),
        ({"ttl": "\ud83c"}, "ttl"),
    ],
)
def test_half_a_character_is_refused_wherever_it_stands(given: dict[str, Any], name: str) -> None:
    """B1: in a value, a name or a nested text; and the refusal itself can be sent."""
    error = refusal(**given)
    assert error.field == name
    (error.field + str(error)).encode()


def test_whole_characters_of_every_plane_pass() -> None:
    """A pair of surrogates that JSON text escapes is one character, not two halves."""
    assert check(value="\U0001f30d é 中", key="\U0001f30d")[0]["key"] == "\U0001f30d"
    assert check(tags='["\\ud83c\\udf0d"]')[0] == {"tags": ["\U0001f30d"]}
    assert check(key="\U0001f30d" * 512)[0] == {"key": "\U0001f30d" * 512}


def test_a_deep_or_circular_value_does_not_break_the_check() -> None:
    """Depth is the sender's choice, so nothing here recurses into a value."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    circle: list[Any] = ["a"]
    circle.append(circle)
    for value in (deep, circle):
        assert check(value=value)[0]["value"] is value
        for name in ("ttl", "tags", "numbers", "place", "scope"):
            assert refusal(**{name: value}).field.startswith(name)


def test_names_that_are_long_or_no_text_are_refused_shortly() -> None:
    """A message never repeats a whole megabyte of name, and a control character is shown escaped."""
    assert len(str(refusal(**{"x" * 1_000_000: 1}))) < 300
    assert "'a\\nb'" in str(refusal(**{"a\nb": 1}))
    with pytest.raises(InvalidInput, match="arguments has a name of type bytes; names are strings"):
        check_arguments(SCHEMA, {b"key": "k"})
    with pytest.raises(InvalidInput, match="counts has a name of type int; names are strings"):
        check(counts={1: 1})


def test_what_was_given_is_not_changed() -> None:
    """The caller's own objects stay as they were."""
    given = {"key": "k", "value": 1, "ttl": "5", "numbers": ["1"], "place": {"city": "Rome", "floor": None}}
    before = json.dumps(given)
    check_arguments(SCHEMA, given)
    assert json.dumps(given) == before


def test_conform_takes_nothing_in_another_form() -> None:
    """A result that only fits after coercion does not fit, and the path of the misfit is named."""
    conform(SCHEMA, {"key": "k", "value": None, "ttl": 5})
    for given, path in (
        ({"ttl": "5"}, "ttl"),
        ({"ttl": None}, "ttl"),
        ({"tags": "a, b"}, "tags"),
        ({"numbers": [1, "2"]}, r"numbers\.1"),
        ({"place": {"city": "x", "floor": "1"}}, r"place\.floor"),
    ):
        with pytest.raises(ValueError, match=f"^{path} must be"):
            conform(SCHEMA, {"key": "k", "value": 1, **given})
    with pytest.raises(ValueError, match=r"^the value must be an object"):
        conform(SCHEMA, [])
