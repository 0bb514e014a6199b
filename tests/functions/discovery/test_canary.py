"""A planted secret appears in no log, error, event, metric or table, whatever the server does with it."""

import asyncio
import json
import logging
import zlib
from typing import Any

import pytest
from mcpclient import SecretStore

from tests.functions.discovery.rooms import Rooms
from tests.hostile.mcp import error_of
from tests.hostile.server import Request, respond, serve
from tests.hostile.tools import ChangingServer, named

pytestmark = pytest.mark.anyio
CANARY = "qZ7-canary-secret-91"
NAMES = ("docs.example.com",)


class Vault:
    """Secrets Manager, which has one secret."""

    def get_secret_value(self, *, SecretId: str) -> dict[str, Any]:  # noqa: ARG002, N803 -- boto3's name
        """Return it."""
        return {"SecretString": CANARY}


def rows(table: Any) -> str:
    """Return everything that is in the table, unpacked."""
    found = []
    for row in table.scan()["Items"]:
        packed = [zlib.decompress(bytes(row[name])).decode() for name in ("state", "pins", "part") if name in row]
        found.append(f"{row} {packed}")
    return "\n".join(found)


@pytest.mark.parametrize("where", ["description", "instructions", "discovery", "result", "error", "status", "nowhere"])
async def test_a_planted_secret_stays_where_it_belongs(
    connections_table: Any, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """The server sends back what it was sent: in a description, a result, an error, a page."""
    caplog.set_level(logging.DEBUG)
    remote = ChangingServer(named("read"))
    if where == "instructions":
        remote.instructions = f"Use Bearer {CANARY}."
    if where == "description":
        remote.tools = [named("read", f"Say {CANARY}.")]
    honest = remote.answer()

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        assert request.headers["authorization"] == f"Bearer {CANARY}"
        if b"tools/call" in request.body and where == "status":
            writer.write(respond(500, CANARY.encode()))
        elif b"tools/call" in request.body and where == "error":
            writer.write(error_of(json.loads(request.body), -32000, CANARY))
        else:
            await honest(request, writer)

    said: list[Any] = []
    async with serve(answer, names=NAMES) as server:
        secrets = SecretStore(Vault)
        rooms = Rooms(connections_table, {"docs": server}, secrets=secrets, auth={"scheme": "bearer"})
        said.append(await rooms.discover())
        if rooms.catalogs.heads()["docs"].version:
            rooms.approve("docs")
        if where == "discovery":
            # Another instance, which has seen nothing yet, asks the server what it is before the call.
            rooms.put("docs", auth={"scheme": "bearer"})
            rooms.eras.forget("https://docs.example.com/mcp")
            remote.instructions = f"Use Bearer {CANARY}."
        if where == "result":
            remote.result = {"content": [{"type": "text", "text": CANARY}], "resultType": "complete"}
        said += [await rooms.ask("tools/list"), await rooms.call("docs__read", q="a")]
        assert len(server.requests) >= 2
    said += [rooms.bus.sent, rows(connections_table), caplog.text, capsys.readouterr()]
    said += [str(record.__dict__) for record in caplog.records if not record.name.startswith("asyncio")]
    assert CANARY not in str(said)
