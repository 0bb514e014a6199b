"""The server that `run_mcp_servers.py` starts for each event."""

from mcp.server.fastmcp import FastMCP

from benchmarks.peers import tool_functions

server = FastMCP("lab", log_level="WARNING")
for function in (tool_functions.calculator, tool_functions.wiki_search, tool_functions.get_current_time):
    server.tool()(function)

if __name__ == "__main__":
    server.run()
