"""engram_forget: delete notes by their ids, or what a filter finds once that has been looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from remember.entry import dump_json
from remember.errors import InvalidInput
from remember.text.visible import visible
from remember.tools.confirming import NOT_AGREED, WHOSE, ask_person, confirmed, declined
from remember.tools.context import Context
from remember.tools.note_words import (
    CATEGORY,
    FILTERS,
    FLAG,
    MESSAGE,
    TAGS,
    TEXT,
    TEXTS,
    WORD,
    counted,
    filters,
    iso,
)
from remember.tools.tool import Tool
from remember.tools.wording import Wording, object_schema

if TYPE_CHECKING:
    from remember.notebook.note import Note
    from remember.notebook.results import Forgotten

MOST_SHOWN = 200  # characters of each note, enough to know it by
_WAYS = "Give memory_id or memory_ids, or at least one of category, namespace, namespaces, tags, entity, time_filter."


def engram_forget_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    find = wording.name("engram_recall")
    schema = object_schema(
        {},
        {
            "memory_id": {**WORD, "description": "The note's id, or the first 8 or more characters of it if unique."},
            "memory_ids": {**TAGS, "minItems": 1, "maxItems": 100, "description": "The same for several notes."},
            **FILTERS,
            "dry_run": {
                "type": "boolean",
                "description": "With a filter: only show what would be deleted, and give the confirmation for it. True "
                "unless a confirmation is given.",
            },
            "confirmation": {
                **WORD,
                "description": "What the dry run of the same filter gave, to delete exactly what it counted.",
            },
            "scope": wording.note_scope,
        },
    )
    return Tool(
        name=wording.name("engram_forget"),
        title="Forget notes",
        description=(
            f"Delete notes for good. Call it when the person wants something forgotten, or when a note that {find} "
            "showed is wrong and nothing replaces it. By memory_id it deletes at once. By a filter it first shows how "
            "many notes fit, and deletes nothing: show that to the person, and where they agree call again with the "
            "same filter and the confirmation; a client that can ask them does it by itself. found is false where "
            "there is no such note; that is no error."
            + wording.where("memory", f"What lies under a key is removed with {wording.name('forget')} instead.")
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "found": {**FLAG, "description": "Whether there was any such note."},
                "count": {"type": "integer", "description": "How many were deleted, or would be."},
                "dry_run": {**FLAG, "description": "True: nothing was deleted."},
                "memories": {
                    "type": "array",
                    "description": "Those notes, the first of many, shortened.",
                    "items": object_schema(
                        {"id": TEXT, "content": TEXT, "category": CATEGORY, "namespace": TEXT, "created_at": TEXT}, {}
                    ),
                },
                "missing": {**TEXTS, "description": "Ids that no note has."},
                "scope": TEXT,
                "message": MESSAGE,
            },
            {"confirmation": {"type": "string", "description": "Deletes them, in the next ten minutes."}},
        ),
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
        check=wording.note_checker(schema),
        run=_forget,
    )


async def _forget(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    ids = [*arguments.get("memory_ids", ()), *([arguments["memory_id"]] if "memory_id" in arguments else ())]
    by_filter = sorted(name for name in FILTERS if arguments.get(name))  # [] and {} let every note through
    if bool(ids) == bool(by_filter):
        what = f"{', '.join(by_filter)} and ids are both given" if ids else "Nothing says which notes"
        raise InvalidInput("memory_id", f"{what}. {_WAYS}")
    done = await (_by_ids(context, ids, arguments) if ids else _by_filter(context, arguments))
    result: dict[str, Any] = {
        "found": done.count > 0,
        "count": done.count,
        "dry_run": done.dry_run,
        "memories": [_told(note) for note in done.notes],
        "missing": list(done.missing),
        "scope": arguments["scope"],
        "message": NOT_AGREED if declined(context) else _sentences(done),
    }
    return result if done.confirmation is None else result | {"confirmation": done.confirmation}


async def _by_ids(context: Context, ids: list[str], arguments: dict[str, Any]) -> Forgotten:
    if arguments.get("dry_run", False) or "confirmation" in arguments:
        raise InvalidInput("dry_run", "dry_run and confirmation go with a filter; an id deletes its note at once.")
    return await context.notebook.forget(*ids, scope=arguments["scope"])


async def _by_filter(context: Context, arguments: dict[str, Any]) -> Forgotten:
    confirmation = confirmed(context, arguments)
    dry_run = arguments.get("dry_run", confirmation is None)
    if not dry_run and confirmation is None and not context.declares("elicitation"):
        raise InvalidInput(
            "confirmation",
            "A filter deletes only with a confirmation. Call without dry_run first: it shows what would be deleted, "
            "and gives one.",
        )
    done = await context.notebook.forget_matching(
        confirmation=None if dry_run else confirmation, scope=arguments["scope"], **filters(arguments)
    )
    if done.confirmation is None or declined(context):
        return replace(done, confirmation=None)
    if arguments.get("dry_run", False):  # who can be asked is asked: nobody else is to agree for them
        return replace(done, confirmation=None) if context.declares("elicitation") else done
    which = visible(dump_json({name: arguments[name] for name in FILTERS if name in arguments}))
    question = f"Delete {counted(done.count)} {WHOSE[arguments['scope']]}, for good? They fit {which:.300}"
    ask_person(context, question, done.confirmation)
    return done


def _told(note: Note) -> dict[str, Any]:
    cut = note.content if len(note.content) <= MOST_SHOWN else note.content[: MOST_SHOWN - 1] + "…"
    return {
        "id": note.id,
        "content": cut,
        "category": note.category,
        "namespace": note.namespace,
        "created_at": iso(note.created_at),
    }


def _sentences(done: Forgotten) -> str:
    if done.count == 0:
        return "There is no such note, so nothing was deleted. Asking again will not change that."
    if done.dry_run:
        again = "and confirmation" if done.confirmation else "and without dry_run"
        return (
            f"Nothing was deleted. {counted(done.count)} would be: ask the person, then call again with the same "
            f"filter {again}."
        )
    missing = f" {counted(len(done.missing), 'id')} had no note." if done.missing else ""
    return f"Deleted {counted(done.count)} for good.{missing}"
