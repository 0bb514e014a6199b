"""Run a coroutine to its end from synchronous code."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from mcpserver.errors import OutOfTimeError


def runs_in_loop() -> bool:
    """Tell whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def run_in_own_loop(work: Awaitable[Any], limit_s: float | None) -> Any:
    """Return what *work* returns, on an event loop of this call's own.

    Raises:
        OutOfTimeError: it took longer than *limit_s* seconds, and was cancelled.
    """
    return asyncio.run(_await(work, limit_s))


async def _await(work: Awaitable[Any], limit_s: float | None) -> Any:
    deadline = asyncio.timeout(limit_s)
    try:
        async with deadline:
            return await work
    except TimeoutError:
        # A time-out of the tool's own is an error of the tool's own.
        if not deadline.expired():
            raise
        raise OutOfTimeError from None
