"""On the schedule: one message for each connection, so that none waits for another."""

import json
import logging
from itertools import batched
from typing import Any, Final, Protocol

from mcpclient.connections import ConnectionTable

logger = logging.getLogger(__name__)

BATCH: Final = 10
"""The most that one SendMessageBatch takes. Source: SQS API reference."""


class QueueError(Exception):
    """Some messages were not taken: the schedule's retry sends all again, and discovering twice does no harm."""


class Queue(Protocol):
    """The one call that is made of boto3's SQS client."""

    def send_message_batch(self, **request: Any) -> dict[str, Any]:
        """Send up to ten messages."""


class Lister:
    """Sends the names of the enabled connections."""

    def __init__(self, connections: ConnectionTable, queue: Queue, queue_url: str) -> None:
        self._connections = connections
        self._queue = queue
        self._queue_url = queue_url

    def answer(self, _event: Any, _context: Any) -> dict[str, int]:
        """Send one message for each enabled connection and return how many there were.

        Raises:
            QueueError: the queue did not take all of them.
        """
        names = [connection.name for connection in self._connections.list() if connection.enabled]
        refused = sum(self._send(batch) for batch in batched(names, BATCH, strict=False))
        logger.info("discovery has begun", extra={"connections": len(names), "refused": refused})
        if refused:
            raise QueueError(f"The queue has not taken {refused} of {len(names)} messages.")
        return {"connections": len(names)}

    def _send(self, names: tuple[str, ...]) -> int:
        entries = [
            {"Id": str(number), "MessageBody": json.dumps({"connection": name})} for number, name in enumerate(names)
        ]
        return len(self._queue.send_message_batch(QueueUrl=self._queue_url, Entries=entries).get("Failed", ()))
