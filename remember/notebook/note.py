"""One note as it is kept: what it says, what is known about it, and what it said before."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any, Literal

from remember.entry import dump_json
from remember.text.categories import Category

MOST_VERSIONS = 5
MOST_CONTEXTS = 5


@dataclass(frozen=True, slots=True)
class Version:
    """A text that a note said before, until `at` (milliseconds since 1970), and why it does not any more.

    `folded`: its content is part of what the note says now. `superseded`: the note replaces it.
    """

    content: str
    at: int
    why: Literal["folded", "superseded"]


@dataclass(frozen=True, slots=True)
class Note:
    """Times are milliseconds since 1970. `vector` is 384 int8 of the model named `model`; both None without one.

    `guessed` names what was told from the content because nobody gave it: category, entity. `contexts` are what was
    said with the last votes.
    """

    id: str
    content: str
    category: Category
    entity: str | None
    tags: tuple[str, ...]
    confidence: float
    namespace: str
    created_at: int
    updated_at: int
    guessed: tuple[str, ...] = ()
    helpful: int = 0
    unhelpful: int = 0
    contexts: tuple[str, ...] = ()
    model: str | None = None
    vector: bytes | None = None
    history: tuple[Version, ...] = ()

    def to_json(self) -> str:
        """The note as the store keeps it, sealed: compact, what is empty left out."""
        record: dict[str, Any] = {
            "content": self.content,
            "category": self.category,
            "entity": self.entity,
            "tags": self.tags,
            "confidence": self.confidence,
            "namespace": self.namespace,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
            "guessed": self.guessed,
            "helpful": self.helpful,
            "unhelpful": self.unhelpful,
            "contexts": self.contexts,
            "model": self.model,
            "vector": None if self.vector is None else b64encode(self.vector).decode(),
            "history": [[version.content, version.at, version.why] for version in self.history],
        }
        return dump_json({name: value for name, value in record.items() if value or name == "confidence"})

    @staticmethod
    def from_json(note_id: str, text: str) -> Note:
        """Read back what `to_json` wrote.

        Raises:
            ValueError: the text is no note.
        """
        record: object = json.loads(text)
        if not isinstance(record, dict):
            raise ValueError("no note")  # noqa: TRY004  a text that is wrong, not a caller's type
        try:
            vector = record.get("vector")
            return Note(
                id=note_id,
                content=record["content"],
                category=record["category"],
                entity=record.get("entity"),
                tags=tuple(record.get("tags", ())),
                confidence=float(record["confidence"]),
                namespace=record["namespace"],
                created_at=record["createdAt"],
                updated_at=record["updatedAt"],
                guessed=tuple(record.get("guessed", ())),
                helpful=record.get("helpful", 0),
                unhelpful=record.get("unhelpful", 0),
                contexts=tuple(record.get("contexts", ())),
                model=record.get("model"),
                vector=None if vector is None else b64decode(vector),
                history=tuple(Version(*version) for version in record.get("history", ())),
            )
        except (KeyError, TypeError) as exc:
            raise ValueError("not a whole note") from exc
