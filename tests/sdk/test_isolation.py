"""A10 on the SDK's engine: calls that meet get each their own caller's memory."""

from __future__ import annotations

import asyncio
import itertools

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.mcpserver import Context

from remember import get_remember
from tests.fetch.stores import Slow
from tests.protocol.requests import ANA, BOB, call, post
from tests.sdk.servers import handler, server
from tests.standins.client import Client

OWNERS = [("ana", ANA), ("bob", BOB)] * 50
ROUNDS = 20


def test_a10_a_hundred_at_once_get_each_their_own_answer() -> None:
    """A10: two users, one JSON-RPC id, waits within every call, 20 rounds; 0 cross answers.

    Unsealed, so that no seal could hide that a call read at another's place.
    """
    made = server()

    @made.tool()
    async def who(ctx: Context) -> str:
        """Whom the SDK and the memory take for the caller, before and after a wait."""
        first = get_remember(ctx).user_id
        value = await get_remember(ctx).get("who")
        token = get_access_token()
        assert token is not None
        return f"{first} {value} {get_remember(ctx).user_id} {token.subject}"

    ours = handler(made, store=Slow(), environ={"REMEMBER_ENCRYPTION": "off", "REMEMBER_RATE_LIMIT": "0"})
    for name, key in OWNERS[:2]:
        Client(ours, key).call("remember_this", {"key": "who", "value": name})

    async def story() -> int:
        wrong = 0
        for _ in range(ROUNDS):
            calls = [
                post(call("recall", key="who") if number % 4 > 1 else call("who"), key=key)
                for number, (_, key) in enumerate(OWNERS)
            ]
            responses = await asyncio.gather(*(ours.fetch(request) for request in calls))
            for (name, _), response in zip(OWNERS, responses, strict=True):
                result = response.json()["result"]
                got = result["structuredContent"]
                expected = f"static:{name} {name} static:{name} static:{name}"
                wrong += got.get("result", expected) != expected or got.get("value", name) != name
        return wrong

    assert asyncio.run(story()) == 0


def test_a10_writes_that_meet_stay_apart_too() -> None:
    """Each user's writers at once under the same keys; each key holds what its owner wrote."""
    made = server()

    @made.tool()
    async def keep(key: str, value: str, ctx: Context) -> str:
        """Keep it."""
        await get_remember(ctx).set(key, value)
        return str(await get_remember(ctx).get(key))

    ours = handler(made, store=Slow(), environ={"REMEMBER_RATE_LIMIT": "0"})
    people = [("ana", Client(ours, ANA)), ("bob", Client(ours, BOB))]

    async def story() -> None:
        pairs = list(itertools.product(range(25), people))
        writes = [client.call_async("keep", {"key": f"k{n}", "value": f"{name} {n}"}) for n, (name, client) in pairs]
        assert [reply.text for reply in await asyncio.gather(*writes)] == [f"{name} {n}" for n, (name, _) in pairs]
        for n, (name, client) in pairs:
            assert (await client.call_async("recall", {"key": f"k{n}"})).data["value"] == f"{name} {n}"

    asyncio.run(story())
