"""The OpenAI Agents SDK's MCP client, without an agent. It has no progress callback."""

from typing import Any

from agents.mcp import MCPServerStreamableHttp
from report import RIGHT, STEP_WITHIN_S, TWO_SECONDS, WRONG, drive, observe, say


async def run(url: str) -> None:
    """Take each step."""
    parameters = {"url": url, "timeout": STEP_WITHIN_S}
    async with MCPServerStreamableHttp(parameters, client_session_timeout_seconds=STEP_WITHIN_S) as server:
        say("connect", saw=True)
        await observe("list", names(server))
        await observe("call", call(server, RIGHT))
        await observe("error", call(server, WRONG))
        await observe("progress", slow_call(server))


async def names(server: MCPServerStreamableHttp) -> list[str]:
    """Return the tools' names."""
    return [tool.name for tool in await server.list_tools()]


async def call(server: MCPServerStreamableHttp, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the calculator says."""
    result = await server.call_tool("calculator", arguments)
    return {"text": result.content[0].text, "is_error": result.is_error}


async def slow_call(server: MCPServerStreamableHttp) -> None:
    """Wait for a slow tool: nothing is shown meanwhile."""
    await server.call_tool("countdown", TWO_SECONDS)


drive(run)
