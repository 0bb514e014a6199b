"""A governed server's process that is killed between a tool's run and its audit row."""

import json
import os
import sys
from typing import Any

from governance.audit_table import AuditTable
from governance.counters import CounterTable
from governance.governed import Governance
from mcpserver import MCPServerBase, http_handler
from tests.governance.governed_server import SmallServer, Spend, SpendArguments, Spending, call, principal


class CountsAnything:
    """A table of counters that lets all pass."""

    def update_item(self, **_arguments: Any) -> Any:
        """Count."""
        return {"Attributes": {"t": 1, "t:k1": 1}}


class Kills:
    """An audit table whose write is the process's end."""

    def put_item(self, **_arguments: Any) -> Any:
        """Die, as an instance does that is killed: at once, with nothing flushed."""
        os._exit(9)


class Announcing(Spend):
    """Says that it ran."""

    def run(self, arguments: SpendArguments) -> Spending:
        """Spend, and say so."""
        sys.stdout.write("the tool ran\n")
        sys.stdout.flush()
        return super().run(arguments)


class DyingServer(SmallServer):
    """Has the one tool."""

    def __init__(self) -> None:
        MCPServerBase.__init__(self, [Announcing()])
        counters: Any = CountsAnything()
        audit: Any = Kills()
        rows = AuditTable(audit, keep_days=1)
        self.governance = Governance(CounterTable(counters, now_s=lambda: 0.0), rows, lambda: 0.0)


def main() -> None:
    """Answer one event, and print the answer if there is one."""
    handler = http_handler(DyingServer(), needs_principal=True, default_receivers=False)
    event = {
        "httpMethod": "POST",
        "path": "/",
        "headers": {"Content-Type": "application/json"},
        "body": json.dumps(call("spend", tokens=1)),
        "requestContext": {"authorizer": {"principalId": "k1", **principal().attributes, "scopes": "small"}},
    }
    sys.stdout.write(str(handler(event, None)))
