"""`python -m bench cold`, `warm`, `store`, `notes`, `deploy`: each prints its figures, and which targets they meet."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

COMMANDS = {
    "cold": "process start to the first answered tools/call",
    "warm": "one tools/call after many",
    "store": "one operation on a store at Upstash",
    "notes": "notes: a first one, one of many, and how well they are kept apart and found again",
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
    notes = commands.choices["notes"]
    notes.add_argument("--sizes", type=_count, nargs="+", metavar="N", help="how many notes (100 1000 10000)")
    notes.add_argument("--locomo", type=Path, metavar="PATH", help="a locomo10.json, to measure retrieval on it too")
    chosen = vars(parser.parse_args(arguments))
    command, as_json = chosen.pop("command"), chosen.pop("json")
    given = {name: value for name, value in chosen.items() if value is not None}
    report = import_module(f"bench.{command}").measure(**given)
    print(report.to_json() if as_json else report.to_text())


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"at least one run is needed; got {text}")
    return count


if __name__ == "__main__":
    main()
