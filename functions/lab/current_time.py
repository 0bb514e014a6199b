"""The `get_current_time` tool."""

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, Field

from mcpserver import MCPServerToolError, MCPToolBase


class Arguments(BaseModel):
    """What `get_current_time` takes."""

    timezone: str = Field("UTC", max_length=64, description="An IANA time zone, such as Europe/Paris (default UTC).")


class GetCurrentTime(MCPToolBase[Arguments]):
    """The time now, in one zone."""

    name = "get_current_time"
    title = "Current time"
    description = (
        "Tell the current date and time in a time zone (what day is it, clock, now). "
        "Use it whenever an answer depends on today's date."
    )
    arguments_model = Arguments

    def __init__(self, clock: Callable[[tzinfo], datetime] = datetime.now) -> None:
        self._clock = clock

    def run(self, arguments: Arguments) -> str:
        """Return the time in ISO 8601 with its offset, the zone and the weekday."""
        try:
            zone = UTC if arguments.timezone == "UTC" else ZoneInfo(arguments.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise MCPServerToolError(
                "get_current_time: unknown time zone. Use an IANA name, such as UTC, Europe/Paris or America/New_York."
            ) from None
        now = self._clock(zone)
        return f"{now.isoformat(timespec='seconds')} {arguments.timezone} {now:%A}"
