"""What the tests of the sealing room share."""

from __future__ import annotations

import pytest

from remember.sealing import Secrets, SecretSealer
from remember.settings import Secret

SECRET = Secret("bench-secret-0123456789")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of tests/promises.py that a test pins")


@pytest.fixture
def sealer() -> SecretSealer:
    return SecretSealer(Secrets(SECRET))
