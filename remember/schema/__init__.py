"""A function's JSON Schema, flat and without `$ref`, and the checking of arguments against it.

What makes schemas of annotations (`derive`, `build`, `annotation`, `arg`) is imported by its own name: the memory
server's tools have theirs written out, and a cold function pays for every import.
"""

from __future__ import annotations

from remember.schema.check import check_arguments, conform
from remember.schema.mirrored import check_headers, mirrored

__all__ = ["check_arguments", "check_headers", "conform", "mirrored"]
