"""A pydantic model's JSON Schema made flat: references written out, null branches gone, titles dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from remember.schema.constraints import close_bounds

_KEPT = (
    "type", "description", "enum", "default",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
)  # fmt: skip
# These change what is valid in a way that a flat schema cannot say. Everything else that is not kept (format,
# pattern, …) only narrows it, and the model itself checks that when it is built.
_REFUSED = ("oneOf", "not", "if", "prefixItems", "patternProperties", "propertyNames", "dependentRequired")


def inline(schema: dict[str, Any], where: str, *, output: bool = False) -> dict[str, Any]:
    """The flat form of `schema`; for an output, a field that may be null is not required, and left out when it is.

    Raises:
        TypeError: it refers to itself, or mixes several types in one place.
    """
    return _Inliner(schema.get("$defs", {}), where, output).flat(schema, ())


@dataclass(frozen=True, slots=True)
class _Inliner:
    definitions: dict[str, Any]
    where: str
    output: bool

    def flat(self, node: Any, trail: tuple[str, ...]) -> dict[str, Any]:
        """`node` made flat where null has no place."""
        flat, nullable = self.nullable(node, trail)
        if nullable:
            raise TypeError(f"{self.where}: null is possible only for a whole field, not inside a list or a dict.")
        return flat

    def nullable(self, node: Any, trail: tuple[str, ...]) -> tuple[dict[str, Any], bool]:
        """`node` made flat, and whether it allowed null."""
        if node is True:
            return {}, False
        node, trail, nullable = self.resolved(node, trail)
        for keyword in _REFUSED:
            if keyword in node:
                raise TypeError(f"{self.where}: its schema needs '{keyword}', which many clients cannot read.")
        if "const" in node:
            node = {**node, "enum": [node["const"]]}
        flat = {keyword: node[keyword] for keyword in _KEPT if keyword in node}
        if flat.get("default", 0) is None:
            del flat["default"]
        kind = flat.get("type")
        if not (isinstance(kind, str) and kind != "null") and (kind is not None or "enum" in flat):
            raise TypeError(f"{self.where}: one place in its schema has several types, or only null; use one type.")
        if kind == "array":
            flat["items"] = self.flat(node.get("items", True), trail)
        if kind == "object":
            flat |= self.members(node, trail)
        return close_bounds(flat), nullable

    def resolved(self, node: dict[str, Any], trail: tuple[str, ...]) -> tuple[dict[str, Any], tuple[str, ...], bool]:
        """Follow `node` to where its type is said; what stands beside a reference wins over what it refers to."""
        nullable = False
        while True:
            if "$ref" in node:
                name = node["$ref"].removeprefix("#/$defs/")
                if name in trail:
                    raise TypeError(f"{self.where}: {name} contains itself; a flat schema cannot say that.")
                trail = (*trail, name)
                target, keyword = self.definitions[name], "$ref"
            elif "anyOf" in node or "allOf" in node:
                keyword = "anyOf" if "anyOf" in node else "allOf"
                branches = [branch for branch in node[keyword] if branch != {"type": "null"}]
                nullable = nullable or len(branches) < len(node[keyword])
                if len(branches) != 1:
                    raise TypeError(f"{self.where}: a union of several types is not supported; use one type.")
                target = branches[0]
            else:
                return node, trail, nullable
            node = target | {name: value for name, value in node.items() if name != keyword}

    def members(self, node: dict[str, Any], trail: tuple[str, ...]) -> dict[str, Any]:
        if "properties" not in node:
            values = self.flat(node.get("additionalProperties", True), trail)
            return {"additionalProperties": values} if values else {}
        properties: dict[str, Any] = {}
        required = node.get("required", [])
        for name, inner in node["properties"].items():
            properties[name], nullable = self.nullable(inner, trail)
            if nullable and self.output:
                required = [other for other in required if other != name]
        others = node.get("additionalProperties", False)  # what a model ignores silently, we refuse by name
        closed = {} if others is True else {"additionalProperties": others and self.flat(others, trail)}
        return {"properties": properties, "required": required, **closed}
