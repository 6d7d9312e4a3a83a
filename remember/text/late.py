"""An expression that is compiled when it is first asked for: most texts need few of many."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property


class Late:
    """The methods of a compiled expression, each bound at its first use."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        return self.compiled.match

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        return self.compiled.search

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        return self.compiled.fullmatch

    @cached_property
    def split(self) -> Callable[..., list[str]]:
        return self.compiled.split
