"""`MCPServerBase`: answers the JSON-RPC messages of one POST with its tools."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, partial
from typing import Any, Final, Literal

from mcp_types import (
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

from mcpserver.content import TextAnswer, ToolAnswer, as_result
from mcpserver.context import CallContext, TransportContext, current_context
from mcpserver.errors import (
    InvalidParamsError,
    MethodNotFoundError,
    UnknownToolError,
)
from mcpserver.exchange import Exchange, answer_message, answer_payload
from mcpserver.quirks import Quirk
from mcpserver.tool import MCPToolBase
from mcpserver.tool_call import run_tool
from mcpserver.version import HANDSHAKE_VERSIONS, MODERN_VERSIONS, SERVER_VERSION
from mcpserver.wire import response_to_wire

logger = logging.getLogger(__name__)

type JsonRpcResponse = JSONRPCResponse | JSONRPCError
"""The answer to one request."""


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
        """Answer *payload* as it came over *transport*, with the HTTP status that goes with the answer."""
        return answer_payload(self, payload, transport)

    def handle_message(self, message: Any) -> JsonRpcResponse | None:
        """Answer one message; None for a notification and for a client's response.

        An error of ours becomes a JSON-RPC error; anything else is logged and answered INTERNAL_ERROR, its text unsent.
        """
        wire = answer_message(self, message, CallContext(TransportContext()))
        if wire is None:
            return None
        return JSONRPCError(**wire) if "error" in wire else JSONRPCResponse(**wire)

    def handle_notification(self, message: Mapping[str, Any]) -> None:  # noqa: B027 -- a hook, not a duty
        """Accept a notification and do nothing: the server keeps no state that one could change."""

    def dispatch(self, method: str, params: dict[str, Any]) -> Result:
        """Answer *method* of the running call's era with a model of `mcp_types`; see `answer`."""
        answer = self.answer(method, params)
        return as_result(answer) if isinstance(answer, TextAnswer) else answer

    def answer(self, method: str, params: dict[str, Any]) -> Result | TextAnswer:
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
        """Run the tool that *params* names, as `answer_call` does, and return the specification's model."""
        return as_result(self.answer_call(params))

    def answer_call(self, params: Mapping[str, Any]) -> ToolAnswer:
        """Run the tool that *params* names. What the tool itself reports is an answer with `isError`.

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
    def identity(self) -> dict[str, Any]:
        """`server_info`, as the JSON that every modern result carries."""
        return self.server_info().model_dump(mode="json", by_alias=True, exclude_none=True)

    @staticmethod
    def error(request_id: str | int | None, code: int, message: str, data: Any = None) -> JSONRPCError:
        """Return an error as the answer to the request with *request_id* (None: it had no readable id)."""
        return JSONRPCError(jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message, data=data))

    @staticmethod
    def dump(response: JsonRpcResponse) -> dict[str, Any]:
        """Return *response* as JSON: results without null members, errors with their `id` even if null."""
        return response_to_wire(response)


type _Method = Callable[[MCPServerBase, dict[str, Any]], Result | TextAnswer]

_EMPTY_LISTS: Final[Mapping[str, Callable[..., Result]]] = {
    "resources": partial(ListResourcesResult, resources=[]),
    "resourceTemplates": partial(ListResourceTemplatesResult, resource_templates=[]),
    "prompts": partial(ListPromptsResult, prompts=[]),
}

_COMMON_METHODS: Final[Mapping[str, _Method]] = {
    "tools/list": lambda server, params: server.list_tools(params),
    "tools/call": lambda server, params: server.answer_call(params),
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
