"""What a server tells about its work, and that telling never breaks an answer. Source: SPEC 2.1, Signals."""

import logging
from typing import Any

import pytest

from mcpserver import CallContext, MCPServerBase, MCPServerToolError, mcpserver_called, mcpserver_tool_called, tool
from tests.fixture_servers import AddingServer, serving
from tests.mcpserver.posts import modern_request, request

NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}})


class Ear:
    """A receiver that remembers what it hears."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def __call__(self, server: object, **payload: Any) -> None:
        """Remember it."""
        self.heard.append({"server": server, **payload})


def heard(server: MCPServerBase, message: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what both signals said while *server* answered *message*."""
    calls, tools = Ear(), Ear()
    with (
        mcpserver_called.connected_to(calls, sender=server),
        mcpserver_tool_called.connected_to(tools, sender=server),
    ):
        server.handle(message)
    return calls.heard, tools.heard


def test_every_valid_request_and_notification_is_told() -> None:
    """SPEC 2.1: `mcpserver_called` for every valid notification and request."""
    calls, tools = heard(AddingServer(), [request("ping"), NOTIFICATION, request("tools/list")])
    assert [call["context"].method for call in calls] == ["ping", "notifications/initialized", "tools/list"]
    assert [call["outcome"] for call in calls] == ["ok"] * 3
    assert tools == []


NO_MESSAGES: list[Any] = [5, {}, {"jsonrpc": "2.0", "method": 5}, {"jsonrpc": "2.0", "id": None, "method": "x"}]


@pytest.mark.parametrize("message", NO_MESSAGES)
def test_what_is_no_message_is_not_told(message: Any) -> None:
    """SPEC 2.1: valid ones only."""
    assert heard(AddingServer(), message) == ([], [])


def test_every_tool_call_is_told_with_its_duration() -> None:
    """SPEC 2.1: after every tool call, failed or not, with the duration."""
    server = AddingServer()
    calls, tools = heard(server, CALL)
    (told,) = tools
    assert (told["server"], told["tool"], told["outcome"]) == (server, "add", "ok")
    assert 0 <= told["duration_s"] <= calls[0]["duration_s"]
    assert calls[0]["context"] is told["context"]
    assert calls[0]["context"].tool == "add"


@tool
def failing() -> str:
    """Fail."""
    raise MCPServerToolError("no.")


@tool
def crashing() -> str:
    """Crash."""
    raise KeyError("CANARY")


@pytest.mark.parametrize(
    ("message", "outcome", "tool_outcomes"),
    [
        (request("tools/call", {"name": "failing"}), "tool_error", ["tool_error"]),
        (request("tools/call", {"name": "crashing"}), "crash", ["crash"]),
        (request("tools/call", {"name": "nope"}), "rpc_error", []),
        (request("no/such"), "rpc_error", []),
        (modern_request("tools/call", {"name": "crashing", "arguments": {}}), "crash", ["crash"]),
    ],
)
def test_each_outcome_is_told(message: dict[str, Any], outcome: str, tool_outcomes: list[str]) -> None:
    """CallContext.outcome: ok, tool_error, rpc_error, crash."""
    calls, tools = heard(serving(failing, crashing), message)
    assert [call["outcome"] for call in calls] == [outcome]
    assert [told["outcome"] for told in tools] == tool_outcomes


def test_an_unknown_method_is_told_without_its_text() -> None:
    """It is the client's own text: a log must not hold it."""
    calls, _ = heard(AddingServer(), request("CANARY"))
    assert [call["context"].method for call in calls] == ["unknown"]


def test_a_failing_receiver_never_breaks_an_answer_nor_the_others(caplog: pytest.LogCaptureFixture) -> None:
    """SPEC 2.1: a receiver that fails never breaks an answer; our own choice: it keeps none of the others from it."""

    def fail(_server: object, **_payload: Any) -> None:
        raise RuntimeError("CANARY")

    server, ear = AddingServer(), Ear()
    before = server.handle(CALL)
    with (
        mcpserver_called.connected_to(fail, sender=server),
        mcpserver_called.connected_to(ear, sender=server),
        mcpserver_tool_called.connected_to(fail, sender=server),
        mcpserver_tool_called.connected_to(ear, sender=server),
        caplog.at_level(logging.ERROR),
    ):
        assert server.handle(CALL) == before
    assert len(ear.heard) == 2
    assert [vars(record)["error"] for record in caplog.records] == ["RuntimeError"] * 2
    assert "CANARY" not in "".join(str(vars(record)) for record in caplog.records)


def test_a_receiver_hears_its_own_server_only() -> None:
    """Two servers in one process: each has its own receivers."""
    ear = Ear()
    one, other = AddingServer(), AddingServer()
    with mcpserver_called.connected_to(ear, sender=one):
        other.handle(request("ping"))
    assert ear.heard == []


def test_a_batch_tells_each_message_with_a_context_of_its_own() -> None:
    """One POST, several messages: what one asked must not stand in another's line."""
    calls, _ = heard(AddingServer(), [CALL, request("ping"), request("tools/call", {"name": "nope"})])
    contexts: list[CallContext] = [call["context"] for call in calls]
    assert [context.tool for context in contexts] == ["add", "", ""]
    assert len({id(context) for context in contexts}) == 3
