"""mcp-remote, which gives a host that only knows stdio our server: JSON-RPC lines in and out."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from report import RIGHT, TWO_SECONDS, WRONG, drive, observe

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "interop", "version": "1"},
}


class Bridge:
    """The running program."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._last_id = 0

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def request(
        self, method: str, params: dict[str, Any], notified: Callable[[dict[str, Any]], None] = lambda _: None
    ) -> dict[str, Any]:
        """Return the result of one request; *notified* gets the notifications that come before it."""
        self._last_id += 1
        self.send({"id": self._last_id, "method": method, "params": params})
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            if "method" in message:
                notified(message)
            elif message.get("id") == self._last_id:
                return message["result"]
        raise ConnectionError("mcp-remote ended")


async def run(url: str) -> None:
    """Take each step."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec("mcp-remote", url, "--allow-http", stdin=pipe, stdout=pipe)
    bridge = Bridge(process)
    await observe("connect", connect(bridge))
    await observe("list", names(bridge))
    await observe("call", call(bridge, RIGHT))
    await observe("error", call(bridge, WRONG))
    await observe("progress", progress(bridge))
    process.kill()
    await process.wait()


async def connect(bridge: Bridge) -> bool:
    """Shake hands."""
    result = await bridge.request("initialize", INITIALIZE)
    bridge.send({"method": "notifications/initialized"})
    return "tools" in result["capabilities"]


async def names(bridge: Bridge) -> list[str]:
    """Return the tools' names."""
    return [tool["name"] for tool in (await bridge.request("tools/list", {}))["tools"]]


async def call(bridge: Bridge, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the calculator says."""
    result = await bridge.request("tools/call", {"name": "calculator", "arguments": arguments})
    return {"text": result["content"][0]["text"], "is_error": result.get("isError", False)}


async def progress(bridge: Bridge) -> list[float]:
    """Return the progress that was reported."""
    seen = []

    def note(message: dict[str, Any]) -> None:
        seen.append(message["params"]["progress"])

    params = {"name": "countdown", "arguments": TWO_SECONDS, "_meta": {"progressToken": "p"}}
    await bridge.request("tools/call", params, note)
    return seen


drive(run)
