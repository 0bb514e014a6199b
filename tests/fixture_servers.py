"""Servers of our own that the tests drive: small, with tools that misbehave on purpose."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field, field_validator

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


class Range(BaseModel):
    """Minutes."""

    start: int
    end: int = 60


class SearchArguments(BaseModel):
    """What `search_logs` takes."""

    query: str = Field(description="What to look for.")
    limit: int = Field(50, ge=1, le=200)
    ranges: list[Range] = Field(default_factory=list)
    level: str | None = None

    @field_validator("query")
    @classmethod
    def is_not_blank(cls, query: str) -> str:
        """Refuse white space."""
        if not query.strip():
            raise ValueError("say what to look for")
        return query


class SearchLogs(MCPToolBase[SearchArguments]):
    """A tool of the class form."""

    name = "search_logs"
    title = "Search logs"
    description = "Search the log. Use it to find errors."
    arguments_model: type[BaseModel] = SearchArguments

    def run(self, arguments: SearchArguments) -> Any:
        """Return what was asked for."""
        return f"{arguments.query} {arguments.limit} {arguments.level}"


class Returning(SearchLogs):
    """The same tool, returning what a test gives it."""

    def __init__(self, output: Any) -> None:
        self.output = output

    def run(self, _arguments: SearchArguments) -> Any:
        """Return it."""
        return self.output
