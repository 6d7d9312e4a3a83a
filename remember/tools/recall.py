"""recall: read what was kept under a key. A value too long for one answer comes in parts."""

from __future__ import annotations

from functools import partial
from typing import Any

from remember.accessor import read_cursor, write_cursor
from remember.entry import Entry, dump_json
from remember.errors import InvalidInput
from remember.settings import Redaction
from remember.tools.context import Context
from remember.tools.provenance import PROVENANCE, provenance
from remember.tools.screen import REDACTED, showable
from remember.tools.tool import Tool
from remember.tools.wording import KEY, MILLISECONDS, Wording, object_schema

MAX_CHARS = 12_000
"""Of a value in an answer's text, where it is JSON in JSON; the structured content holds it once more."""

_NOTHING = "Nothing is kept under this key in this scope. Asking again will not change that."
_PARTS = "The value is too long for one answer. `part` is a piece of its JSON; pass next_cursor as cursor for the next."


def recall_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    remember_this, listing = (wording.name(base) for base in ("remember_this", "list_memories"))
    schema = object_schema(
        {"key": KEY},
        {
            "scope": wording.scope,
            "cursor": {
                "type": "string",
                "description": "next_cursor of an answer that held only part of a long value.",
            },
        },
    )
    return Tool(
        name=wording.name("recall"),
        title="Recall",
        description=(
            f"Read what was kept with {remember_this}: preferences, settings, decisions, facts about the person and "
            "their work. Call it before you ask for something that you may have been told already. "
            f"If you do not know the key, {listing} shows which there are. found is false where nothing is kept."
            + wording.where(
                "notes", f"What was kept as a sentence, {wording.name('engram_recall')} finds by its meaning."
            )
        ),
        input_schema=schema,
        output_schema=object_schema(
            {"found": {"type": "boolean"}, "key": {"type": "string"}, "scope": {"type": "string"}},
            {
                "value": {"description": "What was kept, exactly as it was given but for secrets."},
                "provenance": PROVENANCE,
                "createdAt": {"type": "integer", "description": f"When it was kept, {MILLISECONDS}."},
                "expiresAt": {"type": "integer", "description": f"When it will be forgotten, {MILLISECONDS}."},
                "truncated": {"type": "boolean", "description": "True: only part of a long value is here."},
                "part": {"type": "string", "description": "A piece of the value's JSON, in place of the value."},
                "size": {"type": "integer", "description": "The length of the whole JSON in characters."},
                "next_cursor": {"type": "string", "description": "Where the next part begins; absent in the last."},
                "redacted": REDACTED,
                "note": {"type": "string"},
            },
        ),
        annotations={"readOnlyHint": True, "openWorldHint": False},
        check=wording.checker(schema),
        run=partial(_recall, wording.redaction),
    )


async def _recall(redaction: Redaction, context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    key, scope = arguments["key"], arguments["scope"]
    entry = await context.remember.get_entry(key, scope=scope)
    if entry is None:
        return {"found": False, "key": key, "scope": scope, "note": _NOTHING}
    result = {"found": True, "key": key, "scope": scope, **provenance(scope), "createdAt": entry.created_at}
    if entry.expires_at is not None:
        result["expiresAt"] = entry.expires_at
    value, said = showable(redaction, key, entry.value)
    result |= said
    text = dump_json(value)
    if len(text) <= MAX_CHARS // 2 or len(dump_json(text)) <= MAX_CHARS:  # quoting at most doubles it
        return result | {"value": value}
    return result | _part(text, entry, key, scope, arguments.get("cursor"))


def _start(number: str, text: str) -> int:
    if len(number) < 10 and number.isascii() and number.isdecimal() and int(number) < len(text):
        return int(number)
    raise InvalidInput("cursor", "cursor points outside the value; leave it out to start anew.")


def _part(text: str, entry: Entry, key: str, scope: str, cursor: str | None) -> dict[str, Any]:
    bound = (key, scope, entry.updated_at)  # a value that changed between two parts is refused, not mixed
    start = 0 if cursor is None else _start(read_cursor(cursor, *bound, since="since the value last changed"), text)
    end = start + MAX_CHARS
    while len(dump_json(dump_json(text[start:end]))) > MAX_CHARS:
        end -= (end - start) // 4  # what is full of quotes and backslashes grows when it is quoted
    part = {"truncated": True, "part": text[start:end], "size": len(text), "note": _PARTS}
    return part if end >= len(text) else part | {"next_cursor": write_cursor(str(end), *bound)}
