"""Calls as a room makes them: before a deadline, behind the breaker, once or twice, and the era remembered."""

from collections.abc import Awaitable, Callable
from time import monotonic, sleep
from typing import Final

from mcpclient.breaker import counts_as_failure
from mcpclient.breaker_table import BreakerTable
from mcpclient.connection import MCPServerConnection
from mcpclient.connections import ConnectionTable
from mcpclient.errors import MCPClientConnectionError, MCPClientError
from mcpclient.failure import TIMEOUT, UNREACHABLE
from mcpclient.settings import ConnectionSettings
from mcpclient.synchronous import run_sync

RETRY_DELAY_S: Final = 0.3
RETRIED_STATUSES: Final = frozenset({429, 503})

type Connect = Callable[[ConnectionSettings], MCPServerConnection]
type Operate[T] = Callable[[MCPServerConnection], Awaitable[T]]
"""What to do with the connection."""


class ProtectedCalls:
    """Makes calls to other servers for a room."""

    def __init__(
        self,
        connections: ConnectionTable,
        breakers: BreakerTable,
        *,
        connect: Connect,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        """Make it.

        Args:
            connections: where the era that was seen is kept.
            breakers: who must not be called just now.
            connect: makes the connection.
            wait: passes seconds, before the second attempt.
        """
        self._connections = connections
        self._breakers = breakers
        self._connect = connect
        self._wait = wait

    def call[T](
        self, connection: ConnectionSettings, operate: Operate[T], *, deadline_s: float, is_idempotent: bool
    ) -> T:
        """Return what *operate* returns.

        Args:
            connection: whom to call.
            operate: an async function of the connection.
            deadline_s: on `time.monotonic`'s clock.
            is_idempotent: doing it twice is like doing it once.

        Raises:
            MCPClientError: it did not succeed; `CircuitOpenError` where nothing was sent.
        """
        try:
            return self._call(connection, operate, deadline_s, is_idempotent=is_idempotent)
        finally:
            self._connections.remember_era(connection)

    def _call[T](
        self, connection: ConnectionSettings, operate: Operate[T], deadline_s: float, *, is_idempotent: bool
    ) -> T:
        self._breakers.enter(connection.name)
        try:
            return self._call_once(connection, operate, deadline_s)
        except MCPClientError as error:
            can_help = error.code == UNREACHABLE or error.http_status in RETRIED_STATUSES
            if not (is_idempotent and can_help) or deadline_s - monotonic() <= RETRY_DELAY_S:
                raise
        self._wait(RETRY_DELAY_S)
        self._breakers.enter(connection.name)
        return self._call_once(connection, operate, deadline_s)

    def _call_once[T](self, connection: ConnectionSettings, operate: Operate[T], deadline_s: float) -> T:
        left_s = min(connection.timeout_s, deadline_s - monotonic())
        if left_s <= 0:
            raise MCPClientConnectionError("There is no time left for the call.", code=TIMEOUT, retryable=True)
        remote = self._connect(connection.model_copy(update={"timeout_s": left_s}))

        async def operate_on_it() -> T:
            return await operate(remote)

        try:
            result = run_sync(operate_on_it())
        except MCPClientError as error:
            if counts_as_failure(error):
                self._breakers.fail(connection.name)
            else:
                self._breakers.succeed(connection.name)
            raise
        self._breakers.succeed(connection.name)
        return result
