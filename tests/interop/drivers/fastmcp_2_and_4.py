"""FastMCP's client, releases 2 and 4: the same lines. It raises a tool's error."""

from typing import Any

from fastmcp import Client
from report import RIGHT, TWO_SECONDS, WRONG, drive, observe, say


async def run(url: str) -> None:
    """Take each step."""
    async with Client(url) as client:
        say("connect", saw=True)
        await observe("list", names(client))
        await observe("call", call(client, RIGHT))
        await observe("error", call(client, WRONG))
        await observe("progress", progress(client))


async def names(client: Client) -> list[str]:
    """Return the tools' names."""
    return [tool.name for tool in await client.list_tools()]


async def call(client: Client, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the calculator says."""
    result = await client.call_tool("calculator", arguments)
    return {"text": result.content[0].text, "is_error": result.is_error}


async def progress(client: Client) -> list[float]:
    """Return the progress that was reported."""
    seen = []

    async def note(done: float, _total: float | None, _message: str | None) -> None:
        seen.append(done)

    await client.call_tool("countdown", TWO_SECONDS, progress_handler=note)
    return seen


drive(run)
