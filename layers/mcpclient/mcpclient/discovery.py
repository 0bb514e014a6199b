"""Reading a server's catalog, page by page, within limits."""

import logging
from dataclasses import dataclass, field
from typing import Any, Final

from mcp import Client
from mcp_types import Tool

from mcpclient.catalog import MCPServerCatalog, MCPToolInfo
from mcpclient.listed_tools import MAX_TOOL_BYTES, Unusable, leave_out_unusable, on_the_wire, size_of
from mcpclient.settings import ConnectionLimits
from mcpclient.text import plain_name, truncate

logger = logging.getLogger(__name__)

MAX_CATALOG_BYTES: Final = 4 * 1024 * 1024
"""Of all pages: ten connections share one worker's memory, and a caller of `discover` is answered with at most 6 MB."""

MAX_NAMES_BYTES: Final = 64 * 1024
"""Of all names: what is known of a catalog holds each up to four times, in one item of at most 400 KB."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """A server's catalog, and its tools as it describes them itself, with all that a host may want of them."""

    catalog: MCPServerCatalog
    tools: list[dict[str, Any]]
    """As on the wire: `name`, `description`, `inputSchema`, `outputSchema`, `annotations`, ..."""
    unusable: Unusable = field(default_factory=Unusable)
    """Those that were left out."""


async def read_catalog(client: Client, limits: ConnectionLimits) -> Discovery:
    """Return what the server behind *client* says of itself, and its tools."""
    capabilities = client.server_capabilities
    has_tools = capabilities.tools is not None
    info = client.server_info
    unusable = leave_out_unusable(client)
    tools = _callable_tools(await _read_tools(client, limits) if has_tools else [], unusable)
    catalog = MCPServerCatalog(
        protocol_version=client.protocol_version,
        server_name=plain_name(info.name) if info else "",
        server_version=plain_name(info.version) if info else "",
        instructions=truncate(client.instructions or "", limits.instructions_characters),
        has_tools=has_tools,
        has_resources=capabilities.resources is not None,
        tools=[MCPToolInfo.from_tool(tool) for tool in tools],
    )
    return Discovery(catalog, [on_the_wire(tool) for tool in tools], unusable)


async def prepare_call(client: Client, tool_name: str, limits: ConnectionLimits, *, needs_listing: bool) -> None:
    """Make *client* ready to call *tool_name*; the SDK also lists tools where a server misses a header.

    Args:
        client: the connected one.
        tool_name: what will be called.
        limits: of the connection.
        needs_listing: list tools until it is among them: the SDK must learn which of its arguments are headers too.
    """
    leave_out_unusable(client)
    if not needs_listing:
        return
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
    budget = _Budget()
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(limits.pages):
        page = await client.list_tools(cursor=cursor)
        taken = [tool for tool in page.tools if budget.takes(tool)]
        tools += taken
        cursor = page.next_cursor
        if cursor is None or cursor in seen or len(tools) >= limits.tools or len(taken) < len(page.tools):
            break
        seen.add(cursor)
    if cursor is not None or len(tools) > limits.tools or budget.is_spent:
        logger.warning("a server's list of tools was cut", extra={"tools": len(tools), "pages": len(seen) + 1})
    return tools[: limits.tools]


@dataclass(slots=True)
class _Budget:
    """What is left of the sizes above; once one is spent, nothing more is taken."""

    catalog_bytes: int = MAX_CATALOG_BYTES
    names_bytes: int = MAX_NAMES_BYTES

    @property
    def is_spent(self) -> bool:
        return min(self.catalog_bytes, self.names_bytes) < 0

    def takes(self, tool: Tool) -> bool:
        """Take *tool* out of the budget, and tell whether it was enough."""
        if not self.is_spent:
            self.catalog_bytes -= size_of(tool)
            self.names_bytes -= len(tool.name.encode("utf-8", "surrogatepass"))
        return not self.is_spent


def _callable_tools(tools: list[Tool], unusable: Unusable) -> list[Tool]:
    """Return *tools* without those that are too large, and those whose name is another's."""
    named: dict[str, Tool] = {}
    for tool in tools:
        if size_of(tool) > MAX_TOOL_BYTES:
            unusable.add(tool.name, "it is too large")
        elif named.setdefault(tool.name, tool) is not tool:
            unusable.add(tool.name, "another has its name")
    if unusable.count:
        logger.warning("unusable tools were left out", extra={"tools": unusable.count})
    return [*named.values()]
