"""@resource: what may be one, and what it holds."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest

from remember import (
    App,
    Context,
    InvalidInput,
    Remember,
    RememberPlugin,
    Resource,
    ToolError,
    create_direct,
    resource,
)


@resource("notes://{year}/{part}", ttl=60)
async def page(year: int, part: Literal["first", "last"]) -> str | None:
    """A page of a year's notes."""
    return f"{year + 0} {part}" if year > 2000 else None


def read(one: Resource, uri: str) -> dict[str, Any]:
    return asyncio.run(create_direct(App("app", resources=[one]), environ={}).read_resource(uri))


def test_a_function_becomes_a_resource() -> None:
    """Its name and docstring are the resource's; the variables of its URI are its parameters."""
    assert (page.name, page.description, page.mime_type) == ("page", "A page of a year's notes.", "text/plain")
    assert page.uri.variables == ("year", "part")


def test_variables_are_read_in_the_parameters_types() -> None:
    """And what it holds comes under the URI that was asked for."""
    assert read(page, "notes://2026/first") == {
        "contents": [{"uri": "notes://2026/first", "mimeType": "text/plain", "text": "2026 first"}],
        "ttlMs": 60_000,
        "cacheScope": "private",
    }


@pytest.mark.parametrize("uri", ["notes://1999/first", "notes://2026", "other://2026/first", ""])
def test_what_is_not_there_is_told(uri: str) -> None:
    """Whether the URI is nobody's, or the function has nothing under it."""
    with pytest.raises(InvalidInput, match="There is no resource"):
        read(page, uri)


@pytest.mark.parametrize("uri", ["notes://year/first", "notes://2026/middle"])
def test_variables_that_do_not_fit_are_refused(uri: str) -> None:
    """By name."""
    with pytest.raises(InvalidInput) as refused:
        read(page, uri)
    assert refused.value.field in ("year", "part")


def test_bytes_are_a_blob() -> None:
    """In base64, as bytes of an unknown kind unless the author says more."""

    @resource("pictures://one")
    async def one() -> bytes:
        """A picture."""
        return b"\x00\xff"

    @resource("pictures://two", mime_type="image/png")
    async def two() -> bytes:
        """A picture."""
        return b"\x00\xff"

    assert read(one, "pictures://one")["contents"] == [
        {"uri": "pictures://one", "mimeType": "application/octet-stream", "blob": "AP8="}
    ]
    assert read(two, "pictures://two")["contents"][0]["mimeType"] == "image/png"


def test_empty_content_is_content() -> None:
    """Not the same as nothing."""

    @resource("notes://empty")
    async def empty() -> str:
        """Empty."""
        return ""

    assert read(empty, "notes://empty")["contents"][0]["text"] == ""


@pytest.mark.parametrize("held", [7, {"a": 1}, ["x"]], ids=repr)
def test_what_is_neither_text_nor_bytes_is_a_failure(held: object) -> None:
    """A client is not sent what it cannot read."""

    @resource("notes://odd", mime_type="application/json")
    async def odd() -> Any:
        """Odd."""
        return held

    with pytest.raises(ToolError, match="The resource failed"):
        read(odd, "notes://odd")


def test_a_resource_has_the_caller_s_memory() -> None:
    """By annotation, as a tool."""

    @resource("memory://{key}")
    async def remembered(key: str, remember: Remember, context: Context) -> str:
        """What is remembered under a key."""
        return f"{await remember.get(key, default_value='nothing')} {context.tool_name} {remember.user_id}"

    direct = create_direct(App("app", resources=[remembered], plugins=[RememberPlugin]), user_id="ana", environ={})
    (content,) = asyncio.run(direct.read_resource("memory://colour"))["contents"]
    assert content["text"] == "nothing resources/remembered ana"


async def none() -> str:
    """No parameter."""
    return ""


async def other(month: str) -> str:
    """Another parameter."""
    return ""


async def listing(year: list[str]) -> str:
    """A list."""
    return ""


async def vague(year: str):  # type: ignore[no-untyped-def]
    """Says not what it returns."""


async def number(year: str) -> int:
    """Returns a number."""
    return 0


async def mixed(year: str) -> str | bytes:
    """Returns one or the other."""
    return ""


async def wordless(year: str) -> str:
    return ""


@pytest.mark.parametrize("function", [none, other, listing, vague, number, mixed, wordless])
def test_what_cannot_be_a_resource_is_refused_at_its_definition(function: Any) -> None:
    """Not when a client first reads it."""
    with pytest.raises(TypeError):
        resource("notes://{year}")(function)


@pytest.mark.parametrize("ttl", [-1, 10 * 366 * 86_400])
def test_a_ttl_is_seconds(ttl: int) -> None:
    """0 for not at all, up to ten years."""
    with pytest.raises(ValueError, match="ttl"):
        resource("notes://all", ttl=ttl)(none)
