"""The doctor's talk with the store: does it answer, how fast, may we write, and since when is it ours."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

from remember.clock import Clock
from remember.errors import StoreUnavailable
from remember.keys import Shelf, layout_key
from remember.pages import look_at
from remember.stores.base import Store

ROUND_TRIPS = 5
LAST_YEAR_MS = 253_402_300_800_000  # the end of the year 9999

LIFE_MS = 60_000
"""How long what the doctor wrote can stay, should it be cut off before it takes it away."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How the store did. `state` is `ok` or a StoreUnavailable's reason, `problem` its sentence.

    `round_trip_ms` is the median of several reads, `since` when the layout first reached the store, in milliseconds
    since 1970; both None where they could not be had.
    """

    state: str
    problem: str | None = None
    round_trip_ms: float | None = None
    since: int | None = None
    foreign_layout: bool = False


async def try_store(store: Store, key_prefix: str, *, clock: Clock, timer: Callable[[], float]) -> Trial:
    """Read, write and clean up. `timer` counts seconds."""
    look = await look_at(store, key_prefix)  # opens the connection, which the round trips shall not count
    trial = Trial(*look)
    if look.problem is not None:
        return trial
    try:
        trial = replace(trial, round_trip_ms=await _round_trip(store, key_prefix, timer))
        trial = _dated(trial, await store.get(layout_key(key_prefix)))
        await _write(store, key_prefix, clock())
        if trial.since is None and not trial.foreign_layout and store.lasting:
            trial = _dated(trial, await _record_layout(store, key_prefix, clock()))
    except StoreUnavailable as exc:
        return replace(trial, state=exc.reason, problem=str(exc))
    return trial


def own_shelf(key_prefix: str) -> Shelf:
    """The doctor's shelf: the layout's record stands on it, and no owner's shelf can have its names."""
    return Shelf(f"{key_prefix}__doctor__", f"{key_prefix}__")


async def _round_trip(store: Store, key_prefix: str, timer: Callable[[], float]) -> float:
    times = []
    for _ in range(ROUND_TRIPS):
        begin = timer()
        await store.get(layout_key(key_prefix))
        times.append(timer() - begin)
    return round(median(times) * 1000, 1)


async def _write(store: Store, key_prefix: str, now: int) -> None:
    """A harmless write, taken away at once; its name is random, so that two doctors do not meet."""
    place = own_shelf(key_prefix).place(f"trial-{secrets.token_hex(8)}")
    await store.put(place, "", now + LIFE_MS)
    await store.remove(place)


async def _record_layout(store: Store, key_prefix: str, now: int) -> str | None:
    """Say in the store which layout it has, unless somebody did meanwhile; what lies there then."""
    record = json.dumps({"version": 2, "since": now}, separators=(",", ":"))
    place = own_shelf(key_prefix).place("layout__")
    return (await store.swap(place, None, record, None)).current or record


def _dated(trial: Trial, record: str | None) -> Trial:
    if record is None:
        return trial
    try:
        read = json.loads(record)
    except ValueError:
        read = None
    match read:
        case {"version": 2, "since": int(since)} if 0 <= since < LAST_YEAR_MS:
            return replace(trial, since=since)
    return replace(trial, foreign_layout=True)
