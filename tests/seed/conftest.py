"""Registers the mark that the page's promises are worn with."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(*ids): the promises of tests/promises.py that a test pins")
