"""The remote server: names, whole results, errors for a model, resources by URI."""

import json
import zlib
from typing import Any

import pytest

from functions.remote.naming import offered_name
from tests.functions.discovery.rooms import Rooms, text_of
from tests.hostile.mcp import error_of
from tests.hostile.server import always, serve
from tests.hostile.tools import ChangingServer, named

pytestmark = pytest.mark.anyio
NAMES = ("docs.example.com",)


async def test_definitions_are_passed_on_as_they_are_stored(connections_table: Any) -> None:
    """All of them: schemas, annotations, title; the list asks no server."""
    schema = {"type": "object", "properties": {"q": {"type": "string", "pattern": "^a"}}, "additionalProperties": True}
    tool = named(
        "read",
        title="Read",
        inputSchema=schema,
        outputSchema={"type": "object", "properties": {"x": {"type": "integer"}}},
        annotations={"readOnlyHint": True, "openWorldHint": False, "idempotentHint": True},
    )
    async with serve(ChangingServer(tool).answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
        asked = len(server.requests)
        listed = (await rooms.ask("tools/list"))["tools"]
        assert listed == [{**tool, "name": "docs__read"}]
        assert len(server.requests) == asked


async def test_a_result_is_passed_on_whole(connections_table: Any) -> None:
    """Text, image and structured content, and that it is an error."""
    remote = ChangingServer(named("read"))
    remote.result = {
        "content": [
            {"type": "text", "text": "x" * 100_000},
            {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        ],
        "structuredContent": {"a": [1, 2]},
        "isError": True,
        "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "docs", "version": "1"}},
    }
    async with serve(remote.answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
        result = await rooms.call("docs__read", q="a", n=None, deep={"b": [1]})
    assert result == {name: value for name, value in remote.result.items() if name not in {"resultType", "_meta"}}
    assert b'"arguments":{"q":"a","n":null,"deep":{"b":[1]}}' in server.requests[-1].body


async def test_errors_are_sentences_that_a_model_can_use(connections_table: Any) -> None:
    """And none of them holds the other server's text."""
    remote = ChangingServer(named("read"))
    honest = remote.answer()
    async with serve(honest, names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
        remote.result = {"content": "SECRET-TEXT"}
        assert "not valid MCP" in text_of(await rooms.call("docs__read"))
        rooms.put("docs", enabled=False)
        assert (await rooms.call("docs__read"))["code"] == -32602
        rooms.put("docs", auth={"scheme": "bearer"})
    async with serve(always(503, b"SECRET-TEXT"), names=NAMES) as down:
        rooms.put("docs")
        rooms.servers = {"docs": down}
        result = await rooms.call("docs__read")
        assert result["isError"]
        assert "HTTP 503. It may work later." in text_of(result)
    assert "SECRET-TEXT" not in str(result)


async def test_a_call_is_never_made_twice(connections_table: Any) -> None:
    """That a tool is idempotent is its server's claim."""
    remote = ChangingServer(named("read", annotations={"idempotentHint": True}))
    async with serve(remote.answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
    async with serve(always(503), names=NAMES) as down:
        rooms.servers = {"docs": down}
        await rooms.call("docs__read")
        assert sum(b"tools/call" in request.body for request in down.requests) == 1


async def test_the_breaker_stands_before_the_remote_server_too(connections_table: Any) -> None:
    """Five failures: then no socket."""
    async with serve(ChangingServer(named("read")).answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
    async with serve(always(500), names=NAMES) as down:
        rooms.servers = {"docs": down}
        texts = [text_of(await rooms.call("docs__read")) for _ in range(6)]
        connections = down.connections
        assert "failed too often: try again in" in texts[-1]
        await rooms.call("docs__read")
        assert down.connections == connections


async def test_arguments_that_cannot_be_sent_are_the_models_to_mend(connections_table: Any) -> None:
    """Nothing is sent, and the breaker learns nothing from it."""
    async with serve(ChangingServer(named("read")).answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
        asked = server.connections
        texts = [text_of(await rooms.call("docs__read", n=float("nan"))) for _ in range(6)]
        assert server.connections == asked
        assert "docs: The arguments cannot be sent" in texts[-1]
        assert not (await rooms.call("docs__read", n=1)).get("isError")


async def test_a_key_for_one_tool_calls_no_other_and_reads_nothing(connections_table: Any) -> None:
    """GATEWAY.md: scopes are servers and tools. Such a key passes the authorizer, so the room must look closer."""
    async with serve(ChangingServer(named("read"), named("write")).answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server}, allowed_resources=["docs://*"])
        await rooms.discover()
        rooms.approve("docs")
        rooms.scopes = ["remote:docs__read"]
        assert [tool["name"] for tool in (await rooms.ask("tools/list"))["tools"]] == ["docs__read"]
        assert not (await rooms.call("docs__read")).get("isError")
        asked = len(server.requests)
        refused = await rooms.call("docs__write")
        assert refused["isError"]
        assert "needs the scope remote:docs__write" in text_of(refused)
        assert (await rooms.ask("resources/read", uri="docs://a"))["code"] == -32003
        rooms.scopes = ["gateway", "remotes", "remote:docs"]
        assert (await rooms.call("docs__read"))["isError"]
        assert len(server.requests) == asked


async def test_only_allowed_tools_are_there(connections_table: Any) -> None:
    """`allowed_tools` are patterns."""
    async with serve(ChangingServer(named("read_a"), named("write_a")).answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server}, allowed_tools=["read_*"])
        await rooms.discover()
        rooms.approve("docs")
        assert await rooms.tools() == ["docs__read_a"]
        assert (await rooms.call("docs__write_a"))["code"] == -32602


async def test_resources_are_read_by_uri(connections_table: Any) -> None:
    """Only what a connection allows, and the connection in front where two allow it."""
    names = ("docs.example.com", "more.example.com")
    async with serve(ChangingServer(named("read")).answer(), names=names) as server:
        rooms = Rooms(connections_table, {"docs": server, "more": server}, allowed_resources=["docs://*"])
        await rooms.discover()
        assert (await rooms.ask("resources/read", uri="docs://a"))["code"] in {-32002, -32602}
        rooms.approve("docs")
        contents = (await rooms.ask("resources/read", uri="docs://a"))["contents"]
        assert contents[0]["text"] == "a text"
        assert contents[1]["blob"] == "aGk="
        rooms.approve("more")
        assert "more__" in (await rooms.ask("resources/read", uri="docs://a"))["message"]
        assert "contents" in await rooms.ask("resources/read", uri="more__docs://a")
        assert "code" in await rooms.ask("resources/read", uri="more__file://a")


async def test_arguments_that_a_strict_server_refuses_are_the_models_to_mend(connections_table: Any) -> None:
    """-32602 of the other server is a tool error here, not one of ours."""
    remote = ChangingServer(named("read"))
    async with serve(remote.answer(), names=NAMES) as server:
        rooms = Rooms(connections_table, {"docs": server})
        await rooms.discover()
        rooms.approve("docs")
        remote.result = error_of({"id": 2}, -32602, "bad")  # type: ignore[assignment]  # a whole answer
        result = await rooms.call("docs__read")
        assert result["isError"]


async def test_nothing_is_sent_to_a_url_that_was_not_approved(connections_table: Any) -> None:
    """The list is some seconds old, an approval belongs to a URL: neither a call nor a credential goes to another."""
    names = ("docs.example.com", "other.example.com")
    async with serve(ChangingServer(named("read")).answer(), names=names) as server:
        rooms = Rooms(connections_table, {"docs": server}, max_age_s=10, allowed_resources=["docs://*"])
        await rooms.discover()
        rooms.approve("docs")
        assert await rooms.tools() == ["docs__read"]
        rooms.put("docs", url="https://other.example.com/mcp", allowed_resources=["docs://*"])
        asked = len(server.requests)
        assert "an operator must look at it" in text_of(await rooms.call("docs__read"))
        assert "code" in await rooms.ask("resources/read", uri="docs://a")
        assert len(server.requests) == asked


async def test_large_definitions_make_shorter_pages(connections_table: Any) -> None:
    """One connection's definitions must not make the list larger than a function can answer with."""
    names = ("one.example.com", "two.example.com")
    tools = [named(f"t{number}", '"' * 90_000) for number in range(20)]
    async with serve(ChangingServer(*tools).answer(), names=names) as server:
        rooms = Rooms(connections_table, {"one": server, "two": server})
        await rooms.discover()
        for name in ("one", "two"):
            rooms.approve(name)
        listed: list[str] = []
        params: dict[str, str] = {}
        for _ in range(40):
            page = await rooms.ask("tools/list", **params)
            assert len(json.dumps(json.dumps(page))) < 6_000_000
            listed += [tool["name"] for tool in page["tools"]]
            if "nextCursor" not in page:
                break
            params = {"cursor": page["nextCursor"]}
    assert len(listed) == len(set(listed)) == 40


@pytest.mark.parametrize(
    "row",
    [
        {"pk": "CONNECTION", "sk": "bad"},
        {"pk": "APPROVAL", "sk": "bad", "url": "", "revision": 1, "pins": b"junk"},
        {"pk": "APPROVAL", "sk": "bad", "url": "", "revision": 1, "pins": zlib.compress(b"[]")},
        {"pk": "CATALOG", "sk": "bad"},
        {"pk": "CATALOG", "sk": "bad", "state": zlib.compress(b"[" * 100_000)},
        {"pk": "CONNECTION#more", "sk": "CATALOG#00000001#0000", "part": b"junk"},
        {"pk": "CONNECTION#more", "sk": "CATALOG#00000001#0000"},
        {"pk": "CONNECTION#more", "sk": "CATALOG#00000001#0000", "part": zlib.compress(b'{"tools": [5, {}]}')},
    ],
)
async def test_a_row_that_is_not_readable_hides_nothing_of_another_connection(
    connections_table: Any, row: dict[str, Any]
) -> None:
    """Whoever has written it: one bad connection never fails another."""
    names = ("docs.example.com", "more.example.com")
    async with serve(ChangingServer(named("read")).answer(), names=names) as server:
        rooms = Rooms(connections_table, {"docs": server, "more": server})
        await rooms.discover()
        for name in ("docs", "more"):
            rooms.approve(name)
        connections_table.put_item(Item=row)
        assert "docs__read" in await rooms.tools()
        assert await rooms.discover() == []


@pytest.mark.parametrize(
    "tool",
    ["a" * 61, "dots.and/slashes", "näme", "x" * 256, "looks_0123456789", "spaces in it"],
)
def test_names_are_ones_that_every_host_takes(tool: str) -> None:
    """HOSTS rule 12: 64 characters of `[a-zA-Z0-9_-]`."""
    name = offered_name("docs", tool)
    assert len(name) <= 64
    assert name.startswith("docs__")
    assert all(character.isascii() and (character.isalnum() or character in "_-") for character in name)
    assert name == offered_name("docs", tool)


def test_names_never_collide() -> None:
    """Two that differ only in what is replaced, or after the cut; and one that looks like a shortened one."""
    shortened = offered_name("docs", "a.b")
    tools = ["a.b", "a/b", "a_b", "x" * 100, "x" * 101, shortened.removeprefix("docs__")]
    assert len({offered_name("docs", tool) for tool in tools}) == len(tools)
    assert offered_name("docs", "read") == "docs__read"
