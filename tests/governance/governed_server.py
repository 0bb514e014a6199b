"""A small governed server: tools that answer, report, crash and end the process."""

import os
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from governance.audit import AuditRow
from governance.audit_table import AuditQuery, AuditTable
from governance.call import TokenBound
from governance.counters import CounterTable
from governance.governed import Governance, GovernedServer
from governance.policies import Plan, TeamPolicy, principal_limits
from mcpserver import MCPServerToolError, MCPToolBase, Principal
from mcpserver.context import TransportContext
from mcpserver.exchange import Exchange
from tests.governance.conftest import Clock, CountedTable

BOUND = 100
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
TOOLS = ("spend", "report", "crash", "change")


class SpendArguments(BaseModel):
    """What `spend` takes."""

    tokens: int = 0


class Spending(BaseModel):
    """What `spend` returns."""

    tokens_in: int
    tokens_out: int
    tokens_saved: int
    cache: str = "hit"


class Spend(MCPToolBase[SpendArguments]):
    """Costs what it is told."""

    name = "spend"
    title = "Spend"
    description = "Costs tokens."
    arguments_model = SpendArguments

    def run(self, arguments: SpendArguments) -> Spending:
        """Spend."""
        return Spending(tokens_in=1000, tokens_out=arguments.tokens, tokens_saved=1000 - arguments.tokens)


class Nothing(BaseModel):
    """No arguments."""


class Report(MCPToolBase[Nothing]):
    """Reports an error to the model."""

    name = "report"
    title = "Report"
    description = "Fails."
    arguments_model = Nothing

    def run(self, _arguments: Nothing) -> str:
        """Fail."""
        raise MCPServerToolError("not today.")


class Change(MCPToolBase[Nothing]):
    """Changes something."""

    name = "change"
    title = "Change"
    read_only = False
    description = "Changes something."
    arguments_model = Nothing

    def run(self, _arguments: Nothing) -> str:
        """Change it."""
        return "changed"


class Crash(MCPToolBase[Nothing]):
    """Has a bug."""

    name = "crash"
    title = "Crash"
    description = "Crashes."
    arguments_model = Nothing

    def run(self, _arguments: Nothing) -> str:
        """Crash."""
        raise RuntimeError(os.devnull)


class SmallServer(GovernedServer):
    """The four tools."""

    name = "small"

    def __init__(self, counters: CountedTable, audit: CountedTable, clock: Clock) -> None:
        super().__init__([Spend(), Report(), Crash(), Change()])
        rows = AuditTable(audit, keep_days=400, tools=[*TOOLS, "unknown"])
        self.governance = Governance(CounterTable(counters, now_s=clock), rows, clock)
        self.rows = rows

    def token_bound(self, tool: MCPToolBase[Any], arguments: Mapping[str, Any]) -> TokenBound:
        """Return the same for each tool."""
        del tool, arguments
        return TokenBound(BOUND)


def principal(**attributes: str) -> Principal:
    """Return a key of team blue with *attributes*."""
    scopes = frozenset(attributes.pop("scopes", "small").split())
    return Principal("k1", scopes, {**principal_limits(Plan(), TeamPolicy()), "team": "blue", **attributes})


def transport(caller: Principal | None) -> TransportContext:
    """Return the context of one POST."""
    return TransportContext(headers={"user-agent": "example-client/1.0"}, principal=caller, request_id="r-1")


def call(tool: Any, **arguments: Any) -> dict[str, Any]:
    """Return a tools/call."""
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def send(server: SmallServer, payload: Any, caller: Principal | None = None) -> Exchange:
    """Send one POST's payload."""
    return server.exchange(payload, transport(caller or principal()))


def rows(server: SmallServer) -> list[AuditRow]:
    """Return all audit rows, the oldest first."""
    return [*server.rows.find(AuditQuery())][::-1]
