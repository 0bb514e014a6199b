"""Every `schema` of the corpus as a check, by the case's id.

The sentence itself stands in `corpus/quirks.jsonl`; a check's docstring says how it is read.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator

from mcpserver.tool import TOOL_NAME
from tests.quirks.asked import Asked, Check

type Schema = dict[str, Any]

LONGEST_PREFIX = "mcp__smart-gateway__"
"""What a host puts before a tool's name: its own word and the server's name."""
LONGEST_NAME = 60
_WORD = re.compile(r"[^\s(),;:]+")
JSON_TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}
BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)


def schemas_of(tools: list[dict[str, Any]]) -> list[Schema]:
    """Return every inputSchema and outputSchema."""
    return [tool[name] for tool in tools for name in ("inputSchema", "outputSchema") if name in tool]


def parts_of(schema: Any) -> Iterator[Schema]:
    """Yield *schema* and each schema in it."""
    if isinstance(schema, list):
        for item in schema:
            yield from parts_of(item)
    if not isinstance(schema, dict):
        return
    yield schema
    for key, value in schema.items():
        if key == "properties":
            # The keys are names here: a property may well be called "type".
            for member in value.values():
                yield from parts_of(member)
        elif key not in ("enum", "default"):
            yield from parts_of(value)


def properties_of(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the name and schema of each property, nested ones too."""
    for part in parts_of(schema):
        yield from part.get("properties", {}).items()


def inputs_are_objects(asked: Asked) -> None:
    """Type object and a properties object."""
    for tool in asked.result["tools"]:
        assert tool["inputSchema"]["type"] == "object"
        assert isinstance(tool["inputSchema"]["properties"], dict)


def arrays_have_items(asked: Asked) -> None:
    """Every array of every schema; the three that are named are arrays."""
    parts = [part for schema in schemas_of(asked.result["tools"]) for part in parts_of(schema)]
    assert [part for part in parts if part.get("type") == "array" and "items" not in part] == []
    named = dict(pair for tool in asked.result["tools"] for pair in properties_of(tool["inputSchema"]))
    assert {named[name]["type"] for name in ("texts", "steps", "messages")} == {"array"}


def roots_are_plain(asked: Asked) -> None:
    """No combination at the root."""
    for tool in asked.result["tools"]:
        assert not {"anyOf", "oneOf", "allOf", "not", "if"} & tool["inputSchema"].keys()


def types_are_single(asked: Asked) -> None:
    """No list of types and no null; what may be left out is not in `required`, and may be left out."""
    for schema in schemas_of(asked.result["tools"]):
        for part in parts_of(schema):
            assert not isinstance(part.get("type"), list)
            assert part.get("type") != "null"
            assert set(part.get("required", ())) <= set(part.get("properties", ()))
    optional = asked.gateway.call("smart_context_gate", {"text": "one. two"})
    assert optional["isError"] is False


def schemas_are_valid(asked: Asked) -> None:
    """Real type names, and valid against the 2020-12 metaschema."""
    for schema in schemas_of(asked.result["tools"]):
        Draft202012Validator.check_schema(schema)
        assert {part["type"] for part in parts_of(schema) if "type" in part} <= JSON_TYPES


def names_are_short(asked: Asked) -> None:
    """The characters that every host takes, short enough for a prefix, and 10 to 18 long."""
    for tool in asked.result["tools"]:
        assert TOOL_NAME.fullmatch(tool["name"])
        assert 10 <= len(tool["name"]) <= 18
        assert len(LONGEST_PREFIX + tool["name"]) < LONGEST_NAME


def outputs_are_objects(asked: Asked) -> None:
    """Absent, or type object; here each tool has one."""
    outputs = [tool["outputSchema"] for tool in asked.result["tools"] if "outputSchema" in tool]
    assert {schema["type"] for schema in outputs} == {"object"}
    assert len(outputs) == len(asked.result["tools"])


def results_are_structured(asked: Asked) -> None:
    """Present and valid against its schema, and a text block holds the same JSON: of all seven tools."""
    calls: Mapping[str, dict[str, Any]] = {
        asked.sent["params"]["name"]: asked.sent["params"]["arguments"],
        "smart_fetch": {"url": "https://example.com/"},
        "smart_search": {"query": "a"},
        "smart_context_gate": {"text": "a. b"},
        "smart_dedup": {"texts": ["a", "a"]},
        "smart_memory": {"action": "search", "query": "a"},
        "smart_pipe": {"steps": [{"tool": "fetch", "params": {}}]},
    }
    schemas = {tool["name"]: tool["outputSchema"] for tool in asked.tools()}
    assert calls.keys() == schemas.keys()
    for name, arguments in calls.items():
        result = asked.gateway.call(name, arguments)
        Draft202012Validator(schemas[name]).validate(result["structuredContent"])
        assert [block["type"] for block in result["content"]] == ["text"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def unknown_arguments_are_dropped(asked: Asked) -> None:
    """Whatever the schema says of further members, nested ones too, none is refused."""
    for tool in asked.result["tools"]:
        assert tool["inputSchema"]["additionalProperties"] is False
    messages = [{"role": "user", "content": "one two"}]
    plain = {"action": "count", "messages": messages}
    odd = {"action": "count", "messages": [messages[0] | {"sessionId": "1"}], "toolCallId": "2"}
    assert asked.gateway.call("smart_budget_guard", odd) == asked.gateway.call("smart_budget_guard", plain)


def descriptions_have_the_limits(asked: Asked) -> None:
    """Each default and each bound of a property, nested ones too, is a word of its description."""
    missing = []
    for tool in asked.result["tools"]:
        for name, part in properties_of(tool["inputSchema"]):
            said = {word.rstrip(".") for word in _WORD.findall(part.get("description", ""))}
            values = [part[bound] for bound in BOUNDS if bound in part]
            values += [part["default"]] if part.get("default") not in (None, "", [], {}) else []
            missing += [f"{tool['name']}.{name}: {value}" for value in values if str(value) not in said]
    assert missing == []


SCHEMAS: Final[Mapping[str, Check]] = {
    "E03": inputs_are_objects,
    "E04": arrays_have_items,
    "E05": roots_are_plain,
    "E07": types_are_single,
    "E08": schemas_are_valid,
    "E09": names_are_short,
    "E10": outputs_are_objects,
    "E11": results_are_structured,
    "E15": unknown_arguments_are_dropped,
    "F17": descriptions_have_the_limits,
}
"""By the case's id."""
