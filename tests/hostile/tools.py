"""A server on loopback whose tools a test changes while it runs."""

from typing import Any

from tests.hostile.mcp import Message, mcp_server, text_result
from tests.hostile.server import Answer


def named(name: str, description: str = "Does it.", **members: Any) -> dict[str, Any]:
    """Return a tool's definition."""
    return {"name": name, "description": description, "inputSchema": {"type": "object"}, **members}


class ChangingServer:
    """An honest MCP server, but for what it says of its tools."""

    def __init__(self, *tools: dict[str, Any]) -> None:
        self.tools = list(tools)
        self.instructions = "Adds."
        self.result: dict[str, Any] = text_result("done")

    def answer(self) -> Answer:
        """Return what `serve` takes."""
        return mcp_server(
            {"server/discover": self._discover, "tools/list": self._list, "tools/call": lambda _message: self.result}
        )

    def _discover(self, _message: Message) -> dict[str, Any]:
        return {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}, "resources": {}},
            "instructions": self.instructions,
            "resultType": "complete",
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "changing", "version": "1.0"}},
        }

    def _list(self, _message: Message) -> dict[str, Any]:
        return {"tools": self.tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
