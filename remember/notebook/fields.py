"""What a caller gives with a note, checked, in its stored form, and without secrets."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from remember.errors import InvalidInput, SecretRefused
from remember.settings import Redaction
from remember.text.categories import CATEGORIES, Category
from remember.text.folding import seen

if TYPE_CHECKING:
    from remember.text.redaction import Found

MAX_NOTES = 10_000  # in one namespace
MAX_OWNED = 20_000  # in all namespaces of one owner together: what one request can bring
MAX_CONTENT = 8_000
MAX_TAGS = 32
MAX_WORD = 64
MAX_CONTEXT = 1_000
MAX_QUERY = 2_000
DEFAULT_NAMESPACE = "default"
DEFAULT_CONFIDENCE = 0.8

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Screen:
    """Takes secrets out of the texts of one call, and gathers what they were."""

    def __init__(self, mode: Redaction) -> None:
        self._mode = mode
        self._counts: Counter[str] = Counter()

    def clean(self, field: str, text: str) -> str:
        """The text with `[REDACTED]` in place of each secret.

        Raises:
            SecretRefused: there is one, and the mode is `reject`.
        """
        clean, found = self._look(text)
        if found and self._mode == "reject":
            raise SecretRefused(field, [(one.kind, one.count) for one in found])
        self._counts.update({one.kind: one.count for one in found})
        return clean

    def whole(self, field: str, text: str) -> str:
        """The text, which must hold no secret: notes are told apart by it, so none can be taken out.

        Raises:
            SecretRefused: there is one.
        """
        _, found = self._look(text)
        if found:
            raise SecretRefused(field, [(one.kind, one.count) for one in found])
        return text

    def _look(self, text: str) -> tuple[str, tuple[Found, ...]]:
        if self._mode == "off":
            return text, ()
        from remember.text.redaction import redact  # noqa: PLC0415  lazy: to count notes needs none

        return redact(text)

    @property
    def found(self) -> tuple[Found, ...]:
        """Kinds and counts."""
        if not self._counts:
            return ()
        from remember.text.redaction import Found  # noqa: PLC0415  lazy: as above

        return tuple(Found(kind, count) for kind, count in sorted(self._counts.items()))


@dataclass(frozen=True, slots=True)
class Draft:
    """A note that somebody wants to be remembered; None where they gave nothing."""

    content: str
    category: Category | None
    entity: str | None
    tags: tuple[str, ...]
    confidence: float | None
    namespace: str


def draft(
    content: object,
    *,
    category: object,
    entity: object,
    tags: object,
    confidence: object,
    namespace: object,
    screen: Screen,
) -> Draft:
    """The note that these fields make.

    Raises:
        InvalidInput: a field that does not fit, named, with what is allowed.
        SecretRefused: a secret where none may be kept; anywhere in the mode `reject`, and always in a namespace.
    """
    return Draft(
        content=screen.clean("content", check_text("content", content, MAX_CONTENT)),
        category=None if category is None else check_category(category),
        entity=None if entity is None else screen.clean("entity", check_word("entity", entity)),
        tags=tuple(dict.fromkeys(screen.clean("tags", tag) for tag in check_tags(tags))),
        confidence=None if confidence is None else check_share("confidence", confidence),
        namespace=DEFAULT_NAMESPACE
        if namespace is None
        else screen.whole("namespace", check_word("namespace", namespace)),
    )


def check_text(field: str, text: object, most: int) -> str:
    """A text that says something, as it was given.

    Raises:
        InvalidInput: it does not; it is too long; it is no text.
    """
    if not isinstance(text, str):
        raise InvalidInput(field, f"{field} must be text; got {type(text).__name__}.")
    if not seen(text).strip():
        raise InvalidInput(field, f"{field} is empty; it must say something, in up to {most:,} characters.")
    if len(text) > most:
        advice = "Say it in several notes." if field == "content" else "Say it shorter."
        raise InvalidInput(field, f"{field} has {len(text):,} characters; at most {most:,} are allowed. {advice}")
    _check_whole(field, text)
    return text


def check_word(field: str, word: object) -> str:
    """A name such as an entity or a tag, in one form (NFC, trimmed).

    Raises:
        InvalidInput: it is empty, too long, or holds control characters.
    """
    if not isinstance(word, str):
        raise InvalidInput(field, f"{field} must be text; got {type(word).__name__}.")
    _check_whole(field, word)
    word = unicodedata.normalize("NFC", word.strip())
    if not 1 <= len(word) <= MAX_WORD:
        raise InvalidInput(field, f"{field} must be 1 to {MAX_WORD} characters; got {len(word)}.")
    if not seen(word).strip():
        raise InvalidInput(field, f"{field} holds only characters that nobody sees.")
    if _CONTROL.search(word):
        raise InvalidInput(field, f"{field} must not contain control characters such as line breaks, tabs or NUL.")
    return word


def check_tags(tags: object) -> tuple[str, ...]:
    """Tags in one form, each once.

    Raises:
        InvalidInput: no list of words, or too many.
    """
    if tags is None:
        return ()
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise InvalidInput("tags", f'tags must be a list of words, such as ["backend", "api"]; got {tags!r:.60}.')
    words = tuple(dict.fromkeys(check_word("tags", tag) for tag in tags))
    if len(words) > MAX_TAGS:
        raise InvalidInput("tags", f"tags may hold {MAX_TAGS} words; got {len(words)}.")
    return words


def check_category(category: object) -> Category:
    """The category that is named.

    Raises:
        InvalidInput: there is none of this name.
    """
    for known in CATEGORIES:
        if category == known:
            return known
    raise InvalidInput(
        "category",
        f"category must be one of {', '.join(CATEGORIES)}; got {category!r:.60}. Leave it out to have it told from the "
        "content.",
    )


def check_share(field: str, share: object) -> float:
    """A number from 0 to 1.

    Raises:
        InvalidInput: it is none.
    """
    if isinstance(share, bool) or not isinstance(share, int | float) or not isfinite(share) or not 0 <= share <= 1:
        raise InvalidInput(field, f"{field} must be a number from 0 to 1; got {share!r:.60}.")
    return float(share)


def _check_whole(field: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            field, f"{field} holds half of a character (a lone surrogate such as \\ud83c); send whole ones."
        ) from None
