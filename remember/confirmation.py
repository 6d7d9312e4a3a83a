"""A token that stands for one wide deletion that was looked at first: of exactly these things, for ten minutes, once.

It names nothing and is kept nowhere. What it is bound to has changed once the deletion is done, so it is good for one.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hmac import compare_digest

from remember.caller import Caller
from remember.clock import Clock
from remember.errors import InvalidInput
from remember.sealing import Seal

LIFE_MS = 600_000
_TIME_BYTES = 6
_PROOF_BYTES = 15


class Confirmations:
    """Gives and checks one caller's tokens, for what lies under one owner's seal: global scope has many callers."""

    def __init__(self, seal: Seal, clock: Clock, caller: Caller) -> None:
        self._seal = seal
        self._clock = clock
        self._user_id = caller.user_id

    def give(self, *bound: object) -> str:
        """A token for what `bound` says, whose parts are told apart by `repr`."""
        ends = (self._clock() + LIFE_MS).to_bytes(_TIME_BYTES, "big")
        return urlsafe_b64encode(ends + self._proof(ends, bound)).decode()

    def check(self, token: object, *bound: object) -> None:
        """Let a token pass that was given for the same, not long ago.

        Raises:
            InvalidInput: it was not.
        """
        try:
            raw = urlsafe_b64decode(str(token))
        except ValueError:
            raw = b""
        ends = raw[:_TIME_BYTES]
        if self._clock() < int.from_bytes(ends, "big") and compare_digest(raw[_TIME_BYTES:], self._proof(ends, bound)):
            return
        raise InvalidInput(
            "confirmation",
            "confirmation is not for what would be deleted now: it is older than ten minutes, was used already, or "
            "something has changed since. Nothing was deleted. Ask again without it, look at what would go, and pass "
            "the new one.",
        )

    def _proof(self, ends: bytes, bound: tuple[object, ...]) -> bytes:
        return self._seal.name(ends + repr((self._user_id, *bound)).encode("utf-8", "backslashreplace"), _PROOF_BYTES)
