"""A collection's version: which life of it this is, and how many commits that life has seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

EPOCH_BYTES = 12


class Version(NamedTuple):
    """Written `<epoch>:<n>`. No two lives share an epoch: a store that was emptied never looks like what it was."""

    epoch: str
    n: int

    @property
    def text(self) -> str:
        return f"{self.epoch}:{self.n}"

    @property
    def next(self) -> Version:
        return Version(self.epoch, self.n + 1)

    def reach(self, since: str | None) -> int | None:
        """The commit after which everything is new to whoever knows `since`; None: they know nothing of this life."""
        epoch, _, n = (since or "").partition(":")
        return int(n) if epoch == self.epoch and n.isdecimal() and int(n) <= self.n else None


def new_epoch(random_bytes: Callable[[int], bytes]) -> str:
    """The name of a life that has not been."""
    return random_bytes(EPOCH_BYTES).hex()
