"""`make stdio`: which servers there are, and one that needs tables and a caller."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from local.commands import PROJECT
from local.stdio import servers


def tell(server: str, *messages: dict[str, Any]) -> list[Any]:
    """Return what *server* answers to these requests."""
    asked = "".join(json.dumps({"jsonrpc": "2.0", "id": number, **each}) + "\n" for number, each in enumerate(messages))
    command = [sys.executable, "-m", "local", "stdio", server]
    result = subprocess.run(command, input=asked, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def call(**arguments: Any) -> dict[str, Any]:
    """Return a call of the gateway's memory."""
    return {"method": "tools/call", "params": {"name": "smart_memory", "arguments": arguments}}


def test_the_gateway_has_its_tables_and_a_caller_without_a_key() -> None:
    """A host that starts a command sends no header: whoever starts it is the caller."""
    added, found = tell("gateway", call(action="add", text="Tea is at four."), call(action="search", query="tea"))
    assert not added["result"]["isError"]
    assert [each["text"] for each in found["result"]["structuredContent"]["memories"]] == ["Tea is at four."]


def test_only_rooms_with_a_server_are_servers(tmp_path: Path) -> None:
    """The authorizer and the rooms of schedules and queues speak no MCP."""
    assert servers(PROJECT / "functions") == ["gateway", "lab"]
    for room, source in {"typed": "server: object = object()", "other": "def server(): ..."}.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "app.py").write_text(source)
    assert servers(tmp_path) == ["typed"]
