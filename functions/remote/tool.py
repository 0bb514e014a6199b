"""Another server's tool as one of ours: its definition passed on as approved, its result passed on whole."""

from collections.abc import Mapping
from functools import cached_property
from time import monotonic
from typing import Any, Final

from mcp_types import SERVER_INFO_META_KEY, CallToolResult, Tool
from mcpclient import ConnectionSettings, MCPClientConfigurationError, MCPClientError, MCPServerConnection
from mcpclient.arguments import check_arguments
from mcpclient.connections import ConnectionTable
from mcpclient.protected import ProtectedCalls
from pydantic import BaseModel

from functions.remote.errors import sentence_for
from functions.remote.shelf import OfferedTool
from mcpserver import CallContext, MCPServerToolError, MCPToolBase
from mcpserver.param_headers import declared_headers
from mcpserver.repair import Repair

MARGIN_S: Final = 2.5
"""Kept back from the Lambda's time, to close the connection and to answer."""

MAX_RESULT_BYTES: Final = 4 * 1024 * 1024
"""Of another server's answer: with what JSON adds it stays below the 6 MB that a function can answer with."""


SERVER: Final = "remote"
"""The server's name, and the scope that opens all of it."""


class AnyArguments(BaseModel, extra="allow"):
    """Whatever the other server takes: it validates."""


class Outbound:
    """Makes the calls: the connection read afresh, the breaker asked, the deadline kept."""

    def __init__(self, connections: ConnectionTable, calls: ProtectedCalls) -> None:
        self._connections = connections
        self._calls = calls

    def call(self, offered: OfferedTool, arguments: dict[str, Any], context: CallContext) -> CallToolResult:
        """Call the tool and return its whole result.

        Raises:
            MCPClientError: it did not succeed.
        """
        name = str(offered.definition["name"])
        # Before the breaker: what is not sent says nothing of the server.
        check_arguments(name, arguments)
        connection = self.fresh(offered.connection, url=offered.url)

        async def operate(remote: MCPServerConnection) -> CallToolResult:
            return await remote.call_tool_in_full(name, arguments)

        # Never twice: that a tool calls itself idempotent is its server's claim.
        deadline_s = deadline_of(connection, context)
        return _as_ours(self._calls.call(connection, operate, deadline_s=deadline_s, is_idempotent=False))

    def read(self, offered: ConnectionSettings, uri: str, context: CallContext) -> Any:
        """Read the resource *uri* of a connection and return all of its contents.

        Raises:
            MCPClientError: it did not succeed.
        """
        connection = self.fresh(offered.name, url=offered.url)
        deadline_s = deadline_of(connection, context)
        return self._calls.call(
            connection, lambda remote: remote.read_resource_in_full(uri), deadline_s=deadline_s, is_idempotent=True
        )

    def fresh(self, name: str, *, url: str) -> ConnectionSettings:
        """Return the connection as it is stored now: it may have been switched off a second ago.

        Raises:
            MCPClientConfigurationError: it is gone, or not at *url* any more: there, nothing of it was approved.
        """
        connection = self._connections.get(name)
        if connection.url != url:
            raise MCPClientConfigurationError("The connection has another URL now: what it offers must be approved.")
        size = min(connection.limits.bytes_per_answer, MAX_RESULT_BYTES)
        return connection.model_copy(update={"limits": connection.limits.model_copy(update={"bytes_per_answer": size})})


def may_use(context: CallContext, scope: str = SERVER) -> bool:
    """Tell whether the caller has *scope* or the whole server. Over HTTP there always is one who is named."""
    return context.principal is None or not {SERVER, scope}.isdisjoint(context.principal.scopes)


def deadline_of(connection: ConnectionSettings, context: CallContext) -> float:
    """Return until when a call may take, on `monotonic`'s clock."""
    remaining_s = context.remaining_s()
    left_s = connection.timeout_s if remaining_s is None else min(connection.timeout_s, remaining_s - MARGIN_S)
    return monotonic() + left_s


def _as_ours(result: CallToolResult) -> CallToolResult:
    """Return *result* without the other server's identity: the answer is this server's."""
    meta = {name: value for name, value in (result.meta or {}).items() if name != SERVER_INFO_META_KEY}
    return result.model_copy(update={"meta": meta or None})


class RemoteTool(MCPToolBase[AnyArguments]):
    """A tool of another server."""

    arguments_model = AnyArguments

    def __init__(self, offered: OfferedTool, outbound: Outbound) -> None:
        self.name = offered.name
        self._offered = offered
        self._outbound = outbound

    def definition(self) -> Tool:
        """Return what its server says of it, under the name that it has here."""
        return Tool.model_validate({**self._offered.definition, "name": self.name})

    def input_schema(self) -> dict[str, Any]:
        """Return its server's schema."""
        schema: dict[str, Any] = self._offered.definition.get("inputSchema", {"type": "object"})
        return schema

    @cached_property
    def repair(self) -> Repair:
        """Nothing is mended: the schema is a stranger's, and its server reads the arguments itself."""
        return Repair({}, keeps_unknown=True)

    @cached_property
    def param_headers(self) -> Mapping[str, tuple[str, ...]]:
        """`Mcp-Param-*` headers that the schema declares; none, where it does so wrongly."""
        try:
            return declared_headers(self.input_schema())
        except (AttributeError, RecursionError, TypeError, ValueError):
            return {}

    def call(self, arguments: Mapping[str, Any] | None) -> CallToolResult:
        """Call it and return its result whole: blocks, structured content, and that it is an error.

        Raises:
            MCPServerToolError: it could not be called; says what the model can do.
        """
        if not may_use(self.context, f"{SERVER}:{self.name}"):
            raise MCPServerToolError(f"this tool needs the scope {SERVER}:{self.name}, which the key does not have.")
        try:
            return self._outbound.call(self._offered, dict(arguments or {}), self.context)
        except MCPClientError as error:
            raise MCPServerToolError(sentence_for(error, self._offered.connection)) from None

    def run(self, arguments: AnyArguments) -> CallToolResult:
        """Call it with validated arguments; see `call`."""
        return self.call(arguments.model_dump())


class HeldTool(MCPToolBase[AnyArguments]):
    """A tool that waits for an operator: no list shows it, and a call says why."""

    arguments_model = AnyArguments
    title = description = ""

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self._why = why

    def run(self, arguments: AnyArguments) -> str:  # noqa: ARG002 -- nothing is called
        """Refuse.

        Raises:
            MCPServerToolError: always.
        """
        reason = {
            "added": "its server has added it since the approval, or the approval left it out",
            "changed": "its server has changed its definition",
            "removed": "its server has removed it",
        }.get(self._why, "nobody has approved it yet")
        raise MCPServerToolError(
            f"this tool is quarantined: {reason}. An operator must approve it; do not call it again until it is listed."
        )
