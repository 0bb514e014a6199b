"""Tells what has changed: an event on the account's default bus, and embedded metrics for the alarms."""

import json
from typing import Any, Final, Protocol

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from functions.discovery.recorder import Finding

SOURCE: Final = "samcp.discovery"
DETAIL_TYPE: Final = "MCP catalog changed"

MAX_NAMES: Final = 100
"""Of changes in one event: a tool's name has up to 1 KB as UTF-8, an entry 256 KB."""


class AnnouncementError(Exception):
    """The bus has not taken the event: the message is tried again, and the event sent again."""


class Bus(Protocol):
    """The one call that is made of boto3's EventBridge client."""

    def put_events(self, **request: Any) -> dict[str, Any]:
        """Send events."""


class Announcer:
    """Sends an event for each finding with news, and counts."""

    def __init__(self, bus: Bus, *, service: str, namespace: str) -> None:
        self._bus = bus
        self._service, self._namespace = service, namespace

    def announce(self, finding: Finding) -> None:
        """Tell of *finding*, if there is anything to tell.

        Raises:
            AnnouncementError: the bus did not take it.
        """
        if finding.news:
            detail = json.dumps(_detail(finding), ensure_ascii=False)
            entry = {"Source": SOURCE, "DetailType": DETAIL_TYPE, "Detail": detail}
            if self._bus.put_events(Entries=[entry]).get("FailedEntryCount"):
                raise AnnouncementError("The event bus has not taken the event.")
        self._count(
            finding.head.name,
            Discoveries=1,
            DiscoveryFailures=0,
            # What was never approved is no change: nothing of it can be called yet.
            CatalogChanges=len(finding.news) if finding.is_approved else 0,
            HiddenText=len(finding.flags),
            Quarantined=len(finding.head.quarantine.changes),
        )

    def count_failure(self, connection: str) -> None:
        """Count a discovery that failed."""
        self._count(connection, Discoveries=1, DiscoveryFailures=1)

    def _count(self, connection: str, **counts: int) -> None:
        metrics = EphemeralMetrics(namespace=self._namespace, service=self._service)
        # No dimension: one metric for all, whatever the number of connections; the log line says which it was.
        metrics.add_metadata(key="connection", value=connection)
        for name, value in counts.items():
            metrics.add_metric(name=name, unit=MetricUnit.Count, value=value)
        metrics.flush_metrics()


def _detail(finding: Finding) -> dict[str, Any]:
    names = sorted(finding.news)
    return {
        "connection": finding.head.name,
        "version": finding.head.version,
        "approved_before": finding.is_approved,
        "changes": [{"name": name, "change": finding.news[name]} for name in names[:MAX_NAMES]],
        "changes_in_all": len(names),
        "hidden_text": [
            {"name": name, "kinds": list(finding.flags[name])} for name in names[:MAX_NAMES] if name in finding.flags
        ],
    }
