"""A real `remember serve`, as a person starts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import Serving

pytest.register_assert_rewrite("tests.clients.story")


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    with Serving("--store", "memory", cwd=tmp_path) as served:
        yield served


@pytest.fixture
def key(serving: Serving) -> str:
    """The key that the server made up and printed."""
    found = re.search(r'"Authorization: Bearer (\S+)"', serving.curl)
    assert found is not None
    return found[1]
