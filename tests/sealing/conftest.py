"""What the tests of the sealing room share."""

from __future__ import annotations

import pytest

from remember.sealing import Secrets, SecretSealer
from remember.settings import Secret

SECRET = Secret("bench-secret-0123456789")


@pytest.fixture
def sealer() -> SecretSealer:
    return SecretSealer(Secrets(SECRET))
