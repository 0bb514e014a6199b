"""The text view of what a tool or a resource returned."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ReadResourceResult,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from mcpclient.text import plain_name, truncate


@dataclass(frozen=True, slots=True)
class MCPToolResult:
    """What a tool returned, as text for a model."""

    text: str
    is_error: bool = False
    """The tool itself reports an error; its text says which."""

    @classmethod
    def from_result(cls, result: CallToolResult, max_characters: int) -> Self:
        """Return *result* as at most *max_characters* of text: text blocks joined, the others named."""
        parts = [_text_of(block) for block in result.content]
        if not parts and result.structured_content is not None:
            parts = [json.dumps(result.structured_content, ensure_ascii=False)]
        return cls(text=truncate("\n".join(parts), max_characters), is_error=bool(result.is_error))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return asdict(self)


def resource_text(result: ReadResourceResult, max_characters: int) -> str:
    """Return a resource as at most *max_characters* of text: texts joined, binary parts named."""
    parts = [
        content.text if isinstance(content, TextResourceContents) else _named("binary", content.mime_type)
        for content in result.contents
    ]
    return truncate("\n".join(parts), max_characters)


async def take_result_as_it_is(name: str, result: CallToolResult) -> None:
    """Stand in for the SDK's check of structured content against the server's output schema."""


def _text_of(block: Any) -> str:
    resource = block.resource if isinstance(block, EmbeddedResource) else None
    if isinstance(block, TextContent):
        return block.text
    if isinstance(resource, TextResourceContents):
        return resource.text
    return _named(*_name_of(block))


def _name_of(block: Any) -> tuple[str, str | None]:
    match block:
        case ImageContent():
            return "image", block.mime_type
        case AudioContent():
            return "audio", block.mime_type
        case ResourceLink():
            return "resource link", block.uri
        case EmbeddedResource():
            return "resource", block.resource.uri
        case _:
            return "content", None


def _named(kind: str, detail: str | None) -> str:
    return f"[{kind}: {plain_name(detail)}]" if detail else f"[{kind}]"
