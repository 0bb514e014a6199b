"""Tools whose results have each kind of content. Names and texts are the suite's."""

import struct
import zlib
from typing import Any

from mcp_types import EmbeddedResource, TextResourceContents
from pydantic import BaseModel, Field

from mcpserver import CallContext, MCPServerToolError, MCPToolBase, audio, image, tool


def _png() -> bytes:
    """Return a PNG of one red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
        + chunk(b"IEND", b"")
    )


def _wav() -> bytes:
    """Return a WAV of one silent sample."""
    data = b"\0\0"
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 16000, 2, 16)
    return struct.pack("<4sI4s", b"RIFF", 36 + len(data), b"WAVE") + form + struct.pack("<4sI", b"data", 2) + data


PNG = _png()
WAV = _wav()


@tool
def test_simple_text() -> str:
    """Return a text."""
    return "This is a simple text response for testing."


@tool
def test_image_content() -> Any:
    """Return an image."""
    return image(PNG)


@tool
def test_audio_content() -> Any:
    """Return a sound."""
    return audio(WAV)


@tool
def test_embedded_resource() -> Any:
    """Return a resource."""
    contents = TextResourceContents(
        uri="test://embedded-resource", mime_type="text/plain", text="This is an embedded resource content."
    )
    return EmbeddedResource(resource=contents)


@tool
def test_multiple_content_types() -> Any:
    """Return a text, an image and a resource."""
    contents = TextResourceContents(
        uri="test://mixed-content-resource", mime_type="application/json", text='{"test":"data","value":123}'
    )
    return ["Multiple content types test:", image(PNG), EmbeddedResource(resource=contents)]


@tool
def test_error_handling() -> str:
    """Fail."""
    raise MCPServerToolError("This tool intentionally returns an error for testing")


@tool
def test_tool_with_progress(context: CallContext) -> str:
    """Report progress."""
    for progress in (0, 50, 100):
        context.report_progress(progress, 100, f"Completed step {progress} of 100")
    return "done"


@tool(logs=True)
def test_tool_with_logging(context: CallContext) -> str:
    """Send three log messages."""
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        context.log("info", message)
    return "Logged three messages."


@tool(logs=True)
def test_logging_tool(context: CallContext) -> str:
    """Send a log message, to a client that wants it."""
    context.log("info", "a message")
    return "done"


class HeaderArguments(BaseModel):
    """Arguments that a modern client repeats as headers."""

    region: str = Field(description="Where.", json_schema_extra={"x-mcp-header": "Region"})
    count: int = Field(1, description="How many.", json_schema_extra={"x-mcp-header": "Count"})


class HeaderTool(MCPToolBase[HeaderArguments]):
    """A tool with `x-mcp-header` properties."""

    name = "test_x_mcp_header"
    title = "Header tool"
    description = "Take arguments that headers repeat."
    arguments_model = HeaderArguments

    def run(self, arguments: HeaderArguments) -> str:
        """Return where."""
        return f"{arguments.region} {arguments.count}"


class AnyArguments(BaseModel, extra="allow"):
    """Whatever comes."""


class SchemaTool(MCPToolBase[AnyArguments]):
    """A tool that brings a JSON Schema of its own."""

    name = "json_schema_2020_12_tool"
    title = "Schema tool"
    description = "Tool with JSON Schema 2020-12 features"
    arguments_model = AnyArguments

    def input_schema(self) -> dict[str, Any]:
        """Return a schema with each keyword that must survive."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {
                "address": {
                    "$anchor": "addressDef",
                    "type": "object",
                    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
                }
            },
            "properties": {
                "name": {"type": "string"},
                "address": {"$ref": "#/$defs/address"},
                "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                "phone": {"type": "string"},
                "email": {"type": "string"},
            },
            "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
            "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
            "then": {"required": ["phone"]},
            "else": {"required": ["email"]},
            "additionalProperties": False,
        }

    def run(self, arguments: AnyArguments) -> str:  # noqa: ARG002 -- the suite reads the list only
        """Return something."""
        return "ok"


CONTENT_TOOLS = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_progress,
    test_tool_with_logging,
    test_logging_tool,
    HeaderTool(),
    SchemaTool(),
)
