"""What may be called now: read from DynamoDB, never from the network, and kept for some seconds."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from mcpclient import ConnectionSettings, is_tool_allowed
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogHead, CatalogTable
from mcpclient.connections import ConnectionTable
from mcpclient.fingerprint import pinned_part, tool_fingerprint
from mcpclient.review import Approval, callable_tools

from functions.remote.naming import offered_name

logger = logging.getLogger(__name__)

AWAITS_APPROVAL = "awaits approval"


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that may be called."""

    name: str
    """Here."""
    connection: str
    url: str
    """Where it was approved."""
    definition: Mapping[str, Any]
    """As its server describes it, and an operator has approved it: without what no approval covers."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Everything that is offered at one moment."""

    tools: Mapping[str, OfferedTool] = field(default_factory=dict)
    """By the name here, in order."""
    held: Mapping[str, str] = field(default_factory=dict)
    """Names here of tools that wait for an operator -> why."""
    connections: Mapping[str, ConnectionSettings] = field(default_factory=dict)
    """Enabled and approved ones, by name."""


class Shelf:
    """Puts together what is offered."""

    def __init__(
        self,
        connections: ConnectionTable,
        approvals: ApprovalTable,
        catalogs: CatalogTable,
        *,
        clock: Callable[[], float],
        max_age_s: float,
    ) -> None:
        """Make a shelf.

        Args:
            connections: what operators have set up.
            approvals: what they have approved.
            catalogs: what discovery has found.
            clock: Unix time. The monotonic clock of a frozen Lambda instance may stand still, and a quarantine with it.
            max_age_s: how long one look is good for.
        """
        self._connections = connections
        self._approvals = approvals
        self._catalogs = catalogs
        self._clock = clock
        self._max_age_s = max_age_s
        self._looked_at_s: float | None = None
        self._offered = Offered()
        self._tools: dict[tuple[str, int], list[tuple[dict[str, Any], str]]] = {}
        self._lock = Lock()

    def look(self) -> Offered:
        """Return what is offered now, or was some seconds ago."""
        with self._lock:
            now_s = self._clock()
            if self._looked_at_s is None or not 0 <= now_s - self._looked_at_s <= self._max_age_s:
                self._offered = self._read()
                self._looked_at_s = now_s
            return self._offered

    def _read(self) -> Offered:
        approvals, heads = self._approvals.all(), self._catalogs.heads()
        enabled = {found.name: found for found in self._connections.list() if found.enabled}
        # What was approved or found at another URL was another server's.
        heads = {name: head for name, head in heads.items() if name in enabled and head.url == enabled[name].url}
        approved = {
            name: approval
            for name, approval in approvals.items()
            if name in enabled and approval.url == enabled[name].url
        }
        self._load([head for name, head in heads.items() if name in approved])
        tools: dict[str, OfferedTool] = {}
        held: dict[str, str] = {}
        for name, head in heads.items():
            self._put_up(enabled[name], head, approved.get(name), tools, held)
        return Offered(tools, held, {name: enabled[name] for name in approved})

    def _put_up(
        self,
        connection: ConnectionSettings,
        head: CatalogHead,
        approval: Approval | None,
        tools: dict[str, OfferedTool],
        held: dict[str, str],
    ) -> None:
        changes = head.quarantine.against(approval)
        pinned = approval.tools if approval else {}
        names = callable_tools(head.offer, approval, head.quarantine)
        allowed = {tool: offered_name(connection.name, tool) for tool in {*head.offer.tools, *pinned}}
        allowed = {tool: name for tool, name in allowed.items() if is_tool_allowed(tool, connection.allowed_tools)}
        held |= {name: changes.get(tool, AWAITS_APPROVAL) for tool, name in allowed.items() if tool not in names}
        for definition, found in self._tools.get((connection.name, head.version), ()):
            tool = definition.get("name")
            if tool not in names or tool not in allowed:
                continue
            # What is shown is what was approved, whatever else was written into the pages.
            if found != pinned[tool]:
                logger.warning("a stored tool is not the approved one", extra={"connection": connection.name})
                continue
            if allowed[tool] in tools:
                logger.warning("two tools would have one name", extra={"tool": allowed[tool]})
                continue
            tools[allowed[tool]] = OfferedTool(allowed[tool], connection.name, connection.url, definition)

    def _load(self, heads: list[CatalogHead]) -> None:
        """Read the catalogs of *heads* whose version is new here, and forget the others."""
        wanted = {(head.name, head.version): head for head in heads if head.version}
        missing = [head for key, head in wanted.items() if key not in self._tools]
        loaded = {
            key: [
                (pinned_part(tool), tool_fingerprint(tool))
                for tool in catalog.get("tools", [])
                if isinstance(tool, dict)
            ]
            for key, catalog in self._catalogs.catalogs(missing).items()
        }
        self._tools = {key: tools for key, tools in {**self._tools, **loaded}.items() if key in wanted}
