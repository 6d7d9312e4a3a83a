"""Category and entity of a note: measured on labelled sentences, and the cases that the seed gets wrong."""

from __future__ import annotations

import pytest

from remember.text.categories import CATEGORIES
from remember.text.classification import classify
from tests.text.labelled import sentences


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_categories_are_right_for_85_in_100(half: str) -> None:
    """On the half that the wording was tuned on, and on the one that it was not."""
    labelled = sentences(half)
    right = [sentence for sentence in labelled if classify(sentence.text)[0] == sentence.category]
    assert len(right) / len(labelled) >= 0.85


@pytest.mark.parametrize("half", ["seen", "unseen"])
def test_entities_are_right_for_75_in_100(half: str) -> None:
    """One of the phrases that a reader accepts, or none where there is nothing to name."""
    labelled = sentences(half)
    right = [sentence for sentence in labelled if (classify(sentence.text)[1] or "-").casefold() in sentence.entities]
    assert len(right) / len(labelled) >= 0.75


def test_the_sets_are_large_and_share_no_sentence() -> None:
    """At least 100 sentences, every category in both halves."""
    seen, unseen = sentences("seen"), sentences("unseen")
    assert len(seen) + len(unseen) >= 100
    assert not {sentence.text for sentence in seen} & {sentence.text for sentence in unseen}
    for half in (seen, unseen):
        assert {sentence.category for sentence in half} == set(CATEGORIES)


@pytest.mark.parametrize("verb", ["prefers", "likes", "loves", "hates", "enjoys", "dislikes", "doesn’t like"])
def test_third_persons_are_preferences(verb: str) -> None:
    """The seed's server sees only the first person's forms."""
    assert classify(f"The user {verb} dark mode") == ("preference", "dark mode")


def test_the_seed_s_own_example() -> None:
    """Its input schema calls this a good memory."""
    assert classify("User prefers Fastify over Express for Node.js APIs") == ("preference", "Fastify")


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("go to Berlin", "Berlin"),
        ("We use Go for the services", "Go"),
        ("Go is the language of the backend", "Go"),
        ("The office is in the US", "office"),
        ("The server has 16 GB of RAM", "server"),
    ],
)
def test_a_word_that_is_also_english_needs_its_capital(text: str, entity: str) -> None:
    """`go` is a verb, `Go` is a language."""
    assert classify(text)[1] == entity


@pytest.mark.parametrize("text", ["", "???", "用户喜欢喝茶", "a " * 4000, "x" * 8000, "~/" * 4000, "\n\n"])
def test_a_text_without_cues_is_a_fact_without_an_entity(text: str) -> None:
    """Also where there are no English words in it, and where it is long."""
    assert classify(text) == ("fact", None)


def test_an_entity_is_short() -> None:
    """No more than four words, whatever the sentence."""
    entity = classify("The very long internal quarterly customer satisfaction survey summary report template is here")[
        1
    ]
    assert entity is not None
    assert len(entity.split()) <= 4
