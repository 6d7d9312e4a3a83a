"""The five sorts of notes (second seed, category)."""

from __future__ import annotations

from typing import Literal, get_args

Category = Literal["preference", "fact", "pattern", "decision", "outcome"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
