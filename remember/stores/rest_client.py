"""upstash-redis' commands over our own transport.

All of its commands end in one method, `execute(command)`, and that is the seam: its own HTTP client has no timeout,
sends a write twice when an answer is lost, takes 2 ms of CPU a call and does not survive its event loop. Its client
class would make one all the same, at 100 ms a process, so the commands are taken without it.
"""

from __future__ import annotations

import json
from typing import Any

from upstash_redis.commands import AsyncCommands
from upstash_redis.errors import UpstashError

from remember.settings import Secret
from remember.stores.transport import Answer, NoAnswer, Transport

REPEATABLE = frozenset({"GET", "PING"})
"""Of the commands we use, those that change nothing."""

SYNC_TOKEN = b"upstash-sync-token"

STATUS_REASONS = {401: "unauthorized", 403: "unauthorized", 429: "rate-limited"}


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class RestClient(AsyncCommands):
    """upstash-redis' commands; what they answer is what Redis said, and an UpstashError is Redis' own error."""

    def __init__(self, transport: Transport, token: Secret) -> None:
        self._transport = transport
        self._authorization = f"Bearer {token.reveal()}"
        self._sync_token = ""

    async def execute(self, command: list[Any]) -> Any:
        """Send one command, as every method of this class does.

        Raises:
            UpstashError: Redis refused the command; the text is its own.
            NoAnswer: nothing came back that is an answer to it.
        """
        headers = {"Authorization": self._authorization}
        if self._sync_token:  # read what this client has written, whichever replica answers
            headers["Upstash-Sync-Token"] = self._sync_token
        body = _encode(command).encode()
        answer = await self._transport.post(headers, body, repeatable=command[0] in REPEATABLE)
        self._sync_token = answer.headers.get(SYNC_TOKEN, b"").decode("ascii", "ignore") or self._sync_token
        return result_of(answer)

    async def close(self) -> None:
        """Close this event loop's connections; a later command opens new ones."""
        await self._transport.close()


def result_of(answer: Answer) -> Any:
    """What stands in a REST answer.

    Raises:
        UpstashError, NoAnswer: as `RestClient.execute`.
    """
    if answer.status in STATUS_REASONS:
        raise NoAnswer(STATUS_REASONS[answer.status], sent=False)
    try:
        said = json.loads(answer.body)
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict) and isinstance(said.get("error"), str):
        raise UpstashError(said["error"])
    if answer.status != 200:
        raise NoAnswer("failed", sent=True)
    if not isinstance(said, dict) or "result" not in said:
        raise NoAnswer("garbled", sent=True)
    return said["result"]
