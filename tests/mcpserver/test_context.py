"""The call's context: progress that the client asked for, in a stream that the SDK's own client reads.

Source: MCP basic/utilities/progress; PROTOCOL: a buffered event stream satisfies progress.
"""

import asyncio
from typing import Any

import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from mcpserver import CallContext, http_handler, tool
from mcpserver.context import TransportContext
from mcpserver.http_adapter import LambdaHandler
from tests.fixture_servers import serving
from tests.mcpserver.posts import (
    http_event,
    modern_request,
    post,
    post_modern,
    read,
    read_all,
    request,
    text_of,
)


@tool
async def steps(count: int, context: CallContext) -> str:
    """Take some steps and report each."""
    for step in range(1, count + 1):
        context.report_progress(step, count, f"step {step}")
    return "arrived"


HANDLER = http_handler(serving(steps), default_receivers=False)


def call(token: Any, count: int = 2) -> dict[str, Any]:
    """Return a call that asks for progress; with the token None, one that does not."""
    meta = {} if token is None else {"_meta": {"progressToken": token}}
    return request("tools/call", {"name": "steps", "arguments": {"count": count}, **meta})


@pytest.mark.parametrize("token", ["t", "", 0, 7])
def test_progress_comes_first_and_the_answer_last(token: Any) -> None:
    """MCP progress: each notification repeats the token of the request; Codex sends 0."""
    response = post(HANDLER, call(token))
    assert (response["statusCode"], response["headers"]["Content-Type"]) == (200, "text/event-stream")
    *notes, answer = read_all(response)
    assert [note["method"] for note in notes] == ["notifications/progress"] * 2
    assert [note["params"] for note in notes] == [
        {"progressToken": token, "progress": step, "total": 2, "message": f"step {step}"} for step in (1, 2)
    ]
    assert all("id" not in note for note in notes)
    assert text_of(answer) == "arrived"


def test_progress_comes_in_the_modern_era_too() -> None:
    """SPEC 2.3: one buffered event stream when the request asked for progress and accepts it."""
    params = {"name": "steps", "arguments": {"count": 1}}
    message = modern_request("tools/call", params, progressToken="t")
    assert len(read_all(post_modern(HANDLER, message))) == 2


@pytest.mark.parametrize(
    ("token", "accept"),
    [(None, "application/json, text/event-stream"), ("t", "application/json"), ("t", ""), ("t", "application/*")],
)
def test_without_a_token_or_a_stream_the_answer_is_plain_json(token: Any, accept: str) -> None:
    """SPEC 2.3: always application/json unless both are there."""
    response = post(HANDLER, call(token), {"accept": accept})
    assert response["headers"]["Content-Type"] == "application/json"
    assert text_of(read(response)) == "arrived"


@pytest.mark.parametrize("token", [{"a": 1}, [1], True, False, 1.5, None])
def test_a_token_that_is_none_gets_no_progress(token: Any) -> None:
    """MCP progress: a token is a string or an integer: nothing else can be read back."""
    message = call("t")
    message["params"]["_meta"]["progressToken"] = token
    assert [list(found) for found in read_all(post(HANDLER, message))] == [["jsonrpc", "id", "result"]]


@pytest.mark.parametrize("meta", [None, 5, "x", [], {}])
def test_an_odd_meta_is_no_request_for_progress(meta: Any) -> None:
    """The handshake era is lenient: HOSTS rule 1."""
    message = call(None)
    message["params"]["_meta"] = meta
    assert text_of(read(post(HANDLER, message))) == "arrived"


def test_a_tool_without_total_or_message_leaves_them_out() -> None:
    """HOSTS rule 2: never null."""
    notes: list[dict[str, Any]] = []
    context = CallContext(TransportContext(notify=notes.append), meta={"progressToken": "t"})
    context.report_progress(0.5)
    assert notes[0]["params"] == {"progressToken": "t", "progress": 0.5}


def test_each_call_of_a_batch_reports_under_its_own_token() -> None:
    """Tokens are the requests', not the POST's."""
    *notes, answers = read_all(post(HANDLER, [call("one", 1) | {"id": 1}, call("two", 1) | {"id": 2}]))
    assert [note["params"]["progressToken"] for note in notes] == ["one", "two"]
    assert [answer["id"] for answer in answers] == [1, 2]


def asgi_less_client(handler: LambdaHandler) -> httpx2.AsyncClient:
    """Return an HTTP client whose every request is answered by *handler*: no socket."""

    def respond(sent: httpx2.Request) -> httpx2.Response:
        headers = {name.lower(): value for name, value in sent.headers.items()}
        found = handler(http_event(sent.content.decode(), headers, method=sent.method), None)
        return httpx2.Response(found["statusCode"], headers=found["headers"], content=found["body"].encode())

    return httpx2.AsyncClient(transport=httpx2.MockTransport(respond))


def test_the_sdks_client_reads_the_stream() -> None:
    """The highest public door: the real client's event-stream parser gets each notification and the answer."""
    heard: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def talk() -> Any:
        async with (
            asgi_less_client(HANDLER) as http_client,
            streamable_http_client("https://mcp.example.com/mcp", http_client=http_client) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            return await session.call_tool("steps", {"count": 3}, progress_callback=note)

    result = asyncio.run(talk())
    assert result.content[0].text == "arrived"
    assert heard == [(step, 3, f"step {step}") for step in (1, 2, 3)]
