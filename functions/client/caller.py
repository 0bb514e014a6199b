"""Calls another server for a caller inside: by connection name, within the Lambda's time, once or twice."""

import logging
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final, Protocol

from botocore.exceptions import BotoCoreError, ClientError
from mcpclient import (
    ConnectionSettings,
    MCPClientError,
    MCPClientPermissionError,
    MCPServerConnection,
    is_resource_allowed,
    is_tool_allowed,
)
from mcpclient.approvals import ApprovalTable
from mcpclient.arguments import check_arguments
from mcpclient.breaker_table import BreakerTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable
from mcpclient.protected import Connect, ProtectedCalls
from mcpclient.review import callable_tools

from functions.client.errors import table_error
from functions.client.request import CallTool, Discover, ReadResource, Request, read_request

logger = logging.getLogger(__name__)

MARGIN_S: Final = 2.0
"""Kept back from the Lambda's time: for closing, for the breaker, and for the answer."""


class LambdaContext(Protocol):
    """What is used of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the call is killed."""


class Caller:
    """Answers one event: `{"result": ...}` or `{"error": {code, message, http_status, retryable}}`."""

    def __init__(  # noqa: PLR0913 -- the tables that it reads, and how it calls
        self,
        connections: ConnectionTable,
        breakers: BreakerTable,
        *,
        approvals: ApprovalTable,
        catalogs: CatalogTable,
        connect: Connect,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        """Make a caller.

        Args:
            connections: where connections are stored.
            breakers: who must not be called just now.
            approvals: what operators have approved.
            catalogs: what discovery has found since.
            connect: makes the connection.
            wait: passes seconds, before the second attempt.
        """
        self._connections = connections
        self._approvals = approvals
        self._catalogs = catalogs
        self._calls = ProtectedCalls(connections, breakers, connect=connect, wait=wait)

    def answer(self, event: Any, context: LambdaContext) -> dict[str, Any]:
        """Return what the event asks for, or why not; never raises for what a remote server or DynamoDB does."""
        deadline_s = monotonic() + context.get_remaining_time_in_millis() / 1000 - MARGIN_S
        try:
            return {"result": self._answer(event, deadline_s)}
        except MCPClientError as error:
            failure = error
        except (BotoCoreError, ClientError) as error:
            logger.warning("the connections' table does not answer", extra={"error": type(error).__name__})
            failure = table_error(error)
        logger.info("an outbound call failed", extra={"code": failure.code, "http_status": failure.http_status})
        return {"error": failure.to_dict()}

    def _answer(self, event: Any, deadline_s: float) -> dict[str, Any]:
        request = read_request(event)
        connection = self._connections.get(request.connection)
        # Before the breaker: what is not sent says nothing of the server, and must not be an open breaker's one probe.
        match request:
            case CallTool():
                check_arguments(request.tool, request.arguments)
                self._check_approved(connection, request.tool)
            case ReadResource() if not is_resource_allowed(request.uri, connection.allowed_resources):
                raise MCPClientPermissionError("This connection does not allow the resource.")
        return self._calls.call(
            connection,
            lambda remote: _operate(remote, request),
            deadline_s=deadline_s,
            is_idempotent=request.is_idempotent,
        )

    def _check_approved(self, connection: ConnectionSettings, tool: str) -> None:
        head = self._catalogs.head(connection.name)
        approval = self._approvals.get(connection.name, url=connection.url)
        approved = frozenset[str]()
        if head is not None and head.url == connection.url:
            approved = callable_tools(head.offer, approval, head.quarantine)
        if tool not in approved or not is_tool_allowed(tool, connection.allowed_tools):
            raise MCPClientPermissionError(
                "The tool is not allowed, not approved, or in quarantine: an operator must look at it."
            )


async def _operate(remote: MCPServerConnection, request: Request) -> dict[str, Any]:
    match request:
        case Discover():
            return (await remote.discover()).to_dict()
        case CallTool():
            return (await remote.call_tool(request.tool, request.arguments)).to_dict()
        case ReadResource():
            return {"text": await remote.read_resource(request.uri)}
