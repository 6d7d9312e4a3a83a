"""What to paste into a client, for one address and one credential."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from remember.protocol import VERSION

TRY_KEY = "greeting"

BRIDGE = "mcp-remote@0.15.1"
"""Speaks an older MCP to a client on its own machine, and ours to us."""


def connection_lines(url: str, credential: str | None) -> str:
    """The lines for each client. A credential `$NAME` is a variable: each client then reads it in its own way."""
    return "\n\n".join(f"{told}:\n\n{line}" for told, line in _lines(url, credential))


def _lines(url: str, credential: str | None) -> Iterator[tuple[str, str]]:
    name = credential[1:] if credential and credential.startswith("$") else None
    from_environment = _headers(f"${{env:{name}}}" if name else credential)
    option = f' --header "Authorization: Bearer {credential}"' if credential else ""
    yield "Claude Code", f"claude mcp add --transport http --scope user remember {url}{option}"
    yield "Cursor, in ~/.cursor/mcp.json", _server({"url": url} | from_environment)
    yield "VS Code, in .vscode/mcp.json", _vs_code(url, credential, asks=name is not None)
    yield "Windsurf, in ~/.codeium/windsurf/mcp_config.json", _server({"serverUrl": url} | from_environment)
    yield (
        "Claude Desktop, in claude_desktop_config.json, and others that speak an older MCP, by a bridge",
        _bridged(url, f"<the value of {name}>" if name else credential),
    )
    yield "MCP Inspector (its usual setting is an older MCP; the era must be modern)", _inspector(url, option)


def _inspector(url: str, option: str) -> str:
    return (
        f"npx @modelcontextprotocol/inspector --cli {url} --transport http --protocol-era modern{option} "
        "--method tools/list"
    )


def _vs_code(url: str, credential: str | None, *, asks: bool) -> str:
    headers = _headers("${input:memory-key}" if asks else credential)
    settings: dict[str, Any] = {"servers": {"remember": {"type": "http", "url": url} | headers}}
    if asks:
        settings["inputs"] = [
            {"id": "memory-key", "type": "promptString", "description": "Memory key", "password": True}
        ]
    return json.dumps(settings)


def _bridged(url: str, credential: str | None) -> str:
    server: dict[str, Any] = {"command": "npx", "args": ["-y", BRIDGE, url, "--protocol", "auto"]}
    if credential:
        # Some clients split an argument at its spaces, so the header's value is in a variable.
        server["args"] += ["--header", "Authorization:${MEMORY_AUTHORIZATION}"]
        server["env"] = {"MEMORY_AUTHORIZATION": f"Bearer {credential}"}
    return _server(server)


def _server(settings: dict[str, Any]) -> str:
    return json.dumps({"mcpServers": {"remember": settings}})


def _headers(credential: str | None) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {credential}"}} if credential else {}


def first_call(url: str, credential: str | None, *, tool: str, scope: str) -> str:
    """A curl command that remembers something; every header is one that MCP asks for."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    arguments = {"key": TRY_KEY, "value": "hello", "scope": scope}
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = [
        *([f"Authorization: Bearer {credential}"] if credential else []),
        "Content-Type: application/json",
        f"MCP-Protocol-Version: {VERSION}",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {tool}",
    ]
    lines = [f"curl -sS {url}", *(f'-H "{header}"' for header in headers), f"-d '{json.dumps(body)}'"]
    return " \\\n  ".join(lines)
