"""resources/list, resources/templates/list and resources/read (MCP 2026-07-28, Resources; SEP-2164)."""

from __future__ import annotations

from typing import Any

from remember.app import Catalog, OfferedResource
from remember.caller import Caller
from remember.protocol.failures import refusal_of
from remember.protocol.message import Message
from remember.protocol.refusal import INVALID_PARAMS, Refusal
from remember.protocol.serving import Serving, converse, whole_list
from remember.resources import Resource
from remember.tools import Context
from remember.tools.content import resource_content


def list_resources(message: Message, catalog: Catalog) -> dict[str, Any]:
    """Every resource that has one URI.

    Raises:
        Refusal: as for every list.
    """
    return whole_list(message, "resources", _described(catalog, "uri", templates=False))


def list_templates(message: Message, catalog: Catalog) -> dict[str, Any]:
    """Every resource that has variables in its URI.

    Raises:
        Refusal: as for every list.
    """
    return whole_list(message, "resourceTemplates", _described(catalog, "uriTemplate", templates=True))


async def read_resource(message: Message, catalog: Catalog, caller: Caller, serving: Serving) -> dict[str, Any]:
    """What one resource holds, or what it has to ask first.

    Raises:
        Refusal: there is none under this URI, its variables do not fit, or it failed.
    """
    uri = message.params["uri"]
    found = find(catalog, uri)
    if found is None:
        raise _missing(uri, message)
    offered, variables = found
    place = f"resources/{offered.resource.name}"

    async def run(context: Context) -> dict[str, Any]:
        return await held(offered.resource, uri, variables, context) or {}

    try:
        result = await converse(message, caller, serving, offered, place, run)
    except Exception as exc:  # noqa: BLE001  whatever an author's resource raises must not reach the caller
        raise refusal_of(f"The resource {offered.resource.name}", exc, message) from None
    if not result:
        raise _missing(uri, message)
    return result


def find(catalog: Catalog, uri: str) -> tuple[OfferedResource, dict[str, str]] | None:
    """The resource under a URI and the values of its variables: the one of just this URI, else the first template."""
    if (exact := catalog.resources.get(uri)) is not None and not exact.resource.uri.variables:
        return exact, {}
    for offered in catalog.resources.values():
        if offered.resource.uri.variables and (values := offered.resource.uri.match(uri)) is not None:
            return offered, values
    return None


async def held(resource: Resource, uri: str, variables: dict[str, str], context: Context) -> dict[str, Any] | None:
    """What a resource holds, as a client reads it; None where there is nothing."""
    content = await resource.content(context, variables)
    if content is None:
        return None
    contents = [resource_content(uri, content, resource.mime_type)]
    return {"contents": contents, "ttlMs": resource.ttl * 1000, "cacheScope": "private"}


def _described(catalog: Catalog, word: str, *, templates: bool) -> list[dict[str, Any]]:
    return [
        {
            word: resource.uri.text,
            "name": resource.name,
            **({} if resource.title is None else {"title": resource.title}),
            "description": resource.description,
            "mimeType": resource.mime_type,
        }
        for resource in (offered.resource for offered in catalog.resources.values())
        if bool(resource.uri.variables) == templates
    ]


def _missing(uri: str, message: Message) -> Refusal:
    return Refusal(INVALID_PARAMS, f"There is no resource {uri!r:.150}.", id=message.id, data={"uri": uri})
