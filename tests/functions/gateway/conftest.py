"""The gateway's server on empty tables, and a caller of team blue."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from functions.gateway.memory_table import MemoryTable
from functions.gateway.server import GatewayMCPServer
from functions.gateway.smart_tool import FACTS, SmartTool
from governance.audit_table import AuditTable
from governance.counters import CounterTable
from governance.governed import Governance
from governance.policies import Plan, TeamPolicy, principal_limits
from mcpserver import Principal
from mcpserver.context import TransportContext
from tests.governance import conftest as tables
from tests.governance.conftest import Clock, audit, clock, counters, template

__all__ = ["audit", "clock", "counters", "template"]


@pytest.fixture
def memory(dynamodb: Any, template: Any) -> Iterator[MemoryTable]:
    """Give an empty table of notes."""
    table = tables.make_table(dynamodb, template, "MemoryTable")
    yield MemoryTable(table)
    table.delete()


class Caller:
    """Calls a governed server's tools as one key of a team."""

    def __init__(self, server: GatewayMCPServer, audit: AuditTable, **attributes: str) -> None:
        self.server = server
        self.audit = audit
        self._scopes = frozenset(attributes.pop("scopes", "gateway").split())
        self._attributes = {**principal_limits(Plan(), TeamPolicy()), "team": "blue", **attributes}

    def as_team(self, team: str) -> "Caller":
        """Return a caller of another team."""
        return Caller(self.server, self.audit, **{**self._attributes, "team": team})

    def result(self, tool: str, arguments: Mapping[str, Any], *, remaining_s: float | None = None) -> dict[str, Any]:
        """Return the result of one tools/call."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        transport = TransportContext(headers={}, principal=Principal("k1", self._scopes, self._attributes))
        transport.deadline_s = remaining_s
        result: dict[str, Any] = self.server.exchange(message, transport).body["result"]
        return result

    def answer(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the structured content of a successful call."""
        result = self.result(tool, arguments)
        assert not result["isError"], result["content"][0]["text"]
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    def problem(self, tool: str, **arguments: Any) -> str:
        """Return what the model is told of a failed call."""
        result = self.result(tool, arguments)
        assert result["isError"]
        text: str = result["content"][0]["text"]
        return text


def caller_of(tools: list[SmartTool[Any]], counters: Any, audit: Any, clock: Clock, **attributes: str) -> Caller:
    """Return a caller of a server with *tools*."""
    rows = AuditTable(audit, keep_days=1, tools=[*FACTS, "unknown"])
    governance = Governance(CounterTable(counters, now_s=clock), rows, clock)
    return Caller(GatewayMCPServer(tools, governance), rows, **attributes)
