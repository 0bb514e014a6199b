"""What every Python driver shares: the arguments of the calls, and a line of JSON for each step."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

RIGHT = {"expression": "2 ** 10 + 5"}
WRONG = {"expression": "two plus two"}
TWO_SECONDS = {"seconds": 2}
STEP_WITHIN_S = 90


def say(step: str, **observation: Any) -> None:
    """Print one step's line."""
    print(json.dumps({"step": step, **observation}), flush=True)


async def observe(step: str, seeing: Awaitable[Any]) -> None:
    """Wait for what *step* sees and print it, or what it raised."""
    try:
        async with asyncio.timeout(STEP_WITHIN_S):
            say(step, saw=await seeing)
    except Exception as error:
        say(step, raised=describe(error))


def drive(driver: Callable[[str], Awaitable[None]]) -> None:
    """Run *driver* with the server's URL; whatever it raises is a connection that failed."""
    try:
        asyncio.run(driver(sys.argv[1]))
    except Exception as error:
        say("connect", raised=describe(error))


def describe(error: BaseException) -> str:
    """Return an error's words, those inside groups included."""
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else []
    return "; ".join([f"{type(error).__name__}: {error}", *map(describe, inner)])
