"""Stops what would run for minutes: a guard against work that grows with the square of its input, no measurement."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooLongError(Exception):
    """It was stopped."""


@contextmanager
def stopped_after(cpu_s: float) -> Iterator[None]:
    """Raise TooLongError once *cpu_s* seconds of this process's own time are used: ten times what it should need."""

    def stop(*_: object) -> None:
        raise TooLongError

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)
