"""Lexical terms: every script is found, identifiers whole and in parts, and a hash says nothing without its key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.text.terms import TERM_BYTES, query_terms, term_hash, terms

KEY = b"0123456789abcdef"


def found(question: str, note: str) -> bool:
    """Whether each term of the question stands in the note."""
    asked = query_terms(question)
    return bool(asked) and set(asked) <= set(terms(note))


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("人工智能", "人工智能技术发展迅速"),
        ("猫", "我喜欢猫"),
        ("しりとり", "弟はしりとりが好きだ"),
        ("テスト", "統合テストは夜に走る"),
        ("끝말잇기", "끝말잇기는 재미있다"),
        ("책", "책을 읽는다"),
        ("ротация", "Ротация ключей раз в месяц"),
        ("κλειδί", "Το ΚΛΕΙΔΊ είναι εδώ"),
        ("مفتاح", "مفتاح الخزنة"),
        ("محمد", "قال مُحَمَّد ذلك"),
        ("מפתח", "מפתח הכספת"),
        ("שלום", "שָׁלוֹם לכולם"),
        ("ภาษา", "เขาพูดภาษาไทย"),
        ("हिन्दी", "वह हिन्दी बोलता है"),
        ("தமிழ்", "அவர் தமிழ் பேசுகிறார்"),
        ("café", "The cafe is closed"),
        ("cafe", "Le café est fermé"),
        ("CAFE\u0301", "le café"),
        ("strasse", "Die Straße ist gesperrt"),
        ("smorrebrod", "She likes smørrebrød"),
        ("ｆｕｌｌ", "full width"),
    ],
)
def test_a_sub_phrase_is_found_in_any_script(question: str, note: str) -> None:
    """Case I6: one fact a script, asked for by a part of it; accents, width and case do not matter."""
    assert found(question, note)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("getUserName", "Call getUserName twice"),
        ("user name", "Call getUserName twice"),
        ("max_retries", "MAX_RETRIES is 3"),
        ("retries", "MAX_RETRIES is 3"),
        ("db-1.internal", "The host is db-1.internal."),
        ("internal", "The host is db-1.internal."),
        ("node.js", "We like Node.js"),
        ("C++", "Written in C++"),
        ("github", "Reviewed on GitHub"),
        ("app.toml", "See ~/.config/app.toml"),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(question: str, note: str) -> None:
    """Snake, camel, dots and hyphens."""
    assert found(question, note)


def test_an_identifier_is_not_another_of_the_same_kind() -> None:
    """The whole is a term of its own, so db-1 ranks over db-2."""
    assert not set(query_terms("db-1.internal")) <= set(terms("The host is db-2.internal"))
    assert "c++" not in terms("Written in C")


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("What is the user's favourite editor?", "favourite editors of the user"),
        ("Which databases are we using?", "We use a database"),
        ("when was it deployed?", "Deploying takes long"),
        ("allergy", "Allergies of the user"),
        ("migrate", "The migration is over"),
    ],
)
def test_a_question_finds_word_forms(question: str, note: str) -> None:
    """Sentence signs and endings are no obstacle, small words are left out."""
    assert found(question, note)


def test_small_words_count_only_where_there_is_nothing_else() -> None:
    """`who am I` is a question too, and a note of small words has terms."""
    assert "the" not in terms("the editor")
    assert query_terms("who am I?") == ["who", "am", "i"]
    assert terms("to be or not to be")


def test_negations_are_terms() -> None:
    """What a note denies may be what is asked for."""
    assert "not" in terms("not allergic")


def test_repeats_are_kept_in_notes_and_not_in_questions() -> None:
    """Their number weighs in a note."""
    assert terms("tea tea tea").count("tea") == 3
    assert query_terms("tea tea?") == ["tea"]


@given(st.text(max_size=200))
def test_a_note_is_found_by_its_own_text(text: str) -> None:
    """Whatever the script, a question never asks for a term that the same text lacks."""
    assert set(query_terms(text)) <= set(terms(text))


def test_a_hash_has_24_bits_and_needs_its_key() -> None:
    """The same key gives the same bytes; another key, or another term, gives another one."""
    assert term_hash("tea", KEY) == term_hash("tea", KEY)
    assert len(term_hash("tea", KEY)) == TERM_BYTES == 3
    hashes = {term_hash(term, key) for term in ("tea", "coffee", "té") for key in (KEY, b"another key")}
    assert len(hashes) == 6


def test_hashes_hardly_ever_meet() -> None:
    """30,000 words, the size of a large memory's vocabulary, share no more than a few."""
    assert len({term_hash(f"word{number}", KEY) for number in range(30_000)}) >= 29_950


def test_words_that_ask_are_not_looked_for_beside_others() -> None:
    """They are when there is nothing else; a note has them in any case."""
    assert query_terms("Tell me what you know about tea") == ["tea"]
    assert query_terms("How many teas do I use?") == ["tea"]
    assert query_terms("What happened at work?") == ["happen", "work"]
    assert "work" in terms("She works at the harbour")


@pytest.mark.parametrize("one", ["improve", "improved", "improves", "improving", "improvement", "improvements"])
def test_a_family_of_words_has_one_term(one: str) -> None:
    """Endings of grammar and of the family both fall away."""
    assert terms(one) == terms("improve")
