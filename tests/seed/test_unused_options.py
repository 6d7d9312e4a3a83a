"""Options that would do nothing where they stand: each is refused at the start, by its name."""

from __future__ import annotations

from typing import Any

import pytest

from remember import ConfigurationError, RememberPlugin, Settings
from remember.options import Options

GIVEN: dict[str, Any] = {
    "path": "private-word.db",
    "url": "https://private-word.example",
    "token": "private-word",
    "config": {"host": "private-word"},
    "client": "private-word",
}
USED = {
    "sqlite": {"path"},
    "upstash": {"url", "token"},
    "vercel-kv": {"url", "token"},
    "redis": {"url", "config"},
    "redis-client": {"client"},
    "memory": set[str](),
    "global-store": set[str](),
    "auto": set[str](),
}


@pytest.mark.promise("options.unknown")
@pytest.mark.parametrize("kind", USED)
@pytest.mark.parametrize("name", GIVEN)
def test_an_option_that_the_type_does_not_use_is_refused(kind: str, name: str) -> None:
    """Whoever wrote it believes that memory is kept there; the message names the option and the type, and no value."""
    options: Any = {"type": kind, name: GIVEN[name]}
    if name in USED[kind]:
        RememberPlugin(options)
        return
    with pytest.raises(ConfigurationError) as refused:
        RememberPlugin(options)
    assert refused.value.variable == name
    assert str(refused.value).startswith(f"{name} is for the type ")
    assert f"the type here is {kind}" in str(refused.value)
    assert "private-word" not in str(refused.value)


@pytest.mark.promise("options.unknown")
@pytest.mark.parametrize("name", GIVEN)
def test_without_a_type_it_is_refused_too(name: str) -> None:
    """The type is memory then, and a path beside it would not be used."""
    with pytest.raises(ConfigurationError, match="the type here is memory"):
        RememberPlugin.init(**{name: GIVEN[name]})


def made() -> Options:
    return {"type": "memory"}


@pytest.mark.promise("options.factory")
@pytest.mark.parametrize(
    "beside",
    [
        {"type": "global-store"},
        {"type": "sqlite", "path": "memory.db"},
        {"key_prefix": "acme:"},
        {"default_ttl": 0},
        {"encryption": {"enabled": True}},
        {"tools": {"enabled": True}},
    ],
    ids=str,
)
def test_options_beside_a_factory_are_refused(beside: Any) -> None:
    """The factory's options are the whole of them, so these would be lost; both ways to make a plugin say so."""
    with pytest.raises(ConfigurationError, match="use_factory makes the options") as by_init:
        RememberPlugin.init(use_factory=made, **beside)
    with pytest.raises(ConfigurationError, match="use_factory makes the options") as by_class:
        RememberPlugin(beside, use_factory=made)
    assert all(name in str(refused.value) for name in beside for refused in (by_init, by_class))


@pytest.mark.promise("options.factory")
def test_inject_without_a_factory_is_refused() -> None:
    """There is nobody to give anything to; with one it is taken, and the default type beside it too."""
    with pytest.raises(ConfigurationError, match="there is no use_factory") as refused:
        RememberPlugin.init(inject=(Settings,))
    assert refused.value.variable == "inject"
    RememberPlugin.init(type="memory", inject=(Settings,), use_factory=lambda _: made())
