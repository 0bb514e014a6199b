"""Run a coroutine to its end from synchronous code."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from mcpserver.errors import MCPServerToolError, OutOfTimeError, ToolStoppedError


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
    except asyncio.CancelledError:
        # Nobody outside cancels this loop: the tool awaited something that it had cancelled itself.
        raise RuntimeError("The tool awaited a task that was cancelled.") from None
    except BaseExceptionGroup as group:
        raise _meant_by(group) from group


def _meant_by(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return what a task group's error says to the server: a question or a tool's own error, else the group itself."""
    for kind in (ToolStoppedError, MCPServerToolError):
        found: BaseException | None = group.subgroup(kind)
        while isinstance(found, BaseExceptionGroup):
            found = found.exceptions[0]
        if found is not None:
            return found
    return group
