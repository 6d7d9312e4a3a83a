"""What to paste into a client, for one address and one credential."""

from __future__ import annotations

import json

from remember.protocol import VERSION

TRY_KEY = "greeting"


def connection_lines(url: str, credential: str | None) -> str:
    """The lines for each client. A credential `$NAME` is a variable: each client then reads it in its own way."""
    name = credential[1:] if credential and credential.startswith("$") else None
    cursor = {"mcpServers": {"remember": {"url": url} | _headers(f"${{env:{name}}}" if name else credential)}}
    code: dict[str, object] = {
        "servers": {"remember": {"type": "http", "url": url} | _headers("${input:memory-key}" if name else credential)}
    }
    if name:
        code["inputs"] = [{"id": "memory-key", "type": "promptString", "description": "Memory key", "password": True}]
    header = f' --header "Authorization: Bearer {credential}"' if credential else ""
    inspector = (
        f"npx @modelcontextprotocol/inspector --cli {url} --transport http --protocol-era modern{header} "
        "--method tools/list"
    )
    return "\n\n".join(
        (
            f"Claude Code:\n\nclaude mcp add --transport http remember {url}{header}",
            f"Cursor, in ~/.cursor/mcp.json:\n\n{json.dumps(cursor)}",
            f"VS Code, in .vscode/mcp.json:\n\n{json.dumps(code)}",
            f"MCP Inspector (its usual setting is an older MCP; the era must be modern):\n\n{inspector}",
        )
    )


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


def _headers(credential: str | None) -> dict[str, object]:
    return {"headers": {"Authorization": f"Bearer {credential}"}} if credential else {}
