"""Connections in DynamoDB."""

import json
from typing import Any

import pytest
from mcpclient import ConnectionSettings, EraMemory, MCPClientConfigurationError
from mcpclient.connections import ConnectionTable
from mcpclient.eras import HANDSHAKE_MODE, Era


def named(name: str, **settings: Any) -> ConnectionSettings:
    """Return a connection."""
    return ConnectionSettings(name=name, url="https://mcp.example.com/mcp", **settings)


def test_what_was_put_is_got(connections_table: Any) -> None:
    """All of it."""
    connections = ConnectionTable(connections_table)
    stored = named("docs", auth={"scheme": "bearer"}, timeout_s=2.5, allowed_tools=["read_*"], limits={"pages": 3})
    connections.put(stored)
    assert connections.get("docs") == stored


def test_connections_are_listed_by_name_across_pages(connections_table: Any) -> None:
    """A page of DynamoDB's ends at 1 MB."""
    connections = ConnectionTable(connections_table)
    names = [f"c{number:03}" for number in range(30)]
    for name in reversed(names):
        connections.put(named(name, headers={f"X-{number}": "x" * 1024 for number in range(20)}, owner=name))
    pages = ConnectionTable(OnePageAtATime(connections_table))
    assert [connection.name for connection in pages.list()] == names


def test_a_removed_one_is_gone(connections_table: Any) -> None:
    """And a second removal says so."""
    connections = ConnectionTable(connections_table)
    connections.put(named("docs"))
    connections.remove("docs")
    for action in (connections.get, connections.remove):
        with pytest.raises(MCPClientConfigurationError):
            action("docs")


def test_adding_does_not_overwrite(connections_table: Any) -> None:
    """Two operators, one name."""
    connections = ConnectionTable(connections_table)
    connections.put(named("docs", owner="one"), replace=False)
    with pytest.raises(MCPClientConfigurationError):
        connections.put(named("docs", owner="two"), replace=False)
    connections.put(named("docs", owner="three"))
    assert connections.get("docs").owner == "three"


def test_an_invalid_one_is_not_written(connections_table: Any) -> None:
    """`model_copy` checks nothing."""
    changed = named("docs").model_copy(update={"url": "https://10.0.0.1/"})
    with pytest.raises(MCPClientConfigurationError):
        ConnectionTable(connections_table).put(changed)


@pytest.mark.parametrize(
    "settings",
    [
        *("{}", "null", "not json", json.dumps({"name": "a", "url": "https://10.0.0.1/"}), "[" * 100_000),
        *(None, 5, b"{}", {"name": "a"}, named("docs").model_dump_json()),
    ],
)
def test_what_is_stored_is_checked_again(connections_table: Any, settings: Any) -> None:
    """Somebody, or an older release, has written the row: it is not used, and does not hide the others."""
    connections = ConnectionTable(connections_table)
    connections.put(named("docs"))
    connections_table.put_item(Item={"pk": "CONNECTION", "sk": "a", "settings": settings})
    with pytest.raises(MCPClientConfigurationError):
        connections.get("a")
    assert [connection.name for connection in connections.list()] == ["docs"]


class OnePageAtATime:
    """A table whose pages have seven rows."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def query(self, **request: Any) -> Any:
        """Read seven rows."""
        return self._table.query(**request, Limit=7)


def test_the_era_is_remembered_in_the_connections_row(connections_table: Any) -> None:
    """Another instance starts with what this one has seen; a forgotten era is forgotten there too."""
    docs = named("docs")
    here, there = EraMemory(), EraMemory()
    connections = ConnectionTable(connections_table, eras=here)
    connections.put(docs)
    connections.get("docs")
    connections.remember_era(docs)
    here.remember(docs.url, Era(HANDSHAKE_MODE))
    here.remember_header_tools(docs.url, ["add"])
    connections.remember_era(docs)
    assert ConnectionTable(connections_table, eras=there).get("docs") == docs
    assert there.recall(docs.url) == Era(HANDSHAKE_MODE)
    assert there.is_header_tool(docs.url, "add")
    here.forget(docs.url)
    connections.remember_era(docs)
    elsewhere = EraMemory()
    ConnectionTable(connections_table, eras=elsewhere).get("docs")
    assert elsewhere.recall(docs.url) == Era()


@pytest.mark.parametrize(
    "era",
    [
        "no JSON",
        "[]",
        {"url": "https://other.example.com/mcp", "mode": HANDSHAKE_MODE},
        {"url": "https://mcp.example.com/mcp", "mode": "2026-07-28", "discovered": None},
        {"url": "https://mcp.example.com/mcp", "mode": "2026-07-28", "discovered": {"a": 1}},
        {"url": "https://mcp.example.com/mcp", "mode": "auto"},
    ],
)
def test_an_era_that_was_never_seen_is_not_taken(connections_table: Any, era: Any) -> None:
    """PROTOCOL: pinning wrongly runs the tool and then rejects its result."""
    eras = EraMemory()
    connections = ConnectionTable(connections_table, eras=eras)
    connections.put(named("docs"))
    text = era if isinstance(era, str) else json.dumps(era)
    connections_table.update_item(
        Key={"pk": "CONNECTION", "sk": "docs"},
        UpdateExpression="SET era = :era",
        ExpressionAttributeValues={":era": text},
    )
    connections.get("docs")
    assert eras.recall("https://mcp.example.com/mcp") == Era()


def test_an_era_never_brings_a_removed_connection_back(connections_table: Any) -> None:
    """A call that was under way while an operator removed it."""
    eras = EraMemory()
    connections = ConnectionTable(connections_table, eras=eras)
    eras.remember(named("docs").url, Era(HANDSHAKE_MODE))
    connections.remember_era(named("docs"))
    assert connections.list() == []


def test_an_era_that_is_large_is_not_stored(connections_table: Any) -> None:
    """It is a stranger's text, read with each call."""
    eras = EraMemory()
    connections = ConnectionTable(connections_table, eras=eras)
    connections.put(named("docs"))
    eras.remember(named("docs").url, Era(HANDSHAKE_MODE))
    eras.remember_header_tools(named("docs").url, ["x" * 40_000])
    connections.remember_era(named("docs"))
    assert "era" not in connections_table.get_item(Key={"pk": "CONNECTION", "sk": "docs"})["Item"]
