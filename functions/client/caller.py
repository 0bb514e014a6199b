"""Calls another server for a caller inside: by connection name, within the Lambda's time, once or twice."""

import logging
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final, Protocol

from mcpclient import MCPClientError, MCPServerConnection
from mcpclient.breaker_table import BreakerTable
from mcpclient.connections import ConnectionTable
from mcpclient.protected import Connect, ProtectedCalls

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

    def __init__(
        self,
        connections: ConnectionTable,
        breakers: BreakerTable,
        *,
        connect: Connect,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        """Make a caller.

        Args:
            connections: where connections are stored.
            breakers: who must not be called just now.
            connect: makes the connection.
            wait: passes seconds, before the second attempt.
        """
        self._connections = connections
        self._calls = ProtectedCalls(connections, breakers, connect=connect, wait=wait)

    def answer(self, event: Any, context: LambdaContext) -> dict[str, Any]:
        """Return what the event asks for, or why not; never raises for what a remote server does."""
        deadline_s = monotonic() + context.get_remaining_time_in_millis() / 1000 - MARGIN_S
        try:
            request = read_request(event)
            connection = self._connections.get(request.connection)
            result = self._calls.call(
                connection,
                lambda remote: _operate(remote, request),
                deadline_s=deadline_s,
                is_idempotent=request.is_idempotent,
            )
        except MCPClientError as error:
            logger.info("an outbound call failed", extra={"code": error.code, "http_status": error.http_status})
            return {"error": error.to_dict()}
        return {"result": result}


async def _operate(remote: MCPServerConnection, request: Request) -> dict[str, Any]:
    match request:
        case Discover():
            return (await remote.discover()).to_dict()
        case CallTool():
            return (await remote.call_tool(request.tool, request.arguments)).to_dict()
        case ReadResource():
            return {"text": await remote.read_resource(request.uri)}
