"""awslabs-mcp-lambda-handler, as its README shows it, without a session store."""

from typing import Any

from awslabs.mcp_lambda_handler import MCPLambdaHandler

from benchmarks.peers import tool_functions

handler = MCPLambdaHandler(name="lab", version="1.0.0")
for function in (tool_functions.calculator, tool_functions.wiki_search, tool_functions.get_current_time):
    handler.tool()(function)


def lambda_handler(event: dict[str, Any], context: Any) -> Any:
    """Answer one REST event."""
    return handler.handle_request(event, context)
