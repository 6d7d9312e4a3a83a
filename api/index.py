"""Vercel's door: the memory server that the environment configures."""

from remember import create_fetch_handler

app = create_fetch_handler()
