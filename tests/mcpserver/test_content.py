"""What a tool returns, as a result: text, typed results, blocks; and what is cut.

Source: MCP tools, tool results; HOSTS rules 2, 3 and 14.
"""

import base64
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types import CallToolResult, EmbeddedResource, ResourceLink, TextContent, TextResourceContents
from pydantic import BaseModel, Field

from mcpserver import MCPServerToolError, audio, image
from mcpserver.content import MAX_TEXT_CHARACTERS, TextAnswer, answer_of, as_result
from mcpserver.wire import result_to_wire
from tests.fixture_servers import Returning, SearchArguments, SearchLogs, serving
from tests.mcpserver.posts import call_tool, request


class Answer(BaseModel):
    """A typed result."""

    total: int
    hint: str | None = None
    where: str = Field("here", serialization_alias="where")


class Typed(SearchLogs):
    """A tool that says which model it returns."""

    def run(self, arguments: SearchArguments) -> Answer:
        """Return a model."""
        return Answer(total=arguments.limit)


def test_a_model_becomes_structured_content_and_the_same_json_as_text() -> None:
    """HOSTS rule 3: some hosts show the model one, some the other; both are complete."""
    result = call_tool(Typed(), {"query": "x"})
    assert result["structuredContent"] == {"total": 50, "where": "here"}
    assert result["content"] == [{"type": "text", "text": '{"total":50,"where":"here"}'}]
    assert result["isError"] is False


def test_a_models_schema_is_the_output_schema_and_what_is_sent_fits_it() -> None:
    """MCP tools, structured content: servers MUST conform to the output schema they declare."""
    schema = Typed().definition().output_schema
    assert schema is not None
    assert schema["type"] == "object"
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(call_tool(Typed(), {"query": "x"})["structuredContent"])


def test_an_async_tools_model_is_its_output_schema_too() -> None:
    """The annotation of a coroutine function is what it is awaited to."""

    class Later(SearchLogs):
        async def run(self, _arguments: SearchArguments) -> Answer:
            """Return a model, later."""
            return Answer(total=1)

    assert Later().definition().output_schema == Typed().definition().output_schema
    assert call_tool(Later(), {"query": "x"})["structuredContent"] == {"total": 1, "where": "here"}


class Sparse(BaseModel):
    """A result with nulls deeper than a member."""

    items: list[int | None] = Field(default_factory=list)
    by_name: dict[str, int | None] = Field(default_factory=dict)
    share: float = 0.0


@pytest.mark.parametrize(
    "output",
    [Sparse(items=[1, None]), Sparse(by_name={"a": None}), Sparse(share=float("nan"))],
    ids=["list", "map", "nan"],
)
def test_a_typed_result_never_breaks_its_own_schema(output: Sparse) -> None:
    """MCP tools: the SDK's client raises on structuredContent that its outputSchema refuses."""

    class Declared(Returning):
        def run(self, _arguments: SearchArguments) -> Sparse:
            """Return it."""
            return output

    tool = Declared(output)
    try:
        server = serving(tool)
    except (TypeError, ValueError):
        return  # refused when the tool is made: as good
    answer = server.handle(request("tools/call", {"name": tool.name, "arguments": {"query": "x"}}))
    schema = tool.definition().output_schema
    assert schema is not None
    if "result" in answer and not answer["result"]["isError"]:
        Draft202012Validator(schema).validate(answer["result"]["structuredContent"])


@pytest.mark.parametrize(
    ("output", "types"),
    [
        (image(b"png"), ["image"]),
        (audio(b"wav"), ["audio"]),
        (["one", image(b"png")], ["text", "image"]),
        (ResourceLink(name="log", uri="lab://log"), ["resource_link"]),
        (EmbeddedResource(resource=TextResourceContents(uri="lab://log", text="x")), ["resource"]),
        ([], []),
        (CallToolResult(content=[TextContent(text="whole")]), ["text"]),
    ],
)
def test_a_tool_may_return_blocks(output: Any, types: list[str]) -> None:
    """SPEC 2.2: images, audio, embedded resources, resource links; HOSTS rule 3: content is always there."""
    result = call_tool(Returning(output), {"query": "x"})
    assert [block["type"] for block in result["content"]] == types
    assert "structuredContent" not in result


def test_an_image_is_base64() -> None:
    """MCP tools, image content: base64-encoded data and its MIME type."""
    (block,) = call_tool(Returning(image(b"\x89PNG", "image/png")), {"query": "x"})["content"]
    assert base64.b64decode(block["data"]) == b"\x89PNG"
    assert block["mimeType"] == "image/png"


@pytest.mark.parametrize("output", [None, 5, b"bytes", {"a": 1}, [5], object()])
def test_anything_else_a_tool_returns_is_a_crash(output: Any) -> None:
    """Our own choice: a wrong type is the author's bug, not the model's."""
    answer = serving(Returning(output)).handle(
        request("tools/call", {"name": "search_logs", "arguments": {"query": "x"}})
    )
    assert answer["error"] == {"code": -32603, "message": "Internal error."}


@pytest.mark.parametrize("shape", ["text", "blocks", "whole", "error"])
def test_a_long_text_is_cut_and_says_so(shape: str) -> None:
    """HOSTS rule 14: past some 25,000 tokens a host refuses the whole result."""
    long = "x" * (MAX_TEXT_CHARACTERS + 1)
    outputs: dict[str, Any] = {"text": long, "blocks": [long], "whole": TextContent(text=long)}

    class Failing(SearchLogs):
        def run(self, _arguments: SearchArguments) -> Any:
            """Fail at length."""
            raise MCPServerToolError(long)

    tool = Failing() if shape == "error" else Returning(outputs[shape])
    text = call_tool(tool, {"query": "x"})["content"][0]["text"]
    assert len(text) == MAX_TEXT_CHARACTERS
    assert "truncated" in text[-80:]


def test_a_text_of_exactly_the_limit_is_whole() -> None:
    """The limit is inclusive."""
    text = "x" * MAX_TEXT_CHARACTERS
    assert call_tool(Returning(text), {"query": "x"})["content"][0]["text"] == text


@pytest.mark.parametrize(
    ("text", "is_wrapped"),
    [
        ("1029", True),
        ("-1.5e3", True),
        ("true", True),
        ("null", True),
        ("[1, 2]", True),
        ('"quoted"', True),
        (" 7\n", True),
        ('{"a": 1}', False),
        ("Error: no", False),
        ("truly", False),
        ("2026-11-30T00:00:00", False),
        ("[link](x)", False),
        ("", False),
        ("Paris", False),
    ],
)
def test_a_text_that_is_json_but_no_object_is_wrapped_too(text: str, is_wrapped: bool) -> None:  # noqa: FBT001 -- a case
    """Measured: Gemini CLI takes such a text for structured content, and loses the result (decision 0016)."""
    result = as_result(answer_of(text))
    assert result.structured_content == ({"result": text} if is_wrapped else None)
    wire = result_to_wire(TextAnswer(text), is_modern=False, server_info={})
    assert wire.get("structuredContent") == result.structured_content
