"""What cannot be served is told at the start, with what to do; who has no such server loads nothing of the SDK."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mcp.server import MCPServer
from mcp.server.auth.settings import AuthSettings

from remember import App, ConfigurationError, RememberPlugin, create_fetch_handler
from tests.protocol.requests import KEYS
from tests.sdk.servers import handler, server
from tests.test_imports import run


class Verifier:
    """Somebody's own check of tokens."""

    async def verify_token(self, token: str) -> None:
        """Nobody is known."""


def test_a_server_with_auth_of_its_own_is_refused() -> None:
    """Its verifier would not be asked, and that must not happen silently."""
    settings = AuthSettings.model_validate({"issuer_url": "https://issuer.example", "resource_server_url": None})
    guarded = MCPServer("guarded", auth=settings, token_verifier=Verifier(), log_level="WARNING")
    with pytest.raises(ConfigurationError, match="auth settings of its own") as caught:
        handler(guarded)
    assert caught.value.variable == "auth"


@pytest.mark.parametrize("several", [[server()], [App("a"), server()], [server(), server()], ["assistant"]])
def test_a_server_is_served_by_itself(several: Any) -> None:
    """In a list, or beside apps, it is refused with what is taken."""
    with pytest.raises(ConfigurationError, match="one MCPServer by itself"):
        create_fetch_handler(several, environ={}, auth=KEYS)


def test_two_plugins_are_one_too_many() -> None:
    """As on our engine."""
    with pytest.raises(ConfigurationError, match="RememberPlugin 2 times"):
        handler(plugins=[RememberPlugin, RememberPlugin.init()])


def test_the_bare_class_will_do() -> None:
    """As in an app's list."""
    assert handler(plugins=[RememberPlugin]) is not None


def test_a_subclass_of_an_author_s_is_a_server() -> None:
    """Wherever its module is."""

    class Mine(MCPServer[Any]):
        """An author's own."""

    assert handler(Mine("mine", log_level="WARNING")) is not None


@pytest.mark.parametrize(
    ("files", "made"),
    [
        ({"mcp/__init__.py": "", "mcp/server/__init__.py": "class FastMCP: ..."}, "mcp.server.FastMCP()"),
        (
            {"mcp/__init__.py": "", "mcp/server.py": "class MCPServer: ..."},
            "mcp.server.MCPServer()",
        ),
    ],
)
def test_another_version_of_the_sdk_is_told(tmp_path: Path, files: dict[str, str], made: str) -> None:
    """One that does not serve this revision: what is needed, and the command that brings it."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    script = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import mcp.server
from remember import ConfigurationError, create_fetch_handler
try:
    create_fetch_handler({made}, environ={{}}, auth={{"ana": "key-of-ana-0123456789"}})
except ConfigurationError as exc:
    print(exc.variable, exc)
"""
    assert re.match(r"mcp .*from 2\.3 on.* 2026-07-28.*pip install 'remember\[sdk\]'", run(script))


def test_without_the_sdk_its_engine_says_what_is_missing() -> None:
    """For whoever imports it directly."""
    script = """
import sys
sys.modules["mcp"] = sys.modules["mcp_types"] = None
from remember import ConfigurationError
try:
    import remember.sdk
except ConfigurationError as exc:
    print(exc)
"""
    assert "pip install 'remember[sdk]'" in run(script)


def test_our_engine_loads_nothing_of_the_sdk() -> None:
    """Neither the front door, nor a handler with apps, nor the three names that take the SDK's Context as well."""
    script = """
import sys
from remember import App, RememberPlugin, create_fetch_handler, get_notebook, get_remember, try_get_remember
create_fetch_handler(App("a"), plugins=[RememberPlugin], environ={}, auth={"ana": "key-of-ana-0123456789"})
print(*(name for name in sys.modules if name.split(".")[0] in ("mcp", "mcp_types", "pydantic", "starlette", "anyio")))
"""
    assert run(script) == ""
