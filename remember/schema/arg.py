"""What an author says about one argument, beside its type."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass


@dataclass(frozen=True, slots=True)
class Arg:
    """A description and limits, for use inside Annotated: `Annotated[int, Arg("Life in seconds", minimum=1)]`.

    `minimum` and `maximum` (both allowed themselves) are for numbers, the lengths, in characters, for text,
    and the items for lists. `header` has clients repeat a text, an integer or a boolean in the HTTP header
    Mcp-Param-<header>, for proxies that route by it. What does not fit the type is an error when the tool is made.
    """

    description: str | None = None
    _: KW_ONLY
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    header: str | None = None
