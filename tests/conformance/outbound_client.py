"""The client that the official conformance suite runs: `MCPServerConnection`, as a caller uses it.

    node .../conformance/dist/index.js client --command "python -m tests.conformance.outbound_client" \
        --scenario http-custom-headers

The suite appends its server's URL, on a port of this machine, and says in the environment what to call.
Scenarios that cannot pass, with the reason for each: `outbound_expected_failures.yml`.
"""

import json
import os
import sys
from typing import Any
from urllib.parse import urlsplit

from guardedhttp import Network
from mcpclient import ConnectionSettings, EraMemory, MCPClientError, MCPServerConnection, MCPToolInfo, run_sync

EXAMPLES: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
"""An argument of each JSON Schema type; anything else is a string."""


def connect(url: str) -> MCPServerConnection:
    """Return a connection to the suite's server, through the development setting for loopback."""
    url = url.replace("//localhost:", "//127.0.0.1:")
    ports = frozenset({urlsplit(url).port or 80})
    settings = ConnectionSettings.parse({"name": "conformance", "url": url}, loopback_ports=ports)
    return MCPServerConnection(settings, network=Network(loopback_ports=ports), eras=EraMemory())


def arguments_for(tool: MCPToolInfo, tools: list[MCPToolInfo]) -> dict[str, Any]:
    """Return arguments that fit *tool*'s schema; `json_schema_echo` gets the schema that it checks."""
    if tool.name == "json_schema_echo":
        return {"schema": next(other.input_schema for other in tools if other.name == "json_schema_2020_12_tool")}
    properties = tool.input_schema.get("properties", {})
    return {name: EXAMPLES.get(schema.get("type"), "text") for name, schema in properties.items()}


async def run(url: str, calls: list[dict[str, Any]]) -> None:
    """Discover the server, then make *calls*, or call each tool once."""
    remote = connect(url)
    tools = (await remote.discover()).tools
    for call in calls or [{"name": tool.name, "arguments": arguments_for(tool, tools)} for tool in tools]:
        try:
            await remote.call_tool(call["name"], call.get("arguments"))
        except MCPClientError as error:
            sys.stderr.write(f"{call['name']}: {error}\n")


if __name__ == "__main__":
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    run_sync(run(sys.argv[-1], context.get("toolCalls", [])))
