"""The Inspector's command line: one run, and one connection, a step. It shows no progress."""

import asyncio
import json
from typing import Any

from report import RIGHT, TWO_SECONDS, WRONG, drive, observe


async def run(url: str) -> None:
    """Take each step."""
    await observe("connect", connect(url))
    await observe("list", names(url))
    await observe("call", call(url, "calculator", RIGHT))
    await observe("error", call(url, "calculator", WRONG))
    await observe("progress", slow_call(url))


async def inspect(url: str, *options: str) -> dict[str, Any]:
    """Return the JSON that one run prints."""
    pipe = asyncio.subprocess.PIPE
    command = ["mcp-inspector", "--cli", url, "--transport", "http", *options]
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    output, errors = await process.communicate()
    try:
        return json.loads(output)
    except ValueError:
        raise RuntimeError((output + errors).decode()[-500:]) from None


async def connect(url: str) -> bool:
    """Look whether a list comes at all."""
    return bool(await inspect(url, "--method", "tools/list"))


async def names(url: str) -> list[str]:
    """Return the tools' names."""
    return [tool["name"] for tool in (await inspect(url, "--method", "tools/list"))["tools"]]


async def call(url: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a tool says."""
    pairs = [text for name, value in arguments.items() for text in ("--tool-arg", f"{name}={value}")]
    result = await inspect(url, "--method", "tools/call", "--tool-name", tool, *pairs)
    return {"text": result["content"][0]["text"], "is_error": result.get("isError", False)}


async def slow_call(url: str) -> None:
    """Wait for a slow tool: nothing is shown meanwhile."""
    await call(url, "countdown", TWO_SECONDS)


drive(run)
