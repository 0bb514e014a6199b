"""Stop a tool before the platform stops the whole call: the model then learns why, and the client gets an answer.

On the main thread (where Lambda runs a handler) a timer signal interrupts the tool. Elsewhere (the local gateway's
worker threads) the tool runs in a thread of its own and is left behind. A coroutine is cancelled.
"""

import asyncio
import inspect
import signal
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final

from mcpserver.containment import Crash, contain

MARGIN_S: Final = 0.5
"""Kept back from the platform's limit, for writing the answer."""


class OutOfTimeError(BaseException):
    """The tool's time is over. Not an `Exception`: a tool's own broad except must not swallow it."""


def run_before(remaining_s: float | None, action: Callable[[], Any]) -> Any:
    """Return what *action* returns, awaited if it is a coroutine.

    Args:
        remaining_s: seconds until the platform kills the call; None: no limit.
        action: runs the tool.

    Raises:
        OutOfTimeError: *action* was still running `MARGIN_S` before the limit.
    """
    if remaining_s is None:
        return _finish(action(), None)
    limit_s = remaining_s - MARGIN_S
    if limit_s <= 0:
        raise OutOfTimeError
    if threading.current_thread() is threading.main_thread():
        return _run_with_timer(limit_s, action)
    return _run_in_thread(limit_s, lambda: _finish(action(), limit_s))


def _run_with_timer(limit_s: float, action: Callable[[], Any]) -> Any:
    previous = signal.signal(signal.SIGALRM, _on_alarm)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        return _finish(action(), None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _on_alarm(_signal_number: int, _frame: object) -> None:
    raise OutOfTimeError


def _run_in_thread(limit_s: float, action: Callable[[], Any]) -> Any:
    outcome: list[Any] = []
    context = copy_context()

    def work() -> None:
        with suppress(OutOfTimeError):
            outcome.append(contain(lambda: context.run(action)))

    thread = threading.Thread(target=work, name="tool", daemon=True)
    thread.start()
    thread.join(limit_s)
    if not outcome:
        raise OutOfTimeError
    if isinstance(outcome[0], Crash):
        raise outcome[0].error
    return outcome[0]


def _finish(output: Any, limit_s: float | None) -> Any:
    """Return *output*, awaited if it is awaitable, on an event loop of this call's own."""
    if not inspect.isawaitable(output):
        return output
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_await(output, limit_s))
    # A loop runs in this thread (a test, a host of ours): the coroutine gets a thread with its own.
    return _run_in_thread(limit_s or threading.TIMEOUT_MAX, lambda: asyncio.run(_await(output, limit_s)))


async def _await(output: Awaitable[Any], limit_s: float | None) -> Any:
    try:
        async with asyncio.timeout(limit_s):
            return await output
    except TimeoutError:
        if limit_s is None:
            raise
        raise OutOfTimeError from None
