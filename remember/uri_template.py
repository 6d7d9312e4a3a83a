"""URIs with variables, `notes://{year}/{month}`: read once, and held against a URI in one pass (RFC 6570, level 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

_SPLIT = re.compile(r"\{([^{}]*)\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+")
_ENDS_A_VALUE = re.compile(r"[/?#]")


@dataclass(frozen=True, slots=True)
class UriTemplate:
    """A URI in its parts: `literals` stand around `variables`, one more of them. Without variables it is that URI.

    Two templates with the same literals take the same URIs, whatever they call their variables.
    """

    text: str
    literals: tuple[str, ...]
    variables: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> UriTemplate:
        """The template that a text is.

        Raises:
            ValueError: it is no URI, or its variables cannot be told apart.
        """
        literals, variables = tuple(_SPLIT.split(text)[::2]), tuple(_SPLIT.findall(text))
        if not _URI.fullmatch(text) or not _URI.fullmatch(literals[0] + "x"):
            raise ValueError(
                f"A resource needs a URI that begins with its scheme, such as notes://all; got {text!r:.150}."
            )
        if any("{" in literal or "}" in literal for literal in literals):
            raise ValueError(f"A brace of {text!r:.150} has no other.")
        for variable in variables:
            if not _VARIABLE.fullmatch(variable):
                raise ValueError(f"A variable is a name in braces, {{name}}; got {{{variable:.80}}} in {text!r:.150}.")
        if len(set(variables)) != len(variables) or not all(literals[1:-1]):
            raise ValueError(f"The variables of {text!r:.150} need different names, and something between them.")
        return cls(text, literals, variables)

    def match(self, uri: str) -> dict[str, str] | None:
        """The values of the variables in a URI, decoded; None where it is not one of this template's.

        A value is not empty, has no `/`, `?` or `#` as it stands, and is as short as it can be.
        """
        first, *rest = self.literals
        if not rest:
            return {} if uri == first else None
        if not (uri.startswith(first) and uri.endswith(rest[-1])):
            return None
        values: dict[str, str] = {}
        at, last = len(first), len(uri) - len(rest[-1])
        for variable, literal in zip(self.variables, rest, strict=True):
            end = last if len(values) == len(rest) - 1 else uri.find(literal, at + 1, last)
            if end <= at or _ENDS_A_VALUE.search(uri, at, end):
                return None
            try:
                values[variable] = unquote(uri[at:end], errors="strict")
            except UnicodeDecodeError:
                return None
            at = end + len(literal)
        return values
