"""How well recall finds: DevBench, which lies here, and LoCoMo, from a file that is somewhere else for its licence.

Everything goes the way of a real recall, leaf, shortlist, notes, final order, but for the store. Nothing is tuned to a
set: recall has one ranking. frac@k is the share of a question's notes that are among the first k, MRR the mean of
1 / place of the first of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.report import Cell
from remember.notebook.leaf import Leaf
from remember.notebook.note import Note
from remember.notebook.owned_notes import Kept
from remember.notebook.question import make_question
from remember.notebook.ranking import rank, shortlist
from remember.notebook.rows_of_notes import row_of
from remember.text.embedding import Model, load_model
from remember.text.vectors import Embedded, pack

DEVBENCH = Path(__file__).parent / "data" / "devbench.json"

_DAY = 86_400_000
_TURN = re.compile(r"D(\d+):\d+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the ids of the notes that answer it."""

    question: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Memory:
    """One owner's notes and what is asked of them."""

    notes: Sequence[Note]
    asked: Sequence[Asked]


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over the questions that have an answer; `silent` is the share of the others that found nothing."""

    questions: int
    frac_at_5: float
    frac_at_10: float
    mrr: float
    silent: float | None


def devbench(path: Path = DEVBENCH) -> Memory:
    """30 notes of a software project and 20 questions, five of them about what no note says. Tags are left out."""
    record = json.loads(path.read_text())
    notes = [
        _note(one["id"], one["content"], at=round(datetime.fromisoformat(one["created_at_iso"]).timestamp() * 1000))
        for one in record["memories"]
    ]
    return Memory(notes, [Asked(one["question"], frozenset(one["expected"])) for one in record["queries"]])


def locomo(path: Path, *, sessions: bool = False) -> Iterator[Memory]:
    """Each conversation of a locomo10.json, a note for each turn or for each session."""
    for record in json.loads(path.read_text()):
        talk = record["conversation"]
        turns = {name: said for name, said in talk.items() if name.startswith("session_") and isinstance(said, list)}
        if sessions:
            notes = [
                _note(name.removeprefix("session_"), "\n".join(map(_said, said)), at=0) for name, said in turns.items()
            ]
        else:
            notes = [_note(turn["dia_id"], _said(turn), at=0) for said in turns.values() for turn in said]
        known = {note.id for note in notes}
        asked = [Asked(one["question"], _evidence(one["evidence"], sessions) & known) for one in record["qa"]]
        yield Memory(notes, [one for one in asked if one.answers])


def quality(memories: Iterable[Memory], model: Model | None, *, limit: int = 10) -> Quality:
    """Recall's, with a model or by words alone."""
    fracs: list[tuple[float, float, float]] = []
    silent: list[bool] = []
    for memory in memories:
        for asked, found in zip(memory.asked, _recall(memory, model, limit), strict=True):
            if asked.answers:
                fracs.append((_frac(asked, found[:5]), _frac(asked, found), _reciprocal(asked, found)))
            else:
                silent.append(not found)
    five, ten, mrr = (sum(column) / len(fracs) for column in zip(*fracs, strict=True))
    return Quality(len(fracs), five, ten, mrr, sum(silent) / len(silent) if silent else None)


def table(locomo_file: Path | None = None) -> list[dict[str, Cell]]:
    """A line for each set, with the model and without."""
    model = load_model()
    sets = {"DevBench": [devbench()]}
    if locomo_file:
        sets["LoCoMo, turns"] = list(locomo(locomo_file))
        sets["LoCoMo, sessions"] = list(locomo(locomo_file, sessions=True))
    found = [
        (name, by, quality(memories, used))
        for name, memories in sets.items()
        for by, used in (("words and meaning", model), ("words", None))
        if used or by == "words"
    ]
    return [
        {
            "set": name,
            "by": by,
            "questions": one.questions,
            "frac@5": one.frac_at_5,
            "frac@10": one.frac_at_10,
            "MRR": one.mrr,
        }
        for name, by, one in found
    ]


def _recall(memory: Memory, model: Model | None, limit: int) -> Iterator[list[str]]:
    notes = _embedded([replace(note, id=f"{at:024x}") for at, note in enumerate(memory.notes)], model)
    columns = Leaf.of(map(row_of, notes)).columns()
    kept = {note.id: Kept(note, 0) for note in notes}
    now = max(note.updated_at for note in notes) + _DAY
    questions = [one.question for one in memory.asked]
    vectors = model.embed(questions) if model else [None] * len(questions)
    for text, vector in zip(questions, vectors, strict=True):
        question = make_question(text, Embedded(model.id, vector) if model else None)
        hits = rank(shortlist(columns, question), kept, question, now=now)
        yield [memory.notes[int(hit.note.id, 16)].id for hit in hits[:limit]]


def _note(name: str, content: str, *, at: int) -> Note:
    """A note of no particular kind, made at that time."""
    return Note(name, content, "fact", None, (), 0.8, "default", at, at)


def _embedded(notes: Sequence[Note], model: Model | None) -> list[Note]:
    if model is None:
        return list(notes)
    vectors = model.embed([note.content for note in notes])
    return [replace(note, model=model.id, vector=pack(vector)) for note, vector in zip(notes, vectors, strict=True)]


def _said(turn: dict[str, Any]) -> str:
    """A turn as a line of the conversation; of a picture, what it shows."""
    shown = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{shown}"


def _evidence(named: Iterable[str], sessions: bool) -> frozenset[str]:
    """The turns that are named, or their sessions."""
    found = [match for names in named for match in _TURN.finditer(names)]
    return frozenset(match[1] if sessions else match[0] for match in found)


def _frac(asked: Asked, found: Sequence[str]) -> float:
    return len(asked.answers & set(found)) / len(asked.answers)


def _reciprocal(asked: Asked, found: Sequence[str]) -> float:
    return next((1 / place for place, name in enumerate(found, 1) if name in asked.answers), 0.0)
