"""The `countdown` tool: slow on purpose, so that a host can show progress."""

import asyncio
from collections.abc import Awaitable, Callable

from pydantic import BaseModel, Field

from mcpserver import MCPToolBase


class Arguments(BaseModel):
    """What `countdown` takes."""

    seconds: int = Field(ge=1, le=20, description="How long to count, from 1 to 20.")


class Countdown(MCPToolBase[Arguments]):
    """Counts seconds and reports each one."""

    name = "countdown"
    title = "Countdown"
    description = (
        "Count down some seconds and report progress each second (timer, wait, delay). "
        "Use it to try how a host shows a slow tool; never to wait for something."
    )
    arguments_model = Arguments

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._sleep = sleep

    async def run(self, arguments: Arguments) -> str:
        """Return once the seconds are over."""
        context = self.context
        for second in range(1, arguments.seconds + 1):
            await self._sleep(1)
            context.report_progress(second, arguments.seconds, f"{arguments.seconds - second} s left")
        return f"Counted {arguments.seconds} s."
