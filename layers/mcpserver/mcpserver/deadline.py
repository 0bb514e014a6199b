"""Stop a tool before the platform stops the whole call: the model then learns why, and the client gets an answer.

On the main thread (where Lambda runs a handler) a timer signal interrupts the tool. Elsewhere (the local gateway's
worker threads) the tool runs in a thread of its own and is left behind. A coroutine is cancelled.
"""

import atexit
import inspect
import signal
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Final

from mcpserver.containment import Crash, contain
from mcpserver.errors import OutOfTimeError, ToolStoppedError

MARGIN_S: Final = 0.5
"""Kept back from the platform's limit, for writing the answer."""

GRACE_S: Final = 0.2
"""What a cancelled coroutine has for its own cleaning up."""

AGAIN_S: Final = 0.1
"""How soon a tool that swallowed its end is ended again."""


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
    if threading.get_ident() == threading.main_thread().ident:
        return _run_with_timer(limit_s, action)
    return _run_in_thread(limit_s, lambda: _finish(action(), limit_s))


class _Watchdog:
    """One timer for every call of the process. Arming it for each call would cost two system calls.

    While one is armed, a call only notes its own deadline; the alarm that then comes too early is set again.
    """

    def __init__(self) -> None:
        self.deadline_s: float | None = None
        """The running tool's, on `time.monotonic`'s clock; None: no tool runs."""
        self._alarm_s = 0.0

    def start(self, limit_s: float) -> None:
        """Raise `OutOfTimeError` in the main thread after *limit_s*, and again while `deadline_s` is past."""
        now_s, outer_s = time.monotonic(), self.deadline_s
        self.deadline_s = now_s + limit_s if outer_s is None else min(outer_s, now_s + limit_s)
        if not now_s < self._alarm_s <= self.deadline_s:
            self._arm(limit_s)

    def extend(self, grace_s: float) -> None:
        """Leave the running call *grace_s* more: something gentler ends it."""
        if self.deadline_s is not None:
            self.deadline_s += grace_s

    def _arm(self, limit_s: float) -> None:
        # Another library may have taken the signal since: an alarm without a handler is the process's death.
        if signal.getsignal(signal.SIGALRM) != self._on_alarm:
            signal.signal(signal.SIGALRM, self._on_alarm)
            # A process that is ending has no handler any more, either.
            atexit.unregister(_disarm)
            atexit.register(_disarm)
        self._alarm_s = time.monotonic() + limit_s
        # Repeated: a signal that comes just before a thread goes to sleep does not wake it, and is handled by the next.
        signal.setitimer(signal.ITIMER_REAL, limit_s, AGAIN_S)

    def _on_alarm(self, _signal_number: int, _frame: object) -> None:
        if self.deadline_s is None:
            self._alarm_s = 0.0
            _disarm()
            return
        remaining_s = self.deadline_s - time.monotonic()
        if remaining_s <= 0:
            raise OutOfTimeError
        self._arm(remaining_s)


def _disarm() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)


_watchdog: Final = _Watchdog()


def _run_with_timer(limit_s: float, action: Callable[[], Any]) -> Any:
    outer_s = _watchdog.deadline_s
    # Twice: an alarm may come in the inner `finally`, before its assignment; the next is at least `AGAIN_S` away.
    try:
        try:
            _watchdog.start(limit_s)
            output = action()
            if type(output) is str or not inspect.isawaitable(output):
                return output
            # A coroutine is cancelled at its time; the alarm is for one that goes on all the same.
            _watchdog.extend(GRACE_S)
            return _finish(output, limit_s)
        finally:
            _watchdog.deadline_s = outer_s
    finally:
        _watchdog.deadline_s = outer_s


def _run_in_thread(limit_s: float, action: Callable[[], Any]) -> Any:
    outcome: list[Any] = []
    context = copy_context()

    def work() -> None:
        try:
            outcome.append(contain(lambda: context.run(action)))
        except ToolStoppedError as stop:
            outcome.append(stop)

    thread = threading.Thread(target=work, name="tool", daemon=True)
    thread.start()
    thread.join(limit_s)
    if not outcome:
        raise OutOfTimeError
    if isinstance(outcome[0], Crash):
        raise outcome[0].error
    if isinstance(outcome[0], ToolStoppedError):
        raise outcome[0]
    return outcome[0]


def _finish(output: Any, limit_s: float | None) -> Any:
    """Return *output*, awaited if it is awaitable."""
    if type(output) is str or not inspect.isawaitable(output):
        return output
    # asyncio takes 35 ms to load: only a server with asynchronous tools pays for it.
    from mcpserver.coroutines import run_in_own_loop, runs_in_loop  # noqa: PLC0415

    if not runs_in_loop():
        return run_in_own_loop(output, limit_s)
    # A loop runs in this thread (a test, a host of ours): the coroutine gets a thread with its own.
    return _run_in_thread(limit_s or threading.TIMEOUT_MAX, lambda: run_in_own_loop(output, limit_s))
