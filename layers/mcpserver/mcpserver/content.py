"""What a tool returns, as a `CallToolResult`: text, typed results, images, audio, resources and links."""

import base64
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from pydantic import BaseModel
from pydantic_core import from_json

from mcpserver.errors import MCPServerToolError
from mcpserver.jsonrpc import is_finite, replace_lone_surrogates, to_wire

type ToolOutput = str | BaseModel | ContentBlock | Sequence[str | ContentBlock] | CallToolResult
"""What a tool's `run` may return: Markdown text, a Pydantic model, content blocks, or a whole result."""

MAX_TEXT_CHARACTERS: Final = 80_000
"""About 20,000 tokens: past some 25,000 a host refuses the result. Source: HOSTS rule 14."""

_JSON_OPENINGS: Final = frozenset('0123456789-["tfn')
"""What JSON that is no object begins with."""

_BLOCKS = (TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource)


def image(data: bytes, mime_type: str = "image/png") -> ImageContent:
    """Return *data* as an image block."""
    return ImageContent(data=base64.b64encode(data).decode("ascii"), mime_type=mime_type)


def audio(data: bytes, mime_type: str = "audio/wav") -> AudioContent:
    """Return *data* as an audio block."""
    return AudioContent(data=base64.b64encode(data).decode("ascii"), mime_type=mime_type)


class TextAnswer(NamedTuple):
    """A result that is one text and nothing else: most are, and building the two models for it would cost 5 us."""

    text: str
    is_error: bool = False


type ToolAnswer = TextAnswer | CallToolResult
"""What a tool call ended in."""


def as_result(answer: ToolAnswer) -> CallToolResult:
    """Return *answer* as the specification's model."""
    if isinstance(answer, TextAnswer):
        content = [TextContent(text=answer.text)]
        return CallToolResult(content=content, structured_content=wrapped(answer.text), is_error=answer.is_error)
    return answer


def wrapped(text: str) -> dict[str, str] | None:
    """Return `{"result": text}` for a text that is JSON but no object, such as `1029`; None for any other.

    Gemini CLI parses the first text of a result without `structuredContent`, takes what comes out for one, and loses
    the result where that is no object. Source: measured on Gemini CLI 0.61; docs/decisions/0016-wrapped-json-text.md.
    """
    if text.lstrip()[:1] not in _JSON_OPENINGS:
        return None
    try:
        value = from_json(text)
    except ValueError:
        return None
    return None if isinstance(value, dict) else {"result": text}


def answer_of(output: ToolOutput) -> ToolAnswer:
    """Return what a tool returned as its answer.

    A model becomes `structuredContent` and the same JSON as text: some hosts show the model one, some the other.
    """
    if type(output) is str:
        return TextAnswer(cap_text(output))
    if isinstance(output, CallToolResult):
        return output
    if isinstance(output, _BLOCKS):
        return CallToolResult(content=[_capped(output)])
    if isinstance(output, BaseModel):
        structured = replace_lone_surrogates(output.model_dump(mode="json", by_alias=True, exclude_none=True))
        if not is_finite(structured):
            raise MCPServerToolError("the result holds a number that is not finite.")
        return CallToolResult(content=[TextContent(text=_json_text(structured))], structured_content=structured)
    if isinstance(output, Sequence) and not isinstance(output, bytes):
        blocks = [_block_of(item) for item in output]
        first = blocks[0] if blocks else None
        result = wrapped(first.text) if isinstance(first, TextContent) else None
        return CallToolResult(content=blocks, structured_content=result)
    raise TypeError(f"A tool returns text, a model or content blocks, not {type(output).__name__}.")


def error_answer(message: str) -> TextAnswer:
    """Return an error that the model reads.

    Three hosts drop `isError`, so the text itself says it. Source: HOSTS rule 4.
    """
    return TextAnswer(cap_text(f"Error: {message}"), is_error=True)


def cap_text(text: str) -> str:
    """Return *text*, cut where it would pass `MAX_TEXT_CHARACTERS`, with a last line that says so."""
    if len(text) <= MAX_TEXT_CHARACTERS:
        return text
    mark = f"\n[truncated: the whole text has {len(text)} characters]"
    return text[: MAX_TEXT_CHARACTERS - len(mark)] + mark


def _json_text(structured: Any) -> str:
    """Return *structured* as JSON text that stays JSON where it must be cut."""
    text = to_wire(structured)
    if len(text) <= MAX_TEXT_CHARACTERS:
        return text
    # Each character of the excerpt may take two in JSON: a quote becomes a backslash and a quote.
    beginning = text[: MAX_TEXT_CHARACTERS // 2 - 100]
    return to_wire({"truncated": True, "total_characters": len(text), "beginning": beginning})


def _block_of(item: Any) -> Any:
    if isinstance(item, str):
        return TextContent(text=cap_text(item))
    if isinstance(item, _BLOCKS):
        return _capped(item)
    raise TypeError(f"A content block is text or one of mcp_types' blocks, not {type(item).__name__}.")


def _capped(block: Any) -> Any:
    if isinstance(block, TextContent) and len(block.text) > MAX_TEXT_CHARACTERS:
        return block.model_copy(update={"text": cap_text(block.text)})
    return block
