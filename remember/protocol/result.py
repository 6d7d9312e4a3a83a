"""From what a tool did to the result that a client reads: the same object as text and as structured content."""

from __future__ import annotations

import logging
from typing import Any

from remember.entry import dump_json
from remember.errors import RememberError
from remember.tools import Context, Tool
from remember.tools.asking import Ask
from remember.tools.content import Text, blocks_of

log = logging.getLogger(__name__)

_FAILED = "The tool failed. Nothing more can be said here; the server's log names the kind of failure."


async def call_tool(tool: Tool, arguments: object, context: Context) -> dict[str, Any]:
    """The tool's result. What went wrong is a result too, with `isError` and a code in `_meta`.

    Raises:
        Ask: the tool has questions for the client.
    """
    try:
        checked, coerced = tool.checked(arguments)
        result = _result(await tool.run(context, checked))
    except Ask:
        raise
    except Exception as exc:  # noqa: BLE001  whatever an author's tool raises must not reach the caller
        return failure(tool.name, exc)
    return result | ({"_meta": {"coerced": coerced}} if coerced else {})


def failure(tool_name: str, exc: BaseException) -> dict[str, Any]:
    """What a tool raised, as a result: our errors say what they say, others are logged by their kind and place."""
    if isinstance(exc, RememberError):
        return _error(str(exc), exc.code)
    log_failure(f"Tool {tool_name}", exc)
    return _error(_FAILED, "TOOL_FAILED")


def log_failure(what: str, exc: BaseException) -> None:
    """Its kind and its place; no message and no stack, which may hold content."""
    where = exc.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    line = f"{where.tb_frame.f_code.co_filename}:{where.tb_lineno}" if where else "?"
    log.error("%s failed with %s at %s", what, type(exc).__name__, line)


def _result(content: object) -> dict[str, Any]:
    if isinstance(content, dict):
        return {"content": [_text(dump_json(content))], "isError": False, "structuredContent": content}
    if isinstance(content, str):
        return {"content": [_text(content)], "isError": False}
    return {"content": blocks_of(content) or [_text(dump_json(content))], "isError": False}


def _text(text: str) -> dict[str, Any]:
    return Text(text).to_json()


def _error(message: str, code: str) -> dict[str, Any]:
    return {"content": [_text(message)], "isError": True, "_meta": {"code": code}}
