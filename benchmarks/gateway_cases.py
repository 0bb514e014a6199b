"""What `benchmarks.gateway` calls: each tool with arguments of a usual size, and tables that answer at once."""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.contestants import ROOT
from functions.gateway.engines.project_index import ProjectIndex
from functions.gateway.page_cache import CachedPage
from functions.gateway.server import GatewayMCPServer
from functions.gateway.smart_budget_guard import SmartBudgetGuard
from functions.gateway.smart_context_gate import SmartContextGate
from functions.gateway.smart_dedup import SmartDedup
from functions.gateway.smart_fetch import SmartFetch
from functions.gateway.smart_memory import SmartMemory
from functions.gateway.smart_pipe import SmartPipe
from functions.gateway.smart_search import SmartSearch
from functions.gateway.smart_tool import SmartTool
from functions.gateway.tokens import count_tokens
from governance.audit_table import AuditTable
from governance.counters import CounterTable
from governance.governed import Governance
from governance.policies import FREE, TeamPolicy, principal_limits
from mcpserver import Principal
from mcpserver.context import TransportContext

NOW_S: Final = 1_796_083_200.0

TEXT: Final = (ROOT / "docs" / "architecture.md").read_text("utf-8")
"""The project's own prose."""

TOKENS: Final = count_tokens(TEXT)

NOTES: Final = [f"Note {number}: {line}" for number, line in enumerate(TEXT.splitlines()) if len(line) > 40][:50]


PAGE: Final = (
    "<html><head><title>Architecture</title></head><body><nav>Home Docs Blog</nav><main>"
    + "".join(f"<p>{line}</p>" for line in TEXT.splitlines() if line) * 26
    + "</main></body></html>"
)
"""A page whose text is worth reading, of some 100 KB."""


class InstantTables:
    """Stands for DynamoDB's tables: counts what it is asked, and answers at once."""

    name = "instant"

    def __init__(self) -> None:
        self.requests = 0
        self.meta = self
        self.client = self

    def update_item(self, **_arguments: Any) -> Any:
        """Count."""
        self.requests += 1
        return {"Attributes": {"t": 0, "t:k1": 0}}

    def put_item(self, **_arguments: Any) -> Any:
        """Take a row."""
        self.requests += 1

    def transact_write_items(self, **_arguments: Any) -> Any:
        """Take rows."""
        self.requests += 1


class Notes:
    """Stands for a team's notes."""

    def all(self, _team: str) -> Any:
        """Return them."""
        from functions.gateway.memory_table import Note  # noqa: PLC0415 -- beside its stand-in

        return [Note(str(number), text, 30, "2026") for number, text in enumerate(NOTES)]


class FullCache:
    """Stands for the page cache: whatever is asked for is there."""

    def get(self, _tenant: str, url: str) -> CachedPage:
        """Return the page."""
        return CachedPage(
            final_url=url, status=200, title="Architecture", markdown=TEXT, truncated=False, tokens_in=30_000
        )

    def put(self, tenant: str, url: str, page: CachedPage, *, ttl_s: int) -> None:
        """Keep nothing."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table."""

    name: str
    module: str
    make: Callable[[], SmartTool[Any]]
    arguments: Mapping[str, Any]

    def run(self, tool: SmartTool[Any], arguments: Any) -> Any:
        """Run *tool* alone."""
        output = tool.run(arguments)
        return asyncio.run(_whole(output)) if inspect.isawaitable(output) else output


async def _whole(output: Any) -> Any:
    return await output


def governed(tool: SmartTool[Any]) -> tuple[GatewayMCPServer, InstantTables]:
    """Return a server with *tool*, and what stands for its tables."""
    tables: Any = InstantTables()
    counters = CounterTable(tables, now_s=lambda: NOW_S)
    return GatewayMCPServer([tool], Governance(counters, AuditTable(tables, keep_days=1), lambda: NOW_S)), tables


def principal_transport() -> TransportContext:
    """Return the context of a call by a key of the free plan."""
    attributes = {"team": "bench", **principal_limits(FREE, TeamPolicy())}
    return TransportContext(headers={}, principal=Principal("k1", frozenset({"gateway"}), attributes))


def _memory() -> SmartMemory:
    notes: Any = Notes()
    return SmartMemory(notes, now_s=lambda: NOW_S)


CASES: Final = (
    Case(
        "smart_fetch, from its cache",
        "functions.gateway.smart_fetch",
        lambda: SmartFetch(FullCache()),
        {"url": "https://example.com/"},
    ),
    Case(
        "smart_search, the project's documentation",
        "functions.gateway.smart_search",
        lambda: SmartSearch([ProjectIndex(ROOT)]),
        {"query": "how is a request checked"},
    ),
    Case(
        f"smart_context_gate, {TOKENS:,} tokens",
        "functions.gateway.smart_context_gate",
        SmartContextGate,
        {"text": TEXT, "purpose": "how a request is checked", "ratio": 0.5},
    ),
    Case("smart_dedup, 50 lines", "functions.gateway.smart_dedup", SmartDedup, {"texts": NOTES}),
    Case(
        f"smart_budget_guard, count {TOKENS:,} tokens",
        "functions.gateway.smart_budget_guard",
        SmartBudgetGuard,
        {"action": "count", "text": TEXT},
    ),
    Case(
        "smart_budget_guard, check",
        "functions.gateway.smart_budget_guard",
        SmartBudgetGuard,
        {"action": "check", "tokens": 5},
    ),
    Case(
        "smart_memory, search in 50 notes",
        "functions.gateway.smart_memory",
        _memory,
        {"action": "search", "query": "which layer answers"},
    ),
    Case(
        "smart_pipe, two steps",
        "functions.gateway.smart_pipe",
        lambda: SmartPipe([SmartContextGate(), SmartBudgetGuard()]),
        {
            "steps": [
                {"tool": "context_gate", "params": {"text": TEXT, "purpose": "layers"}},
                {"tool": "budget_guard", "params": {"action": "count", "text": "$1.text"}},
            ]
        },
    ),
)
