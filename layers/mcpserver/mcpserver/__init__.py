"""Answering MCP: everything that a tool author and a room's `app.py` need.

    from mcpserver import MCPServerBase, MCPToolBase, MCPServerToolError, tool, http_handler

Modules below are the layer's own; the names here are its interface.
"""

from mcpserver import asking
from mcpserver.content import ToolOutput, audio, image
from mcpserver.context import CallContext, Principal, current_context
from mcpserver.decorator import tool
from mcpserver.errors import MCPError, MCPServerToolError, RateLimitedError
from mcpserver.exchange import MAX_BATCH_SIZE
from mcpserver.http_adapter import http_handler
from mcpserver.prompt import MCPPromptBase
from mcpserver.quirks import Quirk
from mcpserver.request_state import KeyRing
from mcpserver.resource import MCPResourceBase, MCPResourceTemplateBase
from mcpserver.server import MCPServerBase
from mcpserver.signals import mcpserver_called, mcpserver_tool_called
from mcpserver.stdio import serve_stdio
from mcpserver.tool import MCPToolBase
from mcpserver.version import SERVER_VERSION

__all__ = [
    "MAX_BATCH_SIZE",
    "SERVER_VERSION",
    "CallContext",
    "KeyRing",
    "MCPError",
    "MCPPromptBase",
    "MCPResourceBase",
    "MCPResourceTemplateBase",
    "MCPServerBase",
    "MCPServerToolError",
    "MCPToolBase",
    "Principal",
    "Quirk",
    "RateLimitedError",
    "ToolOutput",
    "asking",
    "audio",
    "current_context",
    "http_handler",
    "image",
    "mcpserver_called",
    "mcpserver_tool_called",
    "serve_stdio",
    "tool",
]
