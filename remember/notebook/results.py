"""What the notebook's methods answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from remember.notebook.note import Note

if TYPE_CHECKING:
    from remember.text.redaction import Found

Outcome = Literal["created", "merged", "duplicate"]
Mode = Literal["minilm", "lexical"]
"""What notes were compared by: meaning and words, or words alone because there is no model."""


class Conflict(NamedTuple):
    """An older note that says something similar and not the same, and what differs; both are kept."""

    id: str
    similarity: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """How a note was taken in. `note` is what lies in the store now.

    `created`: it is new. `merged`: an older note says both now. `duplicate`: an older note said it already;
    `existing` is that older note as it was, for both of these. `folded` names what else the older note gained: tags,
    confidence. `supersedes` is the id of the note that this one replaced.
    """

    outcome: Outcome
    note: Note
    mode: Mode
    similarity: float | None = None
    existing: Note | None = None
    folded: tuple[str, ...] = ()
    supersedes: str | None = None
    conflicts: tuple[Conflict, ...] = ()
    redacted: tuple[Found, ...] = ()


class Hit(NamedTuple):
    """A note that was found. `similarity` is the cosine of its vector with the question's, None without one.

    `why` names the parts of the score, where they were asked for.
    """

    note: Note
    relevance: float
    score: float
    similarity: float | None
    uses: int
    why: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found, best first. `truncated`: there is more; without a cursor it takes a narrower question to see it.

    `unreadable`: how many notes or leaves of them do not open. `redacted`: secrets that
    were taken out of what is shown."""

    hits: tuple[Hit, ...]
    mode: Mode
    truncated: bool = False
    next_cursor: str | None = None
    unreadable: int = 0
    redacted: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was deleted, or would be (`dry_run`). With `confirmation` the same filter deletes it."""

    notes: tuple[Note, ...]
    missing: tuple[str, ...] = ()
    dry_run: bool = False
    count: int = 0
    confirmation: str | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """What one owner has: how many notes by category and namespace, what compares them, and the limits."""

    total: int
    categories: Mapping[str, int]
    namespaces: Mapping[str, int]
    mode: Mode
    model: str | None
    reason: str | None
    """Why there is no model."""
    without_vector: int
    unreadable: int
    limits: Mapping[str, int]
