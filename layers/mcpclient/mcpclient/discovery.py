"""Reading a server's catalog, page by page, within limits."""

import logging
from dataclasses import dataclass
from typing import Any

from mcp import Client
from mcp_types import Tool

from mcpclient.catalog import MCPServerCatalog, MCPToolInfo
from mcpclient.settings import ConnectionLimits
from mcpclient.text import is_plain_name, plain_name, truncate

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Discovery:
    """A server's catalog, and its tools as it describes them itself, with all that a host may want of them."""

    catalog: MCPServerCatalog
    tools: list[dict[str, Any]]
    """As on the wire: `name`, `description`, `inputSchema`, `outputSchema`, `annotations`, ..."""
    unusable: int = 0
    """How many tools were left out: nobody could show or type their names."""


async def read_catalog(client: Client, limits: ConnectionLimits) -> Discovery:
    """Return what the server behind *client* says of itself, and its tools."""
    capabilities = client.server_capabilities
    has_tools = capabilities.tools is not None
    info = client.server_info
    listed = await _read_tools(client, limits) if has_tools else []
    tools = _callable_tools(listed)
    catalog = MCPServerCatalog(
        protocol_version=client.protocol_version,
        server_name=plain_name(info.name) if info else "",
        server_version=plain_name(info.version) if info else "",
        instructions=truncate(client.instructions or "", limits.instructions_characters),
        has_tools=has_tools,
        has_resources=capabilities.resources is not None,
        tools=[MCPToolInfo.from_tool(tool) for tool in tools],
    )
    wire = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    return Discovery(catalog, wire, unusable=sum(not is_plain_name(tool.name) for tool in listed))


async def find_tool(client: Client, tool_name: str, limits: ConnectionLimits) -> None:
    """List tools until *tool_name* is among them, so that the SDK knows which arguments are headers too."""
    cursor: str | None = None
    for _ in range(limits.pages):
        page = await client.list_tools(cursor=cursor)
        cursor = page.next_cursor
        if cursor is None or any(tool.name == tool_name for tool in page.tools):
            return


async def _read_tools(client: Client, limits: ConnectionLimits) -> list[Tool]:
    """Return the server's tools, at most as many as the limits allow.

    A list that never ends, or goes round in a circle, is cut: what was read is still good.
    """
    tools: list[Tool] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(limits.pages):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None or cursor in seen or len(tools) >= limits.tools:
            break
        seen.add(cursor)
    if cursor is not None or len(tools) > limits.tools:
        logger.warning("a server's list of tools was cut", extra={"tools": len(tools), "pages": len(seen) + 1})
    return tools[: limits.tools]


def _callable_tools(tools: list[Tool]) -> list[Tool]:
    """Return *tools* without those whose name nobody could show or type, or that is another's."""
    named = {tool.name: tool for tool in reversed(tools) if is_plain_name(tool.name)}
    if len(named) < len(tools):
        logger.warning("tools with unusable names were left out", extra={"tools": len(tools) - len(named)})
    return [tool for tool in tools if named.get(tool.name) is tool]
