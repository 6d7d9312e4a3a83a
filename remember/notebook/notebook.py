"""Notebook: durable notes of whoever is calling, as a tool holds it in its hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from remember.caller import Caller, check_may_wipe, check_may_write, owner_of
from remember.confirmation import Confirmations
from remember.errors import InvalidInput
from remember.notebook.asking import Asked
from remember.notebook.fields import (
    MAX_CONTENT,
    MAX_CONTEXT,
    MAX_NOTES,
    MAX_OWNED,
    MAX_TAGS,
    MAX_WORD,
    Screen,
    check_text,
    draft,
)
from remember.notebook.filters import EVERYTHING
from remember.notebook.keeping import Keeping
from remember.notebook.meaning import Meaning
from remember.notebook.note import Note
from remember.notebook.owned_notes import OwnedNotes
from remember.notebook.results import Forgotten, Recalled, Remembered, Status
from remember.notebook.shown import showing, shown
from remember.owned import Memory
from remember.scope import Scope, parse_scope
from remember.stores.base import Charge
from remember.text.categories import CATEGORIES

DEFAULT_SCOPE: Scope = "user"


class Notebook:
    """Notes in free text, kept apart by owner, found again by meaning and by words (second seed).

    Every method raises StoreUnavailable when the store gives no answer, InvalidInput for what does not fit, and
    RememberIdentityError where the scope needs to know who is calling. Texts are searched for secrets as the plugin's
    `redaction` says.
    """

    def __init__(self, memory: Memory, caller: Caller, tool: str) -> None:
        self._memory = memory
        self._caller = caller
        self._tool = tool

    async def remember(  # noqa: PLR0913  the seed's fields, each by name
        self,
        content: str,
        *,
        category: str | None = None,
        entity: str | None = None,
        confidence: float | None = None,
        namespace: str | None = None,
        tags: Sequence[str] | None = None,
        force: bool = False,
        supersedes: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
        dry_run: bool = False,
    ) -> Remembered:
        """Keep a note of up to 8,000 characters, unless an older one of the namespace says the same.

        Category and entity are told from the content where they are not given, confidence is 0.8, the namespace
        `default`. `force` keeps a copy whatever is there. `supersedes` is the id of a note that this one replaces. With
        `dry_run` nothing is written, and the answer is what it would be.

        Raises:
            SecretRefused: a secret where none may be kept.
            QuotaExceeded: there are 10,000 notes in the namespace, or 20,000 in all.
            RememberConflict: other writers came first on every try.
        """
        owned = self._owned(scope, writes=not dry_run)
        screen = Screen(self._memory.redaction)
        made = draft(
            content,
            category=category,
            entity=entity,
            tags=tags,
            confidence=confidence,
            namespace=namespace,
            screen=screen,
        )
        meaning = self._meaning()
        from remember.notebook.writing import Writing  # noqa: PLC0415  lazy: classification and guard cost 80 ms

        writing = Writing(owned, meaning, self._memory.clock)
        answer = await writing.remember(
            made, force=force, supersedes=supersedes, dry_run=dry_run, charge=self._charge()
        )
        old = None if answer.existing is None else self._shown(answer.existing)
        return replace(answer, note=self._shown(answer.note), existing=old, redacted=screen.found)

    async def recall(  # noqa: PLR0913  each filter by name
        self,
        query: str,
        *,
        limit: int = 5,
        category: str | Sequence[str] | None = None,
        namespaces: str | Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        entity: str | None = None,
        threshold: float | None = None,
        after: str | None = None,
        before: str | None = None,
        period: str | None = None,
        zone: str = "UTC",
        why: bool = False,
        cursor: str | None = None,
        max_chars: int = 1_000_000,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Recalled:
        """The notes that answer a question, best first; `*` asks for all of them, newest first.

        `limit` is 1 to 25; `cursor` goes on from `next_cursor`, and no note comes twice. Notes have to fit every
        filter: one of the categories, one of the namespaces (None: all), all tags, the entity; and times in words (ISO
        dates, "last week", "3 days ago") in an IANA `zone`. `threshold` (0 to 1) is the least relevance. `max_chars`
        also ends a page.
        """
        owned = self._owned(scope)
        asked = Asked(category, namespaces, tags, entity, after, before, period, zone)
        from remember.notebook.reading import Page, Reading  # noqa: PLC0415  lazy: only questions rank

        page = Page(limit, cursor, max_chars, (query, threshold, asked))
        reading = Reading(owned, self._meaning(), self._memory.clock, showing(self._memory.redaction))
        return await reading.recall(
            query, asked.filters(self._memory.clock()), page, threshold=threshold, why=why, charge=self._charge()
        )

    async def forget(self, *ids: str, scope: Scope = DEFAULT_SCOPE) -> Forgotten:
        """Remove notes for good, by their ids or the first eight or more characters of them."""
        done = await Keeping(self._owned(scope, writes=True)).forget(ids, charge=self._charge())
        return replace(done, notes=tuple(map(self._shown, done.notes)))

    async def forget_matching(  # noqa: PLR0913  each filter by name
        self,
        *,
        category: str | Sequence[str] | None = None,
        namespaces: str | Sequence[str] | None = None,
        tags: Sequence[str] | None = None,
        entity: str | None = None,
        after: str | None = None,
        before: str | None = None,
        period: str | None = None,
        zone: str = "UTC",
        confirmation: str | None = None,
        scope: Scope = DEFAULT_SCOPE,
    ) -> Forgotten:
        """Remove every note that fits the filters, in two steps.

        Without `confirmation` nothing is removed: the answer says how many notes it would be, shows the first of them,
        and carries the token that removes exactly these within ten minutes. Global scope takes a signed-in caller.
        """
        owned = self._owned(scope, writes=confirmation is not None)
        asked = Asked(category, namespaces, tags, entity, after, before, period, zone)
        filters = asked.filters(self._memory.clock())
        if filters == EVERYTHING:
            raise InvalidInput(
                "filter", "Say which notes: give a category, namespace, tags, entity or time, or the ids of notes."
            )
        check_may_wipe(self._caller, scope)
        confirmations = Confirmations(self._memory.sealer.of(owned.owner), self._memory.clock, self._caller)
        done = await Keeping(owned).forget_matching(filters, confirmations, confirmation, charge=self._charge())
        return replace(done, notes=tuple(map(self._shown, done.notes)))

    async def feedback(
        self, note_id: str, helpful: bool, *, context: str | None = None, scope: Scope = DEFAULT_SCOPE
    ) -> Note | None:
        """Say whether a note helped; None where there is no such note. Many votes of one kind move its confidence."""
        owned = self._owned(scope, writes=True)
        if not isinstance(helpful, bool):
            raise InvalidInput("helpful", f"helpful must be true or false; got {helpful!r:.60}.")
        screen = Screen(self._memory.redaction)
        said = None if context is None else screen.clean("context", check_text("context", context, MAX_CONTEXT))
        note = await Keeping(owned).feedback(note_id, helpful=helpful, context=said, charge=self._charge())
        return None if note is None else self._shown(note)

    async def status(self, *, scope: Scope = DEFAULT_SCOPE) -> Status:
        """How many notes there are, and what compares them."""
        owned, meaning = self._owned(scope), self._meaning()
        index = await owned.index(charge=self._charge())
        rows = list(index.rows())
        model = await meaning.model()
        return Status(
            total=len(rows),
            categories=dict(_counts(CATEGORIES[row.category] for row in rows)),
            namespaces=dict(_counts(row.namespace for row in rows)),
            mode=await meaning.mode(),
            model=None if model is None else model.id,
            reason=meaning.reason,
            without_vector=sum(not any(row.model) for row in rows),
            unreadable=index.unreadable,
            limits={
                "notes_in_a_namespace": MAX_NOTES,
                "notes": MAX_OWNED,
                "characters": MAX_CONTENT,
                "tags": MAX_TAGS,
                "tag_characters": MAX_WORD,
            },
        )

    def _owned(self, scope: Scope, *, writes: bool = False) -> OwnedNotes:
        if writes:
            check_may_write(self._caller)
        return OwnedNotes(self._memory, owner_of(self._caller, parse_scope(scope), self._tool))

    def _shown(self, note: Note) -> Note:
        return shown(note, showing(self._memory.redaction))

    def _meaning(self) -> Meaning:
        return Meaning(self._memory.model)

    def _charge(self) -> Charge | None:
        return self._memory.charge(self._caller)


def _counts(names: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(names).items())
