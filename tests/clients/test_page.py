"""The TypeScript of docs/clients.md, pasted into a file and run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import Serving, environment
from tests.clients.programs import NODE, PACKAGES
from tests.test_docs import blocks

pytestmark = pytest.mark.clients

PAGE = Path(__file__).resolve().parents[2] / "docs" / "clients.md"


def test_typescript_in_the_documents_runs(serving: Serving, key: str) -> None:
    """Only the URL is another; it prints what its `// ->` lines say."""
    (source,) = blocks(PAGE, "ts")
    done = subprocess.run(
        [NODE, "--input-type=module", "--eval", source.replace("https://memory.example/mcp", serving.url)],
        cwd=PACKAGES.parent,
        env=environment({"MEMORY_KEY": key}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == re.findall(r"^// -> (.*)$", source, re.MULTILINE)
