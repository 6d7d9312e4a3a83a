"""Lists of words, as people write them."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as text."""
    return frozenset(text.split())
