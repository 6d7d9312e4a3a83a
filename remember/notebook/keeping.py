"""What happens to notes that are there: votes on them, and their end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from remember.confirmation import Confirmations
from remember.errors import RememberConflict
from remember.notebook.filters import Filters
from remember.notebook.index import Index
from remember.notebook.note import MOST_CONTEXTS, Note
from remember.notebook.owned_notes import OwnedNotes
from remember.notebook.results import Forgotten
from remember.notebook.row import Row
from remember.stores.base import Charge

MOST_SHOWN = 20
"""Notes that are shown of what would be deleted."""

_MAX_TRIES = 500  # each lost one means that another writer got through
_BATCH = 500
"""Notes that one request reads; more of them could be more than a store answers at once."""

_LEAST_VOTES = 5
_STRONG = 0.8
"""The share of one-sided votes from which they move the confidence."""


class Keeping:
    """Forgets notes and takes votes on them, for one owner."""

    def __init__(self, owned: OwnedNotes) -> None:
        self._owned = owned

    async def forget(self, ids: Sequence[object], *, charge: Charge | None) -> Forgotten:
        """Remove the notes of these ids or beginnings of ids; those that are not there are named.

        Raises:
            InvalidInput: one of them is no id, or the beginning of several.
        """
        index = await self._owned.index(charge=charge)
        for _ in range(_MAX_TRIES):
            found = {str(given): index.find(given) for given in ids}
            gone = tuple(dict.fromkeys(note_id for note_id in found.values() if note_id is not None))
            missing = tuple(given for given, note_id in found.items() if note_id is None)
            notes = await self._notes(gone)
            if not gone:
                return Forgotten((), missing)
            commit = await self._owned.commit(index, (), gone)
            if commit.done:
                return Forgotten(notes, missing, count=len(gone))
            index = commit.index
        raise _overtaken()

    async def forget_matching(
        self, filters: Filters, confirmations: Confirmations, confirmation: str | None, *, charge: Charge | None
    ) -> Forgotten:
        """Without a confirmation, what would be deleted and the token for it; with it, delete exactly that.

        Raises:
            InvalidInput: the token is not for what fits the filters now.
        """
        index = await self._owned.index(charge=charge)
        for _ in range(_MAX_TRIES):
            rows = await self._fitting(index, filters)
            bound = ("notes", [(row.id, row.created_at, row.updated_at) for row in rows])
            shown = await self._notes([row.id for row in rows[:MOST_SHOWN]])
            if confirmation is None:
                token = confirmations.give(*bound) if rows else None
                return Forgotten(shown, dry_run=True, count=len(rows), confirmation=token)
            confirmations.check(confirmation, *bound)
            commit = await self._owned.commit(index, (), [row.id for row in rows])
            if commit.done:
                return Forgotten(shown, count=len(rows))
            index = commit.index
        raise _overtaken()

    async def feedback(
        self, note_id: object, *, helpful: bool, context: str | None, charge: Charge | None
    ) -> Note | None:
        """Count a vote; None where there is no such note.

        Raises:
            InvalidInput: it is no id, or the beginning of several.
        """
        index = await self._owned.index(charge=charge)
        for _ in range(_MAX_TRIES):
            found = index.find(note_id)
            kept = (await self._owned.read([found])).get(found) if found else None
            if kept is None:
                return None
            note = _voted(kept.note, helpful=helpful, context=context)
            commit = await self._owned.commit(index, [note])
            if commit.done:
                return note
            index = commit.index
        raise _overtaken()

    async def _fitting(self, index: Index, filters: Filters) -> list[Row]:
        """The rows of the notes that fit, newest first; where a row only has hashes, the notes have the last word."""
        rows = sorted(index.rows(filters), key=lambda row: (-row.created_at, row.id))
        if not filters.tags and filters.entity is None:
            return rows
        fitting = set()
        for at in range(0, len(rows), _BATCH):
            kept = await self._owned.read([row.id for row in rows[at : at + _BATCH]])
            fitting |= {note_id for note_id, one in kept.items() if filters.admits(one.note)}
        return [row for row in rows if row.id in fitting]

    async def _notes(self, ids: Iterable[str]) -> tuple[Note, ...]:
        return tuple(kept.note for kept in (await self._owned.read(ids)).values())


def _voted(note: Note, *, helpful: bool, context: str | None) -> Note:
    """A note with one more vote, which changes nothing of what it says.

    From five votes on, ones that are nearly all alike move its confidence (second seed).
    """
    good, bad = note.helpful + helpful, note.unhelpful + (not helpful)
    confidence = note.confidence
    if good + bad >= _LEAST_VOTES:
        if good / (good + bad) >= _STRONG:
            confidence = min(1.0, round(confidence + 0.05, 4))
        elif bad / (good + bad) >= _STRONG:
            confidence = max(min(0.1, confidence), round(confidence - 0.1, 4))
    contexts = note.contexts if context is None else (*note.contexts, context)[-MOST_CONTEXTS:]
    return replace(note, helpful=good, unhelpful=bad, confidence=confidence, contexts=contexts)


def _overtaken() -> RememberConflict:
    return RememberConflict("Others kept writing notes at the same time; nothing was changed. Try again.")
