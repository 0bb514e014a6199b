"""What an attacker found once, kept as tests: each was a crash, a lost answer, a fooled proxy or wasted seconds."""

import asyncio
import json
from typing import Any

import pytest
from mcp_types.jsonrpc import JSONRPCError

from mcpserver import CallContext, http_handler, mcpserver_called, tool
from mcpserver.deadline import MARGIN_S
from mcpserver.errors import MCPError
from mcpserver.repair import MAX_VALUES
from mcpserver.uri_template import UriTemplate
from tests.fixture_servers import FixtureServer, serving
from tests.mcpserver.posts import JSON_HEADERS, modern_headers, modern_request, request, rest_event


class NearlyOver:
    """A Lambda context whose time ends *spare_us* after the margin."""

    aws_request_id = "id"

    def __init__(self, spare_us: float) -> None:
        self._spare_us = spare_us

    def get_remaining_time_in_millis(self) -> float:
        """Return what is left, in milliseconds."""
        return MARGIN_S * 1000 + self._spare_us / 1000


@tool
def echo(text: str) -> str:
    """Echo."""
    return text


def test_an_alarm_at_the_very_end_of_a_tool_hits_nothing_else() -> None:
    """Deadlines that fall on the microsecond in which a tool ends: the next call must not pay for them."""
    handler = http_handler(serving(echo), default_receivers=False)
    event = rest_event(json.dumps(request("tools/call", {"name": "echo", "arguments": {"text": "x"}})), JSON_HEADERS)
    for number in range(3_000):
        answer = handler(event, NearlyOver(number % 60))
        assert answer["statusCode"] == 200
        assert "result" in json.loads(answer["body"])


def test_arguments_of_too_many_values_are_refused_before_they_are_validated() -> None:
    """240,000 wrong items took seconds and a gigabyte."""

    @tool
    def add_all(numbers: list[int]) -> str:
        """Add."""
        return str(sum(numbers))

    answer = serving(add_all).call_tool({"name": "add_all", "arguments": {"numbers": ["a"] * 240_000}})
    assert answer.is_error
    assert str(MAX_VALUES) in answer.content[0].text  # type: ignore[union-attr]  # an error is one text


def test_matching_a_uri_takes_linear_time() -> None:
    """Two variables in one segment backtracked: 16,000 dots took seconds, and a URI may have a million."""
    assert UriTemplate("n://{y}.{m}").match("n://" + "." * 8_000) is None
    assert UriTemplate("n://{y}-{m}-{d}").match("n://" + "-" * 8_000 + "/") is None
    assert UriTemplate("n://{y}.{m}").match("n://2026.7") == {"y": "2026", "m": "7"}
    with pytest.raises(ValueError, match="between"):
        UriTemplate("n://{y}{m}")


class OwnError(BaseException):
    """A tool's own, of the kind that nobody catches."""


@pytest.mark.parametrize("error", [asyncio.CancelledError, GeneratorExit, OwnError])
def test_whatever_a_synchronous_tool_raises_is_an_answer(error: type[BaseException]) -> None:
    """It left the handler: a 502, with the exception's text in the platform's log."""

    @tool
    def fail() -> str:
        """Fail."""
        raise error("CANARY")

    answer = serving(fail).handle_message(request("tools/call", {"name": "fail", "arguments": {}}))
    assert isinstance(answer, JSONRPCError)
    assert (answer.error.code, answer.error.message) == (-32603, "Internal error.")


def test_a_result_outlives_notifications_that_are_too_large() -> None:
    """The model was told of an error, although the tool had done its work."""

    @tool(logs=True)
    def talk(context: CallContext) -> str:
        """Talk."""
        for _ in range(80):
            context.log("info", "x" * 100_000)
        return "done"

    message = request("tools/call", {"name": "talk", "arguments": {}})
    answer = http_handler(serving(talk), default_receivers=False)(rest_event(json.dumps(message), JSON_HEADERS), None)
    assert json.loads(answer["body"].split("data: ")[-1])["result"]["content"][0]["text"] == "done"


def test_a_huge_progress_token_is_not_repeated() -> None:
    """A token of a megabyte in each of many notifications filled the memory."""

    @tool
    def work(context: CallContext) -> str:
        """Work."""
        context.report_progress(1)
        return "done"

    message = request("tools/call", {"name": "work", "arguments": {}, "_meta": {"progressToken": "x" * 10_000}})
    answer = http_handler(serving(work), default_receivers=False)(rest_event(json.dumps(message), JSON_HEADERS), None)
    assert answer["headers"]["Content-Type"] == "application/json"


def test_many_unknown_arguments_are_one_entry_of_the_log() -> None:
    """80,000 unknown keys wrote 2.5 MB of log for anybody who asked."""
    arguments: dict[str, Any] = {"text": "x"} | {f"key{number}": 1 for number in range(5_000)}
    message = request("tools/call", {"name": "echo", "arguments": arguments})
    seen: list[CallContext] = []
    server = serving(echo)

    def watch(_server: object, *, context: CallContext, **_rest: object) -> None:
        seen.append(context)

    mcpserver_called.connect(watch, sender=server, weak=False)
    http_handler(server, default_receivers=False)(rest_event(json.dumps(message), JSON_HEADERS), None)
    assert seen[0].all_changes() == [("tools/call", "argument: unknown")]


@pytest.mark.parametrize(
    "headers",
    [
        {"mcp-method": "=?base64?dG9vbHMvY2FsbA==?="},
        {"mcp-protocol-version": "=?base64?MjAyNi0wNy0yOA==?="},
    ],
)
def test_a_method_or_version_is_read_as_a_proxy_reads_it(headers: dict[str, str]) -> None:
    """In base64 it passed by a proxy that routes or denies on the plain text."""
    message = modern_request("tools/call", {"name": "echo", "arguments": {"text": "x"}})
    event = rest_event(json.dumps(message), modern_headers(message) | headers)
    answer = http_handler(serving(echo), default_receivers=False)(event, None)
    assert json.loads(answer["body"])["error"]["code"] in (-32020, -32602)


def test_two_names_are_not_one_name_with_a_comma() -> None:
    """The joined form of a header sent twice equalled a body that holds the comma."""
    message = modern_request("resources/read", {"uri": "test://a, b"})
    event = rest_event(json.dumps(message), modern_headers(message))
    event["multiValueHeaders"]["mcp-name"] = ["test://a", "b"]
    answer = http_handler(serving(echo), default_receivers=False)(event, None)
    assert json.loads(answer["body"])["error"]["code"] == -32020


def test_a_rate_error_without_data_is_an_answer() -> None:
    """A subclass of ours may carry none."""

    class BareError(MCPError):
        code = -32004

    class Limited(FixtureServer):
        def admit(self, context: CallContext) -> None:  # noqa: ARG002 -- the hook's shape
            raise BareError("Slow down.")

    answer = http_handler(Limited(), default_receivers=False)(
        rest_event(json.dumps(request("ping")), JSON_HEADERS), None
    )
    assert answer["statusCode"] == 429
