"""Discoveries of one connection side by side: SQS delivers a message more than once."""

from typing import Any

import pytest
from mcpclient import MCPClientConnectionError
from mcpclient.catalog import MCPServerCatalog
from mcpclient.discovery import Discovery

from functions.discovery.recorder import Recorder
from tests.functions.discovery.rooms import Rooms
from tests.hostile.tools import named

pytestmark = pytest.mark.anyio


def discovery(*tools: dict[str, Any]) -> Discovery:
    """Return what a server with *tools* was found to offer."""
    return Discovery(MCPServerCatalog(has_tools=True), list(tools))


async def test_the_slower_of_two_discoveries_changes_nothing_of_the_faster(connections_table: Any) -> None:
    """A server that answers them differently would have its other text shown under the approved fingerprint."""
    rooms = Rooms(connections_table, {})
    rooms.put("docs")
    docs = rooms.connections.get("docs")
    one, two = (Recorder(rooms.catalogs, rooms.approvals, now_s=lambda: rooms.now_s) for _ in range(2))
    fast = one.compare(docs, discovery(named("read", "Honest.")))
    slow = two.compare(docs, discovery(named("read", "Not honest.")))
    one.keep(fast)
    with pytest.raises(MCPClientConnectionError):
        two.keep(slow)
    rooms.approve("docs")
    listed = (await rooms.ask("tools/list"))["tools"]
    assert [tool["description"] for tool in listed] == ["Honest."]
    again = two.compare(docs, discovery(named("read", "Not honest.")))
    two.keep(again)
    assert again.news == {"read": "changed"}
    assert await rooms.tools() == []


async def test_versions_that_nobody_names_are_forgotten_with_the_others(connections_table: Any) -> None:
    """Ten are kept, those of the losers among them."""
    rooms = Rooms(connections_table, {})
    rooms.put("docs")
    docs = rooms.connections.get("docs")
    recorder = Recorder(rooms.catalogs, rooms.approvals, now_s=lambda: rooms.now_s)
    for number in range(12):
        lost = recorder.compare(docs, discovery(named("read", f"Lost {number}.")))
        kept = recorder.compare(docs, discovery(named("read", f"Kept {number}.")))
        recorder.keep(kept)
        assert kept.head.version == lost.head.version + 1
    assert rooms.catalogs.versions("docs") == list(range(15, 25))
