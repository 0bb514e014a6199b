"""The discovery room's handlers, built from their environment like on Lambda, with the events of `sam local invoke`."""

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from mcpclient import ConnectionSettings
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable

from functions.discovery.lister import Lister, QueueError
from tests.functions.discovery.rooms import Context
from tests.hostile.mcp import URL, mcp_server
from tests.hostile.server import serve

EVENTS = Path(__file__).parents[3] / "events" / "discovery"


def event(name: str) -> Any:
    """Return an event of `sam local invoke -e`."""
    return json.loads((EVENTS / f"{name}.json").read_text("utf-8"))


@pytest.fixture
def queue(connections_table: Any) -> Iterator[str]:
    """A queue, and what the template sets."""
    url = boto3.client("sqs").create_queue(QueueName="discovery")["QueueUrl"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAMCP_CONNECTIONS_TABLE", "connections")
        patch.setenv("SAMCP_DISCOVERY_QUEUE", url)
        patch.delitem(sys.modules, "functions.discovery.app", raising=False)
        yield url
        sys.modules.pop("functions.discovery.app", None)
    boto3.client("sqs").delete_queue(QueueUrl=url)


@pytest.mark.anyio
async def test_the_schedule_sends_names_and_the_worker_discovers_them(
    connections_table: Any, queue: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both handlers of the room, as the template calls them."""
    async with serve(mcp_server(), tls=False) as server:
        ports = frozenset({server.port})
        stored = {"name": "sample", "url": f"http://127.0.0.1:{server.port}/mcp"}
        table = ConnectionTable(connections_table, loopback_ports=ports)
        table.put(ConnectionSettings.parse(stored, loopback_ports=ports))
        table.put(ConnectionSettings.parse({**stored, "name": "off", "enabled": False}, loopback_ports=ports))
        monkeypatch.setenv("SAMCP_LOOPBACK_PORTS", str(server.port))
        app = importlib.import_module("functions.discovery.app")
        assert await asyncio.to_thread(app.list_handler, event("schedule"), Context()) == {"connections": 1}
        sent = boto3.client("sqs").receive_message(QueueUrl=queue, MaxNumberOfMessages=10)["Messages"]
        assert [message["Body"] for message in sent] == ['{"connection": "sample"}']
        answer = await asyncio.to_thread(app.worker_handler, event("worker"), Context())
        assert answer == {"batchItemFailures": []}
    head = CatalogTable(connections_table).head("sample")
    assert head is not None
    assert list(head.offer.tools) == ["add"]


def test_many_connections_are_ten_messages_a_request(connections_table: Any) -> None:
    """And a queue that does not take one fails the invocation, so that the schedule tries again."""
    table = ConnectionTable(connections_table)
    for number in range(25):
        table.put(ConnectionSettings(name=f"c{number:02}", url=URL))
    batches: list[int] = []

    class Queue:
        """SQS, which refuses the last batch's first message."""

        def send_message_batch(self, **request: Any) -> dict[str, Any]:
            """Take all but one."""
            batches.append(len(request["Entries"]))
            return {"Failed": request["Entries"][:1] if len(batches) == 3 else []}

    with pytest.raises(QueueError):
        Lister(table, Queue(), "queue").answer({}, None)
    assert batches == [10, 10, 5]
