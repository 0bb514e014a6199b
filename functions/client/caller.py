"""Calls another server for a caller inside: by connection name, within the Lambda's time, once or twice."""

import logging
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final, Protocol

from mcpclient import (
    ConnectionSettings,
    MCPClientConnectionError,
    MCPClientError,
    MCPServerConnection,
    run_sync,
)
from mcpclient.breaker import counts_as_failure
from mcpclient.breaker_table import BreakerTable
from mcpclient.connections import ConnectionTable
from mcpclient.failure import TIMEOUT, UNREACHABLE

from functions.client.request import CallTool, Discover, ReadResource, Request, read_request

logger = logging.getLogger(__name__)

MARGIN_S: Final = 2.0
"""Kept back from the Lambda's time: for closing, for the breaker, and for the answer."""

RETRY_DELAY_S: Final = 0.3
RETRIED_STATUSES: Final = frozenset({429, 503})


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
        connect: Callable[[ConnectionSettings], MCPServerConnection],
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
        self._breakers = breakers
        self._connect = connect
        self._wait = wait

    def answer(self, event: Any, context: LambdaContext) -> dict[str, Any]:
        """Return what the event asks for, or why not; never raises for what a remote server does."""
        deadline_s = monotonic() + context.get_remaining_time_in_millis() / 1000 - MARGIN_S
        try:
            request = read_request(event)
            connection = self._connections.get(request.connection)
            return {"result": self._call(request, connection, deadline_s)}
        except MCPClientError as error:
            logger.info("an outbound call failed", extra={"code": error.code, "http_status": error.http_status})
            return {"error": error.to_dict()}

    def _call(self, request: Request, connection: ConnectionSettings, deadline_s: float) -> dict[str, Any]:
        self._breakers.enter(connection.name)
        try:
            return self._call_once(request, connection, deadline_s)
        except MCPClientError as error:
            if not _may_try_again(request, error) or deadline_s - monotonic() <= RETRY_DELAY_S:
                raise
        self._wait(RETRY_DELAY_S)
        self._breakers.enter(connection.name)
        return self._call_once(request, connection, deadline_s)

    def _call_once(self, request: Request, connection: ConnectionSettings, deadline_s: float) -> dict[str, Any]:
        left_s = min(connection.timeout_s, deadline_s - monotonic())
        if left_s <= 0:
            raise MCPClientConnectionError("There is no time left for the call.", code=TIMEOUT, retryable=True)
        remote = self._connect(connection.model_copy(update={"timeout_s": left_s}))
        try:
            result = run_sync(_operate(remote, request))
        except MCPClientError as error:
            if counts_as_failure(error):
                self._breakers.fail(connection.name)
            else:
                self._breakers.succeed(connection.name)
            raise
        self._breakers.succeed(connection.name)
        return result


def _may_try_again(request: Request, error: MCPClientError) -> bool:
    """Tell whether a second attempt can help and can do no harm."""
    return request.is_idempotent and (error.code == UNREACHABLE or error.http_status in RETRIED_STATUSES)


async def _operate(remote: MCPServerConnection, request: Request) -> dict[str, Any]:
    match request:
        case Discover():
            return (await remote.discover()).to_dict()
        case CallTool():
            return (await remote.call_tool(request.tool, request.arguments)).to_dict()
        case ReadResource():
            return {"text": await remote.read_resource(request.uri)}
