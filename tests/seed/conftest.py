"""What the tests of the first seed's page share."""

from __future__ import annotations

import pytest

from tests.standins.clock import MovingClock


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of tests/promises.py that a test pins")


@pytest.fixture
def clock() -> MovingClock:
    return MovingClock()
