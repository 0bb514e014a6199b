"""The remote server: other people's tools behind one endpoint. It answers nobody whom no authorizer has named."""

import os
import time

from guardedhttp import Network
from mcpclient import MCPServerConnection
from mcpclient.approvals import ApprovalTable
from mcpclient.breaker_table import BreakerTable
from mcpclient.catalog_table import CatalogTable
from mcpclient.connections import ConnectionTable, open_table
from mcpclient.protected import ProtectedCalls

from functions.remote.server import RemoteMCPServer
from functions.remote.settings import Settings
from functions.remote.shelf import Shelf
from functions.remote.tool import Outbound
from mcpserver import http_handler

settings = Settings.read(os.environ)
table = open_table(settings.table)
network = Network(loopback_ports=settings.loopback_ports)
connections = ConnectionTable(table, loopback_ports=settings.loopback_ports)
breakers = BreakerTable(table, now_s=time.time)
calls = ProtectedCalls(connections, breakers, connect=lambda found: MCPServerConnection(found, network=network))
shelf = Shelf(connections, ApprovalTable(table), CatalogTable(table), clock=time.time, max_age_s=settings.max_age_s)
lambda_handler = http_handler(RemoteMCPServer(shelf, Outbound(connections, calls)), needs_principal=True)
