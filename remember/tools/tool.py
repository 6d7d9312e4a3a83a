"""What a model can ask for: a name, words that say when to use it, two schemas, and a function."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from remember.schema import check_arguments, check_headers
from remember.tools.context import Context

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")

Checked = tuple[dict[str, Any], list[str]]
"""Arguments that fit, and the names of those that had to be coerced."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `check` turns arguments into ones that fit the schema, `run` does the work.

    `annotations` are MCP's hints (readOnlyHint and so on).
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    run: Callable[[Context, dict[str, Any]], Awaitable[object]] = field(repr=False)
    title: str | None = None
    output_schema: Mapping[str, Any] | None = None
    annotations: Mapping[str, bool] = field(default_factory=dict)
    check: Callable[[object], Checked] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"A tool's name is 1 to 128 of A-Z a-z 0-9 _ . -; got {self.name!r:.150}.")
        check_headers(self.input_schema)

    @property
    def reads(self) -> bool:
        """Whether it says that it changes nothing, which is what a token that may only read is good for."""
        return self.annotations.get("readOnlyHint") is True

    def checked(self, arguments: object) -> Checked:
        """The arguments that fit, and which of them were coerced.

        Raises:
            RememberError: they do not fit.
        """
        return self.check(arguments) if self.check else check_arguments(dict(self.input_schema), arguments)
