"""Cuts one page out of a shelf's names, where they are looked through in Python; `scripts.PAGE` does it in Lua."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from remember.keys import fits
from remember.stores.base import PAGE_CHARS, Page

PAGE_NAMES = 2_000
"""How many names one page looks at; the next page goes on from there."""

PAGE_STEPS = 1_000_000
"""How many steps of `fits` one page may take at most, so that no pattern keeps a store busy for long."""


def cut_page(names: Iterable[str], read: Callable[[str], str | None], *, pattern: str, limit: int) -> Page:
    """The first page of `names`, which come in order; `read` gives a name's text, or None where it is gone."""
    items: list[tuple[str, str]] = []
    last = None
    chars = steps = 0
    for looked, name in enumerate(names):
        if looked >= PAGE_NAMES or steps >= PAGE_STEPS:
            return Page(tuple(items), last)
        steps += len(name) * len(pattern)
        if fits(name, pattern):
            if len(items) >= limit or chars > PAGE_CHARS:
                return Page(tuple(items), last)
            if (text := read(name)) is not None:
                items.append((name, text))
                chars += len(text)
        last = name
    return Page(tuple(items))
