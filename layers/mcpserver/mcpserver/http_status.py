"""Which HTTP status carries a JSON-RPC error.

Handshake era: an error inside a valid envelope goes out with 200, since real clients throw away the text of a 4xx.
Source: HOSTS rule 5 (measured on 30 clients); MCP 2026-07-28, streamable HTTP, status codes.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from mcpserver.errors import FORBIDDEN, RATE_LIMITED, UNAUTHENTICATED

_ALWAYS = {PARSE_ERROR: 400, INVALID_REQUEST: 400, UNAUTHENTICATED: 401, FORBIDDEN: 403, RATE_LIMITED: 429}

HANDSHAKE_STATUS: Final[Mapping[int, int]] = MappingProxyType(_ALWAYS)
"""Status by code for versions up to 2025-11-25; every other code is 200."""

MODERN_STATUS: Final[Mapping[int, int]] = MappingProxyType(
    _ALWAYS
    | {
        INVALID_PARAMS: 400,
        HEADER_MISMATCH: 400,
        MISSING_REQUIRED_CLIENT_CAPABILITY: 400,
        UNSUPPORTED_PROTOCOL_VERSION: 400,
        METHOD_NOT_FOUND: 404,
    }
)
"""Status by code for 2026-07-28; every other code is 200."""


def status_of(code: int, *, is_modern: bool) -> int:
    """Return the HTTP status that carries an error with *code*."""
    return (MODERN_STATUS if is_modern else HANDSHAKE_STATUS).get(code, 200)
