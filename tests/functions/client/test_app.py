"""The client room's handler, built from its environment like on Lambda."""

import asyncio
import importlib
from typing import Any

import pytest
from mcpclient import ConnectionSettings
from mcpclient.connections import ConnectionTable

from functions.client.settings import Settings
from tests.functions.client.test_caller import Context, approved, discovered, event
from tests.hostile.mcp import mcp_server
from tests.hostile.server import serve


@pytest.mark.anyio
async def test_the_handler_answers(connections_table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a developer's port open, and the table that the template would name."""
    async with serve(mcp_server(), tls=False) as server:
        ports = frozenset({server.port})
        stored = {"name": "sample", "url": f"http://127.0.0.1:{server.port}/mcp"}
        ConnectionTable(connections_table, loopback_ports=ports).put(
            ConnectionSettings.parse(stored, loopback_ports=ports)
        )
        discovered(connections_table, stored["url"])
        approved(connections_table, stored["url"])
        monkeypatch.setenv("SAMCP_CONNECTIONS_TABLE", "connections")
        monkeypatch.setenv("SAMCP_LOOPBACK_PORTS", str(server.port))
        app = importlib.import_module("functions.client.app")
        answer = await asyncio.to_thread(app.lambda_handler, event("call_tool"), Context())
    assert answer == {"result": {"text": "5", "is_error": False}}


def test_a_deployed_room_has_no_loopback_port() -> None:
    """Whatever the template sets."""
    environment = {"SAMCP_CONNECTIONS_TABLE": "t", "SAMCP_LOOPBACK_PORTS": "8123"}
    assert Settings.read(environment).loopback_ports == {8123}
    assert Settings.read({**environment, "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001"}).loopback_ports == set()
