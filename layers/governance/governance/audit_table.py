"""Audit rows in DynamoDB: written before the answer leaves, found by team, key, tool, outcome and time.

    table      pk TEAM#<team>   sk <time>#<row id>
    by_key     key_id           sk
    by_tool    tool             sk
    by_failure failure          sk      only rows that did not end well: `tool_error`, `rpc_error` or `refused`

Each question reads the one index that says most and filters the rest. See docs/decisions/0061-audit.md.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from boto3.dynamodb.conditions import Attr, Key

from governance.audit import AuditRow
from governance.store import Patience, Table, try_once, try_twice

_FIRST, _LAST = "0", "9999~"


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which rows: each part narrows the answer, "" leaves it open."""

    team: str = ""
    key_id: str = ""
    tool: str = ""
    outcome: str = ""
    since: str = ""
    """The first moment, UTC: `2026-11-30` or `2026-11-30T23:10`."""
    until: str = ""
    """The moment after the last, in the same form."""


class AuditTable:
    """The rows of every team."""

    def __init__(self, table: Table, *, keep_days: int, tools: Sequence[str] = ()) -> None:
        """Make a table.

        Args:
            table: boto3's, with the indices above.
            keep_days: how long a row is kept.
            tools: what a question without team, key, tool and failure goes through.
        """
        self._table = table
        self._keep_s = keep_days * 24 * 3600
        self._tools = tools

    def write(self, rows: Sequence[AuditRow], *, now_s: float, patience: Patience | None = None) -> None:
        """Write *rows*, one request whether one row or several: all of them or none.

        Args:
            rows: a call's own, and one for each of its steps.
            now_s: Unix time.
            patience: how long the call may wait for DynamoDB in all; without it, as long as a call may.

        Raises:
            StoreError: nobody knows whether they were written.
        """
        items = [self._item(row, now_s) for row in rows]
        patience = patience or Patience()
        if len(items) == 1:
            try_twice(lambda: self._table.put_item(Item=items[0]), patience)
            return
        # A resource's client takes Python values, as its tables do.
        puts = [{"Put": {"TableName": self._table.name, "Item": item}} for item in items]
        try_twice(lambda: self._table.meta.client.transact_write_items(TransactItems=puts), patience)

    def _item(self, row: AuditRow, now_s: float) -> dict[str, Any]:
        stored = row.model_dump(mode="json", exclude_defaults=True)
        stored["latency_ms"] = str(row.latency_ms)
        failed = {} if row.outcome == "ok" else {"failure": row.outcome}
        key = {"pk": f"TEAM#{row.team}", "sk": f"{row.time}#{row.row_id}"}
        return {**stored, **key, **failed, "expires_at": int(now_s) + self._keep_s}

    def find(self, query: AuditQuery) -> Iterator[AuditRow]:
        """Give the rows that fit *query*, the newest first, read page by page as they are asked for.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        streams = [self._read(place, query) for place in self._places(query)]
        rows = heapq.merge(*streams, key=lambda item: str(item["sk"]), reverse=True)
        return (AuditRow.from_item(item) for item in rows)

    def _places(self, query: AuditQuery) -> list["_Place"]:
        if query.key_id:
            return [_Place("by_key", "key_id", query.key_id)]
        if query.team:
            return [_Place(None, "pk", f"TEAM#{query.team}")]
        if query.outcome and query.outcome != "ok":
            return [_Place("by_failure", "failure", query.outcome)]
        return [_Place("by_tool", "tool", tool) for tool in ([query.tool] if query.tool else self._tools)]

    def _read(self, place: "_Place", query: AuditQuery) -> Iterator[Mapping[str, Any]]:
        times = Key("sk").between(query.since or _FIRST, query.until or _LAST)
        filters = _filters(query, place.attribute)
        asked: dict[str, Any] = {
            "KeyConditionExpression": Key(place.attribute).eq(place.value) & times,
            "ScanIndexForward": False,
            **({"IndexName": place.index_name} if place.index_name else {}),
            **({"FilterExpression": filters} if filters is not None else {}),
        }
        while True:
            page = try_once(lambda: self._table.query(**asked))
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]


class _Place(NamedTuple):
    """A partition of the table or of an index."""

    index_name: str | None
    attribute: str
    value: str


def _filters(query: AuditQuery, partition: str) -> Any:
    wanted = {"team": query.team, "key_id": query.key_id, "tool": query.tool, "outcome": query.outcome}
    filters = None
    for name, value in wanted.items():
        # DynamoDB refuses a filter on the partition that it reads.
        if value and name != partition:
            filters = Attr(name).eq(value) if filters is None else filters & Attr(name).eq(value)
    return filters
