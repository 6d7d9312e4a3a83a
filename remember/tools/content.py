"""What a tool may answer besides text and objects: pictures, sounds, and resources with their content."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Any, get_args

from remember.text.visible import visible


@dataclass(frozen=True, slots=True)
class Text:
    """A text block. What would act on a terminal, or hide from a person, is shown in it; in JSON these are escapes."""

    text: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "text", "text": visible(self.text)}


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, such as image/png."""

    data: bytes
    mime_type: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "image", "data": b64encode(self.data).decode(), "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound, such as audio/wav."""

    data: bytes
    mime_type: str

    def to_json(self) -> dict[str, Any]:
        return {"type": "audio", "data": b64encode(self.data).decode(), "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class Embedded:
    """A resource with what it holds: text, or bytes."""

    uri: str
    content: str | bytes
    mime_type: str = "text/plain"

    def to_json(self) -> dict[str, Any]:
        return {"type": "resource", "resource": resource_content(self.uri, self.content, self.mime_type)}


Block = Text | Image | Audio | Embedded


def resource_content(uri: str, content: str | bytes, mime_type: str) -> dict[str, Any]:
    """What a resource holds, as the protocol carries it."""
    held = {"text": content} if isinstance(content, str) else {"blob": b64encode(content).decode()}
    return {"uri": uri, "mimeType": mime_type, **held}


def blocks_of(content: object) -> list[dict[str, Any]] | None:
    """The blocks that a tool answered with, one or several, texts among them; None where it answered something else."""
    if isinstance(content, Block):
        return [content.to_json()]
    if not isinstance(content, list | tuple) or not any(isinstance(one, Block) for one in content):
        return None
    blocks = [Text(one) if isinstance(one, str) else one for one in content]
    return [block.to_json() for block in blocks] if all(isinstance(block, Block) for block in blocks) else None


def answers_in_blocks(returned: object) -> bool:
    """Whether a return annotation is a block, or a list of blocks: then there is no object to describe."""
    return any(one in get_args(Block) for one in (returned, *get_args(returned)))
