"""Every error a server can answer with, and who reads it.

    Exception
    ├── MCPError                      -> the client program: a JSON-RPC error with a code
    │   ├── ParseError                    -32700
    │   ├── InvalidRequestError           -32600
    │   ├── MethodNotFoundError           -32601 (a LookupError)
    │   ├── UnknownToolError              -32602 (a LookupError)
    │   ├── InvalidParamsError            -32602
    │   ├── ResourceNotFoundError         -32602, before 2026-07-28 -32002
    │   ├── UnauthenticatedError          -32001
    │   ├── ForbiddenError                -32003
    │   ├── RateLimitedError              -32004
    │   ├── HeaderMismatchError           -32020
    │   ├── MissingCapabilityError        -32021
    │   └── UnsupportedVersionError       -32022
    ├── MCPServerToolError            -> the model: a result with isError true
    └── ServerSetupError              -> the operator: its text is in the log
        └── KeyRingError                  `request_state.py`

    BaseException
    └── ToolStoppedError              -> the server: the tool cannot go on now
        ├── OutOfTimeError                `deadline.py` raises it
        └── InputRequiredError            `asking.py`

Anything else is a crash: the log gets the traceback, the caller gets -32603.
Which HTTP status carries a code depends on the era: see `http_status.py`.
Source: JSON-RPC 2.0, section 5.1; MCP 2026-07-28, error codes.
"""

from collections.abc import Mapping
from typing import Any

from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    PARSE_ERROR,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from mcpserver.version import MODERN_VERSIONS

UNAUTHENTICATED = -32001
"""No or bad credentials. Source: our own choice, from JSON-RPC's implementation-defined range."""

RESOURCE_NOT_FOUND = -32002
"""Source: MCP 2025-11-25, server/resources, error handling; retired in 2026-07-28."""

FORBIDDEN = -32003
"""The principal may not use this server. Source: our own choice, from JSON-RPC's implementation-defined range."""

RATE_LIMITED = -32004
"""Too many calls. Source: our own choice, from JSON-RPC's implementation-defined range."""

__all__ = [
    "FORBIDDEN",
    "INTERNAL_ERROR",
    "RATE_LIMITED",
    "UNAUTHENTICATED",
    "ForbiddenError",
    "HeaderMismatchError",
    "InvalidParamsError",
    "InvalidRequestError",
    "MCPError",
    "MCPServerToolError",
    "MethodNotFoundError",
    "MissingCapabilityError",
    "OutOfTimeError",
    "ParseError",
    "RateLimitedError",
    "ResourceNotFoundError",
    "ServerSetupError",
    "ToolStoppedError",
    "UnauthenticatedError",
    "UnknownToolError",
    "UnsupportedVersionError",
]


class MCPError(Exception):
    """A JSON-RPC error. The message is a constant sentence: it never repeats what the client sent."""

    code: int = INTERNAL_ERROR

    def __init__(self, message: str, *, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


class ParseError(MCPError):
    """The body is not one JSON text in UTF-8."""

    code = PARSE_ERROR


class InvalidRequestError(MCPError):
    """The JSON is no valid JSON-RPC message or batch."""

    code = INVALID_REQUEST


class MethodNotFoundError(MCPError, LookupError):
    """The method does not exist in the request's protocol version."""

    code = METHOD_NOT_FOUND


class InvalidParamsError(MCPError, ValueError):
    """The method exists, its parameters do not fit."""

    code = INVALID_PARAMS


class UnknownToolError(InvalidParamsError, LookupError):
    """No tool has that name. Source: MCP 2025-06-18, tools, error handling (-32602)."""


class ResourceNotFoundError(MCPError, LookupError):
    """There is no resource of that URI; `data` repeats it, as the specification asks."""

    def __init__(self, uri: str, *, is_modern: bool) -> None:
        super().__init__("Resource not found.", data={"uri": uri})
        self.code = INVALID_PARAMS if is_modern else RESOURCE_NOT_FOUND


class UnauthenticatedError(MCPError):
    """The server answers nobody without a principal."""

    code = UNAUTHENTICATED


class ForbiddenError(MCPError):
    """The principal may not use this server."""

    code = FORBIDDEN


class RateLimitedError(MCPError):
    """Too many calls: HTTP 429 with `Retry-After`; `data` says which wall was hit and when to try again."""

    code = RATE_LIMITED

    def __init__(self, message: str, *, retry_after_s: int, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, data={**(data or {}), "retry_after": retry_after_s})


class HeaderMismatchError(MCPError):
    """An HTTP header and the body disagree (2026-07-28 only)."""

    code = HEADER_MISMATCH


class MissingCapabilityError(MCPError):
    """The request needs a client capability that it did not declare (2026-07-28 only)."""

    code = MISSING_REQUIRED_CLIENT_CAPABILITY

    def __init__(self, capabilities: Mapping[str, Any]) -> None:
        super().__init__("The client did not declare a capability that this request needs.")
        self.data = {"requiredCapabilities": capabilities}


class UnsupportedVersionError(MCPError):
    """The modern version asked for is not one we speak; `data` lists those that are."""

    code = UNSUPPORTED_PROTOCOL_VERSION

    def __init__(self, requested: str) -> None:
        super().__init__("Unsupported protocol version.")
        self.data = {"supported": sorted(MODERN_VERSIONS), "requested": requested[:64]}


class ServerSetupError(Exception):
    """The deployment lacks something: the text is ours and for the operator, so the log may hold it."""


class MCPServerToolError(Exception):
    """A tool could not do what it was asked: the message is a sentence that the model can act on."""


class ToolStoppedError(BaseException):
    """A tool was ended from outside. Not an `Exception`: a tool's own broad except must not swallow it."""


class OutOfTimeError(ToolStoppedError):
    """The tool's time is over."""
