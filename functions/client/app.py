"""The client room: outbound MCP calls for callers inside the account. It has no public route."""

import os
import time

from guardedhttp import Network
from mcpclient import MCPServerConnection
from mcpclient.approvals import ApprovalTable
from mcpclient.breaker_table import BreakerTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable, open_table

from functions.client.caller import Caller
from functions.client.settings import Settings

settings = Settings.read(os.environ)
table = open_table(settings.table)
network = Network(loopback_ports=settings.loopback_ports)
caller = Caller(
    ConnectionTable(table, loopback_ports=settings.loopback_ports),
    BreakerTable(table, now_s=time.time),
    approvals=ApprovalTable(table),
    catalogs=CatalogTable(table),
    connect=lambda connection: MCPServerConnection(connection, network=network),
)
lambda_handler = (
    caller.answer
)  # {"operation": "call_tool", "connection": "docs", ...} -> {"result": ...}; see caller.py
