"""`MCPServerBase`: how the messages of one POST are answered. Source: SPEC 2.1."""

import logging
from typing import Any

import pytest
from mcp_types import CallToolResult, EmptyResult, Implementation, InitializeResult
from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import BaseModel

from mcpserver import MCPServerBase, MCPServerToolError, tool
from mcpserver.context import CallContext, TransportContext, enter_context
from mcpserver.errors import InvalidParamsError, MethodNotFoundError, UnknownToolError
from tests.fixture_servers import AddingServer, FixtureServer, serving
from tests.mcpserver.posts import modern_request, nulls_in, request, text_of

NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}
SERVER = AddingServer()


class Strict(BaseModel):
    """A model that a tool may use inside."""

    count: int


def crashing(error: Exception) -> MCPServerBase:
    """Return a server whose one tool raises *error*."""

    @tool
    def crash() -> str:
        """Crash."""
        raise error

    return serving(crash)


def test_one_request_gets_one_answer() -> None:
    """SPEC 2.1, handle."""
    assert SERVER.handle(request("ping", request_id="a")) == {"jsonrpc": "2.0", "id": "a", "result": {}}


def test_handle_message_returns_the_specifications_models() -> None:
    """SPEC 2.1: JSONRPCResponse | JSONRPCError."""
    assert isinstance(SERVER.handle_message(request("ping")), JSONRPCResponse)
    refused = SERVER.handle_message(request("no/such"))
    assert isinstance(refused, JSONRPCError)
    assert (refused.id, refused.error.code) == (1, -32601)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such", {}, -32601),
        ("tools/call", {"name": "nope"}, -32602),
        ("tools/call", {"name": 5}, -32602),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": "add", "arguments": 5}, -32602),
        ("tools/list", {"cursor": "x"}, -32602),
        ("prompts/list", {"cursor": "x"}, -32602),
        ("resources/templates/list", {"cursor": "x"}, -32602),
    ],
)
def test_each_mistake_of_a_client_has_its_code(method: str, params: dict[str, Any], code: int) -> None:
    """SPEC 2.1: unknown method -32601, unknown tool and bad params -32602; an unknown cursor is bad params."""
    assert SERVER.handle(request(method, params))["error"]["code"] == code


def test_an_unknown_tool_is_answered_with_the_tools_that_there_are() -> None:
    """MCP 2025-06-18, tools, error handling; the message says what is allowed."""
    message = SERVER.handle(request("tools/call", {"name": "CANARY"}))["error"]["message"]
    assert "add, echo" in message
    assert "CANARY" not in message


def _validation_error() -> Exception:
    try:
        Strict.model_validate({"count": "CANARY"})
    except ValueError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    "error",
    [
        KeyError("CANARY"),
        LookupError("CANARY"),
        IndexError("CANARY"),
        _validation_error(),
        ValueError("CANARY"),
        RuntimeError("CANARY"),
        RecursionError("CANARY"),
        TimeoutError("CANARY"),
        AssertionError("CANARY"),
        ExceptionGroup("CANARY", [ValueError("CANARY")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_any_other_error_in_a_tool_is_an_internal_error_whose_text_is_never_sent(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """SPEC 2.1: a tool's own KeyError or ValidationError must never be taken for an unknown tool or bad params."""
    for message in (
        request("tools/call", {"name": "crash"}),
        modern_request("tools/call", {"name": "crash", "arguments": {}}),
    ):
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            answer = crashing(error).handle(message)
        assert answer == {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "Internal error."}}
        assert len(caplog.records) == 1
        assert vars(caplog.records[0])["error"] == type(error).__qualname__
        assert "CANARY" not in str(vars(caplog.records[0]))


@pytest.mark.parametrize("error", [UnknownToolError("x"), MethodNotFoundError("x"), InvalidParamsError("x")])
def test_a_protocol_error_of_ours_keeps_its_code(error: Any) -> None:
    """errors.py: -> the client program."""
    assert crashing(error).handle(request("tools/call", {"name": "crash"}))["error"]["code"] == error.code


def test_a_tools_own_error_is_a_result_for_the_model() -> None:
    """SPEC 2.1: isError, `Error: ` + the message; HOSTS rule 4: three hosts drop isError."""
    answer = crashing(MCPServerToolError("choose another.")).handle(request("tools/call", {"name": "crash"}))
    assert (text_of(answer), answer["result"]["isError"]) == ("Error: choose another.", True)


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_initialize_agrees_to_every_handshake_version(version: str) -> None:
    """MCP lifecycle, version negotiation: the same version if the server speaks it."""
    assert SERVER.handle(request("initialize", {"protocolVersion": version}))["result"]["protocolVersion"] == version


@pytest.mark.parametrize("version", ["2026-07-28", "2099-01-01", "1.0", "", 5, None, [], {}])
def test_initialize_offers_the_latest_handshake_version_otherwise(version: Any) -> None:
    """SPEC 2.1: a modern version is none that `initialize` can agree on."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    assert SERVER.handle(request("initialize", params))["result"]["protocolVersion"] == "2025-11-25"


def test_initialize_says_who_and_what() -> None:
    """SPEC 2.1: tools capability with listChanged false, identity, instructions; HOSTS rule 2: no nulls."""

    class Told(FixtureServer):
        def server_info(self) -> Implementation:
            """Return the whole identity."""
            return Implementation(
                name="told", version="1", title="Told", description="A server.", website_url="https://x.example"
            )

        def instructions(self) -> str:
            """Return them."""
            return "Use it."

    answer = Told(AddingServer().tools.values()).handle(request("initialize", {"protocolVersion": "2025-11-25"}))
    assert answer["result"]["capabilities"]["tools"] == {"listChanged": False}
    assert answer["result"]["instructions"] == "Use it."
    assert answer["result"]["serverInfo"] == {
        "name": "told",
        "version": "1",
        "title": "Told",
        "description": "A server.",
        "websiteUrl": "https://x.example",
    }
    assert nulls_in(answer) == []


def test_empty_instructions_are_left_out() -> None:
    """HOSTS rule 2: never null, and an empty text says nothing."""
    assert "instructions" not in SERVER.handle(request("initialize", {}))["result"]
    assert "instructions" not in SERVER.handle(modern_request("server/discover"))["result"]


def test_tools_are_listed_in_the_order_given_on_one_page() -> None:
    """SPEC 2.1: tools/list keeps that order; HOSTS rule 2: `nextCursor: ""` made a client ask 22,259 times."""
    result = SERVER.handle(request("tools/list"))["result"]
    assert [listed["name"] for listed in result["tools"]] == ["add", "echo"]
    assert result.keys() == {"tools"}


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "ping"])
def test_no_initialize_is_needed_before(method: str) -> None:
    """SPEC 2.3: any instance can answer any request."""
    params = {"name": "echo", "arguments": {"text": "x"}} if method == "tools/call" else {}
    assert "result" in AddingServer().handle(request(method, params))


@pytest.mark.parametrize(
    ("method", "member"),
    [("resources/list", "resources"), ("resources/templates/list", "resourceTemplates"), ("prompts/list", "prompts")],
)
def test_lists_of_what_there_is_not_are_empty(method: str, member: str) -> None:
    """HOSTS rule 10: some hosts ask for what was not advertised, and turn red on an error."""
    assert SERVER.handle(request(method))["result"] == {member: []}
    modern = SERVER.handle(modern_request(method))["result"]
    assert modern[member] == []
    assert {"ttlMs", "cacheScope", "resultType"} <= modern.keys()


def test_setting_the_log_level_is_answered() -> None:
    """HOSTS rule 10: `logging/setLevel` answers {}."""
    assert SERVER.handle(request("logging/setLevel", {"level": "debug"}))["result"] == {}


def test_an_id_on_a_notification_is_answered_with_nothing_in_it() -> None:
    """SPEC 2.3."""
    assert SERVER.handle(request("notifications/initialized"))["result"] == {}


def test_every_modern_result_says_its_type_and_who_answered() -> None:
    """SPEC 2.5: resultType on every result, serverInfo in `_meta`."""
    call = {"name": "echo", "arguments": {"text": "x"}}
    for method, params in (("server/discover", {}), ("tools/list", {}), ("tools/call", call), ("prompts/list", {})):
        result = SERVER.handle(modern_request(method, params))["result"]
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "fixture"


def test_dispatch_and_call_tool_return_the_specifications_models() -> None:
    """SPEC 2.1: dispatch(method, params) -> Result; call_tool(params) -> CallToolResult."""
    enter_context(CallContext(TransportContext()))
    assert isinstance(SERVER.dispatch("ping", {}), EmptyResult)
    assert isinstance(SERVER.initialize({}), InitializeResult)
    result = SERVER.call_tool({"name": "add", "arguments": {"a": 1, "b": 2}})
    assert isinstance(result, CallToolResult)
    assert isinstance(SERVER.dispatch("tools/call", {"name": "add", "arguments": {}}), CallToolResult)
    for error, method, params in (
        (MethodNotFoundError, "no/such", {}),
        (UnknownToolError, "tools/call", {"name": "nope"}),
        (LookupError, "tools/call", {"name": "nope"}),
        (InvalidParamsError, "tools/call", {}),
    ):
        with pytest.raises(error):
            SERVER.dispatch(method, params)


def test_an_error_keeps_its_id_even_if_null() -> None:
    """JSON-RPC 2.0, section 5; SPEC 2.1, error and dump."""
    dumped = MCPServerBase.dump(MCPServerBase.error(None, -32700, "No JSON."))
    assert dumped == {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "No JSON."}}
    with_data = MCPServerBase.dump(MCPServerBase.error("a", -32022, "No.", {"supported": []}))
    assert with_data["error"]["data"] == {"supported": []}


def test_a_servers_formatted_name_finds_it_in_the_code() -> None:
    """SPEC 2.1: module, class and server name for log lines."""
    assert SERVER.formatted_class_name == "tests.fixture_servers.AddingServer(fixture)"


def test_a_server_keeps_nothing_between_requests() -> None:
    """SPEC 1: there is no session: a fresh instance answers as a used one does."""
    used = AddingServer()
    for message in (request("initialize", {"protocolVersion": "2024-11-05"}), NOTIFICATION, request("tools/list")):
        used.handle(message)
    for message in (request("tools/list"), modern_request("server/discover"), request("initialize", {})):
        assert used.handle(message) == AddingServer().handle(message)
