"""How often one caller may ask, counted for nearly nothing."""

from __future__ import annotations

from collections import Counter

from remember.caller import Caller
from remember.clock import Clock
from remember.errors import RateLimited
from remember.keys import rate_key
from remember.stores.base import Charge

MINUTE_MS = 60_000


class RateLimit:
    """Bounds each caller's calls of the memory in a minute of the clock.

    A tenth of them is counted in this process alone, so that normal use costs nothing. What goes beyond is also counted
    in the store, across all instances, by the same request as the operation. So one process is exact, and each further
    one may let a tenth more through.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._per_minute = per_minute
        self._free = per_minute // 10
        self._clock = clock
        self._minute = 0
        self._counts: Counter[str] = Counter()

    def charge(self, key_prefix: str, caller: Caller) -> Charge | None:
        """Count one call; what the store has to count it under, or None where it need not.

        Raises:
            RateLimited: this process alone has counted more than the caller may ask, and no store need be asked.
        """
        now = self._clock()
        minute = now // MINUTE_MS
        if minute != self._minute:
            self._minute, self._counts = minute, Counter()
        key, ends = rate_key(key_prefix, caller, minute), (minute + 1) * MINUTE_MS
        self._counts[key] += 1
        if self._counts[key] > self._per_minute:
            raise RateLimited(ends - now)
        return None if self._counts[key] <= self._free else Charge(key, self._per_minute - self._free, ends)
