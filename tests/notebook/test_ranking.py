"""Recall's order: words lead, meaning helps, the rest only decides among answers; and nothing answers nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from remember.notebook.columns import Columns
from remember.notebook.leaf import Leaf
from remember.notebook.note import Note
from remember.notebook.owned_notes import Kept
from remember.notebook.question import Question, make_question, readable
from remember.notebook.ranking import everything, rank, shortlist
from remember.notebook.results import Hit
from remember.notebook.rows_of_notes import row_of
from remember.text.embedding import Model, load_model
from remember.text.vectors import Embedded, pack

DAY = 86_400_000
NOW = 2_000 * DAY


@pytest.fixture(scope="module")
def model() -> Model:
    found = load_model()
    assert found is not None
    return found


def note(content: str, *, at: int = NOW, name: str | None = None, confidence: float = 0.8) -> Note:
    name = name or content.encode().hex().ljust(24, "0")[-24:]
    return Note(name, content, "fact", None, (), confidence, "default", at, at)


def with_vectors(notes: Sequence[Note], model: Model | None) -> list[Note]:
    if model is None:
        return list(notes)
    vectors = model.embed([one.content for one in notes])
    return [replace(one, model=model.id, vector=pack(vector)) for one, vector in zip(notes, vectors, strict=True)]


def asked(text: str, model: Model | None = None) -> Question:
    return make_question(text, Embedded(model.id, model.embed([text])[0]) if model else None)


def columns(notes: Iterable[Note]) -> Columns:
    return Leaf.of(map(row_of, notes)).columns()


def recall(
    notes: Iterable[Note],
    question: Question,
    *,
    threshold: float | None = None,
    uses: int = 0,
    why: bool = False,
    most: int = 100,
) -> list[Hit]:
    notes = list(notes)
    kept = {one.id: Kept(one, uses) for one in notes}
    candidates = shortlist(columns(notes), question, most)
    return rank(candidates, kept, question, now=NOW, threshold=threshold, why=why)


def said(hits: Iterable[Hit]) -> list[str]:
    return [hit.note.content for hit in hits]


MEMORY = [
    "User prefers tabs over spaces",
    "The production database is PostgreSQL 15",
    "User is allergic to peanuts",
    "Deploys run on Fridays after a review",
    "User's daughter Mia was born in May",
    "The favourite editor is Vim",
]

SCRIPTS = [
    ("人工智能", "人工智能技术发展迅速"),
    ("しりとり", "昨日は友達としりとりをした"),
    ("끝말잇기", "우리는 주말마다 끝말잇기를 합니다"),
    ("회의", "회의는 금요일 오후입니다"),
    ("ротация", "Ротация ключей проходит каждый месяц"),
    ("κωδικός", "Ο κωδικός αλλάζει κάθε μήνα"),
    ("القهوة", "أحب القهوة في الصباح"),
    ("קפה", "אני שותה קפה בבוקר"),
    ("กาแฟ", "ฉันชอบดื่มกาแฟตอนเช้า"),
    ("बैठक", "बैठक शुक्रवार को है"),
    ("cafe an der ecke", "Das Treffen ist im Café an der Ecke"),
    ("café opens", "The cafe at the corner opens at nine"),
]


@pytest.mark.parametrize("lexical", [True, False])
@pytest.mark.parametrize(("query", "content"), SCRIPTS)
def test_a_part_of_a_sentence_finds_it_in_any_script(query: str, content: str, lexical: bool, model: Model) -> None:
    """First of all, with and without a model that reads English only (I6)."""
    used = None if lexical else model
    notes = with_vectors([note(text) for text in (*MEMORY, *(text for _, text in SCRIPTS))], used)
    assert said(recall(notes, asked(query, used)))[0] == content


def test_the_model_is_not_asked_about_scripts_that_it_cannot_read() -> None:
    """Its vectors of these are all much the same; a few foreign words in an English question do no harm."""
    assert readable("Where is the café?")
    assert readable("What does 会議 mean in my notes?")
    assert readable("2026-03-01")
    assert not readable("会議はいつですか")
    assert not readable("Когда встреча с Bob?")
    vector = Embedded("m", np.ones(384, np.float32))
    assert make_question("会議はいつですか", vector).vector is None
    assert make_question("When is the meeting?", vector).vector is vector


@pytest.mark.parametrize("query", ["chocolate cake recipe", "quantum chromodynamics", "Who won the football match?"])
def test_an_unrelated_question_finds_nothing(query: str, model: Model) -> None:
    """With and without a model, whatever else speaks for the notes."""
    for used in (None, model):
        notes = with_vectors([note(text, confidence=1.0) for text in MEMORY], used)
        assert recall(notes, asked(query, used), uses=1000) == []


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("db version", "The production database is PostgreSQL 15"),
        ("release schedule", "Deploys run on Fridays after a review"),
        ("which indentation style", "User prefers tabs over spaces"),
        ("Does she have children?", "User's daughter Mia was born in May"),
    ],
)
def test_meaning_finds_what_shares_no_word(query: str, content: str, model: Model) -> None:
    """By words alone there is nothing; with the model it comes first."""
    notes = with_vectors([note(text) for text in MEMORY], model)
    assert recall(notes, asked(query)) == []
    assert said(recall(notes, asked(query, model)))[0] == content


def test_the_threshold_is_a_share_of_relevance(model: Model) -> None:
    """Every hit reaches it, whatever its score; 0 lets all through that have anything to do with the question."""
    notes = with_vectors([note(text) for text in MEMORY], model)
    question = asked("Which database is in production?", model)
    for threshold in (0.0, 0.2, 0.5, 1.0):
        hits = recall(notes, question, threshold=threshold)
        assert all(hit.relevance >= threshold for hit in hits)
    assert said(recall(notes, question, threshold=0.5)) == ["The production database is PostgreSQL 15"]
    assert len(recall(notes, question, threshold=0.0)) >= len(recall(notes, question))


def test_vectors_of_another_model_are_never_compared(model: Model) -> None:
    """Such notes, and those without a vector, are found by their words alone, and have no similarity."""
    one, other = with_vectors([note("The database is PostgreSQL"), note("A database is SQLite")], model)
    third = note("My database is Redis")
    notes = [one, replace(other, model="another"), third]
    hits = {hit.note.content: hit for hit in recall(notes, asked("Which database?", model))}
    assert len(hits) == 3
    assert hits["The database is PostgreSQL"].similarity is not None
    assert hits["A database is SQLite"].similarity is None
    assert hits["My database is Redis"].similarity is None
    unlike = [replace(one, model="another") for one in with_vectors([note("User's daughter Mia was born")], model)]
    assert recall(unlike, asked("Does she have children?", model)) == []


def test_similarity_is_the_exact_cosine(model: Model) -> None:
    """Not the one that sign bits reckon."""
    text = "The production database is PostgreSQL 15"
    (hit,) = recall(with_vectors([note(text)], model), asked(text, model))
    assert hit.similarity == pytest.approx(1, abs=1e-4)
    assert hit.relevance == pytest.approx(1, abs=0.3)


def test_the_fresher_the_surer_and_the_more_helpful_of_two_equals_comes_first() -> None:
    """What the second seed's formula adds to relevance."""
    old = note("The deploy key is blue", name="0" * 24, at=NOW - 300 * DAY)
    question = asked("deploy key")
    for better in (
        replace(old, id="1" * 24, created_at=NOW, updated_at=NOW),
        replace(old, id="1" * 24, confidence=1.0),
        replace(old, id="1" * 24, helpful=3),
    ):
        assert [hit.note for hit in recall([old, better], question)] == [better, old]
    worse = replace(old, id="1" * 24, unhelpful=3)
    assert [hit.note for hit in recall([worse, old], question)] == [old, worse]
    assert recall([old], question, uses=9)[0].score > recall([old], question, uses=0)[0].score


def test_freshness_alone_does_not_win() -> None:
    """A new, sure and praised note that hardly answers stays behind an old, doubtful answer."""
    answer = note("The staging database password rotates monthly", at=NOW - 1_000 * DAY, confidence=0.3)
    fresh = replace(note("The database is green", confidence=1.0), helpful=9)
    hits = recall([fresh, answer], asked("When does the staging database password rotate?"), uses=5)
    assert [hit.note for hit in hits] == [answer, fresh]


def test_the_best_answer_has_the_seed_s_score() -> None:
    """0.45 relevance, 0.15 recency, 0.15 confidence, 0.05 access, 0.10 feedback, 0.10 keywords; `why` says each."""
    one = replace(note("The deploy key is blue", at=NOW - 100 * DAY), helpful=1)
    (hit,) = recall([one], asked("deploy key"), uses=10, why=True)
    assert hit.why == {
        "relevance": pytest.approx(0.45 * hit.relevance),
        "recency": pytest.approx(0.15 / 2),
        "confidence": pytest.approx(0.15 * 0.8),
        "access": pytest.approx(0.05 / 2),
        "feedback": pytest.approx(0.10 * 2 / 3),
        "keywords": pytest.approx(0.10),
    }
    assert hit.score == pytest.approx(sum(hit.why.values()))
    assert (hit.uses, recall([one], asked("deploy key"))[0].why) == (10, None)


def test_scores_and_relevance_stay_between_0_and_1(model: Model) -> None:
    """At their best, too; and hits come in the order of their scores."""
    best = replace(note("blue", confidence=1.0), helpful=10_000)
    notes = with_vectors([best, *(note(text) for text in MEMORY)], model)
    hits = recall(notes, asked("blue", model), uses=10**9, threshold=0)
    assert all(0 < hit.relevance <= 1 and 0 < hit.score <= 1 for hit in hits)
    assert hits == sorted(hits, key=lambda hit: -hit.score)


def test_the_shortlist_keeps_the_best_of_many(model: Model) -> None:
    """Of a thousand rows as many as are asked for, with the two that answer, by words and by meaning."""
    many = [note(f"Ticket {number} is closed", name=f"{number:024x}") for number in range(1_000)]
    answers = with_vectors([note("Coffee is drunk black"), note("She likes an espresso after lunch")], model)
    for used in (None, model):
        question = asked("How is coffee drunk?", used)
        listed = shortlist(columns([*many, *answers]), question, most=20)
        assert listed[0].id == answers[0].id
        assert len(listed) <= 20
    assert answers[1].id in {one.id for one in listed}


def test_a_note_that_is_gone_meanwhile_is_left_out() -> None:
    """Between the two requests somebody may forget it."""
    one = note("The deploy key is blue")
    question = asked("deploy key")
    listed = shortlist(columns([one]), question)
    assert rank(listed, {}, question, now=NOW) == []


def test_no_rows_and_no_words_find_nothing(model: Model) -> None:
    """No division by nothing."""
    for used in (None, model):
        assert recall([], asked("anything", used)) == []
        assert recall([note("The deploy key is blue")], asked("?!", used)) == []


def test_a_long_question_finds_what_it_is_about(model: Model) -> None:
    """Its first 32 terms are looked for."""
    long = "PostgreSQL production database " + " ".join(f"word{number}" for number in range(1_000))
    assert len(make_question(long).terms) == 32 * 3
    notes = with_vectors([note(text) for text in MEMORY], model)
    assert said(recall(notes, asked(long, model)))[0] == "The production database is PostgreSQL 15"


def test_everything_is_an_answer_to_no_question() -> None:
    """What a listing shows has no similarity."""
    one = note("The deploy key is blue")
    assert everything(Kept(one, 3)) == Hit(one, 1.0, 1.0, None, 3)
