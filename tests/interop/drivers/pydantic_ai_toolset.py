"""Pydantic AI's toolset, without an agent. It raises a tool's error, so that its model tries again."""

from typing import Any

from pydantic_ai.mcp import MCPToolset
from report import RIGHT, TWO_SECONDS, WRONG, drive, observe, say


async def run(url: str) -> None:
    """Take each step."""
    seen = []

    async def note(done: float, _total: float | None, _message: str | None) -> None:
        seen.append(done)

    async with MCPToolset(url, progress_handler=note) as toolset:
        say("connect", saw=True)
        await observe("list", names(toolset))
        await observe("call", call(toolset, RIGHT))
        await observe("error", call(toolset, WRONG))
        await observe("progress", progress(toolset, seen))


async def names(toolset: MCPToolset) -> list[str]:
    """Return the tools' names."""
    return [tool.name for tool in await toolset.list_tools()]


async def call(toolset: MCPToolset, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the calculator says; it shows no `isError`."""
    # A text that is JSON comes as its value.
    return {"text": str(await toolset.direct_call_tool("calculator", arguments)), "is_error": None}


async def progress(toolset: MCPToolset, seen: list[float]) -> list[float]:
    """Return the progress that was reported."""
    await toolset.direct_call_tool("countdown", TWO_SECONDS)
    return seen


drive(run)
