"""Properties of the check over generated schemas and values, with `jsonschema` as the second opinion."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from remember.errors import InvalidInput
from remember.schema import check_arguments, conform

NAMES = st.sampled_from(["key", "ttl", "tags", "scope", "a"])
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SMALL = st.integers(-20, 20)
# Floats from 2**53 on are left out: a reader cannot tell which integer was meant, so the check refuses them,
# where JSON Schema takes 1e20 for an integer.
FLOATS = st.floats(-1e9, 1e9)
ANYTHING = st.recursive(
    st.none() | st.booleans() | SMALL | SMALL.map(float) | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | TEXT, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def bounded(
    draw: st.DrawFn, words: dict[str, Any], low: str, high: str, numbers: st.SearchStrategy[Any]
) -> dict[str, Any]:
    least = draw(numbers)
    most = least + draw(st.integers(1, 5))  # never equal: an open interval would hold nothing
    schema = dict(words)
    if draw(st.booleans()):
        schema[low] = least
    if draw(st.booleans()):
        schema[high] = most
    return schema


SIZES = st.integers(0, 5)
LEAVES = (
    bounded({"type": "integer"}, "minimum", "maximum", SMALL)
    | bounded({"type": "number"}, "minimum", "exclusiveMaximum", SMALL)
    | bounded({"type": "number"}, "exclusiveMinimum", "maximum", FLOATS)
    | bounded({"type": "string"}, "minLength", "maxLength", SIZES)
    | st.just({"type": "boolean"})
    | st.lists(TEXT, min_size=1, max_size=3).map(lambda values: {"type": "string", "enum": values})
    | st.lists(SMALL, min_size=1, max_size=3).map(lambda values: {"type": "integer", "enum": values})
)


@st.composite
def closed_objects(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    properties = draw(st.dictionaries(NAMES, inner, max_size=4))
    required = [name for name in properties if draw(st.booleans())]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def branches(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    lists = inner.flatmap(lambda items: bounded({"type": "array", "items": items}, "minItems", "maxItems", SIZES))
    dicts = inner.map(lambda values: {"type": "object", "additionalProperties": values})
    return lists | dicts | closed_objects(inner)


SCHEMAS = st.recursive(LEAVES, branches, max_leaves=5)
TOOLS = closed_objects(SCHEMAS | st.just({}))


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:  # noqa: PLR0911  one for each type
    """Values that fit `schema`, in its own types; nothing where the limits leave none."""
    kind = schema.get("type")
    if kind is None:
        return ANYTHING
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if kind == "integer":
        return st.integers(schema.get("minimum"), schema.get("maximum"))
    if kind == "number":
        low = schema.get("minimum", schema.get("exclusiveMinimum"))
        high = schema.get("maximum", schema.get("exclusiveMaximum"))
        numbers: st.SearchStrategy[Any] = st.floats(low, high, allow_nan=False, allow_infinity=False)
        return numbers.filter(
            lambda value: value not in (schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"))
        )
    if kind == "boolean":
        return st.booleans()
    if kind == "string":
        letters = st.characters(exclude_categories=["Cs"])
        return st.text(letters, min_size=schema.get("minLength", 0), max_size=schema.get("maxLength", 8))
    if kind == "array":
        least = schema.get("minItems", 0)
        return st.lists(fitting(schema["items"]), min_size=least, max_size=schema.get("maxItems", least + 3))
    if "properties" not in schema:
        return st.dictionaries(TEXT, fitting(schema["additionalProperties"]), max_size=3)
    needed = {name: fitting(inner) for name, inner in schema["properties"].items() if name in schema["required"]}
    spare = {name: fitting(inner) for name, inner in schema["properties"].items() if name not in schema["required"]}
    return st.fixed_dictionaries(needed, optional=spare)


FITTING = TOOLS.flatmap(lambda schema: st.tuples(st.just(schema), fitting(schema)))


@given(FITTING)
def test_arguments_that_fit_come_back_as_they_are(sample: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Nothing is read into a value that is right already."""
    schema, arguments = sample
    checked, coerced = check_arguments(schema, arguments)
    assert coerced == []
    assert repr(checked) == repr(arguments)
    conform(schema, arguments)


@given(FITTING)
def test_arguments_sent_as_text_come_back_equal(sample: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """E12: each typed argument as JSON text, and the whole object as text, say the same as themselves."""
    schema, arguments = sample
    typed = {
        name for name, inner in schema["properties"].items() if inner.get("type", "string") != "string"
    } & arguments.keys()
    as_text = {name: json.dumps(value) if name in typed else value for name, value in arguments.items()}
    checked, coerced = check_arguments(schema, as_text)
    assert checked == arguments
    assert set(coerced) == typed
    assert check_arguments(schema, json.dumps(arguments)) == (arguments, ["arguments"])


@given(SCHEMAS, ANYTHING)
def test_the_verdict_on_any_value_is_that_of_json_schema(schema: dict[str, Any], value: object) -> None:
    """Without coercion, exactly what JSON Schema 2020-12 takes is taken."""
    assert conforms(schema, value) == Draft202012Validator(schema).is_valid(value)


@given(FITTING, st.data())
def test_the_verdict_on_a_nearly_right_value_is_that_of_json_schema(
    sample: tuple[dict[str, Any], dict[str, Any]], data: st.DataObject
) -> None:
    """The same, one step beside the border: one argument replaced, taken away or added."""
    schema, arguments = sample
    Draft202012Validator.check_schema(schema)
    changed = dict(arguments)
    if data.draw(st.booleans()):
        changed[data.draw(NAMES)] = data.draw(ANYTHING)
    elif changed:
        del changed[data.draw(st.sampled_from(sorted(changed)))]
    assert conforms(schema, changed) == Draft202012Validator(schema).is_valid(changed)


@given(TOOLS, ANYTHING)
def test_whatever_arrives_is_read_or_refused_and_what_is_read_fits(schema: dict[str, Any], arguments: object) -> None:
    """The checked arguments always fit the schema; the only other outcome is InvalidInput in a short sentence."""
    try:
        checked, _ = check_arguments(schema, arguments)
    except InvalidInput as error:
        f"{error.field} {error}".encode()
    else:
        conform(schema, checked)


@given(st.floats() | st.integers().map(float))
def test_a_float_is_an_integer_only_where_it_names_one(value: float) -> None:
    """60.0 is 60; a fraction, NaN, an infinity and a float too large to be exact are refused."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    exact = math.isfinite(value) and value == math.floor(value) and abs(value) < 2**53
    try:
        checked, coerced = check_arguments(schema, {"a": value})
    except InvalidInput:
        assert not exact
    else:
        assert exact
        assert (checked, coerced) == ({"a": int(value)}, ["a"])
        assert type(checked["a"]) is int


def conforms(schema: dict[str, Any], value: object) -> bool:
    try:
        conform(schema, value)
    except ValueError:
        return False
    return True
