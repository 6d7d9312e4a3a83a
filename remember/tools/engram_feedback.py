"""engram_feedback: say whether a note that was found has helped."""

from __future__ import annotations

from typing import Any

from remember.tools.context import Context
from remember.tools.note_words import FLAG, MESSAGE, SHARE, TEXT, WHOLE, WORD
from remember.tools.tool import Tool
from remember.tools.wording import Wording, object_schema


def engram_feedback_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    find, note = (wording.name(f"engram_{base}") for base in ("recall", "remember"))
    schema = object_schema(
        {
            "memory_id": {**WORD, "description": f"The note's id, as {find} gave it."},
            "helpful": {"type": "boolean", "description": "Whether it was of use; false if it was wrong or misled."},
        },
        {
            "context": {"type": "string", "description": "What it was used for; at most 1,000 characters."},
            "scope": wording.note_scope,
        },
    )
    return Tool(
        name=wording.name("engram_feedback"),
        title="Say whether a note helped",
        description=(
            f"Say whether a note that {find} gave has helped. Call it after you used one, and when one turned out "
            f"wrong: helpful notes rank higher, and from five votes on the confidence follows. What is no longer true "
            f"is better replaced, by {note} with supersedes."
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "found": {**FLAG, "description": "Whether there is such a note."},
                "id": TEXT,
                "scope": TEXT,
                "message": MESSAGE,
            },
            {"helpful": WHOLE, "unhelpful": WHOLE, "confidence": SHARE},
        ),
        annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False},
        check=wording.note_checker(schema),
        run=_feedback,
    )


async def _feedback(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    note_id, scope = arguments["memory_id"], arguments["scope"]
    note = await context.notebook.feedback(note_id, arguments["helpful"], context=arguments.get("context"), scope=scope)
    if note is None:
        return {"found": False, "id": note_id, "scope": scope, "message": "There is no such note; nothing was counted."}
    return {
        "found": True,
        "id": note.id,
        "scope": scope,
        "message": f"Counted: {note.helpful} helpful, {note.unhelpful} not. The confidence is {note.confidence:.2f}.",
        "helpful": note.helpful,
        "unhelpful": note.unhelpful,
        "confidence": note.confidence,
    }
