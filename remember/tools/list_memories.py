"""list_memories: which keys hold something."""

from __future__ import annotations

from typing import Any

from remember.accessor import MAX_PAGE
from remember.tools.context import Context
from remember.tools.provenance import PROVENANCE, provenance
from remember.tools.tool import Tool
from remember.tools.wording import Wording, object_schema

MAX_CHARS = 12_000
"""Of keys in one answer, which holds them twice (as text and as structured content)."""

_NOTHING = "Nothing is kept here. Asking again will not change that."


def list_memories_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    remember_this, recall = (wording.name(base) for base in ("remember_this", "recall"))
    schema = object_schema(
        {},
        {
            "scope": wording.scope,
            "pattern": {
                "type": "string",
                "minLength": 1,
                "default": "*",
                "description": "Which keys: * is any text, ? any one character, all else itself; such as 'project:*'.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_PAGE,
                "default": 50,
                "description": "How many keys at most.",
            },
            "cursor": {"type": "string", "description": "next_cursor of the answer to go on from."},
        },
    )
    return Tool(
        name=wording.name("list_memories"),
        title="List memories",
        description=(
            f"See which keys hold something that {remember_this} kept; {recall} then reads one. Call it early in a "
            "conversation to learn what is already known about the person and their work. "
            "Where truncated is true, pass next_cursor as cursor to see the rest."
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "keys": {"type": "array", "items": {"type": "string"}},
                "scope": {"type": "string"},
                "count": {"type": "integer", "description": "How many keys are in this answer."},
                "truncated": {"type": "boolean", "description": "Whether more follow."},
            },
            {
                "provenance": PROVENANCE,
                "next_cursor": {"type": "string"},
                "unreadable": {
                    "type": "integer",
                    "description": "Entries met on the way that do not open, such as those sealed with a secret that "
                    "this server no longer has. The owner can add it to REMEMBER_SECRET_PREVIOUS.",
                },
                "note": {"type": "string"},
            },
        ),
        annotations={"readOnlyHint": True, "openWorldHint": False},
        check=wording.checker(schema),
        run=_list_memories,
    )


async def _list_memories(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    page = await context.remember.list_page(
        scope=arguments["scope"],
        pattern=arguments.get("pattern", "*"),
        limit=arguments.get("limit", 50),
        cursor=arguments.get("cursor"),
        max_chars=MAX_CHARS,
    )
    result: dict[str, Any] = {
        "keys": page.keys,
        "scope": arguments["scope"],
        "count": len(page.keys),
        "truncated": page.next_cursor is not None,
    }
    if page.keys:
        result |= provenance(arguments["scope"])
    if page.next_cursor is not None:
        result["next_cursor"] = page.next_cursor
    if page.unreadable:
        result["unreadable"] = page.unreadable
    if not page.keys and page.next_cursor is None and not page.unreadable:
        result["note"] = _NOTHING
    return result
