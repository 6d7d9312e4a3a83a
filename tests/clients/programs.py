"""Clients that are programs of their own, which `sh .ci/clients` brings."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.cli.command import environment

PACKAGES = Path(__file__).resolve().parents[2] / ".clients" / "node_modules"
NODE = os.environ.get("NODE", "node")
SCRIPT = Path(__file__).with_name("typescript.mjs").read_text()
BRIDGE = [NODE, str(PACKAGES / "mcp-remote" / "dist" / "proxy.js")]
INSPECTOR = [
    NODE,
    str(PACKAGES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"),
]


class RefusedError(Exception):
    """What a client shows where the server does not serve it. `text` is what lies behind its own words."""

    def __init__(self, message: str, text: str = "", exit_code: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.exit_code = exit_code


class TypeScript:
    """The official TypeScript client in a process of its own, connected from `async with` to its end.

    `mode` is its version negotiation, None its default. `person` is what its person answers to a form; without one it
    declares that it cannot ask. It connects to `url` with `key`, or by a `command` that bridges.
    """

    def __init__(
        self,
        *,
        url: str = "",
        key: str = "",
        command: Mapping[str, Any] | None = None,
        mode: object = None,
        person: Mapping[str, Any] | None = None,
    ) -> None:
        self._job = {"url": url, "key": key, "command": command, "mode": mode, "person": person}
        self.asked: list[str] = []
        self.version = ""
        self.tools: list[str] = []

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            *(NODE, "--input-type=module", "--eval", SCRIPT, json.dumps(self._job)),
            cwd=PACKAGES.parent,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            greeting = await self._read()
        except RefusedError:
            await self._process.communicate(b"")  # which closes stdin, and so ends it
            raise
        self.version, self.tools = greeting["version"], greeting["tools"]
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self._process.communicate(b"")  # which closes stdin, and so ends it

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([tool, arguments]).encode() + b"\n")
        await self._process.stdin.drain()
        answer = await self._read()
        self.asked += answer["asked"]
        return _data(answer["result"])

    async def _read(self) -> Any:
        assert self._process.stdout is not None
        answer = json.loads(await self._process.stdout.readline())
        if "refused" in answer:
            raise RefusedError(answer["refused"]["message"], answer["refused"]["text"])
        return answer


class Inspector:
    """The MCP Inspector's command line, a process for each call. It cannot ask a person."""

    def __init__(self, *connection: str, home: Path) -> None:
        self._command = [*INSPECTOR, "--cli", *connection, "--format", "json", "--stored-auth-only"]
        self._home = home
        self.asked: Sequence[str] = ()

    async def tools(self, *more: str) -> list[str]:
        """The tools' names."""
        result = await self._run("--method", "tools/list", *more)
        return [tool["name"] for tool in result["tools"]]

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        given = ("--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        return _data(await self._run("--method", "tools/call", *given))

    async def _run(self, *what: str) -> Any:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            *what,
            env=environment({"HOME": str(self._home)}),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, complained = await process.communicate()
        if process.returncode:
            shown = json.loads(complained.splitlines()[-1])["error"]
            raise RefusedError(f"{shown['code']}: {shown['message']}", exit_code=process.returncode)
        return json.loads(said)["result"]


def _data(result: Mapping[str, Any]) -> Any:
    assert not result.get("isError"), result
    return result["structuredContent"]
