"""What a month costs is reckoned from what the tools really cost."""

from __future__ import annotations

import pytest

from remember import create_fetch_handler
from remember.cli.month import COMMANDS, MIX, months
from tests.standins.client import Client
from tests.standins.upstash_rest import UpstashRest

KEY = "a-key-of-my-own-0001"
ARGUMENTS = {
    "recall": {"key": "color"},
    "remember_this": {"key": "color", "value": "green"},
    "forget": {"key": "color"},
    "list_memories": {},
}


@pytest.mark.parametrize("tool", ARGUMENTS)
def test_a_call_costs_what_the_table_says(upstash: UpstashRest, tool: str) -> None:
    """The commands that Redis ran for one call of each tool among 21 keys, those inside scripts too; one request."""
    environ = {"KV_REST_API_URL": upstash.url, "KV_REST_API_TOKEN": upstash.token}
    environ |= {"REMEMBER_API_KEYS": f"me={KEY}", "REMEMBER_SECRET": "a-made-up-secret-of-the-tests"}
    client = Client(create_fetch_handler(environ=environ), KEY)
    for number in range(20):
        client.call("remember_this", {"key": f"other-{number}", "value": number})
    client.call(tool, ARGUMENTS[tool])
    client.call("remember_this", ARGUMENTS["remember_this"])
    upstash.reset()
    assert not client.call(tool, ARGUMENTS[tool]).failed
    assert (sum(upstash.commands().values()), len(upstash.requests)) == (COMMANDS[tool], 1)


def test_a_month_is_reckoned_from_the_mix() -> None:
    """100 calls are 150 commands; what goes beyond the free 500,000 is $0.20 per 100,000."""
    assert set(MIX) == set(COMMANDS)
    assert sum(MIX.values()) == 100
    assert [tuple(month) for month in months()] == [
        (1_000, 1_500, 0.3, 0.0),
        (10_000, 15_000, 3.0, 0.0),
        (100_000, 150_000, 30.0, 0.0),
        (1_000_000, 1_500_000, 300.0, 2.0),
    ]
