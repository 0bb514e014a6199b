"""The UTC minute and the UTC month: what calls and tokens are counted by."""

from datetime import UTC, datetime
from typing import Final

WINDOW_S: Final = 60
"""Calls are counted by the minute."""


def minute_of(now_s: float) -> int:
    """Return the number of the UTC minute that the Unix time *now_s* falls in."""
    return int(now_s) // WINDOW_S


def seconds_to_next_minute(now_s: float) -> int:
    """Return after how many seconds a refused caller may come again: 1 to 60."""
    return WINDOW_S - int(now_s) % WINDOW_S


def month_of(now_s: float) -> str:
    """Return the UTC month as `2026-11`."""
    return datetime.fromtimestamp(now_s, UTC).strftime("%Y-%m")


def next_month(month: str) -> str:
    """Return the first day of the month after *month*, as `2026-12-01`: when the budget is whole again."""
    year, number = int(month[:4]), int(month[5:])
    return f"{year + number // 12:04}-{number % 12 + 1:02}-01"
