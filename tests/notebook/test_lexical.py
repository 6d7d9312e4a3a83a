"""A notebook without its model: words compare, nothing is lost, every answer says so, and the model may come later."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from remember.notebook.meaning import MOST_FILLED, Meaning
from remember.notebook.note import Note
from remember.notebook.owned_notes import OwnedNotes
from remember.stores.memory import MemoryStore
from tests.notebook.conftest import NO_MODEL, Book, memory_of
from tests.notebook.test_writing import CONTRADICTIONS
from tests.standins.clock import MovingClock


@pytest.mark.promise("notes.lexical")
def test_every_answer_says_so(words: Book) -> None:
    """remember, recall and status; the last of them says why, and names no path."""
    assert words.remember("Anna likes tea").mode == "lexical"
    assert words.recall("tea").mode == words.recall("*").mode == "lexical"
    status = words.status()
    assert (status.mode, status.model, status.without_vector) == ("lexical", None, 1)
    assert status.reason == "the weights cannot be read (FileNotFoundError)."
    assert NO_MODEL not in repr(status)


@pytest.mark.promise("notes.embedding")
def test_with_a_model_they_say_so_too(book: Book) -> None:
    """Its id is on every vector."""
    note = book.remember("Anna likes tea").note
    status = book.status()
    assert (book.recall("tea").mode, status.mode, status.reason, status.without_vector) == ("minilm", "minilm", None, 0)
    assert note.model == status.model == asyncio.run(model_id())


async def model_id() -> str:
    model = await Meaning(None).model()
    assert model is not None
    return model.id


def test_the_same_text_is_a_duplicate(words: Book) -> None:
    """Also in another order of white space, case and synonyms."""
    first = words.remember("The user prefers dark mode").note
    for text in ("The  user prefers dark mode", "User prefers dark mode", "The user prefers dark mode."):
        assert (words.remember(text).outcome, text) == ("duplicate", text)
    assert list(words.everything()) == [first.id]


@pytest.mark.parametrize(("old", "new"), CONTRADICTIONS)
def test_a_contradiction_is_kept(words: Book, old: str, new: str) -> None:
    """And told of where most words are the same, without a similarity."""
    first = words.remember(old).note
    answer = words.remember(new)
    assert (answer.outcome, answer.similarity) == ("created", None)
    assert len(words.everything()) == 2
    assert [(one.id, one.similarity) for one in answer.conflicts] in ([(first.id, None)], [])


SCRIPTS = {
    "Chinese": ("人工智能技术发展迅速", "人工智能"),
    "Japanese": ("弟はしりとりが好きです", "しりとり"),
    "Japanese katakana": ("サーバーはコンテナで動く", "コンテナ"),
    "Korean": ("동생은 끝말잇기를 좋아한다", "끝말잇기"),
    "Russian": ("Ротация ключей каждый месяц", "ротация"),
    "Greek": ("Η ομάδα χρησιμοποιεί βάση δεδομένων", "ομάδα"),
    "Arabic": ("الخادم يعمل في القاهرة", "القاهرة"),
    "Hebrew": ("השרת נמצא בחיפה", "השרת"),
    "Thai": ("ผู้ใช้ชอบกาแฟดำ", "กาแฟ"),
    "Hindi": ("उपयोगकर्ता को चाय पसंद है", "चाय"),
    "accents": ("Das Café in Zürich öffnet um neun", "cafe zurich"),
    "decomposed": ("Anna wohnt in Zürich", "Zu\u0308rich"),
    "no accents": ("The cafe opens at nine", "café"),
}


@pytest.mark.promise("notes.recall")
@pytest.mark.parametrize("model", [None, NO_MODEL], ids=["minilm", "lexical"])
def test_every_script_is_found(store: MemoryStore, clock: MovingClock, model: str | None) -> None:
    """I6: by a part of a sentence, first among notes in all the others."""
    book = Book(memory_of(store, clock, model=model))
    for text, _ in SCRIPTS.values():
        assert book.remember(text).outcome == "created"
    for text, question in SCRIPTS.values():
        assert text in book.found(question)[:2], question


def test_questions_of_signs_alone_are_no_error(words: Book) -> None:
    """They find nothing, or what has them."""
    words.remember("Anna likes tea")
    for query in ("?", "???", "- - -", "🙂", '"', "*?", "\\", "a:b {c}|d", "%"):
        assert words.recall(query).hits == ()
    assert words.found("what does Anna like?") == ["Anna likes tea"]


def test_notes_get_their_vectors_when_the_model_is_back(words: Book, book: Book) -> None:
    """I12: a few with each question that reads them, until all have one; no word or date of a note changes by it."""
    texts = [f"Fact {number} of the harbour" for number in range(MOST_FILLED + 4)]
    before = {note.id: note for note in (words.remember(text).note for text in texts)}
    assert all(note.vector is None for note in before.values())
    left = [book.status().without_vector]
    for _ in range(3):
        assert len(book.found("harbour", limit=20)) == len(texts)
        left.append(book.status().without_vector)
    assert left == [len(texts), 4, 0, 0]
    after = book.everything()
    assert {note_id: (note.content, note.updated_at) for note_id, note in after.items()} == {
        note_id: (note.content, note.updated_at) for note_id, note in before.items()
    }
    assert all(note.model is not None and len(note.vector or b"") == 384 for note in after.values())


def test_a_note_without_a_vector_is_still_a_duplicate(words: Book, book: Book) -> None:
    """Exactly, and as a paraphrase; and a contradiction to it is still kept."""
    note = words.remember("My favourite editor is Vim").note
    assert book.remember("My favourite editor is Vim").note.id == note.id
    assert book.remember("My favorite editor is vim").note.id == note.id
    assert book.remember("My favourite editor is not Vim").outcome == "created"


def test_vectors_of_another_model_are_not_compared(book: Book, store: MemoryStore, clock: MovingClock) -> None:
    """I13: such notes are found and compared by words, and given a vector of this model in passing."""
    note = book.remember("User prefers dark mode").note
    other = replace(note, model="minilm-int8:0badc0de", vector=bytes([129] * 384))
    asyncio.run(write(book, other))
    assert book.everything() == {note.id: other}
    assert Book(memory_of(store, clock)).found("dark mode") == ["User prefers dark mode"]
    assert book.remember("The user prefers dark mode").outcome == "duplicate"
    assert book.found("dark mode") == ["User prefers dark mode"]
    again = book.everything()[note.id]
    assert (again.model, again.vector) == (note.model, note.vector)


async def write(book: Book, note: Note) -> None:
    """Put a note in the store as a process with other weights would have."""
    owned = OwnedNotes(book.memory, book.owner)
    assert (await owned.commit(await owned.index(), [note])).done
