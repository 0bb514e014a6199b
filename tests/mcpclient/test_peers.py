"""The client against servers that others have written, and against our own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from guardedhttp import Network
from mcp.server.mcpserver import MCPServer
from mcpclient import CLIENT_VERSION, ConnectionSettings, EraMemory, MCPServerConnection

from functions.lab.app import lambda_handler
from mcpserver import SERVER_VERSION
from tests.hostile.mcp import connection
from tests.hostile.server import Request, respond, serve

pytestmark = pytest.mark.anyio


def test_both_halves_are_of_one_release() -> None:
    """They do not import each other, so a test compares."""
    assert CLIENT_VERSION == SERVER_VERSION


async def lab(request: Request, writer: asyncio.StreamWriter) -> None:
    """Answer as the lab's Lambda handler does."""
    event = {
        "httpMethod": request.method,
        "path": "/lab/mcp",
        "resource": "/lab/mcp",
        "headers": request.headers,
        "body": request.body.decode(),
        "isBase64Encoded": False,
        "requestContext": {"stage": "prod", "resourcePath": "/lab/mcp", "httpMethod": request.method},
    }
    answer: dict[str, Any] = await asyncio.to_thread(lambda_handler, event, None)
    body = (answer.get("body") or "").encode()
    headers = {name.replace("-", "_"): value for name, value in (answer.get("headers") or {}).items()}
    writer.write(respond(answer["statusCode"], body, **headers))


async def test_our_own_server() -> None:
    """Both halves of the project, over TLS: the calculator, called from outside."""
    async with serve(lab) as server:
        remote = connection(server)
        catalog = await remote.discover()
        result = await remote.call_tool("calculator", {"expression": "2 ** 10 + 5"})
    assert "calculator" in {tool.name for tool in catalog.tools}
    assert (result.text, result.is_error) == ("1029", False)


@asynccontextmanager
async def sdk_server(transport: str) -> AsyncIterator[int]:
    """Serve the SDK's own server on a port of loopback."""
    peer = MCPServer("peer", instructions="Adds.")

    @peer.tool()
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @peer.resource("docs://{name}")
    def document(name: str) -> str:
        """Return a document."""
        return f"about {name}"

    app = peer.sse_app() if transport == "sse" else peer.streamable_http_app()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none"))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await task


@pytest.mark.parametrize(("transport", "path"), [("streamable-http", "/mcp"), ("sse", "/sse")])
async def test_the_sdks_server(transport: str, path: str) -> None:
    """Both transports, through the development setting for loopback."""
    async with sdk_server(transport) as port:
        ports = frozenset({port})
        stored = {
            "name": "peer",
            "url": f"http://127.0.0.1:{port}{path}",
            "transport": transport,
            "allowed_resources": ["docs://*"],
        }
        settings = ConnectionSettings.parse(stored, loopback_ports=ports)
        remote = MCPServerConnection(settings, network=Network(loopback_ports=ports), eras=EraMemory())
        catalog = await remote.discover()
        assert [tool.name for tool in catalog.tools] == ["add"]
        assert (await remote.call_tool("add", {"a": 2, "b": 3})).text == "5"
        assert await remote.read_resource("docs://lambda") == "about lambda"
