"""`MCPServerBase`: answers the JSON-RPC messages of one POST with its tools."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, Literal

from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    CallToolResult,
    DiscoverResult,
    EmptyResult,
    Implementation,
    InitializeResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    Result,
    ServerCapabilities,
    ToolsCapability,
)
from mcp_types.jsonrpc import ErrorData, JSONRPCError, JSONRPCResponse
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from mcpserver import jsonrpc
from mcpserver.client import describe_client
from mcpserver.containment import Crash, contain
from mcpserver.context import CallContext, TransportContext, current_context, enter_context
from mcpserver.envelope import VERSION_HEADER, check_envelope, is_modern_message
from mcpserver.errors import (
    INTERNAL_ERROR,
    InvalidParamsError,
    InvalidRequestError,
    MCPError,
    MethodNotFoundError,
    UnknownToolError,
)
from mcpserver.http_status import status_of
from mcpserver.quirks import Quirk, normalise
from mcpserver.signals import mcpserver_called, send
from mcpserver.tool import MCPToolBase
from mcpserver.tool_call import run_tool
from mcpserver.version import BATCH_VERSIONS, HANDSHAKE_VERSIONS, KNOWN_VERSIONS, MODERN_VERSIONS, SERVER_VERSION
from mcpserver.wire import response_to_wire, result_to_wire

logger = logging.getLogger(__name__)

MAX_BATCH_SIZE: Final = 20
"""Messages in one POST: more would let a single request run unbounded calls."""

type JsonRpcResponse = JSONRPCResponse | JSONRPCError
"""The answer to one request."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one POST is answered with."""

    body: Any
    """JSON: one answer, a batch's answers, or None where nothing needs one."""
    status: int
    """The HTTP status that goes with it."""


class MCPServerBase(ABC):
    """An MCP server. It is cheap and keeps nothing between requests: any instance can answer any of them."""

    def __init__(self, tools: Iterable[MCPToolBase[Any]] = (), *, disabled_quirks: Collection[Quirk] = ()) -> None:
        """Take the tools, in the order of tools/list.

        Raises:
            ValueError: two tools share a name, or one's name is no name that hosts take.
        """
        self.tools: dict[str, MCPToolBase[Any]] = {}
        self.disabled_quirks = frozenset(disabled_quirks)
        for tool in tools:
            tool.check()
            if tool.name in self.tools:
                raise ValueError(f"Two tools are called {tool.name}.")
            self.tools[tool.name] = tool

    @property
    @abstractmethod
    def name(self) -> str:
        """What the server is called in its identity and in the log."""

    def server_info(self) -> Implementation:
        """Return the server's identity."""
        return Implementation(name=self.name, version=SERVER_VERSION)

    def instructions(self) -> str:
        """Return plain text that clients add to the model's system prompt: what this is for, when to call each tool."""
        return ""

    @property
    def formatted_class_name(self) -> str:
        """Module, class and server name, for log lines."""
        return f"{type(self).__module__}.{type(self).__qualname__}({self.name})"

    def handle(self, payload: Any) -> Any:
        """Answer one message, or a batch of 1 to `MAX_BATCH_SIZE`, and return the JSON; None where none is needed."""
        return self.exchange(payload, TransportContext()).body

    def exchange(self, payload: Any, transport: TransportContext) -> Exchange:
        """Answer *payload* as it came over *transport*."""
        if isinstance(payload, list):
            return self._exchange_batch(payload, transport)
        context = CallContext(transport)
        response = self.handle_message(payload, context)
        if response is None:
            return Exchange(None, 202)
        if isinstance(response, JSONRPCError):
            return Exchange(self.dump(response), status_of(response.error.code, is_modern=context.is_modern))
        return Exchange(self.dump(response), 200)

    def _exchange_batch(self, messages: list[Any], transport: TransportContext) -> Exchange:
        version = _header_version(transport)
        if version and version not in BATCH_VERSIONS:
            refusal = "This protocol version has no batches: send one message."
        elif not 1 <= len(messages) <= MAX_BATCH_SIZE:
            refusal = f"A batch holds 1 to {MAX_BATCH_SIZE} messages."
        else:
            responses = [self.handle_message(message, CallContext(transport)) for message in messages]
            answers = [self.dump(response) for response in responses if response is not None]
            return Exchange(answers, 200) if answers else Exchange(None, 202)
        return Exchange(self.dump(self.error(None, InvalidRequestError.code, refusal)), 400)

    def handle_message(self, message: Any, context: CallContext | None = None) -> JsonRpcResponse | None:
        """Answer one message; None for a notification and for a client's response.

        An error of ours becomes a JSON-RPC error; anything else is logged and answered INTERNAL_ERROR, its text unsent.
        """
        context = context or CallContext(TransportContext())
        started_s = time.perf_counter()
        attempt = contain(lambda: self._answer(message, context))
        response = self._answer_crash(attempt, message, context) if isinstance(attempt, Crash) else attempt
        if context.method:
            duration_s = time.perf_counter() - started_s
            send(mcpserver_called, self, context=context, outcome=context.outcome, duration_s=duration_s)
        return response

    def _answer_crash(self, crash: Crash, message: Any, context: CallContext) -> JSONRPCError:
        request_id = jsonrpc.readable_id(message)
        error = crash.error
        if isinstance(error, MCPError):
            context.outcome = "rpc_error"
            return self.error(request_id, error.code, error.message, error.data)
        context.outcome = "crash"
        crash.log(logger, "a request crashed", server=self.formatted_class_name, tool=context.tool)
        return self.error(request_id, INTERNAL_ERROR, "Internal error.")

    def _answer(self, message: Any, context: CallContext) -> JSONRPCResponse | None:
        if type(message) is not dict:
            raise InvalidRequestError("A message must be a JSON object.")
        version = _header_version(context.transport)
        context.is_modern = is_modern_message(message, version)
        if not context.is_modern:
            message, context.changes = normalise(message, self.tools, self.disabled_quirks)
        if "id" not in message:
            self._take_unanswered(message, version, context)
            return None
        jsonrpc.check_request(message)
        self._check_version(message, version, context)
        method, params = message["method"], message.get("params") or {}
        _fill_context(context, method, params, version)
        enter_context(context)
        result = EmptyResult() if method.startswith("notifications/") else self.dispatch(method, params)
        wire = result_to_wire(result, is_modern=context.is_modern, server_info=self._identity)
        return JSONRPCResponse(jsonrpc="2.0", id=message["id"], result=wire)

    def _check_version(self, message: Mapping[str, Any], version: str, context: CallContext) -> None:
        if context.is_modern:
            check_envelope(message, context.transport.headers)
        elif version and version not in KNOWN_VERSIONS and message["method"] != "initialize":
            known = ", ".join(sorted(KNOWN_VERSIONS))
            raise InvalidRequestError(f"Unknown MCP-Protocol-Version. This server speaks {known}.")

    def _take_unanswered(self, message: dict[str, Any], version: str, context: CallContext) -> None:
        """Take a message without an id: a notification, or a response to a request that we never sent."""
        if version and version not in KNOWN_VERSIONS:
            raise InvalidRequestError("Unknown MCP-Protocol-Version.")
        if jsonrpc.is_response(message):
            return
        if jsonrpc.is_valid_notification(message):
            _fill_context(context, message["method"], message.get("params") or {}, version)
            self.handle_notification(message)
        elif context.is_modern:
            raise InvalidRequestError("The message is no JSON-RPC 2.0 request or notification.")

    def handle_notification(self, message: Mapping[str, Any]) -> None:  # noqa: B027 -- a hook, not a duty
        """Accept a notification and do nothing: the server keeps no state that one could change."""

    def dispatch(self, method: str, params: dict[str, Any]) -> Result:
        """Answer *method* of the running call's era.

        Raises:
            MethodNotFoundError: the era has no such method.
            UnknownToolError: tools/call names no tool of this server.
            InvalidParamsError: the parameters do not fit.
        """
        methods = _MODERN_METHODS if current_context().is_modern else _HANDSHAKE_METHODS
        answer = methods.get(method)
        if answer is None:
            raise MethodNotFoundError("This method does not exist here.")
        return answer(self, params)

    def initialize(self, params: Mapping[str, Any]) -> InitializeResult:
        """Agree on a version: the client's if it is a handshake version, else the latest of those."""
        version = params.get("protocolVersion")
        agreed = version if version in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION
        current_context().protocol_version = agreed
        return InitializeResult(
            protocol_version=agreed,
            capabilities=self.capabilities(),
            server_info=self.server_info(),
            instructions=self.instructions() or None,
        )

    def discover(self, _params: Mapping[str, Any]) -> DiscoverResult:
        """Say what a modern client needs to know before its first call."""
        return DiscoverResult(
            supported_versions=sorted(MODERN_VERSIONS),
            capabilities=self.capabilities(),
            instructions=self.instructions() or None,
            ttl_ms=self.list_ttl_ms,
            cache_scope=self.cache_scope,
        )

    def capabilities(self) -> ServerCapabilities:
        """Return what the server has: only that, and no list ever changes while a client looks."""
        return ServerCapabilities(tools=ToolsCapability(list_changed=False))

    list_ttl_ms = 300_000
    """How long a modern client may keep a list: it only changes with a deployment. Milliseconds."""
    cache_scope: Literal["public", "private"] = "public"
    """`private` where the lists depend on who asks."""

    def list_tools(self, params: Mapping[str, Any]) -> ListToolsResult:
        """Return every tool, on one page.

        Raises:
            InvalidParamsError: a cursor, since we gave none.
        """
        if params.get("cursor") is not None:
            raise InvalidParamsError("Unknown cursor.")
        return ListToolsResult(
            tools=[tool.definition() for tool in self.tools.values()],
            ttl_ms=self.list_ttl_ms,
            cache_scope=self.cache_scope,
        )

    def call_tool(self, params: Mapping[str, Any]) -> CallToolResult:
        """Run the tool that *params* names. What the tool itself reports is a result with `isError`.

        Raises:
            UnknownToolError: there is no such tool; says which there are.
            InvalidParamsError: `name` is no string or `arguments` no object.
        """
        name, arguments = params.get("name"), params.get("arguments", {})
        if type(name) is not str:
            raise InvalidParamsError("The params must hold name, a string.")
        if type(arguments) is not dict:
            raise InvalidParamsError("The arguments must be an object.")
        return run_tool(self, self.find_tool(name), arguments)

    def find_tool(self, name: str) -> MCPToolBase[Any]:
        """Return the tool called *name*.

        Raises:
            UnknownToolError: there is none; says which there are.
        """
        tool = self.tools.get(name)
        if tool is None:
            raise UnknownToolError(f"Unknown tool. This server has: {', '.join(self.tools)}.")
        return tool

    def list_nothing(self, member: str, params: Mapping[str, Any]) -> Result:
        """Return an empty list: some hosts ask for what was not advertised, and turn red on an error."""
        if params.get("cursor") is not None:
            raise InvalidParamsError("Unknown cursor.")
        return _EMPTY_LISTS[member](ttl_ms=self.list_ttl_ms, cache_scope=self.cache_scope)

    @cached_property
    def _identity(self) -> dict[str, Any]:
        return self.server_info().model_dump(mode="json", by_alias=True, exclude_none=True)

    @staticmethod
    def error(request_id: str | int | None, code: int, message: str, data: Any = None) -> JSONRPCError:
        """Return an error as the answer to the request with *request_id* (None: it had no readable id)."""
        return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message, data=data))

    @staticmethod
    def dump(response: JsonRpcResponse) -> dict[str, Any]:
        """Return *response* as JSON: results without null members, errors with their `id` even if null."""
        return response_to_wire(response)


def _header_version(transport: TransportContext) -> str:
    return transport.headers.get(VERSION_HEADER, "") if transport.headers is not None else ""


def _fill_context(context: CallContext, method: str, params: Mapping[str, Any], version: str) -> None:
    """Note on *context* what the message says of itself."""
    meta = params.get("_meta")
    context.method = method if method in LOGGED_METHODS else "unknown"
    context.meta = meta if type(meta) is dict else {}
    if context.is_modern:
        context.protocol_version = context.meta.get(PROTOCOL_VERSION_META_KEY, version)
        context.capabilities = context.meta.get(CLIENT_CAPABILITIES_META_KEY, {})
    elif version in HANDSHAKE_VERSIONS:
        context.protocol_version = version
    context.client_name, context.client_version = describe_client(params, context.transport.headers)


type _Method = Callable[[MCPServerBase, dict[str, Any]], Result]

_EMPTY_LISTS: Final[Mapping[str, Callable[..., Result]]] = {
    "resources": partial(ListResourcesResult, resources=[]),
    "resourceTemplates": partial(ListResourceTemplatesResult, resource_templates=[]),
    "prompts": partial(ListPromptsResult, prompts=[]),
}

_COMMON_METHODS: Final[Mapping[str, _Method]] = {
    "tools/list": lambda server, params: server.list_tools(params),
    "tools/call": lambda server, params: server.call_tool(params),
    "resources/list": lambda server, params: server.list_nothing("resources", params),
    "resources/templates/list": lambda server, params: server.list_nothing("resourceTemplates", params),
    "prompts/list": lambda server, params: server.list_nothing("prompts", params),
}

_HANDSHAKE_METHODS: Final[Mapping[str, _Method]] = {
    **_COMMON_METHODS,
    "initialize": lambda server, params: server.initialize(params),
    "ping": lambda _server, _params: EmptyResult(),
    "logging/setLevel": lambda _server, _params: EmptyResult(),
}

_MODERN_METHODS: Final[Mapping[str, _Method]] = {
    **_COMMON_METHODS,
    "server/discover": lambda server, params: server.discover(params),
}

LOGGED_METHODS: Final = frozenset(
    {
        *_HANDSHAKE_METHODS,
        *_MODERN_METHODS,
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "notifications/roots/list_changed",
    }
)
"""Methods that a log may name; any other is a client's own text, and stands there as `unknown`."""
