"""What a discovery changes in the tables: a new version of the catalog, its quarantine, what is news."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mcpclient import ConnectionSettings
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogHead, CatalogTable
from mcpclient.discovery import Discovery
from mcpclient.review import ADDED, CHANGED, INSTRUCTIONS, REMOVED, Approval, Offer, review


@dataclass(frozen=True, slots=True)
class Finding:
    """What one discovery has found."""

    head: CatalogHead
    """To be stored."""
    news: Mapping[str, str]
    """What nobody was told of yet: name -> `added`, `changed` or `removed`."""
    flags: Mapping[str, tuple[str, ...]]
    """Hidden text in what is news."""
    is_approved: bool


class Recorder:
    """Compares discoveries with what was approved, and stores them."""

    def __init__(self, catalogs: CatalogTable, approvals: ApprovalTable, *, now_s: Callable[[], float]) -> None:
        """Make it; *now_s* gives Unix time."""
        self._catalogs = catalogs
        self._approvals = approvals
        self._now_s = now_s

    def compare(self, connection: ConnectionSettings, discovery: Discovery) -> Finding:
        """Store the catalog's pages if it has changed, and return what there is to tell and to `keep`."""
        now_s = int(self._now_s())
        stored = self._catalogs.head(connection.name)
        last = stored or CatalogHead(connection.name, connection.url)
        # What was found at another URL is another server's.
        seen = last if last.url == connection.url else replace(last, offer=Offer("", {}, {}))
        approval = self._approvals.get(connection.name, url=connection.url)
        offer = Offer.of(discovery.catalog.instructions, discovery.tools)
        quarantine = review(offer, approval, seen.quarantine)
        news = _news(seen, offer, approval, quarantine.changes)
        head = replace(
            last,
            url=connection.url,
            offer=offer,
            quarantine=quarantine,
            unusable=discovery.unusable,
            checked_at_s=now_s,
            failure="",
        )
        if offer != seen.offer or last.version == 0:
            stored_catalog = _catalog(discovery, news, now_s)
            version, pages = self._catalogs.put_catalog(connection.name, last.version + 1, stored_catalog)
            head = replace(head, version=version, pages=pages, discovered_at_s=now_s)
        flags = {name: kinds for name, kinds in offer.flags.items() if name in news}
        return Finding(head, news, flags, is_approved=approval is not None)

    def keep(self, finding: Finding) -> None:
        """Store what `compare` has found, once it was told.

        Raises:
            MCPClientConnectionError: another discovery of the same connection was faster.
        """
        self._catalogs.put_head(finding.head)

    def hold(self, finding: Finding) -> None:
        """Store the quarantine only: what could not be told stays news, and is not callable meanwhile.

        Raises:
            MCPClientConnectionError: another discovery of the same connection was faster.
        """
        stored = self._catalogs.head(finding.head.name)
        if stored is not None and stored.url == finding.head.url:
            self._catalogs.put_head(replace(stored, quarantine=finding.head.quarantine))

    def note_failure(self, connection: ConnectionSettings, code: str) -> None:
        """Note that a discovery failed, if that is news; the catalog stays as it was."""
        head = self._catalogs.head(connection.name) or CatalogHead(connection.name, connection.url)
        if head.failure != code:
            self._catalogs.put_head(replace(head, failure=code))


def _news(seen: CatalogHead, offer: Offer, approval: Approval | None, quarantined: Mapping[str, str]) -> dict[str, str]:
    """Return what is told: once for each change, and again if it changes again."""
    if approval is None:
        return _difference(seen.offer, offer)
    told = seen.quarantine.against(approval)
    changed = {name for name in quarantined if _pin(seen.offer, name) != _pin(offer, name)}
    # What an operator has left out of an approval is new to it, and was told when its server brought it.
    return {
        name: change
        for name, change in quarantined.items()
        if name in changed or (change != ADDED and told.get(name) != change)
    }


def _difference(before: Offer, after: Offer) -> dict[str, str]:
    changes = {name: REMOVED for name in before.tools if name not in after.tools}
    for name, pin in after.tools.items():
        if before.tools.get(name) != pin:
            changes[name] = CHANGED if name in before.tools else ADDED
    if before.instructions and before.instructions != after.instructions:
        changes[INSTRUCTIONS] = CHANGED
    return changes


def _pin(offer: Offer, name: str) -> str | None:
    return offer.instructions if name == INSTRUCTIONS else offer.tools.get(name)


def _catalog(discovery: Discovery, news: Mapping[str, str], now_s: int) -> dict[str, Any]:
    """Return what is stored of this version: the server's own words, and what was new in them."""
    said = {name: value for name, value in discovery.catalog.to_dict().items() if name != "tools"}
    return {**said, "tools": discovery.tools, "changes": dict(news), "discovered_at_s": now_s}
