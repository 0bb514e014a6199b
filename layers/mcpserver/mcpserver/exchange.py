"""How the messages of one POST go through a server: batch, era, quirks, envelope, dispatch, answer, HTTP status.

The order of the checks is the specification's; the first that fails answers.
Source: MCP 2025-03-26 to 2026-07-28, basic/transports; JSON-RPC 2.0, section 6 (batch).
"""

import logging
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY, EmptyResult, Result

from mcpserver import jsonrpc, rounds
from mcpserver.asking import InputRequiredError
from mcpserver.containment import Crash, contain
from mcpserver.content import TextAnswer
from mcpserver.context import CallContext, TransportContext, enter_context, leave_context
from mcpserver.envelope import VERSION_HEADER, check_envelope, is_modern_message
from mcpserver.errors import RATE_LIMITED, InvalidRequestError, MCPError
from mcpserver.http_status import status_of
from mcpserver.kept_result import KeptResult
from mcpserver.methods import HANDSHAKE_METHODS, MODERN_METHODS
from mcpserver.quirks import normalise
from mcpserver.signals import mcpserver_called, send
from mcpserver.version import BATCH_VERSIONS, HANDSHAKE_VERSIONS, KNOWN_VERSIONS, MODERN_VERSIONS
from mcpserver.wire import error_to_wire, result_to_wire

if TYPE_CHECKING:
    from mcpserver.server import MCPServerBase

logger = logging.getLogger(__name__)

MAX_BATCH_SIZE: Final = 20
"""Messages in one POST: more would let a single request run unbounded calls."""

LOGGED_METHODS: Final = frozenset(
    {
        *HANDSHAKE_METHODS,
        *MODERN_METHODS,
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "notifications/roots/list_changed",
    }
)
"""Methods that a log may name; any other is a client's own text, and stands there as `unknown`."""

_KNOWN_VERSIONS_TEXT: Final = ", ".join(sorted(KNOWN_VERSIONS))


class Exchange(NamedTuple):
    """What one POST is answered with."""

    body: Any
    """JSON: one answer, a batch's answers, or None where nothing needs one."""
    status: int
    """The HTTP status that goes with it."""
    headers: Mapping[str, str] = MappingProxyType({})
    """HTTP headers that go with it."""


def answer_payload(server: "MCPServerBase", payload: Any, transport: TransportContext) -> Exchange:
    """Answer one message, or a batch where the version has them."""
    if type(payload) is list:
        return _answer_batch(server, payload, transport)
    context = CallContext(transport)
    answer = answer_message(server, payload, context)
    if answer is None:
        return Exchange(None, 202)
    error = answer.get("error")
    if error is None:
        return Exchange(answer, 200)
    wait_s = error.get("data", {}).get("retry_after") if error["code"] == RATE_LIMITED else None
    headers = {} if wait_s is None else {"Retry-After": str(wait_s)}
    return Exchange(answer, status_of(error["code"], is_modern=context.is_modern), headers)


def _answer_batch(server: "MCPServerBase", messages: list[Any], transport: TransportContext) -> Exchange:
    version = _header_version(transport)
    if version and version not in BATCH_VERSIONS:
        refusal = "This protocol version has no batches: send one message."
    elif not 1 <= len(messages) <= MAX_BATCH_SIZE:
        refusal = f"A batch holds 1 to {MAX_BATCH_SIZE} messages."
    else:
        answers = [answer_message(server, message, CallContext(transport)) for message in messages]
        needed = [answer for answer in answers if answer is not None]
        return Exchange(needed, 200) if needed else Exchange(None, 202)
    return Exchange(error_to_wire(None, InvalidRequestError(refusal)), 400)


def answer_message(server: "MCPServerBase", message: Any, context: CallContext) -> dict[str, Any] | None:
    """Answer one message as JSON; None for a notification and for a client's response."""
    started_s = time.perf_counter()
    entered = enter_context(context)
    try:
        attempt = contain(lambda: _answer(server, message, context))
        answer = _answer_crash(server, attempt, message, context) if isinstance(attempt, Crash) else attempt
        if answer is not None and context.method:
            answer = _conclude(server, message, context, answer)
    finally:
        leave_context(entered)
    if context.method and mcpserver_called.receivers:
        duration_s = time.perf_counter() - started_s
        send(mcpserver_called, server, context=context, outcome=context.outcome, duration_s=duration_s)
    return answer


def _conclude(
    server: "MCPServerBase", message: Any, context: CallContext, answer: dict[str, Any]
) -> dict[str, Any] | None:
    """Return *answer*, or an error where the server does not let it leave."""
    attempt = contain(lambda: server.conclude(context, answer))
    return _answer_crash(server, attempt, message, context) if isinstance(attempt, Crash) else answer


def _answer_crash(server: "MCPServerBase", crash: Crash, message: Any, context: CallContext) -> dict[str, Any] | None:
    error = crash.error
    if isinstance(error, MCPError):
        context.outcome = "rpc_error"
    else:
        context.outcome = "crash"
        crash.log(logger, "a request crashed", server=server.formatted_class_name, tool=context.tool)
        if type(message) is dict and "id" not in message:
            return None
        error = MCPError("Internal error.")
    return error_to_wire(jsonrpc.readable_id(message), error)


def _answer(server: "MCPServerBase", message: Any, context: CallContext) -> dict[str, Any] | None:
    if type(message) is not dict:
        raise InvalidRequestError("A message must be a JSON object.")
    version = _header_version(context.transport)
    context.is_modern = is_modern_message(message, version)
    if not context.is_modern:
        message, changes = normalise(message, server.tool_names, server.disabled_quirks)
        if changes:
            context.changes = [(_loggable(method, server), kind) for method, kind in changes]
    if "id" not in message or jsonrpc.is_response(message):
        _take_unanswered(server, message, version, context)
        return None
    jsonrpc.check_request(message)
    _check_version(message, version, context)
    method, params = message["method"], message.get("params", {})
    _fill_context(context, method, params, version)
    server.admit(context)
    result = EmptyResult() if method.startswith("notifications/") else _dispatch(server, method, params, context)
    if isinstance(result, KeptResult):
        wire = result.wire(is_modern=context.is_modern, server_info=server.identity)
    else:
        wire = result_to_wire(result, is_modern=context.is_modern, server_info=server.identity)
    return {"jsonrpc": "2.0", "id": message["id"], "result": wire}


def _dispatch(
    server: "MCPServerBase", method: str, params: dict[str, Any], context: CallContext
) -> Result | TextAnswer | KeptResult:
    """Answer a request, or say what the client must answer first."""
    if context.is_modern and ("inputResponses" in params or "requestState" in params):
        context.answers = rounds.received_answers(server, method, params, context)
    try:
        return server.answer(method, params)
    except InputRequiredError as stop:
        return rounds.require_input(server, method, params, context, stop)


def _check_version(message: Mapping[str, Any], version: str, context: CallContext) -> None:
    if context.is_modern:
        check_envelope(message, context.transport.headers)
    elif version and version not in KNOWN_VERSIONS and message["method"] != "initialize":
        raise InvalidRequestError(f"Unknown MCP-Protocol-Version. This server speaks {_KNOWN_VERSIONS_TEXT}.")


def _take_unanswered(server: "MCPServerBase", message: dict[str, Any], version: str, context: CallContext) -> None:
    """Take a notification, or a response to a request that we never sent."""
    if version and version not in KNOWN_VERSIONS:
        raise InvalidRequestError(f"Unknown MCP-Protocol-Version. This server speaks {_KNOWN_VERSIONS_TEXT}.")
    if jsonrpc.is_response(message):
        return
    if jsonrpc.is_valid_notification(message):
        _fill_context(context, message["method"], message.get("params", {}), version)
        server.handle_notification(message)
    elif context.is_modern:
        raise InvalidRequestError("The message is no JSON-RPC 2.0 request or notification.")


def _loggable(method: str, server: "MCPServerBase") -> str:
    return method if method in LOGGED_METHODS or method in server.tool_names else "unknown"


def _header_version(transport: TransportContext) -> str:
    return transport.headers.get(VERSION_HEADER, "") if transport.headers is not None else ""


def _fill_context(context: CallContext, method: str, params: Mapping[str, Any], version: str) -> None:
    """Note on *context* what the message says of itself."""
    meta = params.get("_meta")
    context.params = params
    context.method = method if method in LOGGED_METHODS else "unknown"
    context.meta = meta if type(meta) is dict else {}
    if context.is_modern:
        # A notification has not been through the ladder: its envelope can hold anything.
        said = context.meta.get(PROTOCOL_VERSION_META_KEY, version)
        declared = context.meta.get(CLIENT_CAPABILITIES_META_KEY)
        context.protocol_version = said if type(said) is str and said in MODERN_VERSIONS else "unknown"
        context.capabilities = declared if type(declared) is dict else {}
    elif version in HANDSHAKE_VERSIONS:
        context.protocol_version = version
