"""What a server offers: `MCPServerCatalog` and its tools, as kept in DynamoDB."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from mcp_types import Tool


@dataclass(frozen=True, slots=True)
class MCPToolInfo:
    """One tool, as its server describes it. All of it is the server's own claim."""

    name: str
    description: str = ""
    title: str = ""
    input_schema: dict[str, Any] = field(default_factory=dict)
    read_only: bool | None = None
    """None: the server does not say."""
    destructive: bool | None = None

    @property
    def has_header_parameters(self) -> bool:
        """Whether an argument must be sent as a header too. Source: MCP 2026-07-28, transports, `x-mcp-header`."""
        return _names_header(self.input_schema)

    @classmethod
    def from_tool(cls, tool: Tool) -> Self:
        """Return what *tool* says of itself."""
        hints = tool.annotations
        return cls(
            name=tool.name,
            description=tool.description or "",
            title=tool.title or (hints.title if hints else None) or "",
            input_schema=tool.input_schema,
            read_only=hints.read_only_hint if hints else None,
            destructive=hints.destructive_hint if hints else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the tool as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the tool that `to_dict` wrote, also an older release's."""
        return cls(
            name=stored["name"],
            description=stored.get("description") or "",
            title=stored.get("title") or "",
            input_schema=dict(stored.get("input_schema") or {}),
            read_only=stored.get("read_only"),
            destructive=stored.get("destructive"),
        )


@dataclass(frozen=True, slots=True)
class MCPServerCatalog:
    """A server's identity, instructions and all of its tools, allowed or not."""

    protocol_version: str | None = None
    server_name: str = ""
    server_version: str = ""
    instructions: str = ""
    has_tools: bool = False
    has_resources: bool = False
    tools: list[MCPToolInfo] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the catalog as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the catalog that `to_dict` wrote, also an older release's."""
        return cls(
            protocol_version=stored.get("protocol_version"),
            server_name=stored.get("server_name") or "",
            server_version=stored.get("server_version") or "",
            instructions=stored.get("instructions") or "",
            has_tools=bool(stored.get("has_tools")),
            has_resources=bool(stored.get("has_resources")),
            tools=[MCPToolInfo.from_dict(tool) for tool in stored.get("tools") or ()],
        )


def _names_header(schema: Any) -> bool:
    if isinstance(schema, dict):
        return "x-mcp-header" in schema or any(_names_header(part) for part in schema.values())
    return isinstance(schema, list) and any(_names_header(part) for part in schema)
