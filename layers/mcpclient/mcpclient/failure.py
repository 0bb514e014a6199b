"""From whatever the SDK raised to one error of ours."""

from typing import Final

import httpx2
from guardedhttp import TooManyRequestsError
from mcp.shared.exceptions import MCPError

from mcpclient.attempt import Attempt
from mcpclient.errors import MCPClientConnectionError, MCPClientError

UNREACHABLE: Final = "unreachable"
"""No connection: nothing was sent."""

TIMEOUT: Final = "timeout"
BROKEN: Final = "broken"
"""The connection ended in the middle."""

HTTP_ERROR: Final = "http_error"
RPC_ERROR: Final = "rpc_error"
REFUSED: Final = "refused"
"""By the guard: the URL, the answer, or one request too many."""

INVALID_ANSWER: Final = "invalid_answer"

RETRYABLE_STATUSES: Final = frozenset({429, 502, 503, 504})
"""Too many requests, or nobody there just now. Source: RFC 9110, section 15.6; RFC 6585."""


def failure_of(error: BaseException | None, attempt: Attempt, *, description: str, timeout_s: float) -> MCPClientError:
    """Return what went wrong as one error, without the remote server's text.

    Args:
        error: what was raised, maybe groups within groups; None if the attempt was ended from outside.
        attempt: what was met on the wire.
        description: what was tried, as in "call a tool".
        timeout_s: what the whole call may take.
    """
    leaves = [*_leaves(error), *_leaves(attempt.lost)]
    for leaf in leaves:
        if isinstance(leaf, MCPClientError):
            return leaf
    # A code of a thousand digits would be a text of the server's.
    rpc_code = next((leaf.code for leaf in leaves if isinstance(leaf, MCPError) and abs(leaf.code) < 2**31), None)
    code, reason, retryable = _reason(leaves, attempt, rpc_code, timeout_s)
    return MCPClientConnectionError(
        f"Could not {description}: {reason}.",
        code=code,
        http_status=attempt.failed_status,
        rpc_code=rpc_code,
        retryable=retryable,
    )


def _reason(
    leaves: list[BaseException], attempt: Attempt, rpc_code: int | None, timeout_s: float
) -> tuple[str, str, bool]:
    """Return the error's code, its reason in words, and whether the same call may succeed later."""
    if attempt.refusal is not None:
        return REFUSED, str(attempt.refusal), isinstance(attempt.refusal, TooManyRequestsError)
    if attempt.scope.cancelled_caught and not attempt.is_given_up:
        return TIMEOUT, f"no answer within {timeout_s:g} s", True
    status = attempt.failed_status
    if status is not None:
        return HTTP_ERROR, f"the server answered HTTP {status}", status in RETRYABLE_STATUSES
    if rpc_code is not None:
        return RPC_ERROR, f"the server answered with error {rpc_code}", False
    return _reason_without_answer(leaves)


def _reason_without_answer(leaves: list[BaseException]) -> tuple[str, str, bool]:
    if any(isinstance(leaf, httpx2.ConnectError | httpx2.ConnectTimeout) for leaf in leaves):
        return UNREACHABLE, "the server could not be reached", True
    if any(isinstance(leaf, httpx2.TransportError | OSError) for leaf in leaves):
        return BROKEN, "the connection broke", True
    return INVALID_ANSWER, "the answer is not valid MCP", False


def _leaves(error: BaseException | None) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for part in error.exceptions for leaf in _leaves(part)]
    return [] if error is None else [error]
