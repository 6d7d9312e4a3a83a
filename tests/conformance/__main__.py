"""Runs the official conformance suite against the fixtures and against the memory server: `sh .ci/conformance`.

    python -m tests.conformance NODE SUITE

Both are served by `create_fetch_handler` through uvicorn on this machine. What the revision requires of a server
counts, and what the suite still calls pending; its scenarios for extensions do not, since none is declared here.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from remember import FetchHandler, create_fetch_handler
from tests.conformance.fixtures import APP
from tests.protocol.official import serving
from tests.standins.redis_server import free_port

REVISION = "2026-07-28"
EXPECTED = Path(__file__).with_name("expected-failures.yaml")
PENDING = ("json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation")
WRONG = {"FAILURE", "WARNING"}

Suite = Sequence[str]
"""The command that runs the suite."""


def fixtures(environ: Mapping[str, str]) -> FetchHandler:
    """An app with all that the suite asks for."""
    return create_fetch_handler(APP, environ=environ)


def memory_server(environ: Mapping[str, str]) -> FetchHandler:
    """The product as it is deployed."""
    return create_fetch_handler(environ={"REMEMBER_STORE": "memory", **environ})


def required(suite: Suite) -> tuple[str, ...]:
    """The scenarios that the revision requires of a server."""
    listed = subprocess.run([*suite, "list", "--requirements", REVISION], capture_output=True, text=True, check=True)
    return tuple(re.findall(r"^  - (\S+)$", listed.stdout.partition("Client scenarios")[0], re.MULTILINE))


def run(suite: Suite, make: Callable[[Mapping[str, str]], FetchHandler], results: Path, *options: str) -> str | None:
    """Run every scenario against one server; what the suite said, where it was not content."""
    port = free_port()
    # The suite brings no credential, and tries an origin that a server on its own machine must refuse.
    environ = {"REMEMBER_ANONYMOUS": "allow", "REMEMBER_ALLOWED_ORIGINS": f"http://127.0.0.1:{port}"}
    command = [*suite, "server", "--url", f"http://127.0.0.1:{port}/mcp", "--requirements", REVISION]
    with serving(make(environ), port):
        done = subprocess.run(
            [*command, "--output-dir", str(results), *options], capture_output=True, text=True, timeout=300, check=False
        )
    return done.stdout + done.stderr if done.returncode else None


def states(results: Path, scenario: str) -> list[str]:
    """How the checks of a scenario ended: SUCCESS, FAILURE, WARNING, SKIPPED, INFO."""
    reports = results.glob(f"server-{scenario}-2*/checks.json")
    return [check["status"] for report in reports for check in json.loads(report.read_text())]


def passed(results: Path, scenarios: Iterable[str]) -> list[str]:
    """The scenarios that ran, and of which no check failed or warned."""
    return [name for name in scenarios if (ended := set(states(results, name))) & {"SUCCESS"} and not ended & WRONG]


def main(node: str, program: str) -> int:
    """Run both; 1 where anything is other than it should be."""
    suite = (node, program)
    scenarios = required(suite)
    with tempfile.TemporaryDirectory() as folder:
        whole, product = Path(folder, "fixtures"), Path(folder, "product")
        said = [run(suite, fixtures, whole), run(suite, memory_server, product, "--expected-failures", str(EXPECTED))]
        able, pending, applicable = passed(whole, scenarios), passed(whole, PENDING), passed(product, scenarios)
        checks = [state for name in scenarios for state in states(product, name)]
    good, all_checks = checks.count("SUCCESS"), len([state for state in checks if state in {"SUCCESS", *WRONG}])
    print(
        f"Conformance to {REVISION}. Fixtures: {len(able)}/{len(scenarios)} required scenarios, and "
        f"{len(pending)}/{len(PENDING)} pending ones. Memory server: {len(applicable)} of {len(scenarios)} whole, and "
        f"{good} of {all_checks} checks; {EXPECTED.name} names the others and why."
    )
    failed = sorted({*scenarios, *PENDING} - {*able, *pending})
    if failed or any(said):
        print("This is not as it should be.", *failed, *filter(None, said), sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
