"""Remember, as `api/index.py` serves it: configured by the environment."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from bench.tool_call import App
from remember import create_fetch_handler


@asynccontextmanager
async def serve() -> AsyncIterator[App]:
    """No lifespan: none is needed."""
    yield cast("App", create_fetch_handler())
