"""Notes as they are shown: without the secrets that were kept when nobody looked for them."""

from __future__ import annotations

from dataclasses import replace

from remember.notebook.fields import Screen
from remember.notebook.note import Note
from remember.settings import Redaction


def showing(mode: Redaction) -> Screen:
    """A screen for what is shown: it refuses nothing."""
    return Screen("off" if mode == "off" else "redact")


def shown(note: Note, screen: Screen) -> Note:
    """The note without secrets in any field that a caller gave once."""
    return replace(
        note,
        content=screen.clean("content", note.content),
        entity=None if note.entity is None else screen.clean("entity", note.entity),
        tags=tuple(screen.clean("tags", tag) for tag in note.tags),
        contexts=tuple(screen.clean("context", context) for context in note.contexts),
        history=tuple(replace(version, content=screen.clean("content", version.content)) for version in note.history),
    )
