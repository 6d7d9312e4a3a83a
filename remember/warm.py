"""What a process has read already, kept for the next request as far as there is room. Nothing correct depends on it."""

from __future__ import annotations

import threading
from collections import OrderedDict

MOST_BYTES = 24_000_000


class WarmCache:
    """Values by name, the least recently used of them dropped where they are larger than `most` bytes together.

    A name holds the owner that its value belongs to, so that nobody is given another's.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._held: OrderedDict[str, tuple[object, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, name: str) -> object | None:
        """What was put under a name, if it is still there."""
        with self._lock:
            if name not in self._held:
                return None
            self._held.move_to_end(name)
            return self._held[name][0]

    def put(self, name: str, value: object, size: int) -> None:
        """Keep a value of about so many bytes; one that is larger than the whole cache is not kept."""
        with self._lock:
            self._bytes -= self._held.pop(name, (None, 0))[1]
            if size > self._most:
                return
            self._held[name] = (value, size)
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= self._held.popitem(last=False)[1][1]
