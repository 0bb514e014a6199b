"""What hostile servers say of themselves and of their tools."""

from typing import Any

import pytest
from mcpclient import MCPClientConnectionError

from tests.hostile.mcp import TOOL, connection, mcp_server, text_result
from tests.hostile.server import serve

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("cursor", ["always", "counting"])
async def test_endless_pages(cursor: str) -> None:
    """A list that goes round in a circle, or on for ever: 20 pages at most."""
    pages = 0

    def page(_message: Any) -> dict[str, Any]:
        nonlocal pages
        pages += 1
        tools = [{**TOOL, "name": f"t{pages}"}]
        following = "again" if cursor == "always" else str(pages)
        return {"tools": tools, "nextCursor": following, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}

    async with serve(mcp_server({"tools/list": page})) as server:
        catalog = await connection(server).discover()
    assert len(catalog.tools) == pages == (2 if cursor == "always" else 20)


async def test_too_many_tools() -> None:
    """500 at most, the first ones."""
    tools = [{**TOOL, "name": f"t{number}"} for number in range(700)]
    listed = {"tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    async with serve(mcp_server({"tools/list": lambda _message: listed})) as server:
        catalog = await connection(server).discover()
    assert len(catalog.tools) == 500


async def test_hostile_names() -> None:
    """Escapes, line breaks, reordering, an empty name, a long one, the same one twice: none can be shown."""
    names = ["add", "\x1b[31mred", "two\nlines", "\u202egnp.exe", "", "x" * 300, "add", "zero\u200bwidth", "caf\u00e9"]
    names.append("(instructions)")
    listed = {"tools": [{**TOOL, "name": name} for name in names], "resultType": "complete"}
    handlers = {"tools/list": lambda _message: {**listed, "ttlMs": 0, "cacheScope": "private"}}
    async with serve(mcp_server(handlers)) as server:
        catalog = await connection(server).discover()
    assert [tool.name for tool in catalog.tools] == ["add", "caf\u00e9"]


_SCHEMA = {"type": "object"}
_BROKEN: dict[str, Any] = {
    "no object": "bad",
    "null": None,
    "a list": [],
    "no name": {"inputSchema": _SCHEMA},
    "a number as name": {"name": 7, "inputSchema": _SCHEMA},
    "no schema": {"name": "bad"},
    "null as schema": {"name": "bad", "inputSchema": None},
    "a schema that is true": {"name": "bad", "inputSchema": True},
    "a schema that is a text": {"name": "bad", "inputSchema": "x"},
    "a number as description": {**TOOL, "name": "bad", "description": 7},
    "a list as title": {**TOOL, "name": "bad", "title": []},
    "a list as annotations": {**TOOL, "name": "bad", "annotations": []},
    "a wrong hint": {**TOOL, "name": "bad", "annotations": {"readOnlyHint": "maybe"}},
    "a text as icons": {**TOOL, "name": "bad", "icons": "x"},
    "a number as _meta": {**TOOL, "name": "bad", "_meta": 3},
    "a text as output schema": {**TOOL, "name": "bad", "outputSchema": "x"},
    "an infinite default": {**TOOL, "name": "bad", "inputSchema": {**_SCHEMA, "default": float("inf")}},
    "no number": {**TOOL, "name": "bad", "inputSchema": {**_SCHEMA, "default": float("nan")}},
}
_BROKEN_IN: dict[bool, dict[str, Any]] = {
    True: {"a wrong header": {"name": "bad", "inputSchema": {**_SCHEMA, "properties": {"a": {"x-mcp-header": "A b"}}}}},
    False: {
        "no type": {"name": "bad", "inputSchema": {}},
        "a list of types": {"name": "bad", "inputSchema": {"type": ["object", "null"]}},
        "another type": {"name": "bad", "inputSchema": {"type": "string"}},
        "a list as properties": {"name": "bad", "inputSchema": {**_SCHEMA, "properties": []}},
        "a text as required": {"name": "bad", "inputSchema": {**_SCHEMA, "required": "a"}},
        "an output of no type": {**TOOL, "name": "bad", "outputSchema": {}},
    },
}


@pytest.mark.parametrize(
    ("modern", "bad"),
    [
        pytest.param(modern, bad, id=f"{'modern' if modern else 'handshake'}, {kind}")
        for modern in (True, False)
        for kind, bad in {**_BROKEN, **_BROKEN_IN[modern]}.items()
    ],
)
async def test_a_tool_that_is_none_hides_no_other(modern: bool, bad: Any) -> None:  # noqa: FBT001 -- a case
    """The SDK refuses the whole page: one such tool would keep every change of the others from being seen."""
    listed = {"tools": [bad, TOOL], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    async with serve(mcp_server({"tools/list": lambda _message: listed}, modern=modern)) as server:
        discovery = await connection(server).discover_in_full()
    assert [tool["name"] for tool in discovery.tools] == ["add"]
    assert discovery.unusable.count == 1
    assert discovery.unusable.named.keys() <= {"bad", ""}


@pytest.mark.parametrize("page", [{"tools": 7}, {"tools": {"add": TOOL}}, {}, {"tools": [TOOL], "nextCursor": 7}])
async def test_a_page_that_is_none_is_an_error(page: dict[str, Any]) -> None:
    """Nothing can be taken from it: the discovery fails, and its alarm rings."""
    listed = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **page}
    async with serve(mcp_server({"tools/list": lambda _message: listed})) as server:
        with pytest.raises(MCPClientConnectionError) as caught:
            await connection(server).discover()
    assert caught.value.code == "invalid_answer"


async def test_of_many_broken_tools_the_first_are_named() -> None:
    """They are counted whole; what is stored of them has an end, and no escapes."""
    tools = [{"name": f"b\x1b{number}"} for number in range(10_000)]
    listed = {"tools": [*tools, TOOL], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    async with serve(mcp_server({"tools/list": lambda _message: listed})) as server:
        discovery = await connection(server).discover_in_full()
    assert (len(discovery.tools), discovery.unusable.count, len(discovery.unusable.named)) == (1, 10_000, 20)
    assert "b0" in discovery.unusable.named


async def test_a_tool_with_headers_is_called_beside_a_broken_one() -> None:
    """It is listed before the call, so that the SDK knows its headers."""
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    listed = {
        "tools": [{"name": "bad"}, {**TOOL, "inputSchema": schema}],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }
    handlers = {"tools/list": lambda _message: listed, "tools/call": lambda _message: text_result("fine")}
    async with serve(mcp_server(handlers)) as server:
        remote = connection(server)
        await remote.discover()
        assert (await remote.call_tool("add", {"region": "north"})).text == "fine"
    assert server.requests[-1].headers["mcp-param-region"] == "north"


async def test_a_catalog_that_fills_the_worker() -> None:
    """Ten connections share its memory: 4 MiB each, and no tool that no list could carry."""
    pages = 0

    def page(_message: Any) -> dict[str, Any]:
        nonlocal pages
        pages += 1
        tools = [{**TOOL, "name": f"t{pages}_{number}", "description": "x" * 200_000} for number in range(6)]
        tools.append({**TOOL, "name": f"huge{pages}", "description": "x" * 300_000})
        return {"tools": tools, "nextCursor": str(pages), "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}

    async with serve(mcp_server({"tools/list": page})) as server:
        discovery = await connection(server).discover_in_full()
    assert (pages, len(discovery.tools), discovery.unusable.count) == (3, 17, 2)
    assert sum(len(str(tool)) for tool in discovery.tools) < 4 * 1024 * 1024


async def test_names_that_fill_the_table() -> None:
    """Each stands up to four times in one item of 400 KB: 64 KiB of them."""
    names = [f"{number:03}" + chr(0x20000 + number) * 250 for number in range(200)]
    listed = {"tools": [{**TOOL, "name": name} for name in names], "resultType": "complete"}
    handlers = {"tools/list": lambda _message: {**listed, "ttlMs": 0, "cacheScope": "private"}}
    async with serve(mcp_server(handlers)) as server:
        catalog = await connection(server).discover()
    assert [tool.name for tool in catalog.tools] == names[:65]


async def test_a_hostile_identity() -> None:
    """The server's name stands in logs and on the console's page."""

    def initialize(message: Any) -> dict[str, Any]:
        info = {"name": "evil\x1b[2J\nname" + "x" * 1000, "version": "\u202e1"}
        version = message["params"]["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {}, "serverInfo": info, "instructions": "x" * 9000}

    async with serve(mcp_server({"initialize": initialize}, modern=False)) as server:
        catalog = await connection(server).discover()
    assert catalog.server_name.startswith("evil[2Jnamex")
    assert (len(catalog.server_name), catalog.server_version, len(catalog.instructions)) == (256, "1", 4000)
    assert (catalog.has_tools, catalog.tools) == (False, [])


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}},
        {"type": "object", "$ref": "http://127.0.0.1:9/schema.json"},
        {"type": "object", "$ref": "https://evil.example.com/schema.json"},
        {"type": "object", "properties": {"x": {"type": "integer"}}},
        {"type": "object", "allOf": 7},
    ],
    ids=["regex bomb", "reference inside", "reference outside", "does not fit", "no schema"],
)
@pytest.mark.parametrize("modern", [True, False])
async def test_a_hostile_output_schema(schema: dict[str, Any], modern: bool) -> None:  # noqa: FBT001 -- a case
    """25 characters blocked the loop for 6 s, past every time-out: the server's schema is never run."""
    result = {**text_result("fine"), "structuredContent": {"x": "a" * 40 + "!"}}
    listed = {
        "tools": [{**TOOL, "outputSchema": schema}],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }
    handlers = {"tools/call": lambda _message: result, "tools/list": lambda _message: listed}
    async with serve(mcp_server(handlers, modern=modern)) as server:
        remote = connection(server)
        await remote.discover()
        assert (await remote.call_tool("add", {})).text == "fine"
    assert set(server.dialled) == {"93.184.215.14:443"}
