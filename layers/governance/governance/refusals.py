"""What a caller is told of a call that is not answered.

Source: GATEWAY.md, "Governance": a minute's wall is an error of the protocol, a month's a result that the model reads.
"""

from typing import Final

from governance.call import GovernedCall
from governance.errors import WallError
from governance.limits import Limits, Wall
from governance.windows import WINDOW_S, month_of, next_month
from mcpserver import MCPError, RateLimitedError

RETRY_AFTER_S: Final = 1


class UnavailableError(MCPError):
    """The call could not be counted or recorded, so it is not answered: -32603, and worth another try."""

    def __init__(self, message: str) -> None:
        super().__init__(message, data={"retryable": True, "retry_after": RETRY_AFTER_S})


class UnrecordedError(MCPError):
    """A call that may have changed something could not be recorded, so it is not answered: -32603."""

    def __init__(self) -> None:
        super().__init__(
            "The call was made and could not be recorded, so it is not answered. If it changes something, see whether "
            "it did before you repeat it.",
            data={"retryable": False},
        )


def rate_refusal(limits: Limits, stop: WallError) -> RateLimitedError:
    """Return the error of a call above a minute's limit: HTTP 429."""
    limit = limits.of_wall(stop.wall)
    return RateLimitedError(
        f"All {limit} calls of this minute are used up ({stop.wall}): try again in {stop.retry_after_s} s.",
        retry_after_s=stop.retry_after_s,
        data={"wall": stop.wall.value, "limit": limit, "window_s": WINDOW_S},
    )


def budget_refusal(call: GovernedCall, stop: WallError, *, needed: int) -> str:
    """Return what the model is told of a call that the month no longer holds.

    Args:
        call: it.
        stop: the wall, and what was used.
        needed: the tokens that would have been set aside.
    """
    month = month_of(call.started_s)
    used = stop.usage.key_tokens if stop.wall is Wall.KEY_TOKENS else stop.usage.team_tokens
    uses = f"{used} of {call.limits.of_wall(stop.wall)} are used or set aside in {month}"
    resets = f"The budget resets on {next_month(month)} (UTC)."
    if 0 < needed == call.bookable:
        return f"the month's token budget is spent ({stop.wall}), so that nothing was booked: {uses}. {resets}"
    return (
        f"the month's token budget does not hold this call ({stop.wall}): it sets aside {needed} tokens until it ends, "
        f"and {uses}. {resets} Ask for less, or tell the user."
    )
