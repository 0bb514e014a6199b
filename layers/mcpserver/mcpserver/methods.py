"""The method tables: what each era can ask, and who answers it.

Source: MCP 2024-11-05 to 2025-11-25 and 2026-07-28, the client's requests; `tests/mcpserver/test_version_oracle.py`
compares them with `mcp_types.methods`.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from mcp_types import EmptyResult, Result

from mcpserver.content import TextAnswer

if TYPE_CHECKING:
    from mcpserver.server import MCPServerBase

type Method = Callable[["MCPServerBase", dict[str, Any]], Result | TextAnswer]

_COMMON: Final[Mapping[str, Method]] = {
    "tools/list": lambda server, params: server.list_tools(params),
    "tools/call": lambda server, params: server.answer_call(params),
    "resources/list": lambda server, params: server.resources.list(params),
    "resources/templates/list": lambda server, params: server.resources.list_templates(params),
    "resources/read": lambda server, params: server.resources.read(params),
    "prompts/list": lambda server, params: server.prompts.list(params),
    "prompts/get": lambda server, params: server.prompts.get(params),
    "completion/complete": lambda server, params: server.complete(params),
}

HANDSHAKE_METHODS: Final[Mapping[str, Method]] = {
    **_COMMON,
    "initialize": lambda server, params: server.initialize(params),
    "ping": lambda _server, _params: EmptyResult(),
    "logging/setLevel": lambda _server, _params: EmptyResult(),
    "resources/subscribe": lambda server, params: server.resources.subscribe(params),
    "resources/unsubscribe": lambda server, params: server.resources.subscribe(params),
}

MODERN_METHODS: Final[Mapping[str, Method]] = {
    **_COMMON,
    "server/discover": lambda server, params: server.discover(params),
}
