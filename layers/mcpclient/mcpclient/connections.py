"""Connections in DynamoDB: validated when they are written, and again when they are used."""

import logging
from collections.abc import Iterator
from typing import Any, Final, Protocol

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError
from guardedhttp.loopback import LoopbackPorts

from mcpclient.errors import MCPClientConfigurationError
from mcpclient.settings import ConnectionSettings

logger = logging.getLogger(__name__)

PARTITION: Final = "CONNECTION"
"""All connections are one partition, sorted by name: they are listed with a query, never a scan."""


class Table(Protocol):
    """What is used of boto3's DynamoDB table, with the keys `pk` and `sk`."""

    def put_item(self, **request: Any) -> dict[str, Any]:
        """Write one row."""

    def get_item(self, **request: Any) -> dict[str, Any]:
        """Read one row."""

    def delete_item(self, **request: Any) -> dict[str, Any]:
        """Remove one row."""

    def query(self, **request: Any) -> dict[str, Any]:
        """Read one page of a partition."""


class ConnectionTable:
    """The connections of this deployment. A row holds no secret: a connection's secret is named after it."""

    def __init__(self, table: Table, *, loopback_ports: LoopbackPorts = frozenset()) -> None:
        self._table = table
        self._loopback_ports = loopback_ports

    def put(self, connection: ConnectionSettings, *, replace: bool = True) -> None:
        """Store *connection*.

        Args:
            connection: checked again here: a copy may have been changed since.
            replace: an existing one of that name may be overwritten.

        Raises:
            MCPClientConfigurationError: it is not valid, or exists.
        """
        checked = self._parse(connection.model_dump(mode="json"))
        row = {"pk": PARTITION, "sk": checked.name, "settings": checked.model_dump_json(), "enabled": checked.enabled}
        condition = {} if replace else {"ConditionExpression": Attr("sk").not_exists()}
        try:
            self._table.put_item(Item=row, **condition)
        except ClientError as error:
            if not is_condition_failed(error):
                raise
            raise MCPClientConfigurationError("A connection of that name exists.") from None

    def get(self, name: str) -> ConnectionSettings:
        """Return the connection called *name*.

        Raises:
            MCPClientConfigurationError: there is none, or what is stored is not valid any more.
        """
        row = self._table.get_item(Key={"pk": PARTITION, "sk": name}).get("Item")
        if row is None:
            raise MCPClientConfigurationError("There is no connection of that name.")
        return self._parse_row(row)

    def list(self) -> list[ConnectionSettings]:
        """Return all connections by name; one that is not valid any more is logged and left out."""
        connections = []
        for row in self._rows():
            try:
                connections.append(self._parse_row(row))
            except MCPClientConfigurationError:
                logger.warning("a stored connection is not valid", extra={"connection": row["sk"]})
        return connections

    def remove(self, name: str) -> None:
        """Remove the connection called *name*; its secret stays.

        Raises:
            MCPClientConfigurationError: there is none.
        """
        removed = self._table.delete_item(Key={"pk": PARTITION, "sk": name}, ReturnValues="ALL_OLD")
        if "Attributes" not in removed:
            raise MCPClientConfigurationError("There is no connection of that name.")

    def _rows(self) -> Iterator[dict[str, Any]]:
        start: dict[str, Any] = {}
        while True:
            page = self._table.query(KeyConditionExpression=Key("pk").eq(PARTITION), **start)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def _parse_row(self, row: dict[str, Any]) -> ConnectionSettings:
        return ConnectionSettings.parse_json(row["settings"], loopback_ports=self._loopback_ports)

    def _parse(self, stored: dict[str, Any]) -> ConnectionSettings:
        return ConnectionSettings.parse(stored, loopback_ports=self._loopback_ports)


def is_condition_failed(error: ClientError) -> bool:
    """Tell whether a conditional write found another state than expected."""
    return bool(error.response["Error"]["Code"] == "ConditionalCheckFailedException")
