"""The `remember` command. Each subcommand is a file of this room, loaded when it is asked for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from remember.errors import ConfigurationError
from remember.version import VERSION

_COMMANDS = {
    "serve": "serve a memory on this machine",
    "keygen": "print a good secret and a bearer key",
    "doctor": "tell what is wrong with the settings and the store",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, 1 for what cannot be done, 2 for what was not understood."""
    given = _parser().parse_args(argv)
    try:
        return int(import_module(f"remember.cli.{given.command}").run(given.arguments))
    except ConfigurationError as exc:
        print(f"remember: {exc}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    lines = "\n".join(f"  {name:<10}{what}" for name, what in _COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="remember",
        description="Private, encrypted memory for AI agents, over MCP.",
        epilog=f"commands:\n{lines}\n\n`remember COMMAND --help` tells what a command takes.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"remember {VERSION}")
    parser.add_argument("command", choices=_COMMANDS, metavar="COMMAND", help="one of those below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="what the command takes")
    return parser
