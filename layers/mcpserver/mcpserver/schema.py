"""A tool's JSON Schema, in the plain form that every host can read.

Hosts refuse or misread `$ref`, `anyOf` with null, type arrays, `format` and `const`; one of them loses the whole tool
list over it. Source: HOSTS rules 12 and 13, measured.
"""

import copy
from typing import Any, Final

from pydantic import BaseModel

from mcpserver.schema_limits import say_limits

type Schema = dict[str, Any]

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that a JavaScript host reads exactly. Source: ECMA-262, Number.MAX_SAFE_INTEGER."""

_NULL: Final = {"type": "null"}
_DROPPED: Final = frozenset({"title", "format", "discriminator", "$defs"})
_MAPS_OF_SCHEMAS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LISTS_OF_SCHEMAS: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_SCHEMAS: Final = frozenset({"items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"})
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


_JSON_TYPES: Final = {str: "string", int: "integer", float: "number", bool: "boolean"}


class RecursiveModelError(TypeError):
    """A model that contains itself has no schema without `$ref`."""


def input_schema_of(model: type[BaseModel]) -> Schema:
    """Return what a tool that takes *model* advertises as `inputSchema`."""
    return say_limits({"additionalProperties": False} | _checked(simplify_schema(model.model_json_schema())))


def output_schema_of(model: type[BaseModel]) -> Schema:
    """Return what a tool that returns *model* advertises as `outputSchema`; a member that may be null is optional."""
    schema = model.model_json_schema(mode="serialization")
    for part in (schema, *schema.get("$defs", {}).values()):
        required = [name for name in part.get("required", ()) if _NULL not in part["properties"][name].get("anyOf", ())]
        part["required"] = required
        _refuse_null_inside(part)
    return _checked(simplify_schema(schema))


def _checked(schema: Schema) -> Schema:
    if schema["type"] != "object":
        raise TypeError("A tool takes and returns objects: a model with fields, not a RootModel of something else.")
    return schema


def _refuse_null_inside(node: Any) -> None:
    """Refuse a list or map that may hold null: hosts lose the whole result over one. Source: HOSTS rule 2."""
    if isinstance(node, list):
        for item in node:
            _refuse_null_inside(item)
    if not isinstance(node, dict):
        return
    for key in ("items", "additionalProperties"):
        inside = node.get(key)
        if isinstance(inside, dict) and _NULL in inside.get("anyOf", ()):
            raise TypeError("A result's list or map cannot hold null: leave such values out.")
    for value in node.values():
        _refuse_null_inside(value)


def simplify_schema(schema: Schema) -> Schema:
    """Return *schema* without what hosts stumble over; *schema* itself stays as it is.

    Titles, `format`, the model's docstring and null defaults go; an optional `anyOf: [T, null]` becomes T; `$ref` is
    replaced by what it names; `const` becomes an `enum` of one. The root is `type: object` with `properties`.

    Raises:
        RecursiveModelError: a `$ref` leads back to itself.
    """
    whole = copy.deepcopy(schema)
    root: Schema = _simplify(whole, whole.get("$defs", {}), ())
    root.pop("description", None)
    return {"type": "object", "properties": {}} | root


def _simplify(node: Any, definitions: Schema, seen: tuple[str, ...]) -> Any:
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _inline(node, definitions, seen)
    optional = _without_null(node)
    if optional is not node:
        return _simplify(optional, definitions, seen)
    kept = ((key, value) for key, value in node.items() if _is_kept(key, value))
    simple = {key: _simplify_member(key, value, definitions, seen) for key, value in kept}
    if "const" in simple:
        simple["enum"] = [simple.pop("const")]
    if None in simple.get("enum", ()):
        simple = _enum_without_null(simple)
    if simple.get("type") == "array":
        simple.setdefault("items", {})
    elif simple.get("type") == "object":
        simple.setdefault("properties", {})
    return _within_safe_integers(simple)


def _enum_without_null(node: Schema) -> Schema:
    choices = [choice for choice in node["enum"] if choice is not None]
    kinds = {_JSON_TYPES.get(type(choice), "") for choice in choices}
    typed = {"type": kinds.pop()} if len(kinds) == 1 else {}
    return {**node, **typed, "enum": choices}


def _is_kept(key: str, value: Any) -> bool:
    return key not in _DROPPED and not (key == "default" and value is None) and not (key == "required" and not value)


def _simplify_member(key: str, value: Any, definitions: Schema, seen: tuple[str, ...]) -> Any:
    if key in _MAPS_OF_SCHEMAS and isinstance(value, dict):
        # The keys are names here: a property may well be called "title".
        return {name: _simplify(item, definitions, seen) for name, item in value.items()}
    if key in _LISTS_OF_SCHEMAS:
        return [_simplify(item, definitions, seen) for item in value]
    if key in _SCHEMAS:
        return _simplify(value, definitions, seen)
    return value


def _inline(node: Schema, definitions: Schema, seen: tuple[str, ...]) -> Any:
    name = node["$ref"].rpartition("/")[2]
    if name in seen:
        raise RecursiveModelError(f"{name} contains itself: hosts cannot read such a schema. Use a flat model.")
    target = {key: value for key, value in definitions[name].items() if key != "description"}
    beside = {key: value for key, value in node.items() if key != "$ref"}
    return _simplify(target | beside, definitions, (*seen, name))


def _without_null(node: Schema) -> Schema:
    """Return `anyOf: [T, null]` as T with the members beside it, `anyOf: [T, U, null]` as `anyOf: [T, U]`."""
    branches = node.get("anyOf")
    if branches is None or _NULL not in branches:
        return node
    rest = [branch for branch in branches if branch != _NULL]
    beside = {key: value for key, value in node.items() if key != "anyOf"}
    return rest[0] | beside if len(rest) == 1 else beside | {"anyOf": rest}


def _within_safe_integers(node: Schema) -> Schema:
    """Drop bounds that a host with 53-bit integers would read wrongly."""
    for bound in _BOUNDS:
        value = node.get(bound)
        if type(value) is int and abs(value) > MAX_SAFE_INTEGER:
            del node[bound]
    return node
