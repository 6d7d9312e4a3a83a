"""A newcomer who follows docs/deploy.md gets as far as the platform's own login, or all the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.deploy.builders import BYTECODE, HOME, PRUNE, BuildFailed, clone, run

pytestmark = pytest.mark.deploy

PAGE = (HOME / "docs" / "deploy.md").read_text()
BLOCKS = [
    (bool(mark), command)
    for mark, block in re.findall(r"^(\*\*Needs an account\*\*.*\n\n)?```sh\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
    for command in block.splitlines()
]
"""Each command, and whether it needs an account."""

LOGIN = re.compile(r"no-credentials-found|No existing credentials|resolve a region|locate credentials", re.IGNORECASE)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean clone, in which the page's own build was made."""
    return clone(tmp_path_factory.mktemp("newcomer") / "remember")


def nobody(folder: Path) -> dict[str, str]:
    """Somebody who has no account on this machine."""
    nothing = {"AWS_CONFIG_FILE": "/nonexistent", "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"}
    region = {"AWS_EC2_METADATA_DISABLED": "true", "AWS_DEFAULT_REGION": "eu-central-1"}
    return {**nothing, **region, "HOME": str(folder.parent)}


def test_the_page_has_both_kinds() -> None:
    """Or the tests below would say nothing."""
    assert len([command for account, command in BLOCKS if account]) > 6
    assert len([command for account, command in BLOCKS if not account]) >= 3


def test_the_page_builds_as_these_tests_do() -> None:
    """Or they would be about another artefact than the reader's."""
    variables = " ".join(f"{name}={value}" for name, value in BYTECODE.items())
    assert (False, f"{variables} sam build") in BLOCKS
    assert (False, PRUNE) in BLOCKS


@pytest.mark.parametrize("command", [command for account, command in BLOCKS if not account])
def test_a_command_that_needs_no_account_runs(newcomer: Path, command: str) -> None:
    """In a clean clone, as it stands, and in the order of the page."""
    run(["sh", "-c", command if "keygen" not in command else _with_package(command)], newcomer)


def _with_package(command: str) -> str:
    return f"test -x .venv/bin/remember || {{ python3 -m venv .venv && .venv/bin/pip install -q .; }}; {command}"


@pytest.mark.parametrize(
    "command",
    sorted({command for account, command in BLOCKS if account and command.split()[0] in ("vercel", "sam")}),
)
def test_a_command_that_needs_an_account_gets_to_the_login(newcomer: Path, command: str) -> None:
    """Nothing of ours stops it before."""
    if command.startswith("sam"):
        run(["sam", "build"], newcomer)
        given = "RestUrl=https://store.example RestToken=made-up-token-0123456789 Secret=made-up-secret-0123456789"
        command = f"sam deploy --no-confirm-changeset --parameter-overrides {given!r}"
    with pytest.raises(BuildFailed, match=LOGIN):
        run(["sh", "-c", command], newcomer, **nobody(newcomer))
