"""What a model can ask for: `@tool`, and the four memory tools."""

from remember.tools.forget import forget_tool
from remember.tools.list_memories import list_memories_tool
from remember.tools.recall import recall_tool
from remember.tools.remember_this import remember_this_tool
from remember.tools.tool import Context, Tool, get_remember, tool, try_get_remember
from remember.tools.wording import Wording

__all__ = [
    "Context",
    "Tool",
    "Wording",
    "get_remember",
    "memory_tools",
    "tool",
    "try_get_remember",
]


def memory_tools(wording: Wording) -> tuple[Tool, ...]:
    """The four memory tools under one plugin's prefix and allowed scopes."""
    makers = (remember_this_tool, recall_tool, forget_tool, list_memories_tool)
    return tuple(make(wording) for make in makers)
