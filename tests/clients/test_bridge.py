"""mcp-remote, which lets clients of older versions in: as `remember serve` prints it, between an old client and us."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Serving
from tests.clients.programs import BRIDGE, TypeScript
from tests.clients.story import WITHOUT_A_PERSON, agree
from tests.clients.test_typescript import YES

pytestmark = pytest.mark.clients


def printed(serving: Serving, home: Path) -> dict[str, Any]:
    """The program that the printed settings start, as it was installed here."""
    (line,) = (line for line in serving.printed.splitlines() if line.startswith("{") and "mcp-remote" in line)
    server = json.loads(line)["mcpServers"]["remember"]
    assert server["command"] == "npx"
    assert server["args"][:2] == ["-y", "mcp-remote@0.15.1"]
    env = server["env"] | {"HOME": str(home)}
    return {"command": BRIDGE[0], "args": [*BRIDGE[1:], *server["args"][2:]], "env": env, "stderr": "ignore"}


def test_an_old_client_goes_through_all_that_a_client_does(serving: Serving, tmp_path: Path) -> None:
    """It says initialize, gets an older version, and knows nothing of ours."""

    async def story() -> None:
        async with TypeScript(command=printed(serving, tmp_path), mode="legacy") as client:
            assert client.version == "2025-11-25"
            for part in WITHOUT_A_PERSON:
                await part(client)

    asyncio.run(story())


def test_an_old_client_s_person_is_asked(serving: Serving, tmp_path: Path) -> None:
    """Our question becomes the request that the old version knows."""

    async def story() -> None:
        async with TypeScript(command=printed(serving, tmp_path), mode="legacy", person=YES) as client:
            await agree(client)

    asyncio.run(story())
