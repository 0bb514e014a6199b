"""The three model vendors' protocols, as far as a scripted model needs them: read a request, write an answer.

The hosts speak four: Anthropic's messages, OpenAI's chat completions and responses, Gemini's contents.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.interop.streams import anthropic_answer, chat_answer, gemini_answer, responses_answer

type JSON = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a host told its model of one call."""

    text: str
    is_error: bool | None
    """None: the protocol has no such field."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one request to the model shows."""

    tools: tuple[str, ...]
    """The names that the model could call."""
    results: tuple[ToolResult, ...]
    """Of the calls so far, in order."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One protocol."""

    path: str
    """What its request's path ends with, or contains."""
    read: Callable[[JSON], Conversation]
    answer: Callable[[JSON, str, JSON | None], tuple[str, bytes]]
    """(request, tool or "", arguments) -> content type and body; no tool: a closing text."""


def dialect_of(path: str) -> Dialect | None:
    """Return the dialect that a request to *path* is in."""
    return next((dialect for dialect in _DIALECTS if dialect.path in path), None)


def _read_anthropic(request: JSON) -> Conversation:
    blocks = [block for message in request["messages"] for block in _blocks(message["content"])]
    results = [
        ToolResult(_text(block.get("content")), bool(block.get("is_error")))
        for block in blocks
        if block.get("type") == "tool_result"
    ]
    return Conversation(tuple(tool["name"] for tool in request.get("tools", [])), tuple(results))


def _read_chat(request: JSON) -> Conversation:
    names = tuple(tool["function"]["name"] for tool in request.get("tools") or [])
    results = (message for message in request["messages"] if message["role"] == "tool")
    return Conversation(names, tuple(ToolResult(_text(message["content"]), None) for message in results))


def _read_responses(request: JSON) -> Conversation:
    items = request["input"] if isinstance(request["input"], list) else []
    results = (item for item in items if item.get("type") == "function_call_output")
    names = tuple(_response_tool_names(request.get("tools") or []))
    return Conversation(names, tuple(ToolResult(_text(item["output"]), None) for item in results))


def _response_tool_names(tools: list[JSON]) -> Iterator[str]:
    """Codex groups the tools of a server in a namespace; a call names both, see `streams.responses_answer`."""
    for tool in tools:
        if tool.get("type") == "namespace":
            yield from (f"{tool['name']}/{inner['name']}" for inner in tool["tools"])
        elif "name" in tool:
            yield tool["name"]


def _read_gemini(request: JSON) -> Conversation:
    names = [
        declaration["name"]
        for tool in request.get("tools") or []
        for declaration in tool.get("functionDeclarations", [])
    ]
    parts = [part for content in request["contents"] for part in content.get("parts", [])]
    answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    return Conversation(tuple(names), tuple(ToolResult(_text(answer), "error" in answer or None) for answer in answers))


def _blocks(content: Any) -> list[JSON]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(content: Any) -> str:
    """Return the text in a result, however deep a host put it."""
    if isinstance(content, Mapping):
        return _text(content["text"]) if "text" in content else " ".join(map(_text, content.values()))
    return " ".join(map(_text, content)) if isinstance(content, list) else str(content)


_DIALECTS: Final = (
    Dialect("/v1/messages", _read_anthropic, anthropic_answer),
    Dialect("/chat/completions", _read_chat, chat_answer),
    Dialect("/responses", _read_responses, responses_answer),
    Dialect("enerateContent", _read_gemini, gemini_answer),
)
