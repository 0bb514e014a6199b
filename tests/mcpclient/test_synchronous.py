"""`run_sync`, with and without a running loop."""

import asyncio
from contextvars import ContextVar

import pytest
from mcpclient import run_sync

current: ContextVar[str] = ContextVar("current", default="none")


async def read() -> str:
    """Return what the caller has set."""
    await asyncio.sleep(0)
    return current.get()


async def fail() -> None:
    """Raise."""
    raise LookupError("no")


def test_without_a_loop() -> None:
    """A Lambda handler."""
    assert run_sync(read()) == "none"


def test_inside_a_running_loop() -> None:
    """A notebook, or a handler inside an async server; the context is the caller's."""

    async def outer() -> str:
        current.set("mine")
        return run_sync(read())

    assert asyncio.run(outer()) == "mine"


def test_errors_come_through() -> None:
    """As they are."""

    async def outer() -> None:
        run_sync(fail())

    with pytest.raises(LookupError):
        run_sync(fail())
    with pytest.raises(LookupError):
        asyncio.run(outer())
