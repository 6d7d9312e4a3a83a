"""The MCP Inspector's command line against `remember serve`."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path

import pytest

from tests.cli.command import Serving
from tests.clients.programs import Inspector, RefusedError
from tests.clients.story import WITHOUT_A_PERSON
from tests.standins.client import VERSION

pytestmark = pytest.mark.clients


def printed(serving: Serving) -> list[str]:
    """How the line that `serve` prints connects."""
    (line,) = (line for line in serving.printed.splitlines() if line.startswith("npx @modelcontextprotocol/inspector"))
    words = shlex.split(line)
    assert words[:3] == ["npx", "@modelcontextprotocol/inspector", "--cli"]
    assert words[-2:] == ["--method", "tools/list"]
    return words[3:-2]


def changed(connection: list[str], option: str, value: str | None) -> list[str]:
    """The same with another value of an option; without the option where there is none."""
    at = connection.index(option)
    return [*connection[:at], *([] if value is None else [option, value]), *connection[at + 2 :]]


def refusal(connection: list[str], home: Path) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        asyncio.run(Inspector(*connection, home=home).tools())
    return caught.value


def test_the_printed_line_goes_through_all_that_a_client_does(serving: Serving, tmp_path: Path) -> None:
    """Pasted as it is, it lists the tools without one error in their schemas; and so connected, it calls them."""

    async def story() -> None:
        client = Inspector(*printed(serving), home=tmp_path)
        assert {"remember_this", "engram_remember", "forget_all"} <= set(await client.tools("--strict"))
        for part in WITHOUT_A_PERSON:
            await part(client)

    asyncio.run(story())


def test_it_finds_the_version_by_itself(serving: Serving, tmp_path: Path) -> None:
    """Where its era is auto."""
    connection = changed(printed(serving), "--protocol-era", "auto")
    assert "recall" in asyncio.run(Inspector(*connection, home=tmp_path).tools())


def test_left_on_its_default_it_shows_which_version_to_set(serving: Serving, tmp_path: Path) -> None:
    """Its default is the legacy era; the answer names that era's opposite, which is what its option takes."""
    shown = refusal(changed(printed(serving), "--protocol-era", None), tmp_path)
    assert f"This server speaks MCP {VERSION} only; MCP 2025-11-25 is not served." in str(shown)
    assert "the modern era" in str(shown)
    assert shown.exit_code == 1


def test_a_wrong_key_is_told_apart_from_a_wrong_version(serving: Serving, tmp_path: Path) -> None:
    """With an exit code and words of its own, in both eras."""
    wrong = changed(printed(serving), "--header", "Authorization: Bearer a-key-that-nobody-gave-out")
    for connection in (wrong, changed(wrong, "--protocol-era", None)):
        shown = refusal(connection, tmp_path)
        assert str(shown).startswith("auth_required: ")
        assert shown.exit_code == 3
