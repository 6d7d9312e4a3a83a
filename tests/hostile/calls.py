"""Hostile calls of tools: arguments mostly fit their schema, since those get furthest, and are as odd as it allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from tests.hostile.planted import Planted

STORED = "storedbythefuzz"
"""Stands in texts that a request keeps, and in no log line."""

ODD = (
    "", " ", "*", "?", ".", "..", "../bob", "%2e%2e/bob", "static:bob", "canaryof*", "canaryofbo", "bob",
    "remember:v2:", "__layout__", "__proto__", "\x00", "a\x00b", "\r\nSet-Cookie: a=b", "\u202egnp.exe",
    "\u200b\ufeff", "e\u0301" * 40, "İıſß", "\ud83c", "\udfff\ud800", "\U0001f469\u200d\U0001f467" * 9, "9" * 4_301,
    "-0", "1e999", "NaN", "null", "true", "[]", "{}", '"', "'; DROP TABLE entries;--", "{{7*7}}", "${jndi:ldap://x}",
    "<|im_end|>", "</memory>", "]]>", "<script>", "$(id)", "%s%n%d", "{0.__class__}", "=?base64?a2V5?=",
    "=?base64?!!?=", "=?base64??=", "(a+)+$", "[" * 3_000, "\\" * 999, "a" * 513, "x y " * 3_000,
    "sk-ant-api03-" + "A" * 95, "password=" * 500, "postgres://u:p@ss@h/db", "-----BEGIN RSA PRIVATE KEY-----",
    f"{STORED} is a text", "user", "session", "global", "tool",
)  # fmt: skip
TIMES = (
    "today", "last week", "march 2026", "in 99999999999999 days", "999999999999 years ago", "-3 days ago", "2026-02-30",
    "0000-00-00", "0001-01-01", "9999-12-31T23:59:59+14:00", "2026-01-31T18:00", "1e9 weeks ago", "q5 2026", "week 99",
    "Europe/Berlin", "../../etc/passwd", "UTC+25:00", "Etc/GMT+12", "localtime", "monday", "二月", "٣ days ago",
)  # fmt: skip

PLAIN = (
    "language", "project:deadline", "The person prefers tabs over spaces", "We moved to Bonn in May 2026", "default",
    "api", "Deploys happen on Fridays since last week", "nginx", "The limit is 30 requests", "The limit is 90 requests",
    "tea", f"{STORED} is a fact", "2026-01-31", "project:*",
)  # fmt: skip

plain = st.sampled_from(PLAIN)
texts = st.sampled_from(ODD) | st.text(max_size=20) | st.sampled_from(TIMES)
numbers = st.sampled_from([0, -1, 1, 2, 100, 10**9, 2**53 + 1, 10**400, 0.1, 1.5, 1e308, float("nan"), float("inf")])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
huge = st.sampled_from(
    [["x"] * 20_000, {str(number): number for number in range(20_000)}, "x" * 300_000, "漢" * 100_000, [[[]]] * 9_000]
)


def _as_one(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Chosen as often as any other, however many it is made of."""
    return strategy.map(lambda made: made)


def fitting(schema: Mapping[str, Any], seen: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Mostly what a schema asks for, as odd as it allows."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    made = _OF_TYPE.get(schema.get("type", ""))
    return made(schema, seen) if made else values


def _text(schema: Mapping[str, Any], seen: tuple[str, ...]) -> st.SearchStrategy[Any]:
    told = st.sampled_from(seen)
    return st.one_of(plain, plain.map(str.title), told, told.map(lambda text: text[:-1]), _as_one(texts))


def _whole(schema: Mapping[str, Any], seen: tuple[str, ...]) -> st.SearchStrategy[Any]:
    least = schema.get("minimum", 0)
    return st.integers(least, min(schema.get("maximum", least + 99), least + 99))


def _object(schema: Mapping[str, Any], seen: tuple[str, ...]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({}, optional={key: fitting(one, seen) for key, one in schema["properties"].items()})


_OF_TYPE: Mapping[str, Callable[[Mapping[str, Any], tuple[str, ...]], st.SearchStrategy[Any]]] = {
    "string": _text,
    "integer": _whole,
    "number": lambda _schema, _seen: st.floats(0, 1),
    "boolean": lambda _schema, _seen: st.booleans(),
    "array": lambda schema, seen: st.lists(fitting(schema["items"], seen), min_size=1, max_size=4),
    "object": _object,
}


def arguments_of(tool: Mapping[str, Any], seen: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """A tool's arguments: what it needs and some of the rest, each sometimes of another kind."""
    schema = tool["inputSchema"]
    given = {name: fitting(one, seen) for name, one in schema["properties"].items()}
    good = st.fixed_dictionaries(
        {name: given[name] for name in schema.get("required", ())},
        optional={name: one for name, one in given.items() if name not in schema.get("required", ())},
    )
    spoiled = st.tuples(good, st.sampled_from([*given, "surplus", "user_id", "sub"]), values | huge)
    spoiled_one = spoiled.map(lambda parts: {**parts[0], parts[1]: parts[2]})
    return st.integers(0, 9).flatmap(lambda of: values if of == 9 else spoiled_one if of > 6 else good)


class Calls:
    """Good and bad calls of every tool that a server offers; a strategy by itself would fill pages when it is shown."""

    def __init__(self, planted: Planted) -> None:
        tools = planted.attacker.tools()
        self.strategy = st.one_of([_call(name, tool, planted.seen) for name, tool in tools.items()])


def _call(name: str, tool: Mapping[str, Any], seen: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    params: dict[str, Any] = {"name": st.just(name), "arguments": arguments_of(tool, seen)}
    if name == "forget_all":
        answers = st.dictionaries(
            st.sampled_from(["delete", "x"]), values | st.just({"action": "accept", "content": {"delete": True}})
        )
        params |= {"requestState": st.sampled_from(seen) | values, "inputResponses": answers | values}
        return st.fixed_dictionaries(
            {"name": params.pop("name"), "arguments": params.pop("arguments")}, optional=params
        )
    return st.fixed_dictionaries(params)
