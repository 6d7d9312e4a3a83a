"""What a client can read by its URI: `@resource` makes a Resource of an async function, as `@tool` makes a tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args

from remember.completions import Complete, completions_of
from remember.entry import MAX_TTL_SECONDS
from remember.errors import ToolError
from remember.schema import check_arguments
from remember.tools.context import Context
from remember.tools.function import Function, Written, described_by, read_function
from remember.tools.tool import NAME
from remember.uri_template import UriTemplate


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource, or with variables in `uri` (a template) as many as there are values.

    `ttl` is for how many seconds a client may keep what it read.
    """

    uri: UriTemplate
    name: str
    description: str
    mime_type: str
    schema: Mapping[str, Any]
    run: Callable[[Context, Mapping[str, Any]], Awaitable[object]] = field(repr=False)
    title: str | None = None
    ttl: int = 0
    completions: Mapping[str, Complete] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"A resource's name is 1 to 128 of A-Z a-z 0-9 _ . -; got {self.name!r:.150}.")
        if not 0 <= self.ttl <= MAX_TTL_SECONDS:
            raise ValueError(f"A resource's ttl is 0 to {MAX_TTL_SECONDS} seconds; got {self.ttl!r:.30}.")

    async def content(self, context: Context, variables: Mapping[str, str]) -> str | bytes | None:
        """What it holds for these values of its variables; None where there is nothing.

        Raises:
            RememberError: they do not fit, or the function says so.
        """
        checked, _ = check_arguments(dict(self.schema), dict(variables))
        held = await self.run(context, checked)
        if isinstance(held, str | bytes | None):
            return held
        raise ToolError("The resource failed: it holds neither text nor bytes.", code="RESOURCE_FAILED")


def resource(
    uri: str,
    *,
    mime_type: str | None = None,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    ttl: int = 0,
    completions: Mapping[str, Written] | None = None,
) -> Callable[[Written], Resource]:
    """Make a resource of an async function that returns text or bytes, or None where there is nothing.

    With variables in the URI, as in `notes://{year}/{month}`, the function has parameters of these names: texts,
    numbers, booleans, `Literal` or an enum. A variable is what a caller says it is, so look before you use it as a
    path. `mime_type` is text/plain for text and application/octet-stream for bytes, unless given.
    """
    template = UriTemplate.read(uri)

    def make(function: Written) -> Resource:
        written = read_function(function, "resource")
        _check_variables(template, written)
        where = f"Resource {written.name}"
        return Resource(
            uri=template,
            name=name or written.name,
            description=described_by(description, written, "resource"),
            mime_type=mime_type or _mime_type(written),
            schema=written.schema,
            run=written.call,
            title=title,
            ttl=ttl,
            completions=MappingProxyType(completions_of(completions or {}, written.schema["properties"], where)),
        )

    return make


def _check_variables(template: UriTemplate, written: Function) -> None:
    properties = written.schema["properties"]
    if set(properties) != set(template.variables):
        raise TypeError(
            f"Resource {written.name}: the URI {template.text} has the variables ({', '.join(template.variables)}), "
            f"the function the parameters ({', '.join(properties)}); they must be the same."
        )
    for variable, schema in properties.items():
        if schema.get("type") not in ("string", "integer", "number", "boolean"):
            raise TypeError(f"Resource {written.name}: {variable} must be a text, a number, a boolean or a choice.")


def _mime_type(written: Function) -> str:
    kinds = set(get_args(written.returned) or [written.returned]) - {type(None)}
    if kinds and kinds <= {str}:
        return "text/plain"
    if kinds and kinds <= {bytes}:
        return "application/octet-stream"
    raise TypeError(
        f"Resource {written.name}: say what it returns, `-> str` or `-> bytes` (with `| None` where there may be "
        "nothing), or give mime_type."
    )
