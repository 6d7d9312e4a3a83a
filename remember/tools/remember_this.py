"""remember_this: keep a value under a key."""

from __future__ import annotations

from functools import partial
from typing import Any

from remember.entry import MAX_TTL_SECONDS
from remember.settings import Redaction
from remember.tools.context import Context
from remember.tools.screen import REDACTED, keepable
from remember.tools.tool import Tool
from remember.tools.wording import KEY, MILLISECONDS, TOOL_BRANDS, Wording, object_schema


def remember_this_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    recall, listing, forget = (wording.name(base) for base in ("recall", "list_memories", "forget"))
    schema = object_schema(
        {
            "key": KEY,
            "value": {"description": "What to keep: any JSON, such as a text, a number, a list or an object."},
        },
        {
            "scope": wording.scope,
            "ttl": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_TTL_SECONDS,
                "description": "Seconds until it is forgotten by itself. Leave out for what should stay.",
            },
            "brand": {"type": "string", "enum": list(TOOL_BRANDS), "description": "What kind of thing it is."},
        },
    )
    return Tool(
        name=wording.name("remember_this"),
        title="Remember this",
        description=(
            "Keep something for later conversations: a preference, a setting, a decision, a name, a date, where a task "
            "stands. Call it on your own account as soon as you learn something that will matter again, without being "
            "asked to. It replaces what the key held before, and says so. "
            f"Read it with {recall}, see what is there with {listing}, remove it with {forget}."
            + wording.where(
                "notes", f"For a sentence to be found by its meaning, use {wording.name('engram_remember')}."
            )
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "success": {"type": "boolean", "description": "True: a later call can read it."},
                "key": {"type": "string"},
                "scope": {"type": "string"},
                "replaced": {"type": "boolean", "description": "Whether the key held something before."},
            },
            {
                "expiresAt": {"type": "integer", "description": f"When it will be forgotten, {MILLISECONDS}."},
                "redacted": REDACTED,
            },
        ),
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
        check=wording.checker(schema),
        run=partial(_remember_this, wording.redaction),
    )


async def _remember_this(redaction: Redaction, context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    key, scope = arguments["key"], arguments["scope"]
    value, said = keepable(redaction, key, arguments["value"])
    stored = await context.remember.set(key, value, scope=scope, ttl=arguments.get("ttl"), brand=arguments.get("brand"))
    result = {"success": True, "key": key, "scope": scope, "replaced": stored.replaced, **said}
    return result if stored.expires_at is None else result | {"expiresAt": stored.expires_at}
