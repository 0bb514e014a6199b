"""LangChain's MCP adapters: each tool as LangChain's own, each call a session."""

from typing import Any

from langchain_mcp_adapters.callbacks import Callbacks
from langchain_mcp_adapters.client import MultiServerMCPClient
from report import RIGHT, TWO_SECONDS, WRONG, drive, observe, say


async def run(url: str) -> None:
    """Take each step."""
    seen = []

    async def note(done: float, _total: float | None, _message: str | None, _context: Any) -> None:
        seen.append(done)

    connection = {"transport": "streamable_http", "url": url}
    client = MultiServerMCPClient({"lab": connection}, callbacks=Callbacks(on_progress=note))
    tools = {tool.name: tool for tool in await client.get_tools()}
    say("connect", saw=True)
    say("list", saw=list(tools))
    await observe("call", call(tools["calculator"], RIGHT))
    await observe("error", call(tools["calculator"], WRONG))
    await observe("progress", progress(tools["countdown"], seen))


async def call(tool: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the calculator says, as the model would get it."""
    message = await tool.ainvoke({"name": tool.name, "args": arguments, "id": "1", "type": "tool_call"})
    content = message.content
    text = content if isinstance(content, str) else content[0]["text"]
    return {"text": text, "is_error": message.status == "error"}


async def progress(tool: Any, seen: list[float]) -> list[float]:
    """Return the progress that was reported."""
    await tool.ainvoke(TWO_SECONDS)
    return seen


drive(run)
