"""The default receivers: a log line and a metric for each call, and never an argument, a header or a secret.

Source: STYLE, Logs; issue 2, signals; CloudWatch embedded metric format specification.
"""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from mcpserver import http_handler, tool
from mcpserver.http_adapter import LambdaHandler
from mcpserver.receivers import connect_default_receivers
from tests.fixture_servers import AddingServer, serving
from tests.mcpserver.posts import JSON_HEADERS, modern_request, post, post_modern, request, rest_event

CALL = request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})
METRIC = "_aws"
NUMBERS = itertools.count()

type Lines = Callable[[], list[dict[str, Any]]]


class Lambda:
    """The runtime's context object."""

    aws_request_id = "r-1"


@tool
def crash(text: str) -> str:
    """Crash with the argument in the error."""
    raise RuntimeError(text)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    """Give the JSON lines that were written to stdout."""
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def service() -> str:
    """Give a service name of the test's own: Powertools keeps one logger, and its stream, for each name."""
    return f"lab-{next(NUMBERS)}"


@pytest.fixture
def handler(service: str, monkeypatch: pytest.MonkeyPatch) -> LambdaHandler:
    """Give a handler with the default receivers, made at its first event: only then is stdout the test's own."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", service)
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "samcp-test")

    @cache
    def made() -> LambdaHandler:
        server = AddingServer()
        server.tools["crash"] = crash
        return http_handler(server)

    def handle(event: Any, context: Any) -> Any:
        return made()(event, context)

    return handle


def test_each_call_is_one_line_with_who_what_and_how_long(handler: LambdaHandler, service: str, lines: Lines) -> None:
    """Issue 2: request id, client, method, tool, duration, outcome."""
    event = rest_event(
        json.dumps(CALL),
        {**JSON_HEADERS, "user-agent": "example/1.0 (x)"},
        requestContext={"authorizer": {"principalId": "key-1"}},
    )
    handler(event, Lambda())
    (line,) = [found for found in lines() if METRIC not in found]
    expected = {
        "message": "mcp call",
        "service": service,
        "level": "INFO",
        "request_id": "r-1",
        "server": "fixture",
        "method": "tools/call",
        "tool": "add",
        "outcome": "ok",
        "protocol_version": "2025-03-26",
        "client": "example",
        "client_version": "1.0",
        "principal": "key-1",
    }
    assert expected.items() <= line.items()
    assert line["duration_ms"] >= 0


def test_what_was_normalised_stands_in_the_line(handler: LambdaHandler, lines: Lines) -> None:
    """SPEC 2.4: logged: method, kind; for a tool's name as the method, the original method and the tool."""
    post(handler, request("add", {"a": "1", "b": 2}))
    (line,) = [found for found in lines() if METRIC not in found]
    assert line["tool"] == "add"
    assert line["normalised"] == ["add tool_as_method", "tools/call argument: a"]


CANARIES: dict[str, Any] = {
    "argument": request("tools/call", {"name": "echo", "arguments": {"text": "CANARY"}}),
    "unknown argument": request("tools/call", {"name": "echo", "arguments": {"text": "x", "CANARY": "CANARY"}}),
    "bad argument": request("tools/call", {"name": "add", "arguments": {"a": "CANARY", "b": 1}}),
    "crash": request("tools/call", {"name": "crash", "arguments": {"text": "CANARY"}}),
    "tool": request("tools/call", {"name": "CANARY"}),
    "method": request("CANARY"),
    "notification": {"jsonrpc": "2.0", "method": "CANARY", "params": {"a": "CANARY"}},
    "id": request("ping", request_id="CANARY"),
    "cursor": request("tools/list", {"cursor": "CANARY"}),
    "meta": request("ping", {"_meta": {"CANARY": "CANARY", "progressToken": "CANARY"}}),
    "jsonrpc": {"jsonrpc": "CANARY", "id": 1, "method": "ping"},
    "modern": modern_request("tools/call", {"name": "echo", "arguments": {"text": "CANARY"}}),
    "no message": "CANARY",
}


@pytest.mark.parametrize("message", CANARIES.values(), ids=CANARIES.keys())
def test_no_line_holds_an_argument_a_header_or_a_secret(message: Any, handler: LambdaHandler, lines: Lines) -> None:
    """STYLE, Logs: ids, counts and durations, never arguments, headers or secrets."""
    secrets = {
        "authorization": "Bearer CANARY",
        "x-api-key": "CANARY",
        "cookie": "CANARY",
        "x-other": "CANARY",
        "origin": "https://CANARY.example",
        "mcp-session-id": "CANARY",
        "referer": "CANARY",
    }
    if message is CANARIES["modern"]:
        post_modern(handler, message, **{name.replace("-", "_"): value for name, value in secrets.items()})
    else:
        post(handler, message, secrets)
    assert "CANARY" not in json.dumps(lines())


@pytest.mark.parametrize("name", ["a\nb", '{"level":"ERROR"}', "x" * 500, "\x1b[31mred", "<script>"])
def test_a_clients_name_cannot_forge_a_line(name: str, handler: LambdaHandler, lines: Lines) -> None:
    """OWASP, log injection: the one text of a client's that the log holds is cut and cleaned."""
    post(handler, request("initialize", {"clientInfo": {"name": name, "version": name}}))
    (line,) = [found for found in lines() if METRIC not in found]
    for member in ("client", "client_version"):
        assert len(line[member]) <= 64
        assert not set(line[member]) & set('\n\x1b{}"<>')


@pytest.mark.parametrize(
    ("message", "errors"),
    [(CALL, 0), (request("tools/call", {"name": "add"}), 1), (CANARIES["crash"], 1)],
    ids=["ok", "tool error", "crash"],
)
def test_each_tool_call_is_a_valid_metric(message: Any, errors: int, handler: LambdaHandler, lines: Lines) -> None:
    """The embedded metric format: each named metric and dimension is a member of the record."""
    post(handler, message)
    record = next(found for found in lines() if METRIC in found and "ToolCalls" in found)
    (directive,) = record[METRIC]["CloudWatchMetrics"]
    assert isinstance(record[METRIC]["Timestamp"], int)
    assert directive["Namespace"] == "samcp-test"
    for metric in directive["Metrics"]:
        assert metric["Unit"] in ("Count", "Milliseconds")
        assert all(isinstance(value, (int, float)) for value in _listed(record[metric["Name"]]))
    for dimensions in directive["Dimensions"]:
        assert {"server", "tool"} <= set(dimensions)
        assert all(isinstance(record[name], str) for name in dimensions)
    assert _listed(record["ToolCalls"]) == [1]
    assert _listed(record["ToolErrors"]) == [errors]
    assert _listed(record["ToolDuration"])[0] >= 0


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_nothing_of_one_record_is_left_in_the_next(handler: LambdaHandler, lines: Lines) -> None:
    """A warm instance writes many: dimensions and counts must not pile up."""
    for _ in range(3):
        post(handler, CALL)
    records = [found for found in lines() if "ToolCalls" in found]
    assert [_listed(record["ToolCalls"]) for record in records] == [[1]] * 3


def test_other_messages_write_no_tool_metric(handler: LambdaHandler, lines: Lines) -> None:
    """What is not called is not counted."""
    post(handler, request("ping"))
    assert not [found for found in lines() if "ToolCalls" in found]


def test_without_the_default_receivers_nothing_is_written(lines: Lines) -> None:
    """`default_receivers=False`."""
    post(http_handler(AddingServer(), default_receivers=False), CALL)
    assert lines() == []


def test_connecting_twice_is_two_servers_business_only(service: str, lines: Lines) -> None:
    """Receivers belong to a server: another server's call is not logged twice."""
    first, second = serving(crash), AddingServer()
    connect_default_receivers(first, {"POWERTOOLS_SERVICE_NAME": service})
    connect_default_receivers(second, {"POWERTOOLS_SERVICE_NAME": service})
    second.handle(request("ping"))
    assert len([found for found in lines() if METRIC not in found]) == 1


def test_importing_the_layer_does_nothing() -> None:
    """STYLE, Files: nothing happens on import: no receiver, no log, no environment, no Powertools logger."""
    program = (
        "import logging, mcpserver, mcpserver.receivers as r\n"
        "assert not mcpserver.mcpserver_called.receivers and not mcpserver.mcpserver_tool_called.receivers\n"
        "assert not logging.getLogger('mcpserver').handlers and not logging.getLogger().handlers\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
