"""A host's client against the built functions: HTTP, API Gateway's part, Lambda's runtime, the artefact."""

import asyncio
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from mcp import Client

from local.built_functions import emulator_runtime
from tests.local.served import Server, serving

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """`make run RIE=1`."""
    template = ROOT / "template.yaml"
    with serving(template, make_runtime=functools.partial(emulator_runtime, template)) as found:
        yield found


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_lists_and_calls_the_built_tools(server: Server, mode: Literal["auto", "legacy"]) -> None:
    """The issue: mcp 2.3's client in both eras, progress and tool errors included."""

    async def use() -> None:
        seen: list[float] = []

        async def keep(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        async with Client(f"http://127.0.0.1:{server.port}/lab/mcp", mode=mode) as client:
            assert "calculator" in [tool.name for tool in (await client.list_tools()).tools]
            assert not (await client.call_tool("calculator", {"expression": "2 ** 10 + 5"})).is_error
            await client.call_tool("countdown", {"seconds": 1}, progress_callback=keep)
            assert seen
            assert (await client.call_tool("calculator", {})).is_error

    asyncio.run(use())


def test_calls_side_by_side_each_have_an_instance(server: Server) -> None:
    """An emulator takes one request at a time: two at once crash it."""

    async def call(number: int) -> int:
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/list"}
        answer = await asyncio.to_thread(server.post, "/lab/mcp", message)
        return int(answer.json()["id"])

    async def together() -> list[int]:
        return await asyncio.gather(*map(call, range(8)))

    assert asyncio.run(together()) == list(range(8))
