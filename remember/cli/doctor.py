"""remember doctor: tells what is wrong with the settings and the store, and what to do about it."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from remember.caller import ANONYMOUS_PREFIX
from remember.cli.census import Count
from remember.cli.diagnosis import Report, diagnose
from remember.cli.judged import as_served, on_platform, read_env_file
from remember.cli.month import DOLLARS_PER_100_000, FREE_COMMANDS, MIX, months
from remember.cli.trial import ROUND_TRIPS
from remember.clock import system_clock
from remember.keys import MAX_ID_BYTES
from remember.settings import Platform
from remember.version import VERSION


def run(arguments: Sequence[str]) -> int:
    """Print what was found; 0 where everything works, 1 where something must be fixed.

    Raises:
        ConfigurationError: the env file cannot be read.
    """
    options = _parser().parse_args(arguments)
    given = os.environ if options.env_file is None else read_env_file(options.env_file)
    environ = on_platform(given, options.platform)
    if options.env_file is None:
        environ = as_served(environ)
    report = asyncio.run(diagnose(environ, users=options.user, clock=system_clock, timer=time.perf_counter))
    print(json.dumps(as_json(report)) if options.json else "\n".join(as_lines(report)))
    return 1 if report.wrong else 0


def as_json(report: Report) -> dict[str, Any]:
    """The report for a program."""
    trial = report.trial
    return {
        "status": "failing" if report.wrong else "ok",
        "version": VERSION,
        "platform": report.platform,
        "findings": [asdict(finding) for finding in report.findings],
        "identity": list(report.callers),
        "store": trial
        and {
            "name": report.store,
            "variable": report.store_variable,
            "state": trial.state,
            "round_trip_ms": trial.round_trip_ms,
            "layout_since": trial.since,
        },
        "key_ids": list(report.key_ids),
        "entries": [
            {
                "scope": count.scope,
                "owners": count.owners,
                "readable": count.readable,
                "unreadable": dict(sorted(count.unreadable.items())),
                "complete": not count.cut,
            }
            for count in report.counts
        ],
        "month": {
            "of_100_calls": MIX,
            "free_commands": FREE_COMMANDS,
            "dollars_per_100000": DOLLARS_PER_100_000,
            "rows": [month._asdict() for month in months()],
        },
    }


def as_lines(report: Report) -> Iterator[str]:
    """The report for a person."""
    yield f"Remember {VERSION}, judged as it runs on {_place(report.platform)}."
    yield ""
    yield from (f"{finding.level:<7}{finding}" for finding in report.findings)
    yield ""
    if report.callers:
        yield f"Callers get in by {' or '.join(report.callers)}."
    if report.trial is not None:
        yield _store_line(report)
    if report.key_ids:
        sealing, *opening = report.key_ids
        yield f"Entries are sealed under the key id {sealing}{', and opened under' if opening else ''}" + (
            f" {', '.join(opening)} too." if opening else "."
        )
    if report.counts:
        yield ""
        yield from _count_lines(report.counts)
    if report.store == "upstash":
        yield ""
        yield from _month_lines()
    yield ""
    yield _verdict(report.wrong)


def _place(platform: str) -> str:
    return {"vercel": "Vercel", "lambda": "Lambda"}.get(platform, "this machine")


def _store_line(report: Report) -> str:
    trial = report.trial
    if trial is None or trial.round_trip_ms is None:
        return f"The {report.store} store in {report.store_variable} does not answer: {trial and trial.state}."
    state = "works" if trial.problem is None else f"answers, and then fails: {trial.state}"
    since = ""
    if trial.since is not None:
        since = f" It holds memory since {datetime.fromtimestamp(trial.since / 1000, UTC):%Y-%m-%d}."
    return (
        f"The {report.store} store in {report.store_variable} {state}. A round trip takes {trial.round_trip_ms} ms "
        f"(median of {ROUND_TRIPS}).{since}"
    )


def _count_lines(counts: Sequence[Count]) -> Iterator[str]:
    yield f"{'scope':<9}{'owners':>7}{'readable':>10}  unreadable, by key id"
    for count in counts:
        unreadable = ", ".join(f"{number:,} {kid or '(none)'}" for kid, number in sorted(count.unreadable.items()))
        more = "  (and more that were not looked at)" if count.cut else ""
        yield f"{count.scope:<9}{count.owners:>7,}{count.readable:>10,}  {unreadable or '0'}{more}"
    yield "Owners are those of static keys and of --user; whose tokens were ever accepted is nowhere recorded."


def _month_lines() -> Iterator[str]:
    mix = ", ".join(f"{share} {tool}" for tool, share in MIX.items())
    yield f"A month, if of 100 calls there are {mix}:"
    yield f"{'calls':>10}{'commands':>11}{f'of {FREE_COMMANDS:,} free':>18}{'beyond':>10}"
    for month in months():
        yield f"{month.calls:>10,}{month.commands:>11,}{month.free_percent:>16} %{f'${month.dollars:.2f}':>10}"
    yield f"Beyond the free ones, ${DOLLARS_PER_100_000:.2f} for each 100,000 commands."


def _verdict(wrong: int) -> str:
    if not wrong:
        return "Everything works."
    return "One thing must be fixed." if wrong == 1 else f"{wrong} things must be fixed."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="remember doctor",
        description="Tell what is wrong with the settings and the store, and what to do about it. It writes one "
        "trial entry and takes it away again. No secret, key or memory is printed.",
        epilog="Exit code: 0 where everything works, 1 where something must be fixed.",
    )
    parser.add_argument(
        "--env-file",
        type=Path,
        metavar="FILE",
        help="judge the NAME=value lines of a file, such as `vercel env pull` writes, and nothing of this shell",
    )
    parser.add_argument("--platform", choices=get_args(Platform), help="judge as if it ran there")
    parser.add_argument(
        "--user",
        action="append",
        default=[],
        type=_user,
        metavar="ID",
        help="also count the entries of this user, the `sub` of their tokens; may be given more than once",
    )
    parser.add_argument("--json", action="store_true", help="print the same for a program")
    return parser


def _user(text: str) -> str:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        size = 0
    if 1 <= size <= MAX_ID_BYTES and text.isprintable() and not text.startswith(ANONYMOUS_PREFIX):
        return text
    raise argparse.ArgumentTypeError(f"a user's id is 1 to {MAX_ID_BYTES} bytes of printable text, nobody's anonymous")
