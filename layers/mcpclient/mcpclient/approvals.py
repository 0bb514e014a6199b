"""Approvals in DynamoDB: a partition of their own, which the functions that go out may read and not write."""

import json
import logging
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from mcpclient.connections import Table, is_condition_failed
from mcpclient.errors import MCPClientConfigurationError
from mcpclient.review import Approval

logger = logging.getLogger(__name__)

PARTITION: Final = "APPROVAL"

_UNREADABLE: Final = (AttributeError, KeyError, RecursionError, TypeError, ValueError, zlib.error)
"""What a row raises that somebody else, or an older release, has written."""


class ApprovalTable:
    """What operators have approved, by connection."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, name: str, *, url: str) -> Approval | None:
        """Return the approval of connection *name*; None if there is none, or it was of another URL.

        Raises:
            MCPClientConfigurationError: what is stored is not readable.
        """
        row = self._table.get_item(Key=_key(name), ConsistentRead=True).get("Item")
        approval = read_row(row, _read) if row else None
        return approval if approval is not None and approval.url == url else None

    def all(self) -> dict[str, Approval]:
        """Return all approvals by connection, whatever URL they were of."""
        return dict(readable_rows(query(self._table, PARTITION), _read))

    def put(self, name: str, approval: Approval) -> None:
        """Store *approval*, unless another was stored since it was made.

        Raises:
            MCPClientConfigurationError: another operator was faster.
        """
        pins = {"instructions": approval.instructions, "tools": dict(approval.tools)}
        row = {**_key(name), "url": approval.url, "revision": approval.revision, "pins": pack(pins)}
        unchanged = Attr("pk").not_exists() | Attr("revision").lt(approval.revision) | Attr("url").ne(approval.url)
        try:
            self._table.put_item(Item=row, ConditionExpression=unchanged)
        except ClientError as error:
            if not is_condition_failed(error):
                raise
            raise MCPClientConfigurationError("Somebody else has approved it meanwhile: look again.") from None

    def remove(self, name: str) -> None:
        """Remove the approval of connection *name*, if there is one."""
        self._table.delete_item(Key=_key(name))


def pack(value: Any) -> bytes:
    """Return *value* as compressed JSON: a tenth of the size, and of the price of writing it."""
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode())


def unpack(packed: Any) -> Any:
    """Return what `pack` was given; boto3 wraps bytes that it read in its `Binary`."""
    return json.loads(zlib.decompress(bytes(packed)))


def query(table: Table, partition: str, prefix: str = "") -> Iterator[dict[str, Any]]:
    """Yield the rows of a partition, page by page; with *prefix* only those whose sort key begins so."""
    condition = Key("pk").eq(partition)
    if prefix:
        condition &= Key("sk").begins_with(prefix)
    start: dict[str, Any] = {}
    while True:
        page = table.query(KeyConditionExpression=condition, **start)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def read_row[T](row: Mapping[str, Any], read: Callable[[Mapping[str, Any]], T]) -> T:
    """Return what *read* makes of *row*.

    Raises:
        MCPClientConfigurationError: it is not a row that we write.
    """
    try:
        return read(row)
    except _UNREADABLE:
        message = "What is stored of the connection is not readable: remove it and add it again."
    raise MCPClientConfigurationError(message)


def readable_rows[T](rows: Iterator[dict[str, Any]], read: Callable[[Mapping[str, Any]], T]) -> Iterator[tuple[str, T]]:
    """Yield the sort key of each row and what *read* makes of it; one that is not readable hides no other."""
    for row in rows:
        try:
            yield row["sk"], read_row(row, read)
        except MCPClientConfigurationError:
            logger.warning("a stored row is not readable", extra={"partition": row["pk"], "connection": row["sk"]})


def _key(name: str) -> dict[str, str]:
    return {"pk": PARTITION, "sk": name}


def _read(row: Mapping[str, Any]) -> Approval:
    pins = unpack(row["pins"])
    return Approval(row["url"], int(row["revision"]), pins["instructions"], pins["tools"])
