"""Servers that attack their client. Each trap was reproduced with the SDK alone; here each ends, soon, as one error."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from mcpclient.breaker import counts_as_failure

from tests.hostile.answers import event, once_called, refused, sending, stream
from tests.hostile.mcp import URL, connection, error_of, mcp_server, methods_of, result_of, text_result
from tests.hostile.server import Request, always, respond, serve

pytestmark = pytest.mark.anyio
CORPUS = Path(__file__).parent.parent / "corpus" / "ssrf_redirects.jsonl"
REDIRECTS = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
SOON_S = 0.4
"""The time-out of those calls that only a deadline can end."""


async def test_rebinding() -> None:
    """The name moves inside after the first call: the next connection is refused, and dials nothing."""
    async with serve(mcp_server()) as server:
        network = server.network(["93.184.215.14"], ["169.254.169.254"])
        await connection(server, network=network).call_tool("add", {"a": 1})
        error = await refused(server, network=network)
    assert str(error) == "Could not call the tool: not a public URL."
    assert server.dialled == ["93.184.215.14:443"]


@pytest.mark.parametrize("answers", [["93.184.215.14", "10.0.0.1"], ["10.0.0.1"], ["::1"], []])
@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
async def test_inside_addresses(answers: list[str], transport: str) -> None:
    """Mixed or not, and whether there is any: the caller learns the same."""
    async with serve(mcp_server()) as server:
        error = await refused(server, network=server.network(answers), transport=transport)
    assert str(error) == "Could not call the tool: not a public URL."
    assert server.dialled == []


@pytest.mark.parametrize("case", REDIRECTS, ids=lambda case: case["id"])
async def test_redirects_of_the_corpus(case: dict[str, Any]) -> None:
    """A POST of streamable HTTP, the GET of legacy SSE: same origin and same method, or nothing."""
    location = case["location"].encode("utf-8").decode("latin-1")

    async def answer(_request: Request, writer: asyncio.StreamWriter) -> None:
        first = len(server.requests) == 1
        writer.write(respond(case["status"], location=location) if first else respond(500))

    transport = "streamable-http" if case["method"] == "POST" else "sse"
    async with serve(answer) as server:
        await refused(server, transport=transport, url=case["from"])
    followed = len(server.requests) > 1
    assert case["second_request"] is None or followed == case["second_request"], case["why"]
    assert {request.headers["host"] for request in server.requests} == {"mcp.example.com"}
    assert set(server.dialled) == {"93.184.215.14:443"}


async def test_redirects_in_a_circle() -> None:
    """Followed at most 20 times by the SDK, and counted as requests by the guard."""
    async with serve(always(307, location="/mcp")) as server:
        error = await refused(server, limits={"requests": 10})
    assert len(server.requests) == 10
    assert "more than 10 requests" in str(error)


@pytest.mark.parametrize("endpoint", ["https://evil.example.com/messages", "https://127.0.0.1/", "//evil.example.com/"])
async def test_an_sse_endpoint_of_another_origin(endpoint: str) -> None:
    """The SDK waits for ever; the credentials would have gone there."""
    async with serve(sending(stream(f"event: endpoint\ndata: {endpoint}\n\n"), close=False)) as server:
        await refused(server, transport="sse", timeout_s=SOON_S)
    assert len(server.requests) == 1


@pytest.mark.parametrize("media_type", ["application/json", "text/event-stream"])
async def test_an_endless_body(media_type: str) -> None:
    """4 MiB per answer by default, here 100 kB."""

    async def endless(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\n\r\n".encode())
        while True:
            writer.write(b": " + b"x" * 10_000 + b"\n\n")
            await writer.drain()

    async with serve(once_called(endless)) as server:
        error = await refused(server, limits={"bytes_per_answer": 100_000})
    assert "more than 100000 bytes" in str(error)


@pytest.mark.parametrize("modern", [True, False])
@pytest.mark.parametrize("media_type", ["application/json", "text/event-stream"])
async def test_an_answer_of_very_many_values(modern: bool, media_type: str) -> None:  # noqa: FBT001 -- a case
    """The SDK notes what is wrong with each: 4 MiB of `0,` took 12 s and 5 GB, and no deadline fired."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        result = {"resultType": "complete", "content": [0] * 50_001}
        body = json.dumps({"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": result})
        prefix = ': "\ndata: ' if media_type == "text/event-stream" else ""
        writer.write(respond(200, f"{prefix}{body}\n\n".encode(), content_type=media_type))

    async with serve(once_called(answer, modern=modern)) as server:
        assert "more than 50000 values" in str(await refused(server))


async def test_one_event_may_be_as_long_as_an_answer() -> None:
    """The SDK's own limit is 1 MiB an event; many servers answer each call with one."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        result = text_result("x" * 3_000_000)
        writer.write(stream(event({"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": result})))
        await writer.drain()
        writer.close()

    async with serve(once_called(answer)) as server:
        assert (await connection(server).call_tool("add", {})).text.endswith("[truncated]")


async def test_a_long_text_is_not_many_values() -> None:
    """Commas in a string cost nothing more, wherever the network cuts it."""
    text = 'a,[{\\"' * 100_000
    async with serve(mcp_server({"tools/call": lambda _message: text_result(text)})) as server:
        assert (await connection(server).call_tool("add", {})).text.startswith(text[:1000])


async def test_a_compressed_body() -> None:
    """1 MB of zeros in 1 kB."""
    bomb = respond(200, gzip.compress(b"0" * 1_000_000), content_type="application/json", content_encoding="gzip")
    async with serve(once_called(sending(bomb))) as server:
        assert "compressed" in str(await refused(server))


@pytest.mark.parametrize(
    "charset",
    [
        *(f'charset="{name}"' for name in ("zlib", "bz2", "utf-16", "idna", "unicode_escape")),
        "charset*=utf-8''utf-16",
        "charset*0=utf; charset*1=-16",
        'x="charset=utf-8"; charset=punycode',
    ],
)
async def test_a_charset_that_is_a_program(charset: str) -> None:
    """Python takes `charset=zlib` for an encoding, and would unpack a bomb that no Content-Encoding announces."""
    answer = respond(200, b"x", content_type=f"text/event-stream; {charset}")
    async with serve(once_called(sending(answer))) as server:
        assert "not UTF-8" in str(await refused(server))


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n", stream()], ids=["headers", "comments"])
async def test_a_drip(head: bytes) -> None:
    """A byte now and then: no time-out per read ever fires."""

    async def drip(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(b"x-drip: 1\r\n" if head.endswith(b"OK\r\n") else b": drip\n\n")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with serve(once_called(drip)) as server:
        error = await refused(server, timeout_s=SOON_S)
    assert str(error) == "Could not call the tool: no answer within 0.4 s."
    assert error.retryable


async def test_a_handshake_without_an_answer_is_a_time_out() -> None:
    """The 404 to the SDK's look for the era is not the call's: the breaker would take it for a healthy server's."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if b"server/discover" in request.body:
            writer.write(respond(404))

    async with serve(answer) as server:
        error = await refused(server, timeout_s=SOON_S)
    assert (error.code, error.http_status) == ("timeout", None)
    assert counts_as_failure(error)


@pytest.mark.parametrize("retry", ["0", "-5", "1", "99999999999999999999", "x", "\u0661"])
async def test_retry(retry: str) -> None:
    """`retry: 0` reconnects 60 times a second, `retry: -5` crashes the SDK's task group."""
    async with serve(once_called(sending(stream(f"id: 1\nretry: {retry}\ndata: \n\n")))) as server:
        await refused(server, timeout_s=SOON_S)
    assert methods_of(server).count("GET") <= 8


async def test_a_broken_stream_is_taken_up_again() -> None:
    """What resumption is for: the server closes the stream and answers on the next one."""
    answers = [stream("id: 1\nretry: 10\ndata: \n\n")]

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.method == "GET":
            assert request.headers["last-event-id"] == "1"
            writer.write(stream(event({"jsonrpc": "2.0", "id": 2, "result": text_result("late")})))
        else:
            writer.write(answers[0])
        await writer.drain()
        writer.close()

    async with serve(once_called(answer)) as server:
        assert (await connection(server).call_tool("add", {})).text == "late"


@pytest.mark.parametrize("wrong", [999, "1", None, True])
async def test_a_wrong_id(wrong: Any) -> None:
    """The SDK waits for the right one."""
    handlers = {"tools/call": lambda _message: result_of({"id": wrong}, text_result("x"))}
    async with serve(mcp_server(handlers)) as server:
        await refused(server, timeout_s=SOON_S)


async def test_a_ping_flood() -> None:
    """300 pings in one answer would cost 300 requests."""
    pings = [event({"jsonrpc": "2.0", "id": f"p{number}", "method": "ping"}) for number in range(300)]
    async with serve(once_called(sending(stream(*pings), close=False), modern=False)) as server:
        error = await refused(server)
    assert len(server.requests) == 64
    assert "more than 64 requests" in str(error)


@pytest.mark.parametrize("method", ["sampling/createMessage", "elicitation/create", "roots/list"])
async def test_requests_to_the_client_are_refused(method: str) -> None:
    """This client has no model, no person and no files to offer."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        message = json.loads(request.body)
        asked = {"jsonrpc": "2.0", "id": "s1", "method": method, "params": {}}
        answered = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": []}}
        writer.write(stream(event(asked), event(answered)))
        await writer.drain()
        writer.close()

    async with serve(once_called(answer, modern=False)) as server:
        await connection(server).call_tool("add", {})
    replies = [json.loads(request.body) for request in server.requests if b'"s1"' in request.body]
    assert all("error" in reply for reply in replies)


@pytest.mark.parametrize(
    "metadata", ["https://127.0.0.1/.well-known/x", "http://169.254.169.254/latest/", "https://evil.example.com/prm"]
)
async def test_a_401_that_names_an_authorization_server(metadata: str) -> None:
    """What the server says of OAuth is never followed, inside or outside."""
    challenge = f'Bearer resource_metadata="{metadata}"'
    async with serve(always(401, b"{}", www_authenticate=challenge)) as server:
        error = await refused(server)
    assert error.http_status == 401
    assert {request.path for request in server.requests} == {"/mcp"}
    assert set(server.dialled) == {"93.184.215.14:443"}


@pytest.mark.parametrize(
    "answer",
    [
        respond(200, b"", content_type="application/json"),
        respond(200, b"not json", content_type="application/json"),
        respond(200, b"[" * 100_000, content_type="application/json"),
        respond(200, b'{"jsonrpc":"2.0","id":2,"result":{"content":7}}', content_type="application/json"),
        respond(200, b'{"jsonrpc":"2.0","id":2,"result":[]}', content_type="application/json"),
        respond(200, b"<html>", content_type="text/html"),
        respond(200, b"\xff\xfe", content_type="application/json"),
        respond(200, b"x"),
        respond(202),
        respond(204),
        stream("data: not json\n\n"),
        stream(),
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\ncontent-type: application/json\r\n\r\nshort",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x-long: " + b"x" * 200_000 + b"\r\n\r\n",
        b"",
    ],
    ids=range(16),
)
@pytest.mark.parametrize("modern", [True, False])
async def test_answers_that_are_none(answer: bytes, modern: bool) -> None:  # noqa: FBT001 -- a case
    """Whatever comes back, the caller gets one error of ours."""
    async with serve(once_called(sending(answer), modern=modern)) as server:
        await refused(server, timeout_s=1)


@pytest.mark.parametrize("code", [2**31, -(2**31), 10**4000], ids=range(3))
async def test_an_error_code_that_is_a_message(code: int) -> None:
    """JSON has numbers of any length, and a number can spell a text."""
    handlers = {"tools/call": lambda message: error_of(message, code, "x")}
    async with serve(mcp_server(handlers)) as server:
        error = await refused(server)
    assert (error.code, error.rpc_code) == ("invalid_answer", None)


@pytest.mark.parametrize("status", [200, 401, 500])
async def test_no_text_of_the_server_in_an_error(status: int) -> None:
    """It could hold instructions for the model that reads the error."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "canary-text"}}).encode()
    async with serve(always(status, body, content_type="application/json", x_header="canary-text")) as server:
        error = await refused(server, timeout_s=SOON_S)
    assert "canary" not in repr(error) + json.dumps(error.to_dict())
    assert URL not in str(error)
