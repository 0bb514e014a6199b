"""A result model as the JSON that one era's clients read: no nulls, and no member of another era."""

from collections.abc import Mapping
from typing import Any, Final

from mcp_types import SERVER_INFO_META_KEY, Result
from mcp_types.jsonrpc import JSONRPCError, JSONRPCResponse

from mcpserver.content import TextAnswer, wrapped
from mcpserver.errors import MCPError

_MODERN_ONLY: Final = {"result_type", "ttl_ms", "cache_scope"}
"""Fields of the version-free models that versions up to 2025-11-25 do not have."""


def result_to_wire(result: Result | TextAnswer, *, is_modern: bool, server_info: Mapping[str, Any]) -> dict[str, Any]:
    """Return *result* as JSON.

    Args:
        result: a model of `mcp_types`, or a tool's plain text.
        is_modern: 2026-07-28 results carry `resultType`, cache hints and the server's identity.
        server_info: the identity, as JSON.
    """
    if isinstance(result, TextAnswer):
        wire: dict[str, Any] = {"content": [{"type": "text", "text": result.text}], "isError": result.is_error}
        structured = wrapped(result.text)
        if structured is not None:
            wire["structuredContent"] = structured
    else:
        excluded = None if is_modern else _MODERN_ONLY
        wire = result.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=excluded)
    if is_modern:
        wire.setdefault("resultType", "complete")
        wire["_meta"] = {**wire.get("_meta", {}), SERVER_INFO_META_KEY: server_info}
    return wire


def error_to_wire(request_id: str | int | None, error: MCPError) -> dict[str, Any]:
    """Return *error* as the JSON answer to the request with *request_id*; None: it had no readable id."""
    members: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        members["data"] = error.data
    return {"jsonrpc": "2.0", "id": request_id, "error": members}


def response_to_wire(response: JSONRPCResponse | JSONRPCError) -> dict[str, Any]:
    """Return *response* as JSON: an error keeps its `id` even if null."""
    if isinstance(response, JSONRPCResponse):
        return {"jsonrpc": "2.0", "id": response.id, "result": response.result}
    error: dict[str, Any] = {"code": response.error.code, "message": response.error.message}
    if response.error.data is not None:
        error["data"] = response.error.data
    return {"jsonrpc": "2.0", "id": response.id, "error": error}
