"""The same server over stdin and stdout, with the SDK's own client and with a pipe.

Source: MCP basic/transports, stdio: the server MUST NOT write anything to its stdout that is not a message.
"""

import asyncio
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcpserver import CallContext, serve_stdio, tool
from tests.fixture_servers import AddingServer, serving
from tests.mcpserver.posts import modern_request, request, text_of

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "local", "stdio", "lab"]
"""What `make stdio SERVER=lab` runs."""

CALL = request("tools/call", {"name": "calculator", "arguments": {"expression": "2 ** 10 + 5"}})


def spoken(*lines: bytes) -> list[Any]:
    """Start the lab over stdio, say *lines*, close, and return what it said, each line as JSON."""
    done = subprocess.run(
        COMMAND, input=b"\n".join(lines) + b"\n", capture_output=True, cwd=ROOT, timeout=20, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_sdks_client_lists_and_calls_in_both_modes(mode: Literal["auto", "legacy"]) -> None:
    """Issue 2: the real `mcp` client; auto is the modern era, legacy the handshake."""

    async def talk() -> tuple[list[str], str, bool]:
        transport = stdio_client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], cwd=ROOT))
        async with Client(transport, mode=mode) as client:
            names = [listed.name for listed in (await client.list_tools()).tools]
            right: Any = await client.call_tool("calculator", {"expression": "2 ** 10 + 5"})
            wrong: Any = await client.call_tool("calculator", {"expression": "1 / 0"})
            return names, right.content[0].text, wrong.is_error

    names, text, is_error = asyncio.run(talk())
    assert names == ["calculator", "wiki_search", "get_current_time", "countdown"]
    assert (text, is_error) == ("1029", True)


def test_stdout_is_nothing_but_protocol_whatever_comes_in() -> None:
    """Bad JSON, bad bytes and a blank line are answered or passed over, and the server goes on."""
    answers = spoken(
        b"{",
        b"",
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
        json.dumps([request("ping"), request("ping", request_id=2)]).encode(),
        json.dumps(CALL).encode(),
    )
    assert [found["error"]["code"] for found in answers[:2]] == [-32700, -32700]
    assert [item["id"] for item in answers[2]] == [1, 2]
    assert text_of(answers[3]) == "1029"


def said(server: Any, *messages: Any) -> list[Any]:
    """Return what *server* writes for *messages*, in this process."""
    sink = io.BytesIO()
    serve_stdio(server, io.BytesIO("".join(json.dumps(message) + "\n" for message in messages).encode()), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_a_tool_that_prints_does_not_break_the_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    """Authors debug with print: it goes to stderr, where a host shows it as a log."""

    @tool
    def talkative() -> str:
        """Print."""
        print("HELLO")  # noqa: T201 -- that is the point
        return "done"

    sink = io.BytesIO()
    line = json.dumps(request("tools/call", {"name": "talkative"})) + "\n"
    serve_stdio(serving(talkative), io.BytesIO(line.encode()), sink)
    assert text_of(json.loads(sink.getvalue())) == "done"
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "HELLO\n")


def test_stdout_is_given_back_at_the_end() -> None:
    """The process may go on: a test does."""
    before = sys.stdout
    said(AddingServer(), request("ping"))
    assert sys.stdout is before


def test_every_message_is_one_line() -> None:
    """MCP stdio: messages are delimited by newlines and MUST NOT contain embedded newlines."""
    text = "a\nb\r\n\u2028\u0085c"
    (answer,) = said(AddingServer(), request("tools/call", {"name": "echo", "arguments": {"text": text}}))
    assert text_of(answer) == text


def test_progress_is_written_before_the_answer() -> None:
    """MCP progress: over stdio each notification is a message of its own."""

    @tool
    def step(context: CallContext) -> str:
        """Take a step."""
        context.report_progress(1, 2)
        return "done"

    params = {"name": "step", "arguments": {}, "_meta": {"progressToken": 5}}
    note, answer = said(serving(step), request("tools/call", params))
    assert note["params"] == {"progressToken": 5, "progress": 1, "total": 2}
    assert text_of(answer) == "done"


def test_the_modern_era_needs_no_headers_here() -> None:
    """MCP 2026-07-28, stdio: the envelope is in the message alone."""
    (answer,) = said(AddingServer(), modern_request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 2}}))
    assert (text_of(answer), answer["result"]["resultType"]) == ("3", "complete")
