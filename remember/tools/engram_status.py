"""engram_status: how many notes there are, what compares them, and the limits."""

from __future__ import annotations

from typing import Any

from remember.tools.context import Context
from remember.tools.note_words import EMBEDDING, MESSAGE, TEXT, WHOLE, counted
from remember.tools.tool import Tool
from remember.tools.wording import Wording, object_schema

_COUNTS = {"type": "object", "additionalProperties": {"type": "integer"}}


def engram_status_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    find = wording.name("engram_recall")
    schema = object_schema({}, {"scope": wording.note_scope})
    return Tool(
        name=wording.name("engram_status"),
        title="Status of the notes",
        description=(
            "See how many notes are kept, by type and by namespace, whether they are compared by meaning or by words "
            f"alone, and the limits. Call it to learn which namespaces there are before you narrow {find} to one."
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "total": WHOLE,
                "categories": {**_COUNTS, "description": "How many notes of each type."},
                "namespaces": {**_COUNTS, "description": "How many notes in each namespace."},
                "embedding": EMBEDDING,
                "without_vector": {"type": "integer", "description": "Notes that only their words find as yet."},
                "unreadable": {"type": "integer", "description": "Notes that do not open."},
                "limits": _COUNTS,
                "scope": TEXT,
                "message": MESSAGE,
            },
            {
                "model": {"type": "string", "description": "The embedding model's id."},
                "reason": {"type": "string", "description": "Why there is no model."},
            },
        ),
        annotations={"readOnlyHint": True, "openWorldHint": False},
        check=wording.note_checker(schema),
        run=_status,
    )


async def _status(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    status = await context.notebook.status(scope=arguments["scope"])
    why = f", as {status.reason.rstrip('.')}" if status.reason else ""
    how = "by meaning and by words" if status.mode == "minilm" else f"by words alone{why}"
    result: dict[str, Any] = {
        "total": status.total,
        "categories": dict(status.categories),
        "namespaces": dict(status.namespaces),
        "embedding": status.mode,
        "without_vector": status.without_vector,
        "unreadable": status.unreadable,
        "limits": dict(status.limits),
        "scope": arguments["scope"],
        "message": f"{counted(status.total)} in {counted(len(status.namespaces), 'namespace')}, found {how}.",
    }
    if status.model is not None:
        result["model"] = status.model
    if status.reason is not None:
        result["reason"] = status.reason
    return result
