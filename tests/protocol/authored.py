"""An author's app with prompts and resources, for the methods that serve them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from remember import (
    App,
    Arg,
    Ask,
    Context,
    Image,
    PromptMessage,
    Remember,
    RememberPlugin,
    Response,
    ToolError,
    create_fetch_handler,
    elicit,
    prompt,
    resource,
)
from tests.protocol.asking import Message
from tests.protocol.requests import ANA, KEYS, post

PRIVATE = "a-private-word"
SURE = elicit("Sure?", {"type": "object", "properties": {"sure": {"type": "boolean"}}})

CITIES = {"de": ["Berlin", "Bonn", "Bremen"], "dk": ["Billund"], "": [f"B{number}" for number in range(250)]}


async def cities(value: str, country: str) -> list[str]:
    """Cities of a country that begin so."""
    return [city for city in CITIES[country] if city.startswith(value)]


async def broken(value: str) -> list[str]:
    """Fail."""
    raise RuntimeError(PRIVATE)


async def numbers(value: str) -> list[int]:
    """Give what is no text."""
    return [1]


async def years(value: str, remember: Remember, context: Context) -> list[str]:
    """Years that this caller has kept."""
    return [f"{remember.user_id}-{context.tool_name}-{value}"]


@prompt(title="Travel plan", completions={"city": cities, "month": broken, "day": numbers})
async def plan(
    city: Annotated[str, Arg("Where to")],
    country: Literal["de", "dk"] = "de",
    month: str = "",
    day: str = "",
    nights: Annotated[int, Arg("How long", maximum=30)] = 1,
) -> list[PromptMessage]:
    """Plan a journey."""
    return [
        PromptMessage(Image(b"map", "image/png")),
        PromptMessage(f"{nights} nights in {city}, {country} {month} {day}"),
    ]


@prompt
async def plain() -> str:
    """Say hello."""
    return "Hello"


@prompt
async def asking(context: Context, topic: str = "") -> str:
    """Ask first."""
    if not context.answers:
        raise Ask({"sure": SURE}, topic)
    return f"{context.answers['sure']['action']} {context.state}"


@prompt
async def failing() -> str:
    """Fail."""
    raise RuntimeError(PRIVATE)


@prompt
async def refusing() -> str:
    """Refuse."""
    raise ToolError("Not on Sundays.", code="SUNDAY")


@resource("notes://all", title="All notes", ttl=60)
async def all_notes(remember: Remember) -> str:
    """All that this caller has written."""
    return f"of {remember.user_id}"


@resource("notes://{year}/{month}", mime_type="application/json", completions={"year": years})
async def month_notes(year: int, month: Literal["07", "08"]) -> str | None:
    """The notes of a month."""
    return f'["{year}-{month}"]' if year > 2000 else None


@resource("locked://door")
async def locked(context: Context) -> bytes:
    """Ask first."""
    if not context.answers:
        raise Ask({"sure": SURE})
    return b"open"


@resource("failing://{how}")
async def failing_resource(how: str) -> str:
    """Fail."""
    raise ToolError("Not on Sundays.", code="SUNDAY") if how == "known" else RuntimeError(PRIVATE)


HANDLER = create_fetch_handler(
    App(
        "travel",
        prompts=[plan, plain, asking, failing, refusing],
        resources=[all_notes, month_notes, locked, failing_resource],
        plugins=[RememberPlugin],
    ),
    environ={},
    auth=KEYS,
)


def fetch(message: Message, key: str = ANA) -> Response:
    """The app's response."""
    return asyncio.run(HANDLER.fetch(post(message, key=key)))
