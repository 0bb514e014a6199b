"""The MCP SDK's server behind Mangum: stateless, JSON answers, the lifespan held."""

from mcp.server.mcpserver import MCPServer

from benchmarks.peers import tool_functions
from benchmarks.peers.held_lifespan import handler_with_held_lifespan

# Without its line of log per request, which a deployment would turn off.
server = MCPServer("lab", log_level="WARNING")
for function in (tool_functions.calculator, tool_functions.wiki_search, tool_functions.get_current_time):
    server.tool()(function)

# A host that is not loopback: the SDK then leaves the Host header to API Gateway.
app = server.streamable_http_app(
    streamable_http_path="/lab/mcp",
    json_response=True,
    stateless_http=True,
    host="0.0.0.0",  # noqa: S104
)
lambda_handler = handler_with_held_lifespan(app)
