"""Each listed tool on its own: one that nobody can use must not hide the others, and what has changed in them.

The SDK holds a page of `tools/list` against its models as a whole. One tool without a schema would fail the discovery,
and a server could keep a change out of quarantine with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mcp import Client
from mcp.shared.dispatcher import CallOptions
from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types import Tool, methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from mcpclient.review import INSTRUCTIONS
from mcpclient.text import is_plain_name, plain_name

LIST_TOOLS: Final = "tools/list"

MAX_TOOL_BYTES: Final = 256 * 1024
"""Of one tool: no model reads that much, and no list could carry a few of them."""

MAX_NAMED: Final = 20
"""Of the unusable tools; the others are only counted."""

_PAGE: Final[Mapping[str, Any]] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What a page has beside its tools."""

_NOT_VALID: Final = "not a valid tool"


@dataclass(slots=True)
class Unusable:
    """The tools that were left out."""

    count: int = 0
    named: dict[str, str] = field(default_factory=dict)
    """Name -> why, of the first ones."""

    def add(self, name: Any, why: str) -> None:
        """Count one more."""
        self.count += 1
        if len(self.named) < MAX_NAMED:
            self.named.setdefault(plain_name(name) if isinstance(name, str) else "", why)


def leave_out_unusable(client: Client) -> Unusable:
    """Have *client* take only usable tools from a list, from now on, and return the record of the others."""
    unusable = Unusable()
    dispatcher = client.session._dispatcher  # noqa: SLF001 -- the only seam between the wire and the models
    send, version = dispatcher.send_raw_request, client.protocol_version

    async def send_raw_request(
        method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> dict[str, Any]:
        result = await send(method, params, opts)
        listed = result.get("tools") if method == LIST_TOOLS else None
        if not isinstance(listed, list):
            return result
        return {**result, "tools": [tool for tool in listed if _is_usable(tool, version, unusable)]}

    dispatcher.send_raw_request = send_raw_request  # type: ignore[method-assign]  # see above
    return unusable


def is_valid_for_handshake(definition: Mapping[str, Any]) -> bool:
    """Tell whether hosts of the handshake era take a list with *definition* in it; 2026-07-28 allows more schemas."""
    return not _why_unusable(definition, HANDSHAKE_PROTOCOL_VERSIONS[-1])


def on_the_wire(tool: Tool) -> dict[str, Any]:
    """Return *tool* as its server wrote it."""
    return tool.model_dump(mode="json", by_alias=True, exclude_none=True)


def size_of(tool: Tool) -> int:
    """Return the bytes of *tool* as JSON."""
    return len(json.dumps(on_the_wire(tool)))


def _is_usable(listed: Any, version: str, unusable: Unusable) -> bool:
    name = listed.get("name") if isinstance(listed, dict) else None
    why = _why_unusable(listed, version)
    if why:
        unusable.add(name, why)
    return not why


def _why_unusable(listed: Any, version: str) -> str:
    """Return why nobody can use a tool: its parts are not what MCP says, or nobody could show, type or read it."""
    if not isinstance(listed, dict):
        return _NOT_VALID
    try:
        methods.validate_server_result(LIST_TOOLS, version, {**_PAGE, "tools": [listed]})
        tool = Tool.model_validate(listed, by_name=False)
        # NaN and infinity pass the SDK's parser, and are no JSON.
        json.dumps(listed, allow_nan=False)
        has_wrong_header = version in MODERN_PROTOCOL_VERSIONS and find_invalid_x_mcp_header(tool.input_schema)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return _NOT_VALID
    if has_wrong_header:
        return "its x-mcp-header is not valid"
    if not is_plain_name(tool.name) or tool.name == INSTRUCTIONS:
        return "its name cannot be shown or typed"
    return ""
