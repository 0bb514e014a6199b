"""Every file of events/lab through `lambda_handler`: the files that `make invoke` runs are the tests' own.

Source: issue 2, item 6; SPEC 2.3.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types import Tool

from functions.lab.app import lambda_handler, server
from functions.lab.countdown import Countdown
from functions.lab.server import LabMCPServer
from mcpserver import http_handler
from tests.mcpserver.posts import nulls_in, read, read_all

EVENTS = Path(__file__).parents[3] / "events" / "lab"
NAMES = ["calculator", "wiki_search", "get_current_time", "countdown"]
TEXT_1029 = {"id": 1, "result": {"content": [{"type": "text", "text": "1029"}], "isError": False}}

EXPECTED: dict[str, tuple[int, Any]] = {
    "alb_tools_call": (200, TEXT_1029),
    "bad_json": (400, {"id": None, "error": {"code": -32700}}),
    "batch": (200, [{"id": 1, "result": {}}, {"id": 2, "result": {"tools": ...}}, TEXT_1029 | {"id": 3}]),
    "function_url_tools_call": (200, TEXT_1029),
    "get": (405, {"id": None, "error": {"code": -32600}}),
    "initialize": (200, {"id": 1, "result": {"protocolVersion": "2025-11-25", "serverInfo": {"name": "lab"}}}),
    "modern_discover": (200, {"id": 1, "result": {"supportedVersions": ["2026-07-28"], "resultType": "complete"}}),
    "modern_header_mismatch": (400, {"id": 1, "error": {"code": -32020}}),
    "modern_tools_call": (200, TEXT_1029),
    "modern_tools_list": (200, {"id": 1, "result": {"tools": ..., "ttlMs": ..., "cacheScope": "public"}}),
    "notification": (202, None),
    "tools_call": (200, TEXT_1029),
    "tools_call_error": (200, {"id": 1, "result": {"content": ..., "isError": True}}),
    "tools_call_progress": (200, {"id": 1, "result": {"content": [{"text": "Counted 1 s."}], "isError": False}}),
    "tools_list": (200, {"id": 1, "result": {"tools": ...}}),
    "v2_base64_tools_call": (200, TEXT_1029),
    "v2_tools_call": (200, TEXT_1029),
}
"""File -> status and what the answer holds at least; `...` is anything."""


class Lambda:
    """The runtime's context object."""

    aws_request_id = "r-1"

    def get_remaining_time_in_millis(self) -> int:
        """Return what a fresh invocation has."""
        return 29_000


async def no_sleep(_seconds: float) -> None:
    """Take no time."""


def event_of(name: str) -> dict[str, Any]:
    """Return one file's event."""
    event: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text("utf-8"))
    return event


def holds(found: Any, expected: Any) -> bool:
    """Tell whether *found* holds at least what is *expected*."""
    if expected is ...:
        return found is not None
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and holds(found[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(holds, found, expected))
    return type(found) is type(expected) and bool(found == expected)


def answer(name: str) -> dict[str, Any]:
    """Return the proxy answer to one file; the slow tool gets a sleep that takes no time."""
    handler = lambda_handler
    if name == "tools_call_progress":
        handler = http_handler(LabMCPServer([Countdown(no_sleep)]), default_receivers=False)
    return handler(event_of(name), Lambda())


def test_every_event_file_has_a_row_and_every_row_a_file() -> None:
    """A new file is a new case."""
    assert {path.stem for path in EVENTS.glob("*.json")} == EXPECTED.keys()


@pytest.mark.parametrize("name", EXPECTED)
def test_each_event_file_gets_its_answer(name: str) -> None:
    """The status and the body's shape, of each front door and each era."""
    status, expected = EXPECTED[name]
    response = answer(name)
    found = read(response)
    assert response["statusCode"] == status
    assert holds(found, expected), found
    assert found is None or [path for path in nulls_in(found) if path != ".id"] == []
    assert response["isBase64Encoded"] is False
    assert all(isinstance(value, str) for value in response["headers"].values())


def test_the_progress_event_is_answered_as_a_stream() -> None:
    """It asks for progress and accepts the stream."""
    response = answer("tools_call_progress")
    assert response["headers"]["Content-Type"] == "text/event-stream"
    assert [found.get("method") for found in read_all(response)] == ["notifications/progress", None]


def test_the_lab_has_its_four_tools_in_order() -> None:
    """SPEC 3: names never change."""
    assert list(server.tools) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_tool_says_when_to_call_it_and_only_reads(name: str) -> None:
    """SPEC 2.2 and HOSTS rule 12; a host asks a person before it calls a tool that writes."""
    definition: Tool = server.tools[name].definition()
    assert definition.title
    assert definition.description
    assert len(definition.description) > 40
    assert definition.annotations is not None
    assert definition.annotations.read_only_hint is True
    Draft202012Validator.check_schema(definition.input_schema)
    assert all(part.get("description") for part in definition.input_schema["properties"].values())


def test_the_instructions_name_each_tool() -> None:
    """SPEC 2.1: what the server is for, when to call each tool."""
    assert all(name in server.instructions() for name in NAMES)


def test_the_handler_file_is_short_and_decides_nothing() -> None:
    """STYLE, Handlers: at most 25 lines, no `if`, no `try`."""
    text = (Path(__file__).parents[3] / "functions" / "lab" / "app.py").read_text("utf-8")
    assert len(text.splitlines()) <= 25
    assert not {"if", "try:", "boto3"} & set(text.split())
