"""The remote room's handler, built from its environment like on Lambda, with the events of `sam local invoke`."""

import asyncio
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcpclient import ConnectionSettings
from mcpclient.approvals import ApprovalTable
from mcpclient.catalog_table import CatalogHead, CatalogTable
from mcpclient.connections import ConnectionTable
from mcpclient.review import Offer, Quarantine, approve

from functions.remote.settings import Settings
from tests.functions.discovery.rooms import Context
from tests.hostile.mcp import mcp_server
from tests.hostile.server import serve

EVENTS = Path(__file__).parents[3] / "events" / "remote"


@pytest.fixture
def environment(connections_table: Any) -> Iterator[pytest.MonkeyPatch]:
    """What the template sets; the module reads it when it is imported, so it goes with the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAMCP_CONNECTIONS_TABLE", "connections")
        patch.delitem(sys.modules, "functions.remote.app", raising=False)
        yield patch
        sys.modules.pop("functions.remote.app", None)


def answer(handler: Any, name: str) -> tuple[int, Any]:
    """Return the status and the body of the answer to one event."""
    response = handler(json.loads((EVENTS / f"{name}.json").read_text("utf-8")), Context())
    return response["statusCode"], json.loads(response["body"])


@pytest.mark.anyio
async def test_the_handler_answers_its_events(connections_table: Any, environment: pytest.MonkeyPatch) -> None:
    """An approved connection on a developer's port; and 401 where no authorizer has named anybody."""
    async with serve(mcp_server(), tls=False) as server:
        ports = frozenset({server.port})
        stored = {
            "name": "sample",
            "url": f"http://127.0.0.1:{server.port}/mcp",
            "allowed_resources": ["docs://*"],
        }
        settings = ConnectionSettings.parse(stored, loopback_ports=ports)
        ConnectionTable(connections_table, loopback_ports=ports).put(settings)
        tools = [{"name": "add", "description": "Add.", "inputSchema": {"type": "object"}}]
        offer = Offer.of("", tools)
        catalogs = CatalogTable(connections_table)
        version, pages = catalogs.put_catalog("sample", 1, {"tools": tools})
        catalogs.put_head(CatalogHead("sample", settings.url, version, pages, offer))
        approval = approve(offer, None, Quarantine(), url=settings.url)
        ApprovalTable(connections_table).put("sample", approval)
        environment.setenv("SAMCP_LOOPBACK_PORTS", str(server.port))
        handler = importlib.import_module("functions.remote.app").lambda_handler
        status, listed = await asyncio.to_thread(answer, handler, "tools_list")
        assert (status, [tool["name"] for tool in listed["result"]["tools"]]) == (200, ["sample__add"])
        status, called = await asyncio.to_thread(answer, handler, "tools_call")
        assert (status, called["result"]["content"][0]["text"]) == (200, "5")
        status, read = await asyncio.to_thread(answer, handler, "resources_read")
        assert (status, read["result"]["contents"][0]["text"]) == (200, "a text")
        status, refused = await asyncio.to_thread(answer, handler, "nobody")
        assert (status, refused["error"]["code"]) == (401, -32001)
        # The era was seen: the second call of another instance needs one request.
        row = connections_table.get_item(Key={"pk": "CONNECTION", "sk": "sample"})["Item"]
        assert json.loads(row["era"])["mode"] == "2026-07-28"


def test_a_deployed_room_has_no_loopback_port() -> None:
    """Whatever the template sets."""
    environment = {"SAMCP_CONNECTIONS_TABLE": "t", "SAMCP_LOOPBACK_PORTS": "8123"}
    assert Settings.read(environment).loopback_ports == {8123}
    assert Settings.read({**environment, "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001"}).loopback_ports == set()
