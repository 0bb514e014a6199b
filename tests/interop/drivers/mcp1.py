"""The Python SDK 1.x."""

from typing import Any

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from report import RIGHT, TWO_SECONDS, WRONG, drive, observe, say


async def run(url: str) -> None:
    """Take each step."""
    async with streamablehttp_client(url) as (reading, writing, _), ClientSession(reading, writing) as session:
        await session.initialize()
        say("connect", saw=True)
        await observe("list", names(session))
        await observe("call", call(session, RIGHT))
        await observe("error", call(session, WRONG))
        await observe("progress", progress(session))


async def names(session: ClientSession) -> list[str]:
    """Return the tools' names."""
    return [tool.name for tool in (await session.list_tools()).tools]


async def call(session: ClientSession, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the calculator says."""
    result = await session.call_tool("calculator", arguments)
    return {"text": result.content[0].text, "is_error": result.isError}


async def progress(session: ClientSession) -> list[float]:
    """Return the progress that was reported."""
    seen = []

    async def note(done: float, _total: float | None, _message: str | None) -> None:
        seen.append(done)

    await session.call_tool("countdown", TWO_SECONDS, progress_callback=note)
    return seen


drive(run)
