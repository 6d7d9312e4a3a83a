"""A function's JSON Schema, flat and without `$ref`, and the checking of arguments against it."""

from __future__ import annotations

from remember.schema.annotation import type_hints
from remember.schema.arg import Arg
from remember.schema.build import converter, serializer
from remember.schema.check import check_arguments, conform
from remember.schema.derive import input_schema, output_schema
from remember.schema.mirrored import check_headers, mirrored

__all__ = [
    "Arg",
    "check_arguments",
    "check_headers",
    "conform",
    "converter",
    "input_schema",
    "mirrored",
    "output_schema",
    "serializer",
    "type_hints",
]
