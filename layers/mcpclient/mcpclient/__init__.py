"""Calling other people's MCP servers, safely.

    connection = MCPServerConnection(ConnectionSettings(name="docs", url="https://mcp.example.com/mcp"))
    result = await connection.call_tool("search", {"query": "lambda"})   # or run_sync(...)

Everything goes through `guardedhttp`: only public addresses, within limits, before a deadline.
"""

from mcpclient.auth import Auth, BasicAuth, BearerAuth, HeaderAuth, NoAuth, OAuthAuth
from mcpclient.catalog import MCPServerCatalog, MCPToolInfo
from mcpclient.connection import MCPServerConnection
from mcpclient.eras import EraMemory
from mcpclient.errors import (
    MCPClientConfigurationError,
    MCPClientConnectionError,
    MCPClientError,
    MCPClientPermissionError,
)
from mcpclient.oauth import TokenStore
from mcpclient.permissions import is_resource_allowed, is_tool_allowed, matches_any
from mcpclient.result import MCPToolResult
from mcpclient.secret_store import SecretStore
from mcpclient.settings import ConnectionLimits, ConnectionSettings
from mcpclient.synchronous import run_sync
from mcpclient.text import truncate
from mcpclient.version import CLIENT_VERSION

__all__ = [
    "CLIENT_VERSION",
    "Auth",
    "BasicAuth",
    "BearerAuth",
    "ConnectionLimits",
    "ConnectionSettings",
    "EraMemory",
    "HeaderAuth",
    "MCPClientConfigurationError",
    "MCPClientConnectionError",
    "MCPClientError",
    "MCPClientPermissionError",
    "MCPServerCatalog",
    "MCPServerConnection",
    "MCPToolInfo",
    "MCPToolResult",
    "NoAuth",
    "OAuthAuth",
    "SecretStore",
    "TokenStore",
    "is_resource_allowed",
    "is_tool_allowed",
    "matches_any",
    "run_sync",
    "truncate",
]
