"""What a caller gives with a note: checked by name, in one form."""

from __future__ import annotations

from typing import Any

import pytest

from remember.errors import InvalidInput
from remember.notebook.fields import Draft, Screen, draft


def made(content: object = "User likes tea", **given: Any) -> Draft:
    fields = dict.fromkeys(("category", "entity", "tags", "confidence", "namespace")) | given
    return draft(content, screen=Screen("redact"), **fields)


@pytest.mark.promise("notes.seven", "notes.null-is-auto", "notes.namespace")
def test_content_alone_is_required() -> None:
    """What is not given stays open, but for the namespace."""
    assert made() == Draft("User likes tea", None, None, (), None, "default")


def test_names_are_kept_in_one_form() -> None:
    """A7: trimmed and in NFC, tags each once, in their order; the content stays as it was given."""
    note = made(" tea\n", entity=" Zu\u0308rich ", tags=["b", "a", " b", "cafe\u0301"], namespace=" home ")
    assert note == Draft(" tea\n", None, "Zürich", ("b", "a", "café"), None, "home")


@pytest.mark.parametrize("category", ["preference", "fact", "pattern", "decision", "outcome"])
def test_the_five_categories(category: str) -> None:
    """By their names."""
    assert made(category=category).category == category


@pytest.mark.parametrize("confidence", [0, 1, 0.5, 0.0, 1.0])
@pytest.mark.promise("notes.confidence")
def test_a_confidence_is_a_share(confidence: float) -> None:
    """From 0 to 1, both included."""
    assert made(confidence=confidence).confidence == confidence


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("content", "", "content is empty"),
        ("content", " \n\t", "content is empty"),
        ("content", "\u200b \u2060", "content is empty"),
        ("content", None, "content must be text; got NoneType"),
        ("content", 7, "content must be text; got int"),
        ("content", "x" * 8_001, "content has 8,001 characters; at most 8,000 are allowed. Say it in several notes."),
        ("content", "half \ud83c", "half of a character"),
        ("category", "Fact", "category must be one of"),
        ("category", 3, "category must be one of"),
        ("entity", "", "entity must be 1 to 64 characters; got 0"),
        ("entity", "x" * 65, "entity must be 1 to 64 characters; got 65"),
        ("entity", "\u200b", "entity holds only characters that nobody sees"),
        ("entity", "a\nb", "control characters"),
        ("entity", "\ud83c", "half of a character"),
        ("tags", "backend", "must be a list of words"),
        ("tags", 7, "must be a list of words"),
        ("tags", ["a", 7], "tags must be text; got int"),
        ("tags", [""], "tags must be 1 to 64 characters"),
        ("tags", [str(number) for number in range(33)], "tags may hold 32 words; got 33"),
        ("confidence", 7, "confidence must be a number from 0 to 1; got 7"),
        ("confidence", -0.1, "confidence must be a number from 0 to 1"),
        ("confidence", float("nan"), "confidence must be a number from 0 to 1"),
        ("confidence", True, "confidence must be a number from 0 to 1"),
        ("confidence", "0.8", "confidence must be a number from 0 to 1"),
        ("namespace", " ", "namespace must be 1 to 64 characters"),
        ("namespace", "a\x00b", "control characters"),
    ],
)
@pytest.mark.promise("notes.input")
def test_what_does_not_fit_is_refused_by_name(field: str, value: object, said: str) -> None:
    """With what arrived and what is allowed."""
    given = {"content": "User likes tea", field: value}
    with pytest.raises(InvalidInput, match=said) as refused:
        made(**given)
    assert refused.value.field == field


def test_tags_that_become_the_same_are_one() -> None:
    """Two secrets leave one [REDACTED]."""
    tags = [f"ghp_{letter * 3}{'0123456789abcdefghijklmnopqrstuvw'}" for letter in "AB"]
    assert made(tags=[*tags, "x"]).tags == ("[REDACTED]", "x")
