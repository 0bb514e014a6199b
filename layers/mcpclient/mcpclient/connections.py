"""Connections in DynamoDB: validated when they are written, and again when they are used."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from guardedhttp.loopback import LoopbackPorts

from mcpclient.eras import EraMemory, shared_eras
from mcpclient.errors import MCPClientConfigurationError
from mcpclient.settings import ConnectionSettings
from mcpclient.text import read_object

logger = logging.getLogger(__name__)

PARTITION: Final = "CONNECTION"
"""All connections are one partition, sorted by name: they are listed with a query, never a scan."""

MAX_ERA_CHARACTERS: Final = 32_768
"""Of an era as JSON: a stranger's text, read again with each call."""


class Table(Protocol):
    """What is used of boto3's DynamoDB table, with the keys `pk` and `sk`."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def meta(self) -> Any:
        """Its client, for what has no method here: `meta.client`."""

    def put_item(self, **request: Any) -> dict[str, Any]:
        """Write one row."""

    def get_item(self, **request: Any) -> dict[str, Any]:
        """Read one row."""

    def update_item(self, **request: Any) -> dict[str, Any]:
        """Change some attributes of one row."""

    def delete_item(self, **request: Any) -> dict[str, Any]:
        """Remove one row."""

    def query(self, **request: Any) -> dict[str, Any]:
        """Read one page of a partition."""


def open_table(name: str) -> Table:
    """Return boto3's table called *name*; with DynamoDB away a request ends within 10 s, not with the Lambda."""
    config = Config(connect_timeout=1, read_timeout=2, retries={"mode": "standard", "total_max_attempts": 3})
    table: Table = boto3.resource("dynamodb", config=config).Table(name)
    return table


class UnknownConnectionError(MCPClientConfigurationError):
    """There is no such connection, or not any more."""

    def __init__(self) -> None:
        super().__init__("There is no connection of that name.")


class ConnectionTable:
    """The connections of this deployment. A row holds no secret: a connection's secret is named after it."""

    def __init__(
        self, table: Table, *, loopback_ports: LoopbackPorts = frozenset(), eras: EraMemory | None = None
    ) -> None:
        """Make a table.

        Args:
            table: boto3's, with the keys `pk` and `sk`.
            loopback_ports: a developer's; see `guardedhttp.loopback`.
            eras: gets the era that another instance has seen, whenever a connection is read.
        """
        self._table = table
        self._loopback_ports = loopback_ports
        self._eras = eras or shared_eras()
        self._stored_eras: dict[str, dict[str, Any]] = {}

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
            UnknownConnectionError: there is none.
            MCPClientConfigurationError: what is stored is not valid any more.
        """
        row = self._table.get_item(Key={"pk": PARTITION, "sk": name}).get("Item")
        if row is None:
            raise UnknownConnectionError
        return self._parse_row(row)

    def list(self) -> list[ConnectionSettings]:
        """Return all connections by name; one that is not valid any more is logged and left out."""
        return [*self.list_all()[0]]

    def list_all(self) -> tuple[Sequence[ConnectionSettings], Sequence[str]]:
        """Return all connections by name, and the names of those that are not valid any more."""
        connections, invalid = [], []
        for row in self._rows():
            try:
                connections.append(self._parse_row(row))
            except MCPClientConfigurationError:
                logger.warning("a stored connection is not valid", extra={"connection": row["sk"]})
                invalid.append(str(row["sk"]))
        return connections, invalid

    def remove(self, name: str) -> None:
        """Remove the connection called *name*; its secret stays.

        Raises:
            UnknownConnectionError: there is none.
        """
        removed = self._table.delete_item(Key={"pk": PARTITION, "sk": name}, ReturnValues="ALL_OLD")
        if "Attributes" not in removed:
            raise UnknownConnectionError

    def remember_era(self, connection: ConnectionSettings) -> None:
        """Store the era that was seen, or that it was forgotten, if that is news; best effort."""
        era = self._eras.export(connection.url)
        if era == self._stored_eras.get(connection.name):
            return
        change: dict[str, Any] = {"UpdateExpression": "REMOVE era"}
        if era is not None:
            text = json.dumps(era)
            if len(text) > MAX_ERA_CHARACTERS:
                return
            change = {"UpdateExpression": "SET era = :era", "ExpressionAttributeValues": {":era": text}}
        key = {"pk": PARTITION, "sk": connection.name}
        try:
            self._table.update_item(Key=key, ConditionExpression="attribute_exists(sk)", **change)
        except (BotoCoreError, ClientError):
            # It costs the next instance a few requests, and nothing else.
            logger.info("an era could not be stored", extra={"connection": connection.name})
            return
        self._keep(connection.name, era)

    def _keep(self, name: str, era: dict[str, Any] | None) -> None:
        self._stored_eras.pop(name, None)
        if era is not None:
            self._stored_eras[name] = era

    def _rows(self) -> Iterator[dict[str, Any]]:
        start: dict[str, Any] = {}
        while True:
            page = self._table.query(KeyConditionExpression=Key("pk").eq(PARTITION), **start)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def _parse_row(self, row: Mapping[str, Any]) -> ConnectionSettings:
        try:
            connection = ConnectionSettings.parse_json(row["settings"], loopback_ports=self._loopback_ports)
            is_its_own = connection.name == row["sk"]
        except (KeyError, TypeError):
            is_its_own = False
        if not is_its_own:
            raise MCPClientConfigurationError("The connection is not valid: its row is not one that we write.")
        era = read_object(row.get("era"))
        self._keep(connection.name, era)
        if era is not None:
            self._eras.prime(connection.url, era)
        return connection

    def _parse(self, stored: dict[str, Any]) -> ConnectionSettings:
        return ConnectionSettings.parse(stored, loopback_ports=self._loopback_ports)


def is_condition_failed(error: ClientError) -> bool:
    """Tell whether a conditional write found another state than expected."""
    return bool(error.response["Error"]["Code"] == "ConditionalCheckFailedException")
