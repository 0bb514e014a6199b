"""Legacy SSE: a message that the server does not take. The SDK logs it and waits for an answer that cannot come."""

import asyncio
import json
from typing import Any

import pytest
from mcpclient import SecretStore

from tests.hostile.answers import refused
from tests.hostile.mcp import connection
from tests.hostile.server import Answer, Request, respond, serve
from tests.mcpclient.test_connection import sse_server

pytestmark = pytest.mark.anyio
LONG_S = 20
"""Longer than a test may take: what waits for the deadline fails it."""


def not_taking(method: str | None, answer: bytes) -> Answer:
    """Return a server that gives *answer* to posts of *method* (None: of responses), and closes where that is empty."""
    honest = sse_server("/messages")

    async def either(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.method == "GET" or json.loads(request.body).get("method") != method:
            await honest(request, writer)
        elif answer:
            writer.write(answer)
        else:
            writer.close()

    return either


@pytest.mark.parametrize("method", ["initialize", "notifications/initialized", "tools/call"])
@pytest.mark.parametrize(("status", "retryable"), [(400, False), (401, False), (500, False), (503, True)])
async def test_a_refused_message_ends_the_call_with_its_status(method: str, status: int, retryable: bool) -> None:  # noqa: FBT001 -- a case
    """Not with a time-out, which would say that trying again may help."""
    async with serve(not_taking(method, respond(status))) as server:
        async with asyncio.timeout(LONG_S / 2):
            error = await refused(server, transport="sse", timeout_s=LONG_S)
    assert (error.code, error.http_status, error.retryable) == ("http_error", status, retryable)


@pytest.mark.parametrize("method", ["initialize", "notifications/initialized", "tools/call"])
@pytest.mark.parametrize("status", [300, 304, 306, 399])
async def test_an_answer_that_is_no_success_ends_the_call_too(method: str, status: int) -> None:
    """The SDK raises it in the background, and waits."""
    async with serve(not_taking(method, respond(status))) as server:
        async with asyncio.timeout(LONG_S / 2):
            error = await refused(server, transport="sse", timeout_s=LONG_S)
    assert (error.code, error.http_status, error.retryable) == ("http_error", status, False)


@pytest.mark.parametrize("method", ["initialize", "notifications/initialized", "tools/call"])
@pytest.mark.parametrize("status", [301, 302, 303])
async def test_a_redirect_that_would_lose_the_message_ends_the_call(method: str, status: int) -> None:
    """It makes a POST a GET: the guard refuses it."""
    async with serve(not_taking(method, respond(status, location="/elsewhere"))) as server:
        async with asyncio.timeout(LONG_S / 2):
            error = await refused(server, transport="sse", timeout_s=LONG_S)
    assert (error.code, error.http_status) == ("refused", status)


@pytest.mark.parametrize("method", ["initialize", "notifications/initialized", "tools/call"])
@pytest.mark.parametrize("status", [307, 308])
async def test_a_message_that_is_redirected_for_ever_ends_the_call(method: str, status: int) -> None:
    """Five times at most."""
    async with serve(not_taking(method, respond(status, location="/again"))) as server:
        async with asyncio.timeout(LONG_S / 2):
            error = await refused(server, transport="sse", timeout_s=LONG_S)
    assert (error.code, error.http_status, error.retryable) == ("http_error", status, False)
    assert [request.path for request in server.requests].count("/again") == 5


@pytest.mark.parametrize("status", [307, 308])
async def test_a_message_that_has_moved_is_sent_there(status: int) -> None:
    """A server's slash at the end: each message is answered so, whole and with its credentials."""
    honest = sse_server("/messages")

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == "/messages":
            writer.write(respond(status, location="/messages/"))
        else:
            await honest(request, writer)

    async with serve(answer) as server:
        assert (await connection(server, transport="sse").call_tool("add", {"a": 7})).text == "7"
    assert [request.path for request in server.requests].count("/messages/") == 3


async def test_a_connection_that_breaks_under_a_message_ends_the_call() -> None:
    """As it does with streamable HTTP."""
    async with serve(not_taking("tools/call", b"")) as server:
        async with asyncio.timeout(LONG_S / 2):
            error = await refused(server, transport="sse", timeout_s=LONG_S)
    assert (error.code, error.http_status, error.retryable) == ("broken", None, True)


async def test_after_a_401_to_a_message_the_secret_is_read_once_more() -> None:
    """The stream is open to anybody, the messages are not."""
    secrets = ["old", "new"]

    class Rotated:
        def get_secret_value(self, *, SecretId: str) -> dict[str, Any]:  # noqa: N803, ARG002 -- boto3's name
            return {"SecretString": secrets.pop(0)}

    honest = sse_server("/messages")

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.method == "GET" or request.headers["authorization"] == "Bearer new":
            await honest(request, writer)
        else:
            writer.write(respond(401))

    async with serve(answer) as server:
        remote = connection(server, transport="sse", auth={"scheme": "bearer"}, secrets=SecretStore(Rotated))
        assert (await remote.call_tool("add", {"a": 7})).text == "7"
    assert secrets == []


async def test_a_refused_response_does_not_end_the_call() -> None:
    """A server may ping, and mind the answer: its own answer still comes."""
    honest = sse_server("/messages")
    streams: list[asyncio.StreamWriter] = []

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        message = json.loads(request.body) if request.body else {}
        if request.method == "GET":
            streams.append(writer)
        elif message.get("method") == "tools/call":
            streams[-1].write(b'event: message\ndata: {"jsonrpc": "2.0", "id": "p", "method": "ping"}\n\n')
            called.append(request)
            writer.write(respond(202))
            return
        elif "method" not in message:
            writer.write(respond(400))
            await honest(called[0], Unheard())
            return
        await honest(request, writer)

    called: list[Request] = []
    async with serve(answer) as server:
        assert (await connection(server, transport="sse").call_tool("add", {"a": 7})).text == "7"


class Unheard:
    """Takes what nobody is to receive."""

    def write(self, data: bytes) -> None:
        """Drop *data*."""
