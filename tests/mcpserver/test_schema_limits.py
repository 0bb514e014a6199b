"""Defaults and ranges in words."""

from typing import Any

import pytest

from mcpserver.schema_limits import say_limits


@pytest.mark.parametrize(
    ("part", "description"),
    [
        ({"type": "integer", "description": "How many.", "default": 10}, "How many. (default 10)"),
        ({"type": "integer", "minimum": 1, "maximum": 50, "default": 5}, "from 1 to 50; default 5"),
        ({"type": "number", "exclusiveMinimum": 0}, "at least 0 (exclusive)"),
        ({"type": "string", "maxLength": 64, "description": "A name."}, "A name. (at most 64 characters)"),
        ({"type": "array", "minItems": 1, "items": {}}, "at least 1 items"),
        ({"type": "boolean", "default": False}, "default false"),
        ({"type": "string", "default": "UTC", "description": "A zone (default UTC)."}, "A zone (default UTC)."),
        ({"type": "integer", "minimum": 1, "maximum": 20, "description": "From 1 to 20."}, "From 1 to 20."),
        ({"type": "array", "default": [], "items": {}, "description": "Some."}, "Some."),
    ],
)
def test_what_a_description_leaves_out_is_added(part: dict[str, Any], description: str) -> None:
    """HOSTS rule 12: Codex removes defaults and ranges from the schema, so its model must read them in words."""
    assert say_limits({"properties": {"x": part}})["properties"]["x"]["description"] == description


def test_nested_properties_say_theirs() -> None:
    """The same rule, wherever a property is."""
    inner = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}}
    schema = {"properties": {"list": {"type": "array", "items": inner}, "map": {"additionalProperties": inner}}}
    said = say_limits(schema)["properties"]
    assert said["list"]["items"]["properties"]["n"]["description"] == "at least 3"
    assert said["map"]["additionalProperties"]["properties"]["n"]["description"] == "at least 3"


def test_the_schema_that_is_given_stays_as_it_is() -> None:
    """A pure function."""
    schema = {"properties": {"x": {"type": "integer", "default": 1}}}
    say_limits(schema)
    assert schema == {"properties": {"x": {"type": "integer", "default": 1}}}
