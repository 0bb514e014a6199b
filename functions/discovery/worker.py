"""Discovers the connections of one batch of messages, side by side; each succeeds or fails alone."""

import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, Final, Protocol

import anyio
from aws_lambda_powertools.utilities.batch import AsyncBatchProcessor, EventType, async_process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from botocore.exceptions import BotoCoreError, ClientError
from mcpclient import ConnectionSettings, MCPClientConnectionError, MCPClientError
from mcpclient.connections import ConnectionTable, UnknownConnectionError
from mcpclient.discovery import Discovery
from mcpclient.failure import TIMEOUT
from mcpclient.text import read_object

from functions.discovery.announcer import AnnouncementError, Announcer
from functions.discovery.recorder import Recorder

logger = logging.getLogger(__name__)

MARGIN_S: Final = 5.0
"""Kept back from the Lambda's time, for the tables and the answer."""

MAX_NAME_CHARACTERS: Final = 32
"""Of a connection. What is longer is no name, and no key of the table's."""

type Discover = Callable[[ConnectionSettings], Awaitable[Discovery]]
"""Asks the connection's server what it offers."""


class LambdaContext(Protocol):
    """What is used of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until the call is killed."""


class Worker:
    """Takes the messages that the lister has sent."""

    def __init__(
        self, connections: ConnectionTable, recorder: Recorder, announcer: Announcer, *, discover: Discover
    ) -> None:
        self._connections = connections
        self._recorder = recorder
        self._announcer = announcer
        self._discover = discover

    def answer(self, event: dict[str, Any], context: LambdaContext) -> Any:
        """Discover each message's connection and return the messages that failed, in SQS's form.

        Source: Lambda Developer Guide, "Implementing partial batch responses".
        """
        deadline_s = monotonic() + context.get_remaining_time_in_millis() / 1000 - MARGIN_S
        # boto3's table is not made for threads: one at a time has it, while the calls to the servers run side by side.
        turn = anyio.CapacityLimiter(1)

        async def take(record: SQSRecord) -> None:
            name = _name_in(record)
            try:
                await self._take(name, deadline_s, turn)
            except (AnnouncementError, BotoCoreError, ClientError) as error:
                # Powertools keeps to itself what a record raises, and nothing else tells of these.
                self._announcer.count_failure(name)
                extra = {"connection": name, "error": type(error).__name__}
                logger.warning("a discovery could not be stored", extra=extra)
                raise

        processor = AsyncBatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
        return async_process_partial_response(event=event, record_handler=take, processor=processor)

    async def _take(self, name: str, deadline_s: float, turn: anyio.CapacityLimiter) -> None:
        try:
            connection = await anyio.to_thread.run_sync(self._connections.get, name, limiter=turn)
        except UnknownConnectionError:
            # Removed since the message was sent: trying again would end among the dead letters, and alarm somebody.
            logger.info("a connection is gone", extra={"connection": name})
            return
        except MCPClientError as error:
            self._announcer.count_failure(name)
            logger.warning("a discovery failed", extra={"connection": name, "code": error.code})
            raise
        if not connection.enabled:
            return
        try:
            discovery = await self._discover_in_time(connection, deadline_s)
        except MCPClientError as error:
            await anyio.to_thread.run_sync(self._note, connection, error, limiter=turn)
            raise
        try:
            await anyio.to_thread.run_sync(self._record, connection, discovery, limiter=turn)
        except MCPClientError as error:
            logger.warning("a discovery could not be stored", extra={"connection": name, "code": error.code})
            raise

    async def _discover_in_time(self, connection: ConnectionSettings, deadline_s: float) -> Discovery:
        left_s = min(connection.timeout_s, deadline_s - monotonic())
        if left_s <= 0:
            raise MCPClientConnectionError("There is no time left for the discovery.", code=TIMEOUT, retryable=True)
        return await self._discover(connection.model_copy(update={"timeout_s": left_s}))

    def _record(self, connection: ConnectionSettings, discovery: Discovery) -> None:
        if not self._is_still_there(connection):
            return
        self._connections.remember_era(connection)
        finding = self._recorder.compare(connection, discovery)
        # Told before it is kept: what fails in between is told twice, never not at all.
        try:
            self._announcer.announce(finding)
        except (AnnouncementError, BotoCoreError, ClientError):
            self._recorder.hold(finding)
            raise
        self._recorder.keep(finding)
        logger.info(
            "a connection was discovered",
            extra={
                "connection": connection.name,
                "version": finding.head.version,
                "tools": len(discovery.tools),
                "unusable_tools": discovery.unusable.count,
                "news": len(finding.news),
                "quarantined": len(finding.head.quarantine.changes),
                "hidden_text": len(finding.head.offer.flags),
            },
        )

    def _is_still_there(self, connection: ConnectionSettings) -> bool:
        """Tell whether what was found is of use: an operator may have removed the connection, or changed its URL."""
        try:
            is_same = self._connections.get(connection.name).url == connection.url
        except UnknownConnectionError:
            is_same = False
        if not is_same:
            logger.info("a connection has changed meanwhile", extra={"connection": connection.name})
        return is_same

    def _note(self, connection: ConnectionSettings, error: MCPClientError) -> None:
        self._announcer.count_failure(connection.name)
        logger.warning(
            "a discovery failed",
            extra={"connection": connection.name, "code": error.code, "http_status": error.http_status},
        )
        if self._is_still_there(connection):
            self._recorder.note_failure(connection, error.code)


def _name_in(record: SQSRecord) -> str:
    """Return the connection's name in a message of the lister's.

    Raises:
        ValueError: it is another's message.
    """
    name = (read_object(record.body) or {}).get("connection")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME_CHARACTERS:
        logger.warning("a message names no connection", extra={"message_id": record.message_id})
        raise ValueError("The message names no connection.")
    return name
