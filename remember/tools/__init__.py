"""What a model can ask for: `@tool`, the four memory tools, the six for notes, and the one that empties a scope."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import cast

from remember.settings import Family
from remember.tools.context import Context, get_notebook, get_remember, try_get_remember
from remember.tools.tool import Tool
from remember.tools.wording import Wording

__all__ = [
    "Context",
    "Tool",
    "Wording",
    "get_notebook",
    "get_remember",
    "tools_of",
    "try_get_remember",
]

_BASES: Mapping[Family, tuple[str, ...]] = {
    "memory": ("remember_this", "recall", "forget", "list_memories"),
    "notes": (
        "engram_remember",
        "engram_recall",
        "engram_forget",
        "engram_feedback",
        "engram_context",
        "engram_status",
    ),
    "wipe": ("forget_all",),
}


def tools_of(wording: Wording) -> dict[str, Callable[[], Tool]]:
    """What makes the tools that one plugin offers, by name. A cold function pays for the one that is called alone."""
    bases = (base for family, names in _BASES.items() if family in wording.families for base in names)
    return {wording.name(base): partial(_make, base, wording) for base in bases}


@cache
def _make(base: str, wording: Wording) -> Tool:
    """The tool from the file of its name."""
    maker = getattr(import_module(f"{__name__}.{base}"), f"{base}_tool")
    return cast(Callable[[Wording], Tool], maker)(wording)
