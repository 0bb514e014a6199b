"""`MCPServerBase`: answers the JSON-RPC messages of one POST with its tools."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, Literal

from mcp_types import (
    CacheableResult,
    CallToolResult,
    CompleteResult,
    DiscoverResult,
    Implementation,
    InitializeResult,
    ListToolsResult,
    ReadResourceResult,
    Result,
    ServerCapabilities,
)
from mcp_types.jsonrpc import ErrorData, JSONRPCError, JSONRPCResponse
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from mcpserver.catalog import PromptCatalog, ResourceCatalog, capabilities_of, complete
from mcpserver.content import TextAnswer, ToolAnswer, as_result
from mcpserver.context import CallContext, TransportContext, current_context
from mcpserver.errors import (
    InvalidParamsError,
    MethodNotFoundError,
    UnknownToolError,
)
from mcpserver.exchange import Exchange, answer_message, answer_payload
from mcpserver.kept_result import KeptResult
from mcpserver.methods import HANDSHAKE_METHODS, MODERN_METHODS
from mcpserver.paging import take_page
from mcpserver.prompt import MCPPromptBase
from mcpserver.quirks import Quirk, bad_offers
from mcpserver.request_state import KeyRing, KeyRingError
from mcpserver.resource import MCPResourceBase, MCPResourceTemplateBase
from mcpserver.tool import MCPToolBase
from mcpserver.tool_call import run_tool
from mcpserver.version import HANDSHAKE_VERSIONS, MODERN_VERSIONS, SERVER_VERSION
from mcpserver.wire import response_to_wire

type JsonRpcResponse = JSONRPCResponse | JSONRPCError
"""The answer to one request."""


class MCPServerBase(ABC):
    """An MCP server. It is cheap and keeps nothing between requests: any instance can answer any of them."""

    tools: dict[str, MCPToolBase[Any]]
    """By name, in the order of tools/list."""
    resources: ResourceCatalog
    prompts: PromptCatalog
    list_ttl_ms = 300_000
    """How long a modern client may keep a list: it only changes with a deployment. Milliseconds."""
    keeps_lists = True
    """The tools stay the same as long as the function lives; False where `list_tools` depends on the call."""
    cache_scope: Literal["public", "private"] = "public"
    """`private` where the lists depend on who asks."""

    def __init__(
        self,
        tools: Iterable[MCPToolBase[Any]] = (),
        *,
        resources: Iterable[MCPResourceBase | MCPResourceTemplateBase] = (),
        prompts: Iterable[MCPPromptBase[Any]] = (),
        disabled_quirks: Collection[Quirk] = (),
        key_ring: Callable[[], KeyRing] | None = None,
    ) -> None:
        """Take what the server offers, in the order of its lists.

        Args:
            tools: what models call.
            resources: what hosts read by URI.
            prompts: what people pick.
            disabled_quirks: host quirks that are refused instead of put right.
            key_ring: gives the keys that seal a call which asks the client something (`secret_key_ring`).

        Raises:
            ValueError: two share a name, or one has a name that hosts do not take.
        """
        self.tools: dict[str, MCPToolBase[Any]] = {}
        self.resources = ResourceCatalog(resources)
        self.prompts = PromptCatalog(prompts)
        self.disabled_quirks = frozenset(disabled_quirks)
        self._key_ring = key_ring
        self.tools_by_alias: dict[str, MCPToolBase[Any]] = {}
        for tool in tools:
            if not isinstance(tool, MCPToolBase):
                raise TypeError("The tools are instances: write Divide(), not Divide.")
            tool.check()
            if {tool.name, *tool.aliases} & set(self.tool_names):
                raise ValueError(f"Two tools answer to {tool.name} or one of its aliases.")
            self.tools[tool.name] = tool
            self.tools_by_alias |= dict.fromkeys(tool.aliases, tool)

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
        # A copy: some of it is kept for the next call.
        return copy.deepcopy(self.exchange(payload, TransportContext()).body)

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
        if isinstance(answer, KeptResult):
            return answer.result
        return as_result(answer) if isinstance(answer, TextAnswer) else answer

    def answer(self, method: str, params: dict[str, Any]) -> Result | TextAnswer | KeptResult:
        """Answer *method* of the running call's era.

        Raises:
            MethodNotFoundError: the era has no such method.
            UnknownToolError: tools/call names no tool of this server.
            InvalidParamsError: the parameters do not fit.
        """
        if method == "tools/list" and self.keeps_lists and params.get("cursor") is None:
            return self._kept_tools
        methods = MODERN_METHODS if current_context().is_modern else HANDSHAKE_METHODS
        answer = methods.get(method)
        if answer is None:
            raise MethodNotFoundError("This method does not exist here.")
        return self.with_cache_hints(answer(self, params))

    def admit(self, context: CallContext) -> None:  # noqa: B027 -- a hook, not a duty
        """Let a request pass, before anything is done for it. A server with limits raises here.

        Raises:
            RateLimitedError: this caller has used up its share for now.
        """

    def conclude(self, context: CallContext, answer: dict[str, Any]) -> None:  # noqa: B027 -- a hook, not a duty
        """Look at the answer to a valid request, failed and refused ones too, before it leaves.

        Raises:
            MCPError: the caller gets this error in place of *answer*, a JSON-RPC response.
        """

    def initialize(self, params: Mapping[str, Any]) -> InitializeResult:
        """Agree on a version: the client's if it is a handshake version, else the latest of those."""
        if Quirk.BAD_OFFER in self.disabled_quirks and (bad := bad_offers(params)):
            raise InvalidParamsError(f"The params of initialize must hold {', '.join(bad)}.")
        version = params.get("protocolVersion")
        agreed = version if type(version) is str and version in HANDSHAKE_VERSIONS else LATEST_HANDSHAKE_VERSION
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
        )

    def capabilities(self) -> ServerCapabilities:
        """Return what the server has: only that, and no list ever changes while a client looks."""
        has_logs = any(tool.logs for tool in self.tools.values())
        return capabilities_of(self.resources, self.prompts, has_logs=has_logs)

    @property
    def has_key_ring(self) -> bool:
        """Whether the server can ask its clients anything."""
        return self._key_ring is not None

    def use_key_ring(self, key_ring: Callable[[], KeyRing]) -> None:
        """Seal with *key_ring* where the server was made without one."""
        self._key_ring = self._key_ring or key_ring

    def key_ring(self) -> KeyRing:
        """Return the keys that seal a call's state; see `has_key_ring`.

        Raises:
            KeyRingError: the server was made without any.
        """
        if self._key_ring is None:
            raise KeyRingError("A server that asks its client needs a key ring: see docs/writing-a-tool.md.")
        return self._key_ring()

    def list_tools(self, params: Mapping[str, Any]) -> ListToolsResult:
        """Return a page of the tools.

        Raises:
            InvalidParamsError: a cursor that we never gave.
        """
        page, cursor = take_page([*self.tools.values()], params)
        return ListToolsResult(tools=[tool.definition() for tool in page], next_cursor=cursor)

    @cached_property
    def _kept_tools(self) -> KeptResult:
        return KeptResult(self.with_cache_hints(self.list_tools({})))

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

    @property
    def tool_names(self) -> Collection[str]:
        """Every name that a tool answers to."""
        return self.tools.keys() | self.tools_by_alias.keys() if self.tools_by_alias else self.tools

    def find_tool(self, name: str) -> MCPToolBase[Any]:
        """Return the tool called *name*.

        Raises:
            UnknownToolError: there is none; says which there are.
        """
        tool = self.tools.get(name) or self.tools_by_alias.get(name)
        if tool is None:
            raise UnknownToolError(f"Unknown tool. This server has: {', '.join(self.tools) or 'none'}.")
        return tool

    def complete(self, params: Mapping[str, Any]) -> CompleteResult:
        """Return what a person could type next in a prompt's argument or a resource template's variable.

        Raises:
            MethodNotFoundError: the server has neither.
            InvalidParamsError: the reference is none of this server's.
        """
        if not self.prompts and not self.resources.templates:
            raise MethodNotFoundError("This server completes nothing.")
        return complete(self.resources, self.prompts, params)

    def with_cache_hints[ResultT: Result | TextAnswer](self, result: ResultT) -> ResultT:
        """Return *result* with how long a modern client may keep it, where it is a list or the discovery."""
        if isinstance(result, CacheableResult) and not isinstance(result, ReadResourceResult):
            result.ttl_ms = self.list_ttl_ms
            result.cache_scope = self.cache_scope
        return result

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
