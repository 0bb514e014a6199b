"""Every error of calling another server, and what the caller should do about it.

    Exception
    └── MCPClientError
        ├── MCPClientConfigurationError  -> the operator: a credential, transport or setting is missing or wrong
        ├── MCPClientConnectionError     -> try later, or report: unreachable, bad handshake, an error, a time-out
        └── MCPClientPermissionError     -> nobody: this tool or resource is not allowed here

Their messages are ours: no secret, no address, no text of the remote server. What the server did say is kept as
numbers, the HTTP status and the JSON-RPC code.
"""

from typing import Any


class MCPClientError(Exception):
    """A call to another server did not succeed."""

    code = "error"
    """For programs: `configuration`, `permission`, or how the connection failed (see `failure.py`)."""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        http_status: int | None = None,
        rpc_code: int | None = None,
        retryable: bool = False,
    ) -> None:
        """Make an error.

        Args:
            message: a sentence of ours.
            code: for programs; the class's own if not given.
            http_status: what the server answered with, if it was no success.
            rpc_code: the JSON-RPC error's code, if it answered with one.
            retryable: the same call may succeed later.
        """
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.http_status = http_status
        self.rpc_code = rpc_code
        self.retryable = retryable

    def to_dict(self) -> dict[str, Any]:
        """Return the error as JSON, for callers in other processes."""
        return {
            "code": self.code,
            "message": self.message,
            "http_status": self.http_status,
            "retryable": self.retryable,
        }


class MCPClientConfigurationError(MCPClientError):
    """A credential, a transport or a setting is missing or wrong."""

    code = "configuration"


class MCPClientConnectionError(MCPClientError):
    """The server could not be reached, or did not answer as MCP says, or answered with an error, or not in time."""

    code = "connection"


class MCPClientPermissionError(MCPClientError):
    """The connection does not allow this tool or resource; nothing was sent."""

    code = "permission"
