"""forget: remove what was kept under a key."""

from __future__ import annotations

from typing import Any

from remember.tools.context import Context
from remember.tools.tool import Tool
from remember.tools.wording import KEY, Wording, object_schema


def forget_tool(wording: Wording) -> Tool:
    """The tool as one plugin's wording presents it."""
    remember_this, listing = (wording.name(base) for base in ("remember_this", "list_memories"))
    schema = object_schema({"key": KEY}, {"scope": wording.scope})
    return Tool(
        name=wording.name("forget"),
        title="Forget",
        description=(
            f"Remove for good what {remember_this} kept under one key. Call it when something is no longer true or "
            f"wanted; to change a value, call {remember_this} again instead. The key is taken literally: '*' removes "
            f"only a key called '*'. {listing} shows which keys there are."
        ),
        input_schema=schema,
        output_schema=object_schema(
            {
                "success": {"type": "boolean", "description": "True: nothing is kept under the key any more."},
                "key": {"type": "string"},
                "scope": {"type": "string"},
                "existed": {"type": "boolean", "description": "Whether something was kept there before."},
            },
            {},
        ),
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
        check=wording.checker(schema),
        run=_forget,
    )


async def _forget(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    key, scope = arguments["key"], arguments["scope"]
    existed = await context.remember.forget(key, scope=scope)
    return {"success": True, "key": key, "scope": scope, "existed": existed}
