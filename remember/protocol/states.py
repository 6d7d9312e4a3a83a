"""What a client carries from a question of ours to its answer: sealed, for one caller, one call and ten minutes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from remember.caller import Caller, Owner
from remember.clock import Clock
from remember.entry import dump_json
from remember.errors import RateLimited
from remember.keys import once_key
from remember.owned import Memory
from remember.protocol.message import META_CAPABILITIES, Message
from remember.protocol.refusal import INVALID_PARAMS, MISSING_CAPABILITY, Refusal
from remember.sealing import Seal, Secrets, SecretSealer, Unreadable
from remember.settings import Secret, Settings
from remember.stores.base import Charge, Store
from remember.stores.memory import MemoryStore
from remember.tools.asking import Ask, Conversation

LIFE_MS = 600_000

_REFUSED = (
    "requestState is not one that this server gave for this call, was changed, is older than ten minutes, or was used "
    "before. Make the call again without it."
)


class States:
    """Seals and opens what goes through the client's hands.

    Without a secret in the environment one is made for this process, so only it can open what it sealed. That a state
    was used is noted in the store of the app's plugin; without one, in this process.
    """

    def __init__(self, settings: Settings, clock: Clock, *, random_bytes: Callable[[int], bytes] = os.urandom) -> None:
        secret = settings.secret or Secret(random_bytes(32).hex())
        self._sealer = SecretSealer(Secrets(secret, settings.previous_secrets), random_bytes=random_bytes)
        self._own_store: Store = MemoryStore(clock)
        self._clock = clock
        self._random_bytes = random_bytes

    def asked(self, ask: Ask, message: Message, caller: Caller) -> dict[str, Any]:
        """The result that puts the questions to the client.

        Raises:
            Refusal: the client has not declared what one of them needs.
        """
        conversation = Conversation(_capabilities(message))
        needs = (question.needs for question in ask.requests.values())
        missing: dict[str, Any] = {need: {} for need in needs if not conversation.declares(need)}
        if missing:
            raise Refusal(
                MISSING_CAPABILITY,
                f"This call has to ask the client for something that it has not declared: {', '.join(missing)}.",
                id=message.id,
                data={"requiredCapabilities": missing},
            )
        nonce = self._random_bytes(12).hex() if ask.once else None
        held = {"ends": self._clock() + LIFE_MS, "nonce": nonce, "names": list(ask.requests), "state": ask.state}
        asked = {name: question.to_json() for name, question in ask.requests.items()}
        return {
            "resultType": "input_required",
            **({"inputRequests": asked} if asked else {}),
            "requestState": self._seal(caller).seal(dump_json(held), _place(message)),
        }

    async def conversation(self, message: Message, caller: Caller, memory: Memory | None) -> Conversation:
        """What a call brings besides its arguments, once its state has been opened.

        Raises:
            Refusal: the state is not ours, not for this, too old, or was used before.
        """
        conversation = Conversation(_capabilities(message))
        given = message.params.get("inputResponses")
        given = given if isinstance(given, Mapping) else {}
        answers = {name: one for name, one in given.items() if isinstance(one, Mapping)}
        token = message.params.get("requestState")
        if token is None:
            return replace(conversation, unasked=answers)
        held = self._opened(token, message, caller)
        asked = {name: answers[name] for name in held["names"] if name in answers}
        if held["nonce"] is not None and (asked or not held["names"]):
            await self._use(held, message, memory)
        return replace(conversation, answers=asked, state=held["state"])

    def _opened(self, token: object, message: Message, caller: Caller) -> dict[str, Any]:
        try:
            held = json.loads(self._seal(caller).open(str(token), _place(message)))
        except (Unreadable, ValueError):
            raise _refused(message) from None
        if not isinstance(held, dict) or self._clock() >= held["ends"]:
            raise _refused(message)
        return held

    async def _use(self, held: Mapping[str, Any], message: Message, memory: Memory | None) -> None:
        """Note in the store that a state was used; the store counts it as a call of which there may be one."""
        key = once_key(memory.key_prefix if memory else "", held["nonce"])
        store = memory.store if memory else self._own_store
        try:
            await store.get(key, charge=Charge(key, 1, held["ends"]))
        except RateLimited:
            raise _refused(message) from None

    def _seal(self, caller: Caller) -> Seal:
        return self._sealer.of(Owner("user", "" if caller.anonymous else caller.user_id))


def _refused(message: Message) -> Refusal:
    return Refusal(INVALID_PARAMS, _REFUSED, id=message.id)


def _capabilities(message: Message) -> Mapping[str, Any]:
    declared = message.meta.get(META_CAPABILITIES)
    return declared if isinstance(declared, Mapping) else {}


def _place(message: Message) -> str:
    """What a state is bound to besides the caller: the method, and everything that was asked of it."""
    named = message.params.get("name", message.params.get("uri"))
    asked = json.dumps([message.method, named, message.params.get("arguments")], sort_keys=True)
    return f"request-state:{blake2b(asked.encode(), digest_size=16).hexdigest()}"
