"""The noun phrases of an English text, without a tagger: what is left between small words and verbs.

Of scripts without spaces there are none, for a whole sentence would be one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remember.text.stem import uninflected
from remember.text.word_lists import words as listed

_WORDS_AT_MOST = 4
_CHARACTERS_AT_MOST = 64

_TOKEN = re.compile(r"[~./]{0,3}\w[\w./@:+#-]*[\w+#]|\w|[,;:.!?()\"“”]")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_POSSESSIVE = re.compile(r"['’]s?\b")
_STOP = frozenset(',;:.!?()"“”')

_SMALL = listed(
    """
    a an the this that these those my your his her its our their some any all both no not never always every each i
    me he him she it we us they them you who which what there here in on at of for with from to into onto by about
    over under before after during until since than then as if when whenever while because so and or but nor rather
    instead via per through between against within without up down off out is are am be been being was were has have
    had do does did will would can could should may might must shall t s d ll re ve don doesn didn won isn aren
    can't usually typically normally often sometimes rarely first also very really quite just only still now
    currently again once twice please too more most less well yes one two three four five six seven eight nine ten
    eleven twelve half successfully early by keen fond big allergic born due located hosted based able favourite
    favorite favourites favorites times
    """
)
_DETERMINERS = listed(
    """
    a an the this that these those my your his her its our their some any all both each every no of new old
    """
)
_BASES = frozenset(
    uninflected(verb)
    for verb in listed(
        """
    accept add adopt adore agree allow answer apply approve arrive ask avoid back become begin believe break bring
    build buy call care cause change check choose close collect come commit complain configure contain convert copy
    cost crash create cut cycle decide decline delete deploy detest disable dislike double drink drive drop eat
    employ enable end enjoy expect expire fail fall favor favour feel fill find finish fix fly forget generate get
    give go handle happen hate have head help hire hold hope improve include increase install keep know lead learn
    leave let like listen live load loathe lock look lose love make manage measure meet merge migrate move need
    offer open opt order own pass pay pick plan play point postpone prefer prevent process produce push put raise
    read receive reduce regenerate reject release rely remember remove rent replace report require resolve respond
    restore result return review rise roll rotate run save say select sell send serve set settle ship show sing sit
    sleep solve speak spend stand start stay stop store succeed support swim switch take talk teach tell tend
    terminate test think travel try turn type understand update upgrade use visit wait wake walk want wash watch
    wear weigh wish work write
    """
    )
)
_IRREGULAR = listed(
    """
    ate began bought broke built came chose chosen done drank drove fell flew found gave got held kept knew led left
    lost made met paid ran rose said sent sold spoke stood taught told took went won written wrote
    """
)
_AUXILIARIES = frozenset(["is", "are", "was", "were", "has", "have", "had", "will", "can", "must", "should"])
_PERSONS = listed(
    """
    user users customer client he she i we they you people everyone everybody someone family board committee
    """
)
_TIMES = listed(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays morning mornings afternoon afternoons evening evenings night nights noon midnight day days week weeks
    month months year years hour hours minute minutes second seconds today yesterday tomorrow spring summer autumn
    winter quarter quarters january february march april june july august september october november december
    nightly daily weekly monthly am pm next last ago lunch dinner percent way
    """
)


class Phrase(NamedTuple):
    """A noun phrase, as written, and where it begins in the text."""

    text: str
    start: int
    is_person: bool
    is_time: bool


def noun_phrases(text: str) -> list[Phrase]:
    """The noun phrases in their order, without articles and numbers before them."""
    tokens = [(found[0], found.start()) for found in _TOKEN.finditer(_POSSESSIVE.sub(_gap, text))]
    runs: list[list[tuple[str, int]]] = [[]]
    for at, (word, start) in enumerate(tokens):
        if _ends_phrase(word, at, tokens):
            runs.append([])
        else:
            runs[-1].append((word, start))
    phrases = [_phrase(run) for run in runs if run and any(not word.isdigit() for word, _ in run)]
    return [
        phrase for phrase in phrases if len(phrase.text) <= _CHARACTERS_AT_MOST and not _UNSPACED.search(phrase.text)
    ]


def _gap(found: re.Match[str]) -> str:
    """A possessive ends a phrase, and keeps the places of what follows."""
    return "," + " " * (len(found[0]) - 1) if found[0].endswith("s") else " " * len(found[0])


def _verbal(plain: str) -> bool:
    """Whether a word can be a verb's form."""
    return uninflected(plain) in _BASES or plain in _IRREGULAR


def _ends_phrase(word: str, at: int, tokens: list[tuple[str, int]]) -> bool:
    plain = word.lower()
    if word in _STOP:
        return True
    # A small word in capitals inside a sentence is a name: IT, US, C.
    if plain in _SMALL:
        return not (word.isupper() and at > 0 and plain not in ("i", "a"))
    if plain.endswith("ly") and len(plain) > 5:
        return True
    return _is_verb(word, at, tokens)


def _is_verb(word: str, at: int, tokens: list[tuple[str, int]]) -> bool:
    """Whether a word that can be a verb is one here: not with a capital inside the sentence, nor behind an article."""
    plain = word.lower()
    if plain.endswith("ings"):
        return False
    if not _verbal(plain):
        return plain.endswith("ing") and len(plain) > 5 and _acts(at, tokens)
    before = tokens[at - 1][0].lower() if at else ""
    behind = tokens[at + 1][0].lower() if at + 1 < len(tokens) else ""
    if at and word[0].isupper():
        return False
    if not at:
        return not (_verbal(behind) or behind in _AUXILIARIES)
    if before in _DETERMINERS or (
        at > 1
        and _is_noun_part(before)
        and before[-1] != "s"
        and plain not in _IRREGULAR
        and uninflected(plain) == plain.removesuffix("e")
    ):
        return False
    return not (plain.endswith(("ing", "s")) and before and _is_noun_part(before) and _nothing_named(behind, plain))


def _acts(at: int, tokens: list[tuple[str, int]]) -> bool:
    """Whether an -ing word takes an object: at the front, or behind a preposition, with something named next."""
    return at == 0 and at + 1 < len(tokens)


def _is_noun_part(before: str) -> bool:
    return before not in _SMALL and before not in _STOP and before not in _PERSONS and not _verbal(before)


def _nothing_named(behind: str, plain: str) -> bool:
    """Whether what follows is a verb, so that this word is the end of a subject: "the unit tests pass"."""
    return bool(behind) and (_verbal(behind) or behind in _AUXILIARIES) and plain != "has"


def _phrase(run: list[tuple[str, int]]) -> Phrase:
    while len(run) > 1 and run[0][0].isdigit():
        run = run[1:]
    while len(run) > 1 and run[-1][0].lower() in _TIMES:
        run = run[:-1]
    words = [word for word, _ in run[:_WORDS_AT_MOST]]
    plain = [word.lower() for word in words]
    return Phrase(
        text=" ".join(words),
        start=run[0][1],
        is_person=all(word in _PERSONS for word in plain),
        is_time=all(word in _TIMES or word.isdigit() for word in plain),
    )
