"""What a scripted model answers, in each vendor's protocol, whole or as a stream of events."""

import itertools
import json
from collections.abc import Iterable
from typing import Any, Final

type JSON = dict[str, Any]

CLOSING: Final = "Done."
_IDS: Final = itertools.count(1)
_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"


def anthropic_answer(request: JSON, tool: str, arguments: JSON | None) -> tuple[str, bytes]:
    """Answer `POST /v1/messages`."""
    block: JSON = {"type": "text", "text": CLOSING}
    if tool:
        block = {"type": "tool_use", "id": f"toolu_{next(_IDS)}", "name": tool, "input": arguments}
    reason = "tool_use" if tool else "end_turn"
    message: JSON = {
        "id": f"msg_{next(_IDS)}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [block],
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not request.get("stream"):
        return _JSON, json.dumps(message).encode()
    start = {**block, "input": {}} if tool else {**block, "text": ""}
    delta = {"type": "text_delta", "text": CLOSING}
    if tool:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    end = {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": message["usage"]}
    return _EVENTS, _named_events(
        [
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", **end},
            {"type": "message_stop"},
        ]
    )


def chat_answer(request: JSON, tool: str, arguments: JSON | None) -> tuple[str, bytes]:
    """Answer `POST /v1/chat/completions`."""
    message: JSON = {"role": "assistant", "content": CLOSING}
    if tool:
        call = {
            "index": 0,
            "id": f"call_{next(_IDS)}",
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps(arguments)},
        }
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "tool_calls" if tool else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    common = {"id": f"chatcmpl-{next(_IDS)}", "created": 0, "model": request["model"]}
    if not request.get("stream"):
        choice: JSON = {"index": 0, "message": message, "finish_reason": reason}
        return _JSON, json.dumps({**common, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
    chunks: list[JSON] = [
        {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {"choices": [], "usage": usage},
    ]
    events = _events({**common, "object": "chat.completion.chunk", **chunk} for chunk in chunks)
    return _EVENTS, events + b"data: [DONE]\n\n"


def responses_answer(request: JSON, tool: str, arguments: JSON | None) -> tuple[str, bytes]:
    """Answer `POST /v1/responses`; *tool* may be `namespace/name`."""
    item: JSON = {
        "type": "message",
        "id": f"msg_{next(_IDS)}",
        "role": "assistant",
        "content": [{"type": "output_text", "text": CLOSING, "annotations": []}],
    }
    if tool:
        namespace, _, name = tool.rpartition("/")
        item = {
            "type": "function_call",
            "id": f"fc_{next(_IDS)}",
            "call_id": f"call_{next(_IDS)}",
            "name": name,
            "arguments": json.dumps(arguments),
            **({"namespace": namespace} if namespace else {}),
        }
    response: JSON = {
        "id": f"resp_{next(_IDS)}",
        "object": "response",
        "created_at": 0,
        "model": request["model"],
        "status": "completed",
        "output": [item],
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    }
    if not request.get("stream"):
        return _JSON, json.dumps(response).encode()
    return _EVENTS, _named_events(
        [
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]
    )


def gemini_answer(request: JSON, tool: str, arguments: JSON | None) -> tuple[str, bytes]:
    """Answer `POST .../models/NAME:generateContent` or `:streamGenerateContent`, whose stream is one event."""
    part: JSON = {"functionCall": {"name": tool, "args": arguments}} if tool else {"text": CLOSING}
    answer = {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    }
    return (_EVENTS, _events([answer])) if request.get("stream") else (_JSON, json.dumps(answer).encode())


def _events(messages: Iterable[JSON]) -> bytes:
    return "".join(f"data: {json.dumps(message)}\n\n" for message in messages).encode()


def _named_events(messages: Iterable[JSON]) -> bytes:
    return "".join(f"event: {message['type']}\ndata: {json.dumps(message)}\n\n" for message in messages).encode()
