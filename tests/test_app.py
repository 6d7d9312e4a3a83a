"""App: what it is made of stays, however it was given, and no two things of it have one name."""

from __future__ import annotations

from typing import Any

import pytest

from remember import (
    App,
    ConfigurationError,
    Remember,
    RememberPlugin,
    create_fetch_handler,
    prompt,
    resource,
    tool,
)
from tests.seed.served import serve


@tool
async def count_keys(remember: Remember) -> dict[str, int]:
    """Count what is remembered for everybody."""
    return {"count": len(await remember.list(scope="global"))}


def test_tools_and_plugins_may_come_from_a_generator() -> None:
    """They are there for each handler, and for each look."""
    app = App("app", tools=(each for each in [count_keys]), plugins=(each for each in [RememberPlugin]))  # type: ignore[arg-type]
    for _ in range(2):
        ana = serve(app).ana
        assert list(ana.tools()) == ["count_keys"]
        assert ana.call("count_keys").data == {"count": 0}


@prompt
async def ask() -> str:
    """Ask."""
    return "?"


@prompt(name="ask")
async def ask_too() -> str:
    """Ask too."""
    return "?"


@resource("notes://{year}")
async def year(year: str) -> str:
    """A year."""
    return year


@resource("notes://{number}", name="other")
async def same_uris(number: str) -> str:
    """The same URIs by another variable."""
    return number


@resource("other://all", name="year")
async def same_name() -> str:
    """Another URI by the same name."""
    return ""


def having(app_id: str, kind: str, *things: Any) -> App:
    """An app with these tools, prompts or resources."""
    parts: dict[str, Any] = {kind: things}
    return App(app_id, **parts)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [("prompts", ask, ask_too), ("resources", year, same_uris), ("resources", year, same_name)],
    ids=["prompt", "template", "name"],
)
def test_two_of_one_name_are_refused_with_both_owners(kind: str, one: Any, other: Any) -> None:
    """At the start, as for tools: whoever has to change something learns where."""
    apps = (having("first", kind, one), having("second", kind, other))
    with pytest.raises(ConfigurationError, match="by first and by second") as refused:
        create_fetch_handler(apps, environ={})
    assert refused.value.variable == kind
    with pytest.raises(ConfigurationError, match="by both and by both"):
        create_fetch_handler(having("both", kind, one, other), environ={})


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        *((kind, wrong) for kind in ("tools", "prompts", "resources") for wrong in (print, "ask", None)),
        *(("tools", wrong) for wrong in (ask, year)),
        *(("prompts", wrong) for wrong in (count_keys, year)),
        *(("resources", wrong) for wrong in (count_keys, ask)),
    ],
    ids=lambda one: one if isinstance(one, str) else type(one).__name__,
)
def test_what_is_none_is_refused_at_the_start(kind: str, wrong: Any) -> None:
    """With the decorator that is missing; a tool is no prompt, and so on."""
    with pytest.raises(ConfigurationError, match=f"is no {kind[:-1]}; put @{kind[:-1]} before it"):
        having("app", kind, wrong)
