"""What MCP adds to the guarded transport."""

import anyio
import httpx2
import pytest
from guardedhttp import BlockedURLError, client_of
from mcpclient import ConnectionLimits
from mcpclient.attempt import Attempt
from mcpclient.transport import MCPTransport

from tests.hostile.mcp import URL
from tests.hostile.server import Hostile, always, serve

pytestmark = pytest.mark.anyio


def client_to(server: Hostile, attempt: Attempt) -> httpx2.AsyncClient:
    """Return a client whose headers carry a credential for `URL`."""
    transport = MCPTransport(URL, attempt, kind="streamable-http", limits=ConnectionLimits(), network=server.network())
    return client_of(transport, timeout_s=5, headers={"Authorization": "Bearer canary"})


@pytest.mark.parametrize("url", ["https://other.example.com/mcp", "http://mcp.example.com/mcp"])
async def test_a_request_to_another_origin_ends_the_attempt(url: str) -> None:
    """Whatever the SDK may come to think of, the credential stays at its origin."""
    async with serve(always(200)) as server:
        attempt = Attempt(anyio.current_time() + 600)
        with anyio.fail_after(30), attempt.scope:
            async with client_to(server, attempt) as client:
                with pytest.raises(BlockedURLError):
                    await client.post(url)
                await anyio.sleep(600)
    assert attempt.scope.cancelled_caught
    assert isinstance(attempt.refusal, BlockedURLError)
    assert server.dialled == []


async def test_the_status_of_a_message_is_noted_and_that_of_closing_is_not() -> None:
    """The DELETE that ends a session comes last, and says nothing about the call."""
    async with serve(always(503)) as server:
        attempt = Attempt(anyio.current_time() + 5)
        async with client_to(server, attempt) as client:
            assert (await client.get(URL)).status_code == 405
            assert attempt.http_status is None
            await client.delete(URL)
            assert attempt.failed_status is None
            await client.post(URL)
    assert attempt.failed_status == 503
