"""How a note is taken in: read leaves, nominate, read the nominated, decide, and write if nothing changed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from remember.clock import Clock
from remember.errors import InvalidInput, QuotaExceeded, RememberConflict
from remember.notebook.deciding import Candidate, Decision, decide
from remember.notebook.fields import DEFAULT_CONFIDENCE, MAX_NOTES, MAX_OWNED, MAX_TAGS, Draft
from remember.notebook.filters import Filters
from remember.notebook.index import Index
from remember.notebook.meaning import Meaning
from remember.notebook.nominating import nominate, same_text
from remember.notebook.note import MOST_VERSIONS, Note, Version
from remember.notebook.owned_notes import OwnedNotes
from remember.notebook.results import Mode, Remembered
from remember.notebook.row import hash_terms
from remember.stores.base import Charge
from remember.text.classification import classify
from remember.text.terms import terms

if TYPE_CHECKING:
    from remember.text.vectors import Embedded

_MAX_TRIES = 500  # each lost one means that another writer got through


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written, and the answer once it is."""

    answer: Remembered
    put: Note | None = None
    remove: tuple[str, ...] = ()


class Writing:
    """Takes one draft in."""

    def __init__(self, owned: OwnedNotes, meaning: Meaning, clock: Clock) -> None:
        self._owned = owned
        self._meaning = meaning
        self._clock = clock

    async def remember(
        self, draft: Draft, *, force: bool, supersedes: str | None, dry_run: bool, charge: Charge | None
    ) -> Remembered:
        """Create, merge or find the note again.

        Raises:
            InvalidInput: `supersedes` names no note.
            QuotaExceeded: there are as many notes as there may be.
            RememberConflict: other writers came first on every try.
        """
        index, vector = await asyncio.gather(self._owned.index(charge=charge), self._meaning.embedded(draft.content))
        for _ in range(_MAX_TRIES):
            plan = await self._plan(index, draft, vector, force=force, supersedes=supersedes)
            if dry_run or (plan.put is None and not plan.remove):
                return plan.answer
            commit = await self._owned.commit(index, [plan.put] if plan.put else [], plan.remove)
            if commit.done:
                return plan.answer
            index = commit.index
        raise RememberConflict("Others kept writing notes at the same time; nothing was written. Try again.")

    async def _plan(
        self, index: Index, draft: Draft, vector: Embedded | None, *, force: bool, supersedes: str | None
    ) -> Plan:
        beside = index.columns(Filters(namespaces=(draft.namespace,)))
        replaced = None if supersedes is None else index.find(supersedes, "supersedes")
        repeated = supersedes is not None and replaced is None  # if it was done already, and its answer was lost
        exact = same_text(index.opened(), draft.namespace, draft.content) if repeated or not force else []
        if repeated and not exact:
            raise InvalidInput(
                "supersedes", f"supersedes names no note of this memory: {supersedes!r:.60}. Nothing was stored."
            )
        if len(exact) > 1:
            exact = [note_id for note_id in exact if note_id != replaced]
        ids = {*exact, *([replaced] if replaced else [])}
        if not exact and not force:
            ids |= set(nominate(beside, hash_terms(terms(draft.content)), vector))
        known = {note_id: kept.note for note_id, kept in (await self._owned.read(sorted(ids))).items()}
        old = None
        if replaced is not None and replaced not in exact:
            if replaced not in known:
                raise InvalidInput("supersedes", "The note that supersedes names does not open. Nothing was stored.")
            old = known.pop(replaced)
        decision = await self._decide(draft, exact, known, vector) if exact or not force else Decision("created")
        answer = await self._answer(index, draft, decision, vector)
        if answer.answer.outcome == "created" and old is None:
            _check_room(beside.total, index.total)
        return self._superseding(answer, old)

    async def _decide(
        self, draft: Draft, exact: Sequence[str], known: dict[str, Note], vector: Embedded | None
    ) -> Decision:
        note = next((known[note_id] for note_id in exact if note_id in known), None)
        if note is not None:
            return Decision("duplicate", target=note, similarity=1.0, content=note.content)
        notes = list(known.values())
        if vector is None:
            return decide(draft.content, [Candidate(note, None) for note in notes])
        from remember.text.vectors import cosines  # noqa: PLC0415  lazy: it needs numpy, which the model brings

        filled = {note.id: note for note in await self._meaning.with_vectors(notes)}
        notes = [filled.get(note.id, note) for note in notes]
        found = cosines(vector, [(note.model, note.vector or b"") for note in notes])
        return decide(draft.content, map(Candidate, notes, found))

    async def _answer(self, index: Index, draft: Draft, decision: Decision, vector: Embedded | None) -> Plan:
        mode: Mode = "lexical" if vector is None else "minilm"
        now = self._clock()
        if decision.target is None:
            note = self._created(index, draft, vector, now)
            return Plan(Remembered("created", note, mode, conflicts=decision.conflicts), put=note)
        old = decision.target
        note, folded = _folded(old, draft, decision, now)
        if note.content != old.content:
            note = replace(note, model=None, vector=None)
            note = next(iter(await self._meaning.with_vectors([note])), note)
        answer = Remembered(
            decision.outcome,
            note,
            mode,
            similarity=decision.similarity,
            existing=old,
            folded=folded,
            conflicts=decision.conflicts,
        )
        return Plan(answer, put=None if note == old else note)

    def _created(self, index: Index, draft: Draft, vector: Embedded | None, now: int) -> Note:
        guess = classify(draft.content) if draft.category is None or draft.entity is None else None
        entity = draft.entity if draft.entity is not None or guess is None else guess[1]
        given = {"category": draft.category, "entity": draft.entity}
        note = Note(
            id=self._free_id(index, draft),
            content=draft.content,
            category=draft.category or (guess[0] if guess else "fact"),
            entity=entity,
            tags=draft.tags,
            confidence=DEFAULT_CONFIDENCE if draft.confidence is None else draft.confidence,
            namespace=draft.namespace,
            created_at=now,
            updated_at=now,
            guessed=tuple(name for name, value in given.items() if value is None),
        )
        if vector is None:
            return note
        from remember.text.vectors import pack  # noqa: PLC0415  lazy: as above

        return replace(note, model=vector.model, vector=pack(vector.vector))

    def _free_id(self, index: Index, draft: Draft) -> str:
        ids = (self._owned.new_id(draft.namespace, draft.content, copy) for copy in count())
        return next(note_id for note_id in ids if not index.has(note_id))

    def _superseding(self, plan: Plan, old: Note | None) -> Plan:
        """The same with an older note taken out, whose text goes on as history of the one that takes its place."""
        if old is None:
            return plan
        note = plan.put or plan.answer.note
        gone = Version(old.content, self._clock(), "superseded")
        note = replace(note, history=(*note.history, *old.history, gone)[-MOST_VERSIONS:])
        answer = replace(plan.answer, note=note, supersedes=old.id)
        return Plan(answer, put=note, remove=(old.id,))


def _check_room(beside: int, owned: int) -> None:
    """Refuse one note more than there may be, of so many in its namespace and so many of its owner."""
    if beside >= MAX_NOTES:
        raise QuotaExceeded("notes in this namespace", MAX_NOTES)
    if owned >= MAX_OWNED:
        raise QuotaExceeded("notes", MAX_OWNED)


def _folded(old: Note, draft: Draft, decision: Decision, now: int) -> tuple[Note, tuple[str, ...]]:
    """An older note with what the draft adds, and what that was besides its text."""
    tags = tuple(dict.fromkeys((*old.tags, *draft.tags)))[:MAX_TAGS]
    confidence = max(old.confidence, draft.confidence or 0.0)
    folded = tuple(
        name for name, changed in (("tags", tags != old.tags), ("confidence", confidence != old.confidence)) if changed
    )
    history = old.history
    if decision.outcome == "merged":
        other = old.content if decision.content != old.content else draft.content
        history = (*history, Version(other, now, "folded"))[-MOST_VERSIONS:]
    note = replace(old, content=decision.content, tags=tags, confidence=confidence, history=history)
    return (note if note == old else replace(note, updated_at=now)), folded
