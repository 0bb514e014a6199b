"""A tool's JSON Schema, plain enough for every host.

Source: HOSTS rules 12 and 13, each measured on a host that lost a tool or a whole list over it.
"""

import copy
import datetime as dt
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any, Literal, Optional, Union

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field

from mcpserver import MCPToolBase
from mcpserver.schema import (
    MAX_SAFE_INTEGER,
    RecursiveModelError,
    Schema,
    input_schema_of,
    output_schema_of,
    simplify_schema,
)
from tests.fixture_servers import SearchLogs, serving


class Colour(Enum):
    """An enumeration, which Pydantic writes as a `$ref`."""

    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    """A point, which Pydantic writes as a `$ref`."""

    x: int
    title: str = "here"


class Line(BaseModel):
    """Points within points."""

    start: Point = Field(description="Where it begins.")
    ends: list[Point] = Field(default_factory=list)
    label: str | None = None


class Everything(BaseModel):
    """The docstring of the model, which is for developers."""

    title: str = Field(title="A title", description="The book's title.")
    required: int
    optional: int | None = None
    old_optional: Optional[str] = None  # noqa: UP045 -- the other spelling
    nullable: int | None
    either: int | str = 3
    either_or_nothing: Union[int, str, None] = None  # noqa: UP007 -- the other spelling
    colour: Colour = Colour.RED
    only: Literal["one"] = "one"
    several: Literal["one", "two"] = "one"
    maybe: Literal["one", "two", None] = None
    when: dt.datetime | None = None
    line: Line | None = None
    by_name: dict[str, Point] = Field(default_factory=dict)
    pair: tuple[int, str] = (1, "a")
    big: int = Field(0, ge=-(2**60), le=2**60)
    small: Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)] = 0
    format: str = "json"
    default: str | None = None
    const: bool = True


SIMPLE = input_schema_of(Everything)


class Recursive(BaseModel):
    """A model that contains itself."""

    children: list["Recursive"] = Field(default_factory=list)


def shape(name: str) -> Schema:
    """Return a property of `Everything` without its description."""
    return {key: value for key, value in SIMPLE["properties"][name].items() if key != "description"}


def positions(node: Any) -> Iterator[Schema]:
    """Yield every schema in *node*: not names of properties, not defaults, not enumerations."""
    if not isinstance(node, dict):
        return
    yield node
    for key in ("properties", "patternProperties"):
        for part in node.get(key, {}).values():
            yield from positions(part)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for part in node.get(key, ()):
            yield from positions(part)
    for key in ("items", "additionalProperties", "not"):
        yield from positions(node.get(key))


@pytest.mark.parametrize("schema", [SIMPLE, output_schema_of(Everything)], ids=["input", "output"])
def test_every_schema_is_valid_and_holds_nothing_that_a_host_refuses(schema: Schema) -> None:
    """HOSTS rule 13: no $ref, no anyOf with null, no type arrays, no format or const; titles are noise."""
    Draft202012Validator.check_schema(schema)
    for part in positions(schema):
        assert not {"$ref", "$defs", "title", "format", "const", "discriminator"} & part.keys()
        assert {"type": "null"} not in part.get("anyOf", ())
        assert part.get("type") != "null"
        assert not isinstance(part.get("type"), list)
        assert None not in part.get("enum", ())
        assert part.get("default", "-") is not None
        assert part.get("required", ["-"]) != []


def test_the_root_is_a_closed_object_with_properties() -> None:
    """SPEC 2.2: type object, additionalProperties false; HOSTS rule 13: properties are always there."""

    class Nothing(BaseModel):
        pass

    assert input_schema_of(Nothing) == {"type": "object", "properties": {}, "additionalProperties": False}
    assert (SIMPLE["type"], SIMPLE["additionalProperties"]) == ("object", False)
    assert "description" not in SIMPLE


def test_a_model_that_takes_other_members_stays_open() -> None:
    """The author said so."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

    assert input_schema_of(Open)["additionalProperties"] is True


@pytest.mark.parametrize("name", ["title", "format", "default", "const"])
def test_a_property_named_like_a_keyword_stays(name: str) -> None:
    """SPEC 2.2: never a *property* named title."""
    assert name in SIMPLE["properties"]
    assert SIMPLE["properties"][name]["type"] in ("string", "boolean")


def test_a_propertys_description_stays_and_its_title_goes() -> None:
    """HOSTS rule 12: descriptions carry the meaning."""
    assert SIMPLE["properties"]["title"] == {"type": "string", "description": "The book's title."}


@pytest.mark.parametrize("name", ["optional", "nullable"])
def test_an_optional_field_is_its_type(name: str) -> None:
    """SPEC 2.2: an optional field's anyOf: [T, null] becomes T."""
    assert SIMPLE["properties"][name] == {"type": "integer"}


def test_required_is_as_pydantic_says() -> None:
    """A null default makes a field optional; a nullable field without one is not."""
    assert SIMPLE["required"] == ["title", "required", "nullable"]


def test_a_union_keeps_its_branches_without_null() -> None:
    """HOSTS rule 13: anyOf without null is read by every host."""
    branches = [{"type": "integer"}, {"type": "string"}]
    assert shape("either") == {"anyOf": branches, "default": 3}
    assert shape("either_or_nothing") == {"anyOf": branches}


def test_an_enumeration_is_inlined_and_a_constant_is_an_enumeration_of_one() -> None:
    """HOSTS rule 13: no $ref, no const."""
    assert shape("colour") == {"type": "string", "enum": ["red", "blue"], "default": "red"}
    assert shape("only") == {"type": "string", "enum": ["one"], "default": "one"}


def test_an_enumeration_that_may_be_null_is_one_without_null() -> None:
    """HOSTS rule 13: a nullable enumeration is a null by another name."""
    assert shape("maybe") == {"type": "string", "enum": ["one", "two"]}


def test_nested_references_are_inlined_with_what_stands_beside_them() -> None:
    """SPEC 2.2: $ref/$defs inlined; a description beside a $ref belongs to the property."""
    line = SIMPLE["properties"]["line"]
    title = {"type": "string", "default": "here", "description": "default here"}
    point = {"type": "object", "properties": {"x": {"type": "integer"}, "title": title}}
    assert line["properties"]["start"] == {**point, "required": ["x"], "description": "Where it begins."}
    assert line["properties"]["ends"]["items"] == {**point, "required": ["x"]}
    assert SIMPLE["properties"]["by_name"]["additionalProperties"] == {**point, "required": ["x"]}


def test_bounds_beyond_53_bits_are_left_out() -> None:
    """HOSTS rule 13: a JavaScript host reads 2**60 as another number."""
    assert shape("big") == {"type": "integer", "default": 0}
    assert SIMPLE["properties"]["small"]["maximum"] == MAX_SAFE_INTEGER


@pytest.mark.parametrize(("name", "words"), [("only", "one"), ("either", "3"), ("small", "0"), ("big", "0")])
def test_a_default_stands_in_the_description_too(name: str, words: str) -> None:
    """HOSTS rule 12: Codex removes defaults and ranges from the schema, so the words carry them."""
    assert f"default {words}" in SIMPLE["properties"][name]["description"]


def test_an_output_member_that_may_be_null_is_not_required() -> None:
    """HOSTS rules 2 and 3: a null is left out, so its member cannot be required."""
    schema = output_schema_of(Everything)
    assert schema["type"] == "object"
    assert "nullable" not in schema["required"]
    assert "required" in schema["required"]


@pytest.mark.parametrize("schema_of", [input_schema_of, output_schema_of])
def test_a_recursive_model_has_no_schema(schema_of: Any) -> None:
    """SPEC 2.2: several hosts cannot read $ref, and without it a recursive model has no end."""
    with pytest.raises(RecursiveModelError):
        schema_of(Recursive)


def test_a_recursive_model_is_refused_when_the_server_is_made() -> None:
    """SPEC 2.2: refused when the tool is made, not when a host lists it."""

    class Bad(SearchLogs):
        arguments_model: type[BaseModel] = Recursive

    tool: MCPToolBase[Any] = Bad()
    with pytest.raises(RecursiveModelError):
        serving(tool)


def test_a_model_used_twice_is_not_recursive() -> None:
    """Only a reference back to itself is."""

    class Twice(BaseModel):
        first: Point
        second: Point

    properties = input_schema_of(Twice)["properties"]
    assert properties["first"] == properties["second"]


def test_the_schema_that_goes_in_is_untouched() -> None:
    """SPEC 2.2: on a deep copy; Pydantic caches what it gives out."""
    schema = Everything.model_json_schema()
    before = copy.deepcopy(schema)
    simplify_schema(schema)
    assert schema == before


SCALARS: st.SearchStrategy[Schema] = st.sampled_from(
    [{"type": "integer", "title": "T"}, {"type": "string", "format": "uri"}, {"const": 5}, {"type": "boolean"}]
)
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.builds(lambda part: {"type": "array", "items": part}, inner),
        st.builds(lambda part: {"anyOf": [part, {"type": "null"}], "default": None}, inner),
        st.builds(
            lambda parts: {"type": "object", "properties": parts, "title": "T"},
            st.dictionaries(st.sampled_from(["title", "format", "anyOf", "$ref", "items", "a"]), inner, max_size=3),
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(max_size=8), SCHEMAS, max_size=4))
def test_simplifying_keeps_every_property_and_is_done_in_one_go(properties: dict[str, Any]) -> None:
    """Whatever the properties are called, none is lost, and a simple schema is already simple."""
    simple = simplify_schema({"type": "object", "properties": properties})
    assert simple["properties"].keys() == properties.keys()
    assert simplify_schema(simple) == simple
    Draft202012Validator.check_schema(simple)
