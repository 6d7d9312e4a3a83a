"""docs/clients.md, beyond what `remember serve` prints: its settings parse, its words for models name real tools."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.requests import ANA, memory_handler
from tests.standins.client import Client
from tests.test_docs import blocks

PAGE = Path(__file__).resolve().parents[1] / "docs" / "clients.md"
SETTINGS = [json.loads(block) for block in blocks(PAGE, "json")]
(FOR_MODELS,) = blocks(PAGE, "markdown")


@pytest.mark.parametrize("settings", SETTINGS, ids=["cursor", "vs code", "windsurf", "bridge"])
def test_each_client_s_settings_name_the_server_and_carry_a_bearer(settings: dict[str, Any]) -> None:
    """Whatever a client calls its parts."""
    (server,) = (settings.get("mcpServers") or settings["servers"]).values()
    said = json.dumps(server)
    assert '"https://memory.example/mcp"' in said
    assert '"Bearer ' in said


def test_the_words_for_models_name_the_tools_of_both_families() -> None:
    """J2: every tool but the one that counts, by its real name, and to be called without being asked."""
    named = set(re.findall(r"`(\w+)`", FOR_MODELS)) - {"remember"}
    assert named == set(Client(memory_handler(), ANA).tools()) - {"engram_status"}
    assert "without being asked" in FOR_MODELS
    assert not re.search(r"only when (explicitly )?asked", FOR_MODELS, re.IGNORECASE)


def test_what_clients_show_is_what_we_say() -> None:
    """The page's table of refusals has our sentences, word for word."""
    page = PAGE.read_text()
    for key in (None, "a-key-that-nobody-gave-out"):
        assert f"`{Client(memory_handler(), key).rpc('tools/list').error['message']}`" in page
