"""The lab's server: who it says it is."""

from mcp_types import Implementation

from mcpserver import SERVER_VERSION, MCPServerBase


class LabMCPServer(MCPServerBase):
    """Small tools to try a host with."""

    @property
    def name(self) -> str:
        """The server's name."""
        return "lab"

    def server_info(self) -> Implementation:
        """Return the identity that hosts show."""
        return Implementation(
            name=self.name,
            title="samcp lab",
            version=SERVER_VERSION,
            description="Small tools to try a host with: calculator, facts, time, countdown.",
        )

    def instructions(self) -> str:
        """Tell the model when to call each tool."""
        return (
            "Use calculator for every figure, wiki_search for a short general fact, get_current_time whenever today's "
            "date matters, and countdown only to try a slow tool."
        )
