"""The scripted model: which call comes next, in each vendor's protocol."""

import json
from typing import Any

import pytest

from tests.interop.model_endpoint import ModelEndpoint

ANTHROPIC: dict[str, Any] = {
    "model": "scripted",
    "tools": [{"name": "mcp__lab__calculator"}],
    "messages": [{"role": "user", "content": "hello"}],
}
CHAT: dict[str, Any] = {
    "model": "scripted",
    "tools": [{"type": "function", "function": {"name": "lab_calculator"}}],
    "messages": [{"role": "user", "content": "hello"}],
}
RESPONSES: dict[str, Any] = {
    "model": "scripted",
    "tools": [{"type": "namespace", "name": "mcp__lab", "tools": [{"type": "function", "name": "calculator"}]}],
    "input": [{"type": "message", "role": "user", "content": []}],
}
GEMINI: dict[str, Any] = {
    "tools": [{"functionDeclarations": [{"name": "mcp_lab_calculator"}]}],
    "contents": [{"role": "user", "parts": [{"text": "hello"}]}],
}
CASES = [
    ("/v1/messages?beta=true", ANTHROPIC),
    ("/v1/chat/completions", CHAT),
    ("/v1/responses", RESPONSES),
    ("/v1beta/models/scripted:generateContent", GEMINI),
]


@pytest.mark.parametrize(("path", "request_to_model"), CASES, ids=["anthropic", "chat", "responses", "gemini"])
@pytest.mark.parametrize("stream", [False, True])
def test_the_first_answer_calls_the_calculator(path: str, request_to_model: dict[str, Any], *, stream: bool) -> None:
    path = path.replace(":generate", ":streamGenerate") if stream else path
    with ModelEndpoint() as model:
        answer = model.answer(path, {**request_to_model, **({"stream": True} if stream else {})})
    assert answer
    content_type, body = answer
    assert content_type == ("text/event-stream" if stream else "application/json")
    assert b"calculator" in body
    assert b"2 ** 10 + 5" in body


def test_the_number_of_results_tells_which_call_comes_next() -> None:
    result = {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "1029"}]}
    messages = [*ANTHROPIC["messages"], {"role": "user", "content": [result]}]
    with ModelEndpoint() as model:
        answer = model.answer("/v1/messages", {**ANTHROPIC, "messages": messages})
        assert model.conversations[0].results[0].text == "1029"
    assert answer
    assert json.loads(answer[1])["content"][0]["input"] == {"expression": "two plus two"}


def test_a_result_is_read_however_deep_its_text_is() -> None:
    """Gemini CLI wraps a result in an object and a tag, an error in an object of its own."""
    results = [{"output": "<untrusted_context>\n1029\n</untrusted_context>"}, {"error": "Error: no"}]
    parts = [{"functionResponse": {"name": "mcp_lab_calculator", "response": result}} for result in results]
    with ModelEndpoint() as model:
        model.answer("/v1beta/models/scripted:generateContent", {**GEMINI, "contents": [{"parts": parts}]})
        seen = [(result.text.split(), result.is_error) for result in model.conversations[0].results]
    assert seen == [(["<untrusted_context>", "1029", "</untrusted_context>"], None), (["Error:", "no"], True)]


def test_a_request_without_tools_is_answered_with_text() -> None:
    """Hosts also ask for a title of the conversation."""
    with ModelEndpoint() as model:
        answer = model.answer("/v1/chat/completions", {**CHAT, "tools": None})
    assert answer
    assert json.loads(answer[1])["choices"][0]["finish_reason"] == "stop"
