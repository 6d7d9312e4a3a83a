"""What somebody wants to be reminded of, in the forms that notes are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remember.notebook.row import hash_terms
from remember.text.terms import query_terms

if TYPE_CHECKING:
    from remember.text.vectors import Embedded

MOST_TERMS = 32
"""Of a question; what comes after them hardly changes an order, and each is looked for in every note."""


@dataclass(frozen=True, slots=True)
class Question:
    """A text, its terms as rows have them, and its vector where there is a model that reads it."""

    text: str
    terms: bytes
    vector: Embedded | None = None


def make_question(text: str, vector: Embedded | None = None) -> Question:
    """A question; without its vector where the model does not read its script."""
    return Question(text, hash_terms(query_terms(text)[:MOST_TERMS]), vector if readable(text) else None)


def readable(text: str) -> bool:
    """Whether the model can read a text: it learnt English, and holds all texts of another script for much the same."""
    letters = [character for character in text if character.isalpha()]
    return 2 * sum(letter < "\u0250" for letter in letters) >= len(letters)
