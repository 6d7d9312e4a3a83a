"""forget_all: delete everything that the caller has in one scope, once the person has agreed to exactly that."""

from __future__ import annotations

from functools import partial
from typing import Any

from remember.caller import check_may_wipe, owner_of
from remember.confirmation import Confirmations
from remember.errors import RememberNotInstalled
from remember.scope import NOTE_SCOPES, Scope
from remember.tools.confirming import NOT_AGREED, WHOSE, ask_person, confirmed, declined
from remember.tools.context import Context
from remember.tools.tool import Tool
from remember.tools.wording import Wording, object_schema
from remember.wiping import Contents, Wiping

_NOTHING = "There is nothing in this scope, so nothing was deleted. Asking again will not change that."


def forget_all_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    schema = object_schema(
        {
            "scope": {
                "type": "string",
                "enum": list(wording.allowed_scopes),
                "description": "Which scope to empty, in the words of the other tools; there is no default.",
            }
        },
        {
            "confirmation": {
                "type": "string",
                "minLength": 1,
                "description": "What the first call for the same scope gave, to delete exactly what it counted.",
            },
        },
    )
    notes = {"notes": {"type": "integer", "description": "The same of notes."}}
    return Tool(
        name=wording.name("forget_all"),
        title="Forget everything in a scope",
        description=(
            f"Delete for good all that this caller keeps in one scope: {_everything(wording)}. Call it when the person "
            "wants a fresh start, or everything about them gone. It deletes nothing before they have agreed: where "
            "their client can ask them, it does; else the first call tells how much there is and gives a confirmation. "
            "Show that to the person, and where they agree call again with it. What others keep in their own scopes "
            "stays; global scope is everybody's, and is emptied for everybody." + _siblings(wording)
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "deleted": {"type": "boolean", "description": "False: everything is still there."},
                "values": {"type": "integer", "description": "How many values were deleted, or would be."},
                **(notes if "notes" in wording.families else {}),
                "scope": {"type": "string"},
                "message": {"type": "string", "description": "The answer in a sentence, for people."},
            },
            {"confirmation": {"type": "string", "description": "Deletes them, in the next ten minutes."}},
        ),
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
        check=wording.checker(schema),
        run=partial(_forget_all, wording),
    )


async def _forget_all(wording: Wording, context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    memory, caller, scope = context.memory, context.caller, arguments["scope"]
    if memory is None:
        raise RememberNotInstalled
    check_may_wipe(caller, scope)
    # In tool scope each tool has its own values, and remember_this is the one that keeps any.
    owner = owner_of(caller, scope, f"{context.app_id}:{wording.name('remember_this')}")
    wiping = Wiping(memory, owner, notes="notes" in wording.families and scope in NOTE_SCOPES)
    there = await wiping.look(charge=memory.charge(caller))
    told = partial(_told, wording, scope, there)
    if declined(context):
        return told(NOT_AGREED)
    confirmations = Confirmations(memory.sealer.of(owner), memory.clock, caller)
    bound = ("everything", scope, there.values, there.notes, there.mark)
    token = confirmed(context, arguments)
    if token is None and there.empty:
        return told(_NOTHING)
    much = f"{_counted(wording, there)} {WHOSE[scope]}"
    if token is None:
        token = confirmations.give(*bound)
        ask_person(context, f"Delete {much}, for good?", token)
        message = f"Nothing was deleted. {much} would be: ask the person, then call again with confirmation."
        return told(message) | {"confirmation": token}
    confirmations.check(token, *bound)
    await wiping.wipe(there)
    return told(f"Deleted {much}, for good.", deleted=True)


def _told(wording: Wording, scope: Scope, contents: Contents, message: str, *, deleted: bool = False) -> dict[str, Any]:
    notes = {"notes": contents.notes} if "notes" in wording.families else {}
    return {"deleted": deleted, "values": contents.values, **notes, "scope": scope, "message": message}


def _counted(wording: Wording, contents: Contents) -> str:
    counts = {"value": contents.values, **({"note": contents.notes} if "notes" in wording.families else {})}
    return " and ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items())


def _everything(wording: Wording) -> str:
    return f"every value under a key{wording.where('notes', 'and every note')}"


def _siblings(wording: Wording) -> str:
    single = {"memory": "forget", "notes": "engram_forget"}
    names = [wording.name(base) for family, base in single.items() if family in wording.families]
    return f" For single things there is {' and '.join(names)}." if names else ""
