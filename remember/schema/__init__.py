"""A function's JSON Schema, flat and without `$ref`, and the checking of arguments against it."""

from __future__ import annotations

from remember.schema.annotation import type_hints
from remember.schema.arg import Arg
from remember.schema.build import converter, serializer
from remember.schema.check import check_arguments, conform
from remember.schema.derive import input_schema, output_schema

__all__ = [
    "Arg",
    "check_arguments",
    "conform",
    "converter",
    "input_schema",
    "output_schema",
    "serializer",
    "type_hints",
]
