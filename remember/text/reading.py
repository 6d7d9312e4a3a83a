"""A text as the guard reads it: what carries content in one written form, and what turns the sentence's meaning."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Reading:
    """One text's content, in order, and around it what may turn it."""

    words: list[str] = field(default_factory=list)
    """Content in one written form: stems, numbers, names, turning prepositions."""
    marks: list[str] = field(default_factory=list)
    """What stood before each word: "" nothing, "|" a phrase's beginning, "," a stop, "and", or a preposition."""
    negations: int = 0
    offers: int = 0
    questions: bool = False
    numbers: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    shapes: dict[str, str] = field(default_factory=dict)
    """Words with capitals or underscores inside, as written, under their plain form."""
    names: set[str] = field(default_factory=set)
    """Which of the words are hosts, paths, versions, identifiers or written with a capital."""
    copulas: list[int] = field(default_factory=list)
    """Before which word an "is" stands."""
    states: list[tuple[int, str]] = field(default_factory=list)
    """Before which word something is said to be, to have or to become."""
    owners: list[str] = field(default_factory=list)
    """Whose things are, one possessive after the other, as `WHO` has them."""
    accented: list[str] = field(default_factory=list)
    """Latin words with accents, as written."""
    singles: int = 0
    """How often something is one: "a", "an"."""
    english: bool = False
    """Whether the text is surely English, whose endings the forms of words have lost."""
    past: bool = False
    progressive: set[str] = field(default_factory=set)
    perfect: set[str] = field(default_factory=set)
    did: set[str] = field(default_factory=set)
    does: set[str] = field(default_factory=set)
    """Verbs whose ending tells the tense; some of `does` are nouns in the plural."""
    forms: dict[str, str] = field(default_factory=dict)
    """The one form of each plain word of content."""

    def plain(self, words: list[str]) -> list[str]:
        """Words of the reading as people write them."""
        written = {form: plain for plain, form in self.forms.items()}
        return [written.get(word, word) for word in words]
