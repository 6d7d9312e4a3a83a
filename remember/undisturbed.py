"""Large JSON is read without the garbage collector, which would look through all that was read again and again."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")

_LARGE = 100_000  # characters


def undisturbed(decode: Callable[[str], Read], text: str) -> Read:
    """What `decode` makes of `text`."""
    if len(text) < _LARGE or not gc.isenabled():
        return decode(text)
    gc.disable()
    try:
        return decode(text)
    finally:
        gc.enable()
