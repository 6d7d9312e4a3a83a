"""How notes are found again: read all leaves, take the likeliest, read these, rank them, and show a page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remember.accessor import read_cursor, write_cursor
from remember.clock import Clock
from remember.entry import dump_json
from remember.errors import InvalidInput
from remember.notebook.fields import MAX_QUERY, Screen, check_share, check_text
from remember.notebook.filters import Filters
from remember.notebook.index import Index
from remember.notebook.meaning import Meaning
from remember.notebook.owned_notes import Kept, OwnedNotes
from remember.notebook.question import Question, make_question, readable
from remember.notebook.ranking import MOST_SHORTLISTED, everything, rank, shortlist
from remember.notebook.results import Hit, Recalled
from remember.notebook.row import Row
from remember.notebook.shown import shown
from remember.stores.base import Charge

if TYPE_CHECKING:
    from remember.text.vectors import Embedded

MAX_LIMIT = 25
MOST_SHOWN = 400
"""Notes that the pages of one question show: the cursor names each, so that none comes twice, whatever changes."""

ALL = "*"
_MARK = 8  # characters of an id that stand for it in a cursor
_FRAME = 400  # about what a note's other fields take in an answer


@dataclass(frozen=True, slots=True)
class Page:
    """How much is asked for, and where to go on; `asked` is what a cursor is bound to."""

    limit: int
    cursor: str | None
    max_chars: int
    asked: tuple[object, ...]

    def after(self, owner: object) -> str:
        """Where the page before this one ended; empty for the first."""
        if self.cursor is None:
            return ""
        return read_cursor(self.cursor, owner, self.asked, since="for this question and these filters")

    def next(self, owner: object, after: str) -> str:
        """The cursor to go on with."""
        return write_cursor(after, owner, self.asked)


class Reading:
    """Answers one question of one owner."""

    def __init__(self, owned: OwnedNotes, meaning: Meaning, clock: Clock, screen: Screen) -> None:
        self._owned = owned
        self._meaning = meaning
        self._clock = clock
        self._screen = screen

    async def recall(
        self, query: str, filters: Filters, page: Page, *, threshold: float | None, why: bool, charge: Charge | None
    ) -> Recalled:
        """A page of what answers the question.

        Raises:
            InvalidInput: an argument does not fit.
        """
        if type(page.limit) is not int or not 1 <= page.limit <= MAX_LIMIT:
            raise InvalidInput("limit", f"limit must be a whole number from 1 to {MAX_LIMIT}; got {page.limit!r:.60}.")
        query = check_text("query", query, MAX_QUERY)
        least = None if threshold is None else check_share("threshold", threshold)
        after = page.after(self._owned.owner)
        if query.strip() == ALL:
            return await self._everything(filters, page, after, charge)
        index, vector = await asyncio.gather(self._owned.index(charge=charge), self._vector(query))
        question = make_question(query, vector)
        shown = _marks(after)
        listed = shortlist(index.columns(filters), question, most=MOST_SHORTLISTED + len(shown))
        listed = [one for one in listed if one.id[:_MARK] not in shown][:MOST_SHORTLISTED]
        kept = await self._owned.read([one.id for one in listed], use=[one.id for one in listed[: page.limit]])
        kept = await self._with_vectors(index, question, kept)
        admitted = {note_id: one for note_id, one in kept.items() if filters.admits(one.note)}
        hits = rank(listed, admitted, question, now=self._clock(), threshold=least, why=why)
        taken = self._taken(hits, page)
        more = len(hits) > len(taken) or (len(hits) == len(listed) == MOST_SHORTLISTED)
        return await self._answer(
            page, taken, more=more, shown=shown, unreadable=index.unreadable + len(listed) - len(kept)
        )

    async def _vector(self, query: str) -> Embedded | None:
        return await self._meaning.embedded(query) if readable(query) else None

    async def _everything(self, filters: Filters, page: Page, after: str, charge: Charge | None) -> Recalled:
        """Every note that fits, newest first; an order that no write changes, so a place in it is cursor enough."""
        index = await self._owned.index(charge=charge)
        rows = sorted(index.rows(filters), key=_place)
        if after:
            rows = [row for row in rows if _place(row) > _read_place(after)]
        wanted = [row.id for row in rows[: page.limit]]
        kept = await self._owned.read(wanted)
        found = [kept[note_id] for note_id in wanted if note_id in kept]
        hits = [everything(one) for one in found if filters.admits(one.note)]
        taken = self._taken(hits, page)
        last = taken[-1].note.id if len(taken) < len(hits) else wanted[-1] if wanted else None
        more = last is not None and rows[-1].id != last
        cursor = (
            page.next(self._owned.owner, _write_place(next(row for row in rows if row.id == last))) if more else None
        )
        return await self._shown(taken, cursor, truncated=more, unreadable=index.unreadable + len(wanted) - len(kept))

    async def _answer(
        self, page: Page, taken: Sequence[Hit], *, more: bool, shown: frozenset[str], unreadable: int
    ) -> Recalled:
        marks = shown | {hit.note.id[:_MARK] for hit in taken}
        going_on = more and len(marks) <= MOST_SHOWN
        cursor = page.next(self._owned.owner, "".join(sorted(marks))) if going_on else None
        return await self._shown(taken, cursor, truncated=more, unreadable=unreadable)

    async def _shown(self, taken: Iterable[Hit], cursor: str | None, *, truncated: bool, unreadable: int) -> Recalled:
        hits = tuple(hit._replace(note=shown(hit.note, self._screen)) for hit in taken)
        mode = await self._meaning.mode()
        return Recalled(hits, mode, truncated, cursor, unreadable, self._screen.found)

    def _taken(self, hits: Sequence[Hit], page: Page) -> list[Hit]:
        """As many of the hits as one answer has room for, and one of them in any case."""
        taken: list[Hit] = []
        room = page.max_chars
        for hit in hits[: page.limit]:
            room -= len(dump_json(dump_json(hit.note.content))) + _FRAME
            if room < 0 and taken:
                break
            taken.append(hit)
        return taken

    async def _with_vectors(self, index: Index, question: Question, kept: dict[str, Kept]) -> dict[str, Kept]:
        """The notes that were read, with vectors for a few that have none of this model; these are kept for the next
        time, unless somebody else has written meanwhile.
        """
        if question.vector is None:
            return kept
        filled = await self._meaning.with_vectors(one.note for one in kept.values())
        if filled:
            await self._owned.commit(index, filled)
        return kept | {note.id: kept[note.id]._replace(note=note) for note in filled}


def _marks(after: str) -> frozenset[str]:
    return frozenset(after[at : at + _MARK] for at in range(0, len(after), _MARK))


def _place(row: Row) -> tuple[int, str]:
    return -row.created_at, row.id


def _write_place(row: Row) -> str:
    return f"{row.created_at}:{row.id}"


def _read_place(after: str) -> tuple[int, str]:
    created, _, note_id = after.partition(":")
    if not created.isdecimal():
        raise InvalidInput("cursor", "cursor goes on with another question than this one; leave it out to begin anew.")
    return -int(created), note_id
