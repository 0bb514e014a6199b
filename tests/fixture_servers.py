"""Servers of our own that the tests drive: small, with tools that misbehave on purpose."""

from collections.abc import Iterable
from typing import Any

from mcpserver import MCPServerBase, MCPToolBase, tool

ORIGIN = "https://mcp.example.com"
HOST = "mcp.example.com"


class FixtureServer(MCPServerBase):
    """A server with whatever tools a test gives it."""

    @property
    def name(self) -> str:
        """The server's name."""
        return "fixture"


class AddingServer(FixtureServer):
    """The corpus's demo server: `add` and `echo`, and a count of the calls that reached a tool."""

    def __init__(self) -> None:
        self.calls = 0

        @tool
        def add(a: int, b: int) -> str:
            """Add two integers."""
            self.calls += 1
            return str(a + b)

        @tool
        def echo(text: str) -> str:
            """Repeat a text."""
            self.calls += 1
            return text

        super().__init__([add, echo])


def serving(*tools: MCPToolBase[Any], **settings: Any) -> FixtureServer:
    """Return a server with *tools*; *settings* are `MCPServerBase`'s."""
    offered: Iterable[MCPToolBase[Any]] = tools
    return FixtureServer(offered, **settings)
