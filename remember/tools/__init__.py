"""What a model can ask for: `@tool`, the four memory tools, and the six for notes."""

from remember.tools.engram_context import engram_context_tool
from remember.tools.engram_feedback import engram_feedback_tool
from remember.tools.engram_forget import engram_forget_tool
from remember.tools.engram_recall import engram_recall_tool
from remember.tools.engram_remember import engram_remember_tool
from remember.tools.engram_status import engram_status_tool
from remember.tools.forget import forget_tool
from remember.tools.list_memories import list_memories_tool
from remember.tools.recall import recall_tool
from remember.tools.remember_this import remember_this_tool
from remember.tools.tool import Context, Tool, get_notebook, get_remember, tool, try_get_remember
from remember.tools.wording import Wording

__all__ = [
    "Context",
    "Tool",
    "Wording",
    "get_notebook",
    "get_remember",
    "tool",
    "tools_of",
    "try_get_remember",
]

_MAKERS = {
    "memory": (remember_this_tool, recall_tool, forget_tool, list_memories_tool),
    "notes": (
        engram_remember_tool,
        engram_recall_tool,
        engram_forget_tool,
        engram_feedback_tool,
        engram_context_tool,
        engram_status_tool,
    ),
}


def tools_of(wording: Wording) -> tuple[Tool, ...]:
    """The families that one plugin offers, under its prefix and allowed scopes."""
    return tuple(make(wording) for family, makers in _MAKERS.items() if family in wording.families for make in makers)
