"""The circuit breaker: when a connection fails again and again, calls end at once, without a socket.

Pure decisions on a small state; `breaker_table.py` keeps it in DynamoDB, so that all instances share it.

    closed --5 failures in a row--> open for 60 s --> one probe --> closed
                                      ^                 |
                                      +--- twice as long, 15 min at most
"""

from dataclasses import dataclass
from typing import Final

from mcpclient.errors import MCPClientConnectionError, MCPClientError
from mcpclient.failure import BROKEN, INVALID_ANSWER, TIMEOUT, UNREACHABLE

FAILURES_TO_OPEN: Final = 5
FIRST_PAUSE_S: Final = 60
MAX_PAUSE_S: Final = 900
PROBE_S: Final = 60
"""How long a probe may take before another instance may make one: no call lasts longer than this by much."""

CIRCUIT_OPEN: Final = "circuit_open"


class CircuitOpenError(MCPClientConnectionError):
    """The connection has failed too often; nothing was sent."""

    code = CIRCUIT_OPEN

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"The connection has failed too often: try again in {retry_after_s} s.", retryable=True)
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Breaker:
    """The state of one connection's breaker; the default is a closed one without failures."""

    failures: int = 0
    """In a row."""
    openings: int = 0
    """In a row, without a success between them."""
    open_until_s: int = 0
    """Unix time; 0: closed."""
    is_probed: bool = False
    """A probe is under way, until `open_until_s` at most."""


def enter(breaker: Breaker, *, now_s: int) -> Breaker:
    """Return the state to store before a call; the same one if nothing changes.

    Whoever stores the changed state of an open breaker makes the probe; others find it open again.

    Raises:
        CircuitOpenError: the breaker is open; says when to try again.
    """
    if breaker.open_until_s == 0:
        return breaker
    # What is further away than any pause was written by a clock that was wrong: it must not count for ever.
    if now_s < breaker.open_until_s <= now_s + MAX_PAUSE_S:
        raise CircuitOpenError(breaker.open_until_s - now_s)
    return Breaker(breaker.failures, breaker.openings, now_s + PROBE_S, is_probed=True)


def succeed() -> Breaker:
    """Return the state after a call that was answered: one probe closes the breaker."""
    return Breaker()


def fail(breaker: Breaker, *, now_s: int) -> Breaker:
    """Return the state after a call that failed."""
    is_open = breaker.open_until_s != 0
    if is_open and not breaker.is_probed:
        # It began before the breaker opened: many such are one outage, and only a probe makes the pause longer.
        return breaker
    failures = breaker.failures + 1
    if not is_open and failures < FAILURES_TO_OPEN:
        return Breaker(failures, breaker.openings)
    pause_s = min(FIRST_PAUSE_S * 2**breaker.openings, MAX_PAUSE_S)
    # Above 2**4 the pause is at its limit: the count stops, or the power would grow for ever.
    return Breaker(failures, min(breaker.openings + 1, 8), now_s + pause_s)


def counts_as_failure(error: MCPClientError) -> bool:
    """Tell whether *error* says that the server is not well: not if it answered, or we would not let it."""
    if error.http_status is not None:
        return error.http_status >= 500
    return error.code in {UNREACHABLE, TIMEOUT, BROKEN, INVALID_ANSWER}
