"""One note as it is kept: what it says, what is known about it, and what it said before."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

from remember.entry import dump_json
from remember.text.categories import Category

MOST_VERSIONS = 5
MOST_CONTEXTS = 5

_SIZE_BYTES = 2


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

    def to_bytes(self) -> bytes:
        """The note as it is sealed and kept: how long the vector is, the vector, and JSON without what is empty."""
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
            "history": [[version.content, version.at, version.why] for version in self.history],
        }
        said = dump_json({name: value for name, value in record.items() if value or name == "confidence"})
        vector = self.vector or b""
        return len(vector).to_bytes(_SIZE_BYTES, "big") + vector + said.encode()

    @staticmethod
    def from_bytes(note_id: str, data: bytes) -> Note:
        """Read back what `to_bytes` wrote.

        Raises:
            ValueError: this is no note.
        """
        begin = _SIZE_BYTES + int.from_bytes(data[:_SIZE_BYTES], "big")
        record: object = json.loads(data[begin:].decode())
        if not isinstance(record, dict):
            raise ValueError("no note")  # noqa: TRY004  bytes that are wrong, not a caller's type
        try:
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
                vector=data[_SIZE_BYTES:begin] or None,
                history=tuple(Version(*version) for version in record.get("history", ())),
            )
        except (KeyError, TypeError) as exc:
            raise ValueError("not a whole note") from exc
