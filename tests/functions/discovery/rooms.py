"""The discovery and the remote room on one table, with servers on loopback in the place of the internet."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from mcpclient import ConnectionSettings, EraMemory, MCPServerConnection, SecretStore, TokenStore
from mcpclient.approvals import ApprovalTable
from mcpclient.breaker_table import BreakerTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable
from mcpclient.discovery import Discovery
from mcpclient.protected import ProtectedCalls
from mcpclient.review import approve

from functions.discovery.announcer import Announcer
from functions.discovery.recorder import Recorder
from functions.discovery.worker import Worker
from functions.remote.server import RemoteMCPServer
from functions.remote.shelf import Shelf
from functions.remote.tool import Outbound
from mcpserver import Principal
from mcpserver.context import TransportContext
from tests.hostile.mcp import no_secrets
from tests.hostile.server import Hostile


class Context:
    """Lambda's context with so much time left."""

    def __init__(self, remaining_s: float = 20) -> None:
        self._remaining_s = remaining_s

    def get_remaining_time_in_millis(self) -> int:
        """Return it in milliseconds."""
        return int(self._remaining_s * 1000)


class Bus:
    """EventBridge, which only remembers."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.refuses = False

    def put_events(self, **request: Any) -> dict[str, Any]:
        """Take the events, or refuse."""
        # Source: EventBridge API reference, "Calculating PutEvents event entry size".
        assert all(len(entry["Detail"].encode()) < 255_000 for entry in request["Entries"])
        if self.refuses:
            return {"FailedEntryCount": len(request["Entries"])}
        self.sent += [json.loads(entry["Detail"]) for entry in request["Entries"]]
        return {"FailedEntryCount": 0}


class Rooms:
    """What an account has: connections, discovery, approvals, the remote server."""

    def __init__(self, table: Any, servers: Mapping[str, Hostile], **settings: Any) -> None:
        self.now_s = 1000.0
        self.scopes = ["remote"]
        """Of whoever asks the remote server."""
        self.before_discovery: list[Callable[[], Any]] = []
        """What an operator does while a server is asked."""
        self.bus = Bus()
        self.servers = servers
        self.eras = EraMemory()
        max_age_s: float = settings.pop("max_age_s", -1)
        self.secrets: SecretStore = settings.pop("secrets", None) or no_secrets()
        self.connections = ConnectionTable(table, eras=self.eras)
        self.catalogs = CatalogTable(table)
        self.approvals = ApprovalTable(table)
        for name in servers:
            self.put(name, **settings)
        recorder = Recorder(self.catalogs, self.approvals, now_s=lambda: self.now_s)
        announcer = Announcer(self.bus, service="discovery", namespace="samcp")
        self.worker = Worker(self.connections, recorder, announcer, discover=self._discover)
        breakers = BreakerTable(table, now_s=lambda: self.now_s)
        calls = ProtectedCalls(self.connections, breakers, connect=self.connect, wait=lambda _seconds: None)
        shelf = Shelf(self.connections, self.approvals, self.catalogs, clock=lambda: self.now_s, max_age_s=max_age_s)
        self.server = RemoteMCPServer(shelf, Outbound(self.connections, calls))

    def put(self, name: str, **settings: Any) -> None:
        """Store a connection."""
        whole = {"url": f"https://{name}.example.com/mcp", "timeout_s": 5, **settings}
        self.connections.put(ConnectionSettings(name=name, **whole))

    async def discover(self, *names: str, remaining_s: float = 20) -> list[str]:
        """Let the worker take one batch and return the connections that failed; in a thread, as Lambda has no loop."""
        chosen = names or tuple(self.servers)
        event = {"Records": [record(name) for name in chosen]}
        answer = await asyncio.to_thread(self.worker.answer, event, Context(remaining_s))
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def approve(self, name: str, *, only: tuple[str, ...] = (), with_flagged: bool = False) -> None:
        """Approve what was discovered, as the operator does."""
        url = self.connections.get(name).url
        head = self.catalogs.head(name)
        assert head is not None
        held = self.approvals.get(name, url=url)
        approval = approve(head.offer, held, head.quarantine, url=url, only=only, with_flagged=with_flagged)
        self.approvals.put(name, approval)

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one request to the remote server and return its result, or its error."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        transport = TransportContext(principal=Principal("key-1", frozenset(self.scopes)))
        exchange = await asyncio.to_thread(self.server.exchange, message, transport)
        found: dict[str, Any] = exchange.body.get("result") or exchange.body["error"]
        return found

    async def tools(self) -> list[str]:
        """Return the names that the remote server lists."""
        return [tool["name"] for tool in (await self.ask("tools/list"))["tools"]]

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool of the remote server."""
        return await self.ask("tools/call", name=tool, arguments=arguments)

    async def _discover(self, settings: ConnectionSettings) -> Discovery:
        while self.before_discovery:
            self.before_discovery.pop()()
        return await self.connect(settings).discover_in_full()

    def connect(self, settings: ConnectionSettings) -> MCPServerConnection:
        """Return a connection whose sockets end at its server."""
        network = self.servers[settings.name].network()
        return MCPServerConnection(settings, network=network, secrets=self.secrets, tokens=TokenStore(), eras=self.eras)


def record(name: str) -> dict[str, Any]:
    """Return a message as SQS hands it over; its id is the connection's name."""
    return {"messageId": name, "body": json.dumps({"connection": name}), "eventSource": "aws:sqs", "attributes": {}}


def text_of(result: dict[str, Any]) -> str:
    """Return a tool result's first text."""
    return str(result["content"][0]["text"])
