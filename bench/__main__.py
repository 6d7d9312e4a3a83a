"""`python -m bench cold`, `warm`, `store` and `deploy`: each prints its figures, and which targets they meet."""

from __future__ import annotations

import argparse
from importlib import import_module

COMMANDS = {
    "cold": "process start to the first answered tools/call",
    "warm": "one tools/call after many",
    "store": "one operation on a store at Upstash",
    "deploy": "a deployed function's start to the first answered tools/call; needs the builders of .ci/deploy",
}


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print. Never fails for a missed target: this is a measurement, not a test."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("--runs", type=_count, default=9, help="rounds, of which the median counts (9)")
        command.add_argument("--json", action="store_true", help="print JSON in place of a table")
    chosen = parser.parse_args(arguments)
    report = import_module(f"bench.{chosen.command}").measure(chosen.runs)
    print(report.to_json() if chosen.json else report.to_text())


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"at least one run is needed; got {text}")
    return count


if __name__ == "__main__":
    main()
