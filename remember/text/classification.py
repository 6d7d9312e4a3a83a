"""What sort of thing an English note says, and what it is about, told from its wording.

Categories are the second seed's: preference (likes and dislikes), fact (how things are), pattern (what recurs),
decision (what was chosen), outcome (what an action led to). The cues are weighted, and the heaviest category wins.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remember.text.categories import CATEGORIES, Category
from remember.text.folding import folded, seen
from remember.text.noun_phrases import Phrase, noun_phrases


class Cue(NamedTuple):
    """Wording that speaks for a category."""

    category: Category
    weight: float
    wording: re.Pattern[str]


def _cue(category: Category, weight: float, *wordings: str) -> Cue:
    return Cue(category, weight, re.compile(rf"\b(?:{'|'.join(wordings)})(?!\w)"))


_LIKING = (
    "prefer(?:s|red|ence|ences)?", "(?:dis)?likes?", "loves?", "hates?", "enjoys?", "adores?", "loathes?", "detests?",
    "fond of", "keen on",
)  # fmt: skip
_TASTE = ("please", "(?:can ?not|can't) (?:stand|bear)", "favou?rites?", "fan of", "would rather", "i'd rather")
_WANTING = (
    "wants?", "wish(?:es)?", "would like", "'d like", "hopes?", "interested in", "avoids?", "cares about",
    "prioriti[sz]es", "favou?rs?", "into",
)  # fmt: skip
_HABIT = (
    "always", "never", "every", "each", "usually", "typically", "normally", "whenever", "routinely", "regularly",
    "tends? to", "as a rule", "habit", "workflow",
)  # fmt: skip
_RHYTHM = (
    "(?:mon|tues|wednes|thurs|fri|satur|sun)days", "nightly", "daily", "weekly", "monthly", "yearly", "hourly",
    r"(?:once|twice|times) (?:a|per) \w+",
)  # fmt: skip
_OCCASION = (
    "often", "sometimes", "when(?= .+,)", "if(?= .+,)", r"before (?:each|every|\w+ing)", "after (?:each|every)",
)  # fmt: skip
_CHOICE = (
    "decided", "decision", "decides", "chose", "chosen", "chooses", "opt(?:ed|s)? (?:for|to)", "settled on", "agreed",
    "going with", "went with", "picked", "selected", "approved", "rejected", "we(?:'ll| will)", "(?:the|our) plan is",
    "plans? to", "committed to", "adopt(?:ed|ing|s)",
)  # fmt: skip
_CHANGE = (
    "(?:switched|moved|migrated) (?:from|to)", "dropp(?:ed|ing) support", "postponed", "standardi[sz](?:ed|ing) on",
    "(?:we're|we are) (?:going|moving|dropping|switching|replacing)", "ruled out",
    "will (?:use|move|migrate|adopt|switch|replace)",
)  # fmt: skip
_RESULT = (
    "fix(?:ed)?(?= the)", "resolved", "solved", "broke", "failed", "succeeded", "resulted in", "led to", "caused",
    "turned out", "paid off", "backfired", "successful(?:ly)?", "went (?:well|badly|wrong|up|down|smoothly)",
    "(?:did not|didn't|doesn't) (?:work|help)", "no difference", "passed", "pass(?:es)? (?:after|with|since|again)",
    "made .+ (?:faster|slower|better|worse|smaller|easier|times)",
)  # fmt: skip
_MEASURED = (
    "reduced", "cut", "improved", "increased", "decreased", "raised", "lowered", "doubled", "halved", "tripled",
    "dropped", "fell", "rose", "sped up", "slowed",
)  # fmt: skip
_DONE = (
    "worked", "helped", "crashed", "restored", "recovered", "showed", "revealed", "completed", "finished", "ended",
    "achieved", "saved", "shipped", "as a result",
)  # fmt: skip
_BEING = (
    "is", "are", "has", "have", "was", "were", "lives?", "works?", "runs? on", "uses?", "stores?", "listens?",
    "contains?", "costs?", "born", "located", "hosted",
)  # fmt: skip
_CUES = (
    _cue("preference", 5, *_TASTE),
    _cue("preference", 5, *_LIKING),
    _cue("preference", 3, *_WANTING),
    _cue("preference", 2, "(?:rather|more) than", "comfortable", "annoy(?:s|ed|ing)", "answers? in", "be concise"),
    _cue("pattern", 3, *_HABIT),
    _cue("pattern", 3, *_RHYTHM),
    _cue("pattern", 2, *_OCCASION),
    _cue("decision", 4, *_CHOICE),
    _cue("decision", 3, *_CHANGE),
    _cue("decision", 1, "instead of", "because", "in favou?r of"),
    _cue("outcome", 5, *_RESULT),
    _cue("outcome", 5, *_MEASURED),
    _cue("outcome", 3, *_DONE),
    _cue("fact", 2, "(?:is|are) (?:open|closed)", "opens", "closes"),
    _cue("fact", 1, *_BEING),
)
_IMPERATIVE = re.compile(
    r"^(?:use|run|check|write|add|keep|put|make|test|do|don't|do not|remember to|avoid|answer|call|start)\b"
)
_ABOUT_ACTIONS = re.compile(r"^\w+ing\b(?= .*\b\w+(?:ed|ut|oke|ade)\b)")


def classify(text: str) -> tuple[Category, str | None]:
    """The category of a note and its entity: a short noun phrase as the note writes it, or None.

    A note without any cue is a fact.
    """
    text = seen(text)
    plain = text.lower().replace("’", "'")
    category = _category(plain)
    return category, _entity(category, text, plain)


def _category(plain: str) -> Category:
    weights: dict[Category, float] = dict.fromkeys(CATEGORIES, 0.0)
    weights["fact"] = 0.5
    for cue in _CUES:
        if cue.wording.search(plain):
            weights[cue.category] += cue.weight
    if _IMPERATIVE.search(plain):
        weights["pattern"] += 1.5
    if _ABOUT_ACTIONS.search(plain):
        weights["outcome"] += 1
    return max(CATEGORIES, key=lambda category: weights[category])


def _entity(category: Category, text: str, plain: str) -> str | None:
    """What likes and choices aim at stands behind their cue; the others begin with what they are about."""
    phrases = noun_phrases(text)
    named = [phrase for phrase in phrases if not phrase.is_person and not phrase.is_time]
    if not named:
        return None
    start = _aim(category, plain)
    behind = [phrase for phrase in named if phrase.start >= start]
    return _written((behind or named)[0], named)


def _aim(category: Category, plain: str) -> int:
    """Where to look from."""
    if category not in ("preference", "decision"):
        return 0
    ends = [
        (-cue.weight, found.end())
        for cue in _CUES
        if cue.category == category and cue.weight > 2 and (found := cue.wording.search(plain))
    ]
    return min(ends)[1] if ends else 0


def _written(phrase: Phrase, named: list[Phrase]) -> str:
    """The phrase; one word that stands again, with more around it, as the longer one."""
    longer = next((other for other in named if f" {folded(phrase.text)} " in f" {folded(other.text)} "), phrase)
    return longer.text
