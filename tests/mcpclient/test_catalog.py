"""Catalogs, as stored."""

import json

from mcpclient import MCPServerCatalog, MCPToolInfo


def test_a_catalog_survives_storage() -> None:
    """`to_dict` is JSON, `from_dict` its inverse."""
    tool = MCPToolInfo("add", "Add.", "Adding", {"type": "object"}, read_only=True, destructive=False)
    catalog = MCPServerCatalog("2026-07-28", "sample", "1.0", "Adds.", has_tools=True, tools=[tool])
    assert MCPServerCatalog.from_dict(json.loads(json.dumps(catalog.to_dict()))) == catalog


def test_what_an_older_release_stored_can_be_read() -> None:
    """Missing and unknown members are no error."""
    catalog = MCPServerCatalog.from_dict({"tools": [{"name": "add", "description": None}], "added_later": 1})
    assert catalog == MCPServerCatalog(tools=[MCPToolInfo("add")])
    assert MCPServerCatalog.from_dict({}) == MCPServerCatalog()
