"""run-mcp-servers-with-aws-lambda: the MCP SDK's server over stdio, started as a process of its own for each event."""

import os
import sys
from typing import Any

from mcp.client.stdio import StdioServerParameters
from mcp_lambda import APIGatewayProxyEventHandler, StdioServerAdapterRequestHandler

parameters = StdioServerParameters(
    command=sys.executable, args=["-P", "-m", "benchmarks.peers.run_mcp_servers_stdio"], env=dict(os.environ)
)
handler = APIGatewayProxyEventHandler(StdioServerAdapterRequestHandler(parameters))


def lambda_handler(event: dict[str, Any], context: Any) -> Any:
    """Answer one REST event."""
    return handler.handle(event, context)
