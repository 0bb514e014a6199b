"""FastMCP behind Mangum: stateless, JSON answers, the lifespan held."""

from fastmcp import FastMCP

from benchmarks.peers import tool_functions
from benchmarks.peers.held_lifespan import handler_with_held_lifespan

server = FastMCP("lab")
for function in (tool_functions.calculator, tool_functions.wiki_search, tool_functions.get_current_time):
    server.tool(function)

app = server.http_app(path="/lab/mcp", json_response=True, stateless_http=True)
lambda_handler = handler_with_held_lifespan(app)
