"""`python -m tests.scale [COUNT]`: what a discovery costs, by connection, against a fake server on loopback.

DynamoDB is moto, in this process: its operations are counted, its time is not DynamoDB's.
"""

import asyncio
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager, redirect_stdout
from io import StringIO
from itertools import batched
from typing import Any, Final

import boto3
from guardedhttp import Network
from mcpclient import ConnectionSettings, EraMemory, MCPServerConnection
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable
from moto import mock_aws

from functions.discovery.announcer import Announcer
from functions.discovery.recorder import Finding, Recorder
from functions.discovery.worker import Worker
from tests.functions.discovery.rooms import Bus, Context, record
from tests.functions.discovery.test_worker import drip
from tests.hostile.server import Answer, Hostile, always, serve
from tests.hostile.tools import ChangingServer, named

BATCH: Final = 10
INVOCATIONS_AT_ONCE: Final = 4
"""Of the worker; the template bounds them with MaximumConcurrency."""

TIMEOUT_S: Final = 5.0
HOSTILE: Final[Mapping[str, Answer]] = {"c003": drip, "c009": always(500), "c015": always(200, b"{" * 4096)}


class NotedRecorder(Recorder):
    """Notes when each connection's catalog was kept."""

    def __init__(self, catalogs: CatalogTable, approvals: ApprovalTable) -> None:
        super().__init__(catalogs, approvals, now_s=time.time)
        self.kept_at_s: dict[str, float] = {}

    def keep(self, finding: Finding) -> None:
        """Store it and note when."""
        super().keep(finding)
        self.kept_at_s[finding.head.name] = time.monotonic()


@contextmanager
def servers(answers: Mapping[str, Answer]) -> Iterator[dict[str, Hostile]]:
    """Serve *answers* in a thread with a loop of its own."""
    ready, stop = threading.Event(), threading.Event()
    found: dict[str, Hostile] = {}

    async def run() -> None:
        async with AsyncExitStack() as stack:
            for name, answer in answers.items():
                found[name] = await stack.enter_async_context(serve(answer, tls=False))
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield found
    finally:
        stop.set()
        thread.join()


class Run:
    """A table with connections, and the worker."""

    def __init__(self, ports: Mapping[str, int]) -> None:
        self.operations: Counter[str] = Counter()
        resource: Any = boto3.resource("dynamodb")
        self.table = resource.create_table(
            TableName=f"connections-{len(ports)}",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        )
        self.names = list(ports)
        allowed = frozenset(ports.values())
        eras = EraMemory()
        connections = ConnectionTable(self.table, loopback_ports=allowed, eras=eras)
        for name, port in ports.items():
            stored = {"name": name, "url": f"http://127.0.0.1:{port}/{name}", "timeout_s": TIMEOUT_S}
            connections.put(ConnectionSettings.parse(stored, loopback_ports=allowed))
        resource.meta.client.meta.events.register("before-call.dynamodb.*", self._count)
        self.recorder = NotedRecorder(CatalogTable(self.table), ApprovalTable(self.table))
        network = Network(loopback_ports=allowed)
        self.worker = Worker(
            connections,
            self.recorder,
            Announcer(Bus(), service="discovery", namespace="samcp"),
            discover=lambda found: MCPServerConnection(found, network=network, eras=eras).discover_in_full(),
        )

    def _count(self, model: Any, **_event: Any) -> None:
        self.operations[model.name] += 1

    def discover(self) -> tuple[float, float, list[str]]:
        """Discover all and return wall seconds, CPU seconds and who failed."""
        self.operations.clear()
        started_s, cpu_s = time.monotonic(), time.process_time()
        events = [{"Records": [record(name) for name in some]} for some in batched(self.names, BATCH, strict=False)]
        with ThreadPoolExecutor(INVOCATIONS_AT_ONCE) as pool, redirect_stdout(StringIO()):
            answers = list(pool.map(lambda event: self.worker.answer(event, Context(55)), events))
        failed = [failure["itemIdentifier"] for answer in answers for failure in answer["batchItemFailures"]]
        return time.monotonic() - started_s, time.process_time() - cpu_s, failed


def many(count: int) -> None:
    """Discover *count* connections of one honest server, twice."""
    tools = [named(f"tool_{number}", f"Does thing {number}. " * 5) for number in range(10)]
    with servers({"all": ChangingServer(*tools).answer()}) as found:
        run = Run({f"c{number:04}": found["all"].port for number in range(count)})
        for label in ("first", "unchanged"):
            before = len(found["all"].requests)
            wall_s, cpu_s, failed = run.discover()
            figures = {
                "discovery": label,
                "connections": count,
                "at_once": INVOCATIONS_AT_ONCE * BATCH,
                "failed": len(failed),
                "wall_s": round(wall_s, 1),
                "ms_per_connection": round(wall_s * 1000 / count, 1),
                "cpu_ms_per_connection_with_moto_and_the_fake": round(cpu_s * 1000 / count, 1),
                "requests_per_connection": (len(found["all"].requests) - before) / count,
                "dynamodb_per_connection": {name: number / count for name, number in run.operations.items()},
            }
            print(json.dumps(figures))


def hostile() -> None:
    """Discover 20 connections of which 3 are hostile, and say when the others were done."""
    names = [f"c{number:03}" for number in range(20)]
    with servers({name: HOSTILE.get(name) or ChangingServer(named("read")).answer() for name in names}) as found:
        run = Run({name: server.port for name, server in found.items()})
        started_s = time.monotonic()
        wall_s, _, failed = run.discover()
        done_s = max(run.recorder.kept_at_s.values()) - started_s
        figures = {
            "connections": len(names),
            "hostile": sorted(HOSTILE),
            "failed": sorted(failed),
            "others_done": len(run.recorder.kept_at_s),
            "others_done_after_s": round(done_s, 2),
            "timeout_s": TIMEOUT_S,
            "all_done_after_s": round(wall_s, 2),
        }
        print(json.dumps(figures))


if __name__ == "__main__":
    os.environ |= dict.fromkeys(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), "testing")
    os.environ["AWS_DEFAULT_REGION"] = "us-east-1"
    with mock_aws():
        hostile()
        many(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
