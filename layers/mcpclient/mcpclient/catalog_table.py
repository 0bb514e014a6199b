"""Catalogs in DynamoDB: one head a connection, the tools in pages below 400 KB, and the versions before.

pk CATALOG            sk <name>                    the head: version, when, quarantine, flags
pk CONNECTION#<name>  sk CATALOG#<version>#<page>  a part of that version's compressed JSON
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import batched
from typing import Any, Final

from boto3.dynamodb.conditions import Attr
from botocore.exceptions import ClientError

from mcpclient.approvals import pack, query, read_row, readable_rows, unpack
from mcpclient.connections import Table, is_condition_failed
from mcpclient.errors import MCPClientConnectionError
from mcpclient.listed_tools import Unusable
from mcpclient.review import Offer, Quarantine

PARTITION: Final = "CATALOG"

PAGE_BYTES: Final = 350_000
"""An item has at most 400 KB, its names and keys included."""

VERSIONS_KEPT: Final = 10
"""How many versions of a catalog can be looked at, the newest included."""

_BATCH: Final = 100
"""The most that one BatchGetItem takes. Source: DynamoDB API reference."""


@dataclass(frozen=True, slots=True)
class CatalogHead:
    """What is known of a connection's catalog without reading it."""

    name: str
    url: str
    """What was discovered; another URL's catalog says nothing of this connection."""
    version: int = 0
    """Grows with each change of what the server says; 0: never discovered."""
    pages: int = 0
    offer: Offer = field(default_factory=lambda: Offer("", {}, {}))
    quarantine: Quarantine = field(default_factory=Quarantine)
    unusable: Unusable = field(default_factory=Unusable)
    """What was left out of the last discovery."""
    discovered_at_s: int = 0
    """When this version was first seen. Unix time."""
    checked_at_s: int = 0
    """When the server was last asked with success. Unix time."""
    failure: str = ""
    """The code of the last discovery's error, if it failed."""
    revision: int = 0
    """Of the row: a write on an older one is refused."""


class CatalogTable:
    """The catalogs that discovery has stored."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def head(self, name: str) -> CatalogHead | None:
        """Return the head of connection *name*'s catalog; None before its first discovery.

        Raises:
            MCPClientConfigurationError: what is stored is not readable.
        """
        row = self._table.get_item(Key=_key(name), ConsistentRead=True).get("Item")
        return read_row(row, _read) if row else None

    def heads(self) -> dict[str, CatalogHead]:
        """Return all heads by connection."""
        return dict(readable_rows(query(self._table, PARTITION), _read))

    def put_head(self, head: CatalogHead) -> None:
        """Store *head* if the row is still at its revision.

        Raises:
            MCPClientConnectionError: another discovery was faster; this one can be done again.
        """
        unchanged = Attr("revision").eq(head.revision) if head.revision else Attr("pk").not_exists()
        try:
            self._table.put_item(Item=_row(head), ConditionExpression=unchanged)
        except ClientError as error:
            if not is_condition_failed(error):
                raise
            raise MCPClientConnectionError("Another discovery of it was faster.", retryable=True) from None

    def put_catalog(self, name: str, version: int, catalog: Mapping[str, Any]) -> tuple[int, int]:
        """Store *catalog* as *version*, or the next that is free, forget the oldest; return the version and its pages.

        The pages come before the head that names them, so a reader never finds a version that is not whole. A version
        is never written twice: of two discoveries at once, the loser must not change what the winner's head names.
        """
        packed = pack(catalog)
        parts = [packed[start : start + PAGE_BYTES] for start in range(0, len(packed), PAGE_BYTES)]
        claimed = version
        while not self._claim(name, claimed, parts[0]):
            claimed += 1
        for number, part in enumerate(parts[1:], start=1):
            self._table.put_item(Item={**_page_key(name, claimed, number), "part": part})
        for passed in range(version, claimed + 1):
            if passed > VERSIONS_KEPT:
                self._delete(name, _version_prefix(passed - VERSIONS_KEPT))
        return claimed, len(parts)

    def _claim(self, name: str, version: int, part: bytes) -> bool:
        """Store the first page of *version* and tell whether it was free."""
        try:
            self._table.put_item(
                Item={**_page_key(name, version, 0), "part": part}, ConditionExpression=Attr("pk").not_exists()
            )
        except ClientError as error:
            if not is_condition_failed(error):
                raise
            return False
        return True

    def catalog(self, name: str, version: int) -> dict[str, Any] | None:
        """Return *version* of connection *name*'s catalog; None if it is not kept any more, or not whole."""
        rows = query(self._table, _partition(name), _version_prefix(version))
        return _unpacked(b"".join(bytes(row.get("part", b"")) for row in rows))

    def catalogs(self, heads: Sequence[CatalogHead]) -> dict[tuple[str, int], dict[str, Any]]:
        """Return the catalogs that *heads* name and that are whole, in as few requests as can be."""
        keys = [_page_key(head.name, head.version, number) for head in heads for number in range(head.pages)]
        parts: dict[tuple[str, str], bytes] = {}
        for some in batched(keys, _BATCH, strict=False):
            parts |= self._parts(list(some))
        found = {}
        for head in heads:
            pages = [_page_key(head.name, head.version, number) for number in range(head.pages)]
            if all((page["pk"], page["sk"]) in parts for page in pages):
                catalog = _unpacked(b"".join(parts[page["pk"], page["sk"]] for page in pages))
                if catalog is not None:
                    found[head.name, head.version] = catalog
        return found

    def _parts(self, keys: list[dict[str, str]]) -> dict[tuple[str, str], bytes]:
        """Return the pages called *keys*; an answer ends at 16 MB, and says what is left."""
        parts: dict[tuple[str, str], bytes] = {}
        name = self._table.name
        wanted: dict[str, Any] = {name: {"Keys": keys}}
        while wanted:
            answer = self._table.meta.client.batch_get_item(RequestItems=wanted)
            rows = answer["Responses"].get(name, [])
            parts |= {(row["pk"], row["sk"]): bytes(row.get("part", b"")) for row in rows}
            wanted = answer.get("UnprocessedKeys") or {}
        return parts

    def versions(self, name: str) -> list[int]:
        """Return the versions that are kept, oldest first."""
        return sorted({int(row["sk"].split("#")[1]) for row in query(self._table, _partition(name), "CATALOG#")})

    def remove(self, name: str) -> None:
        """Remove all that is stored of connection *name*'s catalog."""
        self._table.delete_item(Key=_key(name))
        self._delete(name, "CATALOG#")

    def _delete(self, name: str, prefix: str) -> None:
        for row in query(self._table, _partition(name), prefix):
            self._table.delete_item(Key={"pk": row["pk"], "sk": row["sk"]})


def _unpacked(packed: bytes) -> dict[str, Any] | None:
    """Return the catalog of these pages; None if they are not whole, or not ours."""
    try:
        catalog = unpack(packed)
    except (RecursionError, ValueError, zlib.error):
        return None
    return catalog if isinstance(catalog, dict) else None


def _key(name: str) -> dict[str, str]:
    return {"pk": PARTITION, "sk": name}


def _partition(name: str) -> str:
    return f"CONNECTION#{name}"


def _version_prefix(version: int) -> str:
    return f"CATALOG#{version:08d}#"


def _page_key(name: str, version: int, number: int) -> dict[str, str]:
    return {"pk": _partition(name), "sk": f"{_version_prefix(version)}{number:04d}"}


def _row(head: CatalogHead) -> dict[str, Any]:
    offer, quarantine = head.offer, head.quarantine
    state = {
        "instructions": offer.instructions,
        "tools": dict(offer.tools),
        "flags": {name: list(kinds) for name, kinds in offer.flags.items()},
        "quarantine": {"revision": quarantine.revision, "changes": dict(quarantine.changes)},
        "unusable": {"count": head.unusable.count, "named": head.unusable.named},
    }
    return {
        **_key(head.name),
        "url": head.url,
        "version": head.version,
        "pages": head.pages,
        "state": pack(state),
        "tools": len(offer.tools),
        "discovered_at_s": head.discovered_at_s,
        "checked_at_s": head.checked_at_s,
        "failure": head.failure,
        "revision": head.revision + 1,
    }


def _read(row: Mapping[str, Any]) -> CatalogHead:
    state = unpack(row["state"])
    flags = {name: tuple(kinds) for name, kinds in state["flags"].items()}
    unusable = state.get("unusable", {})
    return CatalogHead(
        name=row["sk"],
        url=row["url"],
        version=int(row["version"]),
        pages=int(row["pages"]),
        offer=Offer(state["instructions"], state["tools"], flags),
        quarantine=Quarantine(int(state["quarantine"]["revision"]), state["quarantine"]["changes"]),
        unusable=Unusable(int(unusable.get("count", 0)), dict(unusable.get("named", {}))),
        discovered_at_s=int(row["discovered_at_s"]),
        checked_at_s=int(row["checked_at_s"]),
        failure=row["failure"],
        revision=int(row["revision"]),
    )
