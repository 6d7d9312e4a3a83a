"""How many names this process may put on a shelf before it looks how many are there."""

from __future__ import annotations

from remember.keys import Shelf

MOST_UNSEEN = 16
MOST_SHELVES = 4_096


class Allowance:
    """Spares a store the count of a shelf's names, which would be a third of what a new entry costs.

    A process looks at its 17th put on a shelf, and from then on after every 16 again; sooner where little room is left,
    and with every put where there is room for less than 16 names. So a bound holds but for what the other processes
    put without a look, at most 16 names each. Choosing which names to count by the names themselves would not do: a
    caller could choose theirs, and all that are not chosen would get in.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._left: dict[str, int] = {}

    def take(self, shelf: Shelf) -> bool:
        """Whether a put may go without a look; it has been taken then."""
        left = self._left.get(shelf.index, _unseen(self._entries))
        if not left:
            return False
        self._keep(shelf, left - 1)
        return True

    def saw(self, shelf: Shelf, room: int) -> None:
        """A look has found room for so many names."""
        self._keep(shelf, _unseen(room))

    def _keep(self, shelf: Shelf, left: int) -> None:
        if len(self._left) >= MOST_SHELVES and shelf.index not in self._left:
            self._left.clear()
        self._left[shelf.index] = left


def _unseen(room: int) -> int:
    return min(MOST_UNSEEN, room // 16)
