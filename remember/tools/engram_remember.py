"""engram_remember: keep a fact, a preference, a pattern, a decision or an outcome, said in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remember.tools.context import Context
from remember.tools.note_words import (
    CATEGORY,
    EMBEDDING,
    FLAG,
    MESSAGE,
    NOTE,
    SHARE,
    TAGS,
    TEXT,
    TEXTS,
    WORD,
    counted,
    told_counts,
    told_mode,
    told_note,
)
from remember.tools.screen import REDACTED
from remember.tools.tool import Tool
from remember.tools.wording import Wording, object_schema

if TYPE_CHECKING:
    from remember.notebook.results import Conflict, Remembered

_SIMILARITY = {"type": "number", "description": "The cosine of the two notes' vectors."}
_CONFLICT = object_schema({"id": TEXT, "reason": TEXT}, {"similarity": _SIMILARITY})


def engram_remember_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    find, forget = (wording.name(f"engram_{base}") for base in ("recall", "forget"))
    schema = object_schema(
        {
            "content": {
                "type": "string",
                "minLength": 1,
                "description": "The memory, specific and factual, in a sentence that can be understood by itself; at "
                "most 8,000 characters. Good: 'Ana prefers Fastify over Express for Node.js APIs'. Bad: 'likes stuff'.",
            }
        },
        {
            "category": {
                **CATEGORY,
                "description": "preference: what somebody likes or dislikes. fact: what is so. pattern: how something "
                "is usually done. decision: what was chosen, and why. outcome: what came of something. Leave it out "
                "to have it told from the content.",
            },
            "entity": {
                **WORD,
                "description": "What it is about, such as 'nginx'. Left out, it is told from the content.",
            },
            "confidence": {
                **SHARE,
                "description": "How sure it is: 1 for what the person stated, 0.5 to 0.7 for what you infer; else 0.8.",
            },
            "namespace": {
                **WORD,
                "default": "default",
                "description": "The project or scope that it belongs to; 'default' for what is true everywhere.",
            },
            "tags": {**TAGS, "description": "Words to find it by, such as ['backend', 'api']; at most 32."},
            "force": {
                "type": "boolean",
                "description": "Store it even if it is there already: a second copy, seldom wanted.",
            },
            "supersedes": {
                **WORD,
                "description": "The id of a note that is no longer true and that this one replaces, as conflicts_with "
                f"or {find} told it.",
            },
            "scope": wording.note_scope,
        },
    )
    return Tool(
        name=wording.name("engram_remember"),
        title="Remember a note",
        description=(
            "Keep a lasting fact, preference, pattern, decision or outcome for later conversations, in one sentence. "
            "Call it on your own account as soon as you learn something about the person, their projects, their setup "
            "or their way of working that will matter again; one call for each thing. Secrets are taken out before it "
            "is stored. The outcome is created (new), merged (an older note said nearly the same and stands for both) "
            "or duplicate (an older note says it already). What contradicts or updates an older note is kept beside "
            "it, and conflicts_with names that one: if it is no longer true, call again with supersedes. "
            f"Find notes with {find}, delete them with {forget}."
            + wording.where(
                "memory", f"For an exact value under a key that you choose there is {wording.name('remember_this')}."
            )
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "outcome": {"type": "string", "enum": ["created", "merged", "duplicate"]},
                **NOTE,
                "auto": {
                    **object_schema({"category": FLAG, "entity": FLAG}, {}),
                    "description": "What was told from the content, as it was not given.",
                },
                "redacted": REDACTED,
                "conflicts_with": {
                    "type": "array",
                    "items": _CONFLICT,
                    "description": "Older notes on the same that say something else; they are kept too.",
                },
                "embedding": EMBEDDING,
                "scope": TEXT,
                "message": MESSAGE,
            },
            {
                "similarity": _SIMILARITY,
                "existing_id": {"type": "string", "description": "The older note that was merged with, or said it."},
                "existing_content": {"type": "string", "description": "What that note said until now."},
                "folded": {**TEXTS, "description": "What else the older note gained: tags, confidence."},
                "supersedes": {"type": "string", "description": "The note that this one replaced."},
            },
        ),
        annotations={"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
        check=wording.note_checker(schema),
        run=_remember,
    )


async def _remember(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    done = await context.notebook.remember(**arguments)
    result = {
        "outcome": done.outcome,
        **told_note(done.note),
        "auto": {field: field in done.note.guessed for field in ("category", "entity")},
        "redacted": told_counts(done.redacted),
        "conflicts_with": [_told_conflict(conflict) for conflict in done.conflicts],
        "embedding": done.mode,
        "scope": arguments["scope"],
        "message": _sentences(done),
    }
    if done.similarity is not None:
        result["similarity"] = round(done.similarity, 4)
    if done.existing is not None:
        result |= {"existing_id": done.existing.id, "existing_content": done.existing.content}
    if done.folded:
        result["folded"] = list(done.folded)
    if done.supersedes is not None:
        result["supersedes"] = done.supersedes
    return result


def _told_conflict(conflict: Conflict) -> dict[str, Any]:
    told = {"id": conflict.id, "reason": conflict.reason}
    return told if conflict.similarity is None else told | {"similarity": round(conflict.similarity, 4)}


def _sentences(done: Remembered) -> str:
    said = {
        "created": f"Remembered as a new {done.note.category}.",
        "merged": "Merged: an older note said nearly the same, and stands for both.",
        "duplicate": "An older note says this already; it was not stored again.",
    }[done.outcome]
    if done.folded:
        said += f" The older note gained: {', '.join(done.folded)}."
    if done.supersedes is not None:
        said += f" It replaces {done.supersedes}."
    if done.conflicts:
        said += (
            f" On the same subject, {counted(len(done.conflicts), 'older note')} (conflicts_with) with something else "
            "to say; all are kept. If one is no longer true, call again with its id as supersedes."
        )
    if secrets := sum(found.count for found in done.redacted):
        said += f" {counted(secrets, 'secret')} taken out before it was stored."
    return said + told_mode(done.mode)
